// What is wrong with a scene: collected by the schema check and the loader, thrown together as one
// InputError.
#pragma once

#include <bulwark/base/error.hpp>

#include <exception>
#include <string>
#include <vector>

namespace bulwark {

struct Issue {
  std::string path;     ///< JSON pointer
  std::string problem;  ///< what is wrong
  std::string remedy;   ///< what would be right; may be empty
};

/// More than this many are not listed: the rest mostly follow from the first.
inline constexpr std::size_t max_issues = 20;

/// A scene as its author sees it, for naming places.
struct SceneSource {
  std::string name;                     ///< the file's name
  std::string text;                     ///< empty: a program made it, and its lines say nothing
  std::vector<std::string> overridden;  ///< JSON pointers that --set changed
};

/// Thrown inside the loader where one value is wrong; the loader collects it and looks at the next body.
class IssueFound : public std::exception {
 public:
  IssueFound(std::string path, std::string problem, std::string remedy = "")
      : issue_{std::move(path), std::move(problem), std::move(remedy)} {}
  const Issue& issue() const { return issue_; }
  const char* what() const noexcept override { return issue_.problem.c_str(); }

 private:
  Issue issue_;
};

/// Reads something at `path`; what is wrong with it joins the issues, and the caller goes on.
template <class Read>
void collect_issue(std::vector<Issue>& issues, const std::string& path, Read&& read) {
  try {
    read();
  } catch (const IssueFound& found) {
    issues.push_back(found.issue());
  } catch (const InputError& error) {
    std::string problem = error.what();
    const std::string ending = "\n  " + error.remedy();
    const bool ends = !error.remedy().empty() && problem.ends_with(ending);
    if (ends) problem.resize(problem.size() - ending.size());
    issues.push_back({path, problem, ends ? error.remedy() : ""});
  }
}

/// Whether --set changed the value at a path, or one that it is in.
bool is_overridden(const std::string& path, const SceneSource& source);

/// "file:line: /json/path"; without the line where it says nothing.
std::string place_of(const std::string& path, const SceneSource& source);

/// Throws an InputError that lists the issues as "file:line: /json/path: problem", if there are any.
void throw_issues(const std::vector<Issue>& issues, const SceneSource& source);

}  // namespace bulwark
