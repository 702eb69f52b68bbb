// Scenes of the rigid-ipc solver made into scenes of ours: bodies of kind `affine` or `rigid`, and obstacles
// where they are static or follow a script. docs/import.md lists what becomes of each key.
#pragma once

#include <bulwark/scene/imported_scene.hpp>

#include <filesystem>
#include <string>

namespace bulwark {

struct RigidIpcOptions {
  std::filesystem::path file;         ///< the rigid-ipc file: names it in messages, meshes are found from it
  std::filesystem::path scene;        ///< the scene file that will be written: mesh paths are relative to it
  std::filesystem::path mesh_folder;  ///< where meshes are looked for first; may be empty
  bool rigid = false;                 ///< bodies of kind `rigid` instead of `affine`
  bool copy_meshes = false;           ///< meshes go into a folder beside the scene
};

/// Translates the text of a rigid-ipc file. Throws InputError that lists what is wrong with it.
ImportedScene import_rigid_ipc(const std::string& text, const RigidIpcOptions& options);

}  // namespace bulwark
