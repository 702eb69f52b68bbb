#include "command_line.hpp"
#include "commands.hpp"

#include <bulwark/base/parallel.hpp>

#include <fmt/format.h>

namespace bulwark::app {
namespace {

int print_version() {
  fmt::print("bulwark {}\ncompiler: g++ {}\ndevices: cpu ({} threads)\n", BULWARK_VERSION, __VERSION__,
             thread_count());
  return 0;
}

}  // namespace

void add_version_command(CommandLine& line) {
  CLI::App& command = line.add("version", "Print the version and what it was built with", print_version);
  command.footer("Example:\n  bulwark version");
}

}  // namespace bulwark::app
