#include "command_line.hpp"
#include "commands.hpp"
#include "programs.hpp"
#include "terminal.hpp"
#include "viewer_page.hpp"

#include <bulwark/base/parallel.hpp>
#include <bulwark/output/writing/machine.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace bulwark::app {
namespace {

constexpr double gibibyte = 1024.0 * 1024 * 1024;

void line(const std::string& what, const std::string& is) {
  fmt::print("  {}  {}\n", painted(fmt::format("{:10}", what), Paint::strong, stdout), is);
}

/// Processors that this process may run on: fewer than the machine has, in a container or a batch job.
int usable_processors() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

/// A line of /proc/meminfo, in bytes; 0 when there is none.
double memory(const std::string& key) {
  std::ifstream file("/proc/meminfo");
  for (std::string text; std::getline(file, text);) {
    if (text.starts_with(key + ":")) return 1024.0 * std::strtod(text.c_str() + key.size() + 1, nullptr);
  }
  return 0;
}

/// What a command prints, without its last line end; "" when it fails.
std::string output_of(const std::string& command) {
  std::FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return "";
  std::string text;
  std::array<char, 256> part;
  while (std::fgets(part.data(), part.size(), pipe) != nullptr) text += part.data();
  const bool worked = pclose(pipe) == 0;
  while (text.ends_with('\n')) text.pop_back();
  return worked ? text : "";
}

std::string graphics() {
  if (!find_program("nvidia-smi")) return "no NVIDIA driver on this machine";
  const std::string list = output_of("nvidia-smi --query-gpu=name,memory.total --format=csv,noheader");
  if (list.empty()) return "nvidia-smi is there, but finds no device";
  std::string names;
  std::istringstream lines(list);
  for (std::string name; std::getline(lines, name);) names += (names.empty() ? "" : "; ") + name;
  return names;
}

std::string browser() {
  for (const char* name : {"xdg-open", "firefox", "chromium", "google-chrome"}) {
    if (const auto program = find_program(name)) return program->string();
  }
  return "";
}

int doctor() {
  const Machine machine = this_machine();
  std::vector<std::string> advice;
  fmt::print("bulwark {} on this machine\n", BULWARK_VERSION);
  line("system", machine.system);
  const int usable = usable_processors();
  line("processor", fmt::format("{}, {} threads{}", machine.processor, machine.hardware_threads,
                                usable > 0 && usable < static_cast<int>(machine.hardware_threads)
                                    ? fmt::format(", of which {} may be used here", usable)
                                    : ""));
  line("threads", fmt::format("{} are used, unless --threads says otherwise", thread_count()));
  const double total = memory("MemTotal"), available = memory("MemAvailable");
  line("memory", fmt::format("{:.1f} GiB, {:.1f} GiB free", total / gibibyte, available / gibibyte));
  if (available < 2 * gibibyte)
    advice.push_back("less than 2 GiB of memory are free: large scenes may not fit");

  line("graphics", graphics());
  line("devices", "cpu; this build has no GPU support");
  std::error_code error;
  const std::filesystem::space_info space = std::filesystem::space(".", error);
  if (!error)
    line("disk", fmt::format("{:.1f} GiB free here", static_cast<double>(space.available) / gibibyte));
  if (!error && static_cast<double>(space.available) < gibibyte) {
    advice.push_back("less than 1 GiB of disk is free here: frames of long runs need more");
  }

  const auto ffmpeg = find_program("ffmpeg");
  line("ffmpeg", ffmpeg ? ffmpeg->string() + ": `bulwark render` can write videos" : "not installed");
  if (!ffmpeg) advice.push_back("videos (`bulwark render -o run.mp4`) need the package `ffmpeg`");
  line("viewer", viewer_page().empty() ? "not in this build" : "in this build");
  if (viewer_page().empty()) advice.push_back("`bulwark view` needs a build with npm installed");
  const std::string shown_by = browser();
  line("browser", shown_by.empty() ? "none found" : shown_by);
  if (shown_by.empty()) {
    advice.push_back(
        "`bulwark view` has no browser here: `bulwark view DIR --html run.html` makes a page to take away");
  }
  fmt::print("\n{}\n",
             advice.empty() ? painted("nothing is missing", Paint::good, stdout) : "what would help:");
  for (const std::string& text : advice) fmt::print("  - {}\n", text);
  return 0;
}

}  // namespace

void add_doctor_command(CommandLine& line) {
  CLI::App& command = line.add("doctor", "Say what this machine offers, and what would help", doctor);
  command.footer("Example:\n  bulwark doctor");
}

}  // namespace bulwark::app
