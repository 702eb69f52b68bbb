// Completion of commands and options in shells, made from the program's own description: it can't go stale.
#include "command_line.hpp"
#include "commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace bulwark::app {
namespace {

struct OptionWords {
  std::vector<std::string> flags;  ///< "-o", "--output"
  std::string description;
  bool takes_value = false;
};

struct CommandWords {
  std::string name, description;
  std::vector<OptionWords> options;
};

OptionWords words_of(const CLI::Option& option) {
  OptionWords words;
  for (const std::string& name : option.get_snames()) words.flags.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) words.flags.push_back("--" + name);
  words.description = option.get_description();
  words.takes_value = option.get_items_expected_max() > 0;
  return words;
}

std::vector<CommandWords> commands_of(const CLI::App& program) {
  std::vector<CommandWords> commands;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
    CommandWords words{command->get_name(), command->get_description(), {}};
    for (const CLI::Option* option : command->get_options()) {
      const OptionWords of_option = words_of(*option);
      if (!of_option.flags.empty()) words.options.push_back(of_option);
    }
    commands.push_back(std::move(words));
  }
  return commands;
}

/// For single quotes of a shell; line ends become blanks.
std::string single_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c == '\n' ? ' ' : c);
  return result + "'";
}

/// A description inside of a word of zsh's _arguments, where brackets and colons have a meaning.
std::string for_zsh(std::string text) {
  for (char& c : text) {
    if (c == '[' || c == ']') c = ' ';
    if (c == ':') c = ',';
  }
  return text;
}

std::string bash_script(const std::vector<CommandWords>& commands) {
  std::vector<std::string> names;
  std::string cases;
  for (const CommandWords& command : commands) {
    names.push_back(command.name);
    std::vector<std::string> flags;
    for (const OptionWords& option : command.options) {
      flags.insert(flags.end(), option.flags.begin(), option.flags.end());
    }
    cases += fmt::format("    {}) options='{}' ;;\n", command.name, fmt::join(flags, " "));
  }
  return fmt::format(
      "# Completion of bulwark for bash: source <(bulwark completion bash)\n"
      "_bulwark() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} command=${{COMP_WORDS[1]}} options=''\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W '{} --help --version' -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case $command in\n{}  esac\n"
      "  COMPREPLY=()\n"
      "  case $word in\n"
      "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
      "    *) if [ \"$COMP_CWORD\" -eq 2 ]; then\n"
      "         case $command in\n"
      "           run|validate) COMPREPLY=($(compgen -W \"$(bulwark scenes --names 2>/dev/null)\" -- "
      "\"$word\")) ;;\n"
      "           completion) COMPREPLY=($(compgen -W 'bash zsh fish' -- \"$word\")) ;;\n"
      "         esac\n"
      "       fi ;;\n"
      "  esac\n"
      "}}\n"
      "complete -o default -F _bulwark bulwark\n",
      fmt::join(names, " "), cases);
}

std::string zsh_script(const std::vector<CommandWords>& commands) {
  std::string list, cases;
  for (const CommandWords& command : commands) {
    list += fmt::format("    {}\n", single_quoted(command.name + ":" + for_zsh(command.description)));
    cases += fmt::format("    {}) _arguments", command.name);
    for (const OptionWords& option : command.options) {
      for (const std::string& flag : option.flags) {
        cases += fmt::format(" \\\n      {}",
                             single_quoted(fmt::format("{}[{}]{}", flag, for_zsh(option.description),
                                                       option.takes_value ? ":value:_files" : "")));
      }
    }
    const bool takes_scene = command.name == "run" || command.name == "validate";
    cases += takes_scene                    ? " \\\n      '1:scene:_bulwark_scenes'"
             : command.name == "completion" ? " \\\n      '1:shell:(bash zsh fish)'"
                                            : "";
    cases += " \\\n      '*:file:_files' ;;\n";
  }
  return fmt::format(
      "#compdef bulwark\n"
      "# Completion of bulwark for zsh: source <(bulwark completion zsh)\n"
      "_bulwark_scenes() {{\n"
      "  local -a scenes\n"
      "  scenes=(${{(f)\"$(bulwark scenes --names 2>/dev/null)\"}})\n"
      "  compadd -a scenes\n"
      "  _files\n"
      "}}\n"
      "_bulwark() {{\n"
      "  local -a commands\n"
      "  commands=(\n{}  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  case $command in\n{}  esac\n"
      "}}\n"
      "compdef _bulwark bulwark\n",
      list, cases);
}

std::string fish_script(const std::vector<CommandWords>& commands) {
  std::string script = "# Completion of bulwark for fish: bulwark completion fish | source\n";
  for (const CommandWords& command : commands) {
    script += fmt::format("complete -c bulwark -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                          single_quoted(command.description));
    for (const OptionWords& option : command.options) {
      script += fmt::format("complete -c bulwark -n '__fish_seen_subcommand_from {}'", command.name);
      for (const std::string& flag : option.flags) {
        script += flag.starts_with("--") ? " -l " + flag.substr(2) : " -s " + flag.substr(1);
      }
      script += fmt::format("{} -d {}\n", option.takes_value ? " -r" : "", single_quoted(option.description));
    }
  }
  return script +
         "complete -c bulwark -n '__fish_seen_subcommand_from run validate' -a '(bulwark scenes --names)'\n"
         "complete -c bulwark -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n";
}

struct CompletionOptions {
  std::string shell;  ///< bash, zsh or fish
};

int completion(const CLI::App& program, const CompletionOptions& options) {
  const std::vector<CommandWords> commands = commands_of(program);
  fmt::print("{}", options.shell == "bash"  ? bash_script(commands)
                   : options.shell == "zsh" ? zsh_script(commands)
                                            : fish_script(commands));
  return 0;
}

}  // namespace

void add_completion_command(CommandLine& line) {
  auto [command, options] = line.add<CompletionOptions>(
      "completion", "Print the script for a shell to complete commands and options",
      [&line](const CompletionOptions& chosen) { return completion(line.program, chosen); });
  command.add_option("SHELL", options.shell, "bash, zsh or fish")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}).description(""))
      ->required();
  command.footer("Example:\n  bulwark completion bash > ~/.local/share/bash-completion/completions/bulwark");
}

}  // namespace bulwark::app
