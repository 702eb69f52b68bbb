// The command line of Bulwark: what can be asked, and the one place where errors become exit codes.
#include "command_line.hpp"
#include "commands.hpp"
#include "terminal.hpp"

#include <bulwark/base/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <cstdlib>
#include <new>

namespace bulwark::app {
namespace {

constexpr int exit_bad_input = 2;

constexpr const char* exit_codes =
    "Exit codes: 0 done, 2 bad input, 3 the solver could not converge, 4 surfaces intersect,\n"
    "5 output could not be written, 130 interrupted with a checkpoint written.";

int parse_and_run(int argc, char** argv) {
  CommandLine line{
      CLI::App("Bulwark simulates soft and hard bodies in contact; none of its results contains two\n"
               "surfaces that pass through each other.",
               "bulwark"),
      {}};
  line.program.require_subcommand(1);
  line.program.footer(std::string(exit_codes) +
                      "\n\nExample:\n  bulwark run ipc/ball_on_mat -o out/ball && bulwark check out/ball");
  line.program.set_version_flag("--version", BULWARK_VERSION, "Print the version and exit");
  // In the order in which the help lists them.
  for (const auto add :
       {add_run_command, add_validate_command, add_check_command, add_render_command, add_plot_command,
        add_export_command, add_explain_command, add_view_command, add_ccd_command, add_bench_command,
        add_restitution_command, add_import_command, add_scenes_command, add_schema_command,
        add_doctor_command, add_completion_command, add_version_command}) {
    add(line);
  }
  try {
    line.program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return line.program.exit(error) == 0 ? 0 : exit_bad_input;
  }
  return line.chosen();
}

int run_program(int argc, char** argv) {
  show_warnings_in_color();
  const std::string error_mark = painted("error:", Paint::error, stderr);
  try {
    return parse_and_run(argc, argv);
  } catch (const Error& error) {
    std::fflush(stdout);
    bulwark::app::say(stderr, "{} {}\n", error_mark, error.what());
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "{} {}: there is not enough memory\n", error_mark,
               fmt::join(argv + 1, argv + argc, " "));
    return 2;  // as for a file that is too large
  } catch (const std::exception& error) {
    fmt::print(stderr, "{} {}\n  This is a bug in Bulwark; please report it with the scene.\n", error_mark,
               error.what());
  }
  return 1;
}

}  // namespace
}  // namespace bulwark::app

int main(int argc, char** argv) {
  const int code = bulwark::app::run_program(argc, argv);
  // Everything is written; what a large scene holds need not be freed piece by piece.
  std::fflush(nullptr);
  std::_Exit(code);
}
