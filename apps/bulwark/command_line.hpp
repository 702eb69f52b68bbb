// The command line under construction: each command adds itself with its options (commands.hpp), main parses
// it and executes the command that was chosen.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bulwark::app {

/// A command that was just added, and the options that parsing fills.
template <class Options>
struct AddedCommand {
  CLI::App& command;
  Options& options;
};

struct CommandLine {
  CLI::App program;
  std::function<int()> chosen;  ///< executes the command that was given; set by parsing

  /// A command with options. `execute` gets them once they are parsed, and returns the exit code.
  template <class Options>
  AddedCommand<Options> add(const std::string& name, const std::string& description,
                            std::function<int(const Options&)> execute) {
    const auto options = std::make_shared<Options>();
    CLI::App& command = add(name, description, [execute, options] { return execute(*options); });
    return {command, *options};
  }

  /// A command without options.
  CLI::App& add(const std::string& name, const std::string& description, std::function<int()> execute);
};

/// `--set PATH=VALUE`, of commands that read a scene.
void add_overrides(CLI::App& command, std::vector<std::string>& overrides);

/// `--quiet`, of commands that report what they do.
void add_quiet(CLI::App& command, bool& quiet);

/// Checks of numbers, without their names in the help.
CLI::Validator not_negative();
CLI::Validator positive();

}  // namespace bulwark::app
