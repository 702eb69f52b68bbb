#include <bulwark/base/error.hpp>
#include <bulwark/scene/issues.hpp>
#include <bulwark/scene/json_text.hpp>

namespace bulwark {
namespace {

bool is_below(const std::string& path, const std::string& ancestor) {
  return path.compare(0, ancestor.size(), ancestor) == 0 &&
         (path.size() == ancestor.size() || path[ancestor.size()] == '/');
}

std::string place_of(const Issue& issue, const SceneSource& source) {
  const std::string path = issue.path.empty() ? "/" : issue.path;
  for (const std::string& pointer : source.overridden) {
    if (is_below(issue.path, pointer)) return source.name + ": " + path + " (changed by --set)";
  }
  if (source.text.empty()) return source.name + ": " + path;
  return source.name + ":" + std::to_string(line_of(source.text, issue.path)) + ": " + path;
}

}  // namespace

void throw_issues(const std::vector<Issue>& issues, const SceneSource& source) {
  if (issues.empty()) return;
  std::string message;
  for (std::size_t i = 0; i < issues.size() && i < max_issues; ++i) {
    if (i > 0) message += "\n";
    message += place_of(issues[i], source) + ": " + issues[i].problem;
    if (!issues[i].remedy.empty()) message += "\n  " + issues[i].remedy;
  }
  if (issues.size() > max_issues) message += "\nfurther errors are not listed";
  throw InputError::of_several(message, place_of(issues[0], source), issues[0].remedy);
}

}  // namespace bulwark
