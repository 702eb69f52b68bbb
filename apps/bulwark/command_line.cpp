#include "command_line.hpp"

namespace bulwark::app {

CLI::App& CommandLine::add(const std::string& name, const std::string& description,
                           std::function<int()> execute) {
  CLI::App& command = *program.add_subcommand(name, description);
  command.callback([this, execute] { chosen = execute; });
  return command;
}

void add_overrides(CLI::App& command, std::vector<std::string>& overrides) {
  command.add_option("--set", overrides, "Override a value of the scene, as /time/step=0.005; repeatable")
      ->type_name("PATH=VALUE")
      ->take_all()
      ->expected(1);
}

void add_quiet(CLI::App& command, bool& quiet) {
  command.add_flag("-q,--quiet", quiet, "Print nothing but warnings and errors");
}

CLI::Validator not_negative() {
  return CLI::Validator(CLI::NonNegativeNumber).description("");
}

CLI::Validator positive() {
  return CLI::Validator(CLI::PositiveNumber).description("");
}

}  // namespace bulwark::app
