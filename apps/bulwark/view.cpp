#include "command_line.hpp"
#include "commands.hpp"
#include "interrupt.hpp"
#include "scene_library.hpp"
#include "scene_start.hpp"
#include "viewer_page.hpp"
#include "viewer_routes.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/output/viewing/inlined_run.hpp>
#include <bulwark/output/writing/atomic_file.hpp>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <thread>

namespace bulwark::app {
namespace {

struct ViewOptions {
  std::string run;                     ///< a run folder, or a scene whose start is shown
  std::vector<std::string> overrides;  ///< of a scene
  std::optional<int> port;             ///< empty: the usual one, or the next that is free
  bool browser = true;                 ///< open it
  std::string html;                    ///< write a page instead of serving one; "": serve
  double limit_megabytes = 50;
};

constexpr int usual_port = 8765, ports_to_try = 20;

void require_page() {
  if (!viewer_page().empty()) return;
  throw InputError("bulwark view", "this program was built without the viewer",
                   "install npm (scripts/install-packages does), then run cmake and build again");
}

/// Shows the page in the user's browser, where there is a screen.
void open_browser(const std::string& address) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  const pid_t child = fork();
  if (child == 0) {
    // Twice, so that the browser belongs to nobody who waits for it.
    if (fork() == 0) {
      execlp("xdg-open", "xdg-open", address.c_str(), static_cast<char*>(nullptr));
      _exit(1);
    }
    _exit(0);
  }
  if (child > 0) waitpid(child, nullptr, 0);
}

/// Folders are runs; anything else must be a scene, or the name of one that comes with Bulwark.
bool is_run(const std::string& given) {
  if (std::filesystem::is_directory(given)) return true;
  try {
    find_scene(given);
    return false;
  } catch (const InputError&) {
    throw InputError(
        given, "there is no such run folder, scene file or shipped scene",
        "give the folder that `bulwark run -o` wrote, or a scene; `bulwark scenes` lists shipped ones");
  }
}

void write_page(ViewedRun& run, const std::string& file, double limit_megabytes) {
  constexpr double megabyte = 1e6;
  const std::string_view page = viewer_page();
  const double room = limit_megabytes * megabyte - static_cast<double>(page.size());
  const InlinedRun inlined = inline_run(run, static_cast<std::size_t>(std::max(room, 0.0)));
  const std::size_t mark = page.find(viewer_page_mark);
  if (mark == std::string_view::npos) throw InputError("bulwark view", "the page of the viewer has no mark");
  std::string html(page.substr(0, mark));
  html += "<script type=\"application/json\" id=\"run\">" + inlined.json + "</script>";
  html += page.substr(mark + viewer_page_mark.size());
  write_file_atomically(file, html);
  fmt::print("{}: {} frames, {:.1f} MB; opens in a browser, without a server\n", file, inlined.frames,
             static_cast<double>(html.size()) / megabyte);
  if (inlined.every > 1) {
    fmt::print("one of every {} of the run's {} frames is in it, to stay below {} MB; --limit changes that\n",
               inlined.every, inlined.frames_of_run, limit_megabytes);
  }
}

int view(const ViewOptions& options) {
  require_page();
  std::optional<SceneStart> start;
  if (!is_run(options.run)) {
    start.emplace(options.run, options.overrides);
  } else if (!options.overrides.empty()) {
    throw InputError("--set", "it changes scenes, and this is a run", "run the scene again with --set");
  }
  ViewedRun run(start ? start->folder() : std::filesystem::path(options.run));
  if (!options.html.empty()) {
    write_page(run, options.html, options.limit_megabytes);
    return 0;
  }
  catch_interrupts();
  HttpServer server(options.port.value_or(usual_port), options.port ? 0 : ports_to_try,
                    [&](const HttpRequest& request) { return answer_viewer(run, request); });
  // The browser takes a moment to start: by then the surface is found.
  const std::jthread warm_up([&] {
    try {
      run.description(0);
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): the page will ask again, and be told
    }
  });
  const std::string address = fmt::format("http://localhost:{}/", server.port());
  fmt::print("{} shows {}{}; Ctrl-C ends it\n", address, start ? "the start of " : "", options.run);
  std::fflush(stdout);
  if (options.browser) open_browser(address);
  server.serve(interrupted);
  return 0;
}

}  // namespace

void add_view_command(CommandLine& line) {
  auto [command, options] =
      line.add<ViewOptions>("view", "Show a run, or the start of a scene, in the browser", view);
  command.add_option("DIR", options.run, "Run folder, of a run that may still be going; or a scene")
      ->required();
  command.add_option("--port", options.port, "Port on this machine (default: 8765 or the next)")
      ->check(CLI::Range(0, 65535).description(""))
      ->type_name("N");
  command.add_flag("!--no-browser", options.browser, "Print the address without opening a browser");
  command.add_option("--html", options.html, "Write one page with the run in it, to send")->type_name("FILE");
  command
      .add_option("--limit", options.limit_megabytes,
                  "Size limit of that page (default: 50); frames are left out to fit")
      ->check(positive())
      ->type_name("MB");
  add_overrides(command, options.overrides);
  command.footer("Example:\n  bulwark view out/trial --html trial.html");
}

}  // namespace bulwark::app
