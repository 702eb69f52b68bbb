// What an importer hands back: the text of a scene file of ours, the files that it needs, and what to tell
// the user.
#pragma once

#include <bulwark/math/types.hpp>
#include <bulwark/scene/json_text.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace bulwark {

/// A file that the scene needs, beside it.
struct ImportedFile {
  std::filesystem::path path;
  std::filesystem::path source;  ///< copied from here; where this is empty, `text` is the content
  std::string text;
};

struct ImportedScene {
  std::string scene;  ///< the text of the scene file
  std::size_t body_count = 0;
  std::vector<ImportedFile> files;
  std::vector<std::string> warnings;  ///< "FILE:LINE: place: what is not carried over"
  std::vector<std::string> notes;     ///< what was decided on the way
};

/// A scene as a person would write it: one body, joint or pair to a line.
std::string imported_scene_text(const Json& scene);

Json to_json(const Vector3& vector);

}  // namespace bulwark
