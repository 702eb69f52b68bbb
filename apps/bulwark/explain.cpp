#include "command_line.hpp"
#include "commands.hpp"
#include "terminal.hpp"

#include <bulwark/output/reading/run_diagnosis.hpp>

#include <fmt/format.h>

#include <cmath>
#include <optional>

namespace bulwark::app {
namespace {

struct ExplainOptions {
  std::string folder;
  std::optional<long> step;  ///< empty: the whole run
};

/// A paragraph with hanging lines, no wider than a terminal.
std::string wrapped(const std::string& text, const std::string& mark) {
  constexpr std::size_t most = 96;
  const std::string hanging(mark.size(), ' ');
  std::string result = mark, line;
  bool first = true;
  const auto end_line = [&] {
    result += (first ? "" : hanging) + line + "\n";
    first = false;
    line.clear();
  };
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    begin = end + 1;
    if (word.empty()) continue;
    if (!line.empty() && line.size() + 1 + word.size() + mark.size() > most) end_line();
    line += (line.empty() ? "" : " ") + word;
  }
  end_line();
  return result;
}

int explain(const ExplainOptions& options) {
  const Diagnosis diagnosis =
      diagnose_run(options.folder, options.step ? std::optional<std::int64_t>(*options.step) : std::nullopt);
  fmt::print("{}", painted(wrapped(diagnosis.headline, ""), Paint::strong, stdout));
  if (!diagnosis.phases.empty()) fmt::print("\n{}\n", painted("Where the time went", Paint::strong, stdout));
  for (const PhaseShare& phase : diagnosis.phases) {
    constexpr double widest = 40;
    const auto width = static_cast<std::size_t>(std::lround(widest * phase.part));
    if (phase.part >= 0.005)
      fmt::print("  {:16}{:3.0f} %  {}\n", phase.name, 100 * phase.part, std::string(width, '='));
  }
  if (!diagnosis.findings.empty()) fmt::print("\n{}\n", painted("What stands out", Paint::strong, stdout));
  for (const std::string& finding : diagnosis.findings) fmt::print("{}", wrapped(finding, "  - "));
  if (!diagnosis.remedies.empty()) fmt::print("\n{}\n", painted("What may help", Paint::strong, stdout));
  for (const std::string& remedy : diagnosis.remedies) fmt::print("{}", wrapped(remedy, "  - "));
  return 0;
}

}  // namespace

void add_explain_command(CommandLine& line) {
  auto [command, options] =
      line.add<ExplainOptions>("explain", "Say why a run was slow, or why a step failed", explain);
  command.add_option("DIR", options.folder, "Run folder")->required();
  command.add_option("--step", options.step, "Look at this step (default: the whole run)")
      ->check(not_negative())
      ->type_name("N");
  command.footer("Example:\n  bulwark explain out/trial --step 37");
}

}  // namespace bulwark::app
