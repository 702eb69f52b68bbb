#include <bulwark/base/error.hpp>
#include <bulwark/scene/issues.hpp>
#include <bulwark/scene/json_text.hpp>

#include <algorithm>

namespace bulwark {
namespace {

bool is_below(const std::string& path, const std::string& ancestor) {
  return path.compare(0, ancestor.size(), ancestor) == 0 &&
         (path.size() == ancestor.size() || path[ancestor.size()] == '/');
}

}  // namespace

bool is_overridden(const std::string& path, const SceneSource& source) {
  return std::any_of(source.overridden.begin(), source.overridden.end(),
                     [&](const std::string& pointer) { return is_below(path, pointer); });
}

std::string place_of(const std::string& path, const SceneSource& source) {
  const std::string shown = path.empty() ? "/" : path;
  if (is_overridden(path, source)) return source.name + ": " + shown + " (changed by --set)";
  if (source.text.empty()) return source.name + ": " + shown;
  return source.name + ":" + std::to_string(line_of(source.text, path)) + ": " + shown;
}

void throw_issues(const std::vector<Issue>& issues, const SceneSource& source) {
  if (issues.empty()) return;
  std::string message;
  for (std::size_t i = 0; i < issues.size() && i < max_issues; ++i) {
    if (i > 0) message += "\n";
    message += place_of(issues[i].path, source) + ": " + issues[i].problem;
    if (!issues[i].remedy.empty()) message += "\n  " + issues[i].remedy;
  }
  if (issues.size() > max_issues) message += "\nfurther errors are not listed";
  throw InputError::of_several(message, place_of(issues[0].path, source), issues[0].remedy);
}

}  // namespace bulwark
