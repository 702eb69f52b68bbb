// Scene keys with the names of the last version: they are read, with a warning, and can be rewritten in the
// file.
#pragma once

#include <bulwark/scene/issues.hpp>
#include <bulwark/scene/json_text.hpp>

#include <string>
#include <vector>

namespace bulwark {

/// One warning for each old name, with the first place that has it.
void warn_of_old_keys(const std::vector<RenamedKey>& renamed, const SceneSource& source);

/// A scene's text with the new names, and what was renamed; comments and spaces stay. What else may be wrong with it
/// does not matter here. Throws InputError where it is not JSON.
struct FixedScene {
  std::string text;
  std::vector<RenamedKey> renamed;
};
FixedScene fix_old_keys(const std::string& text, const std::string& name);

}  // namespace bulwark
