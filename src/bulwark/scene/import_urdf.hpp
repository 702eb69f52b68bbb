// Robots described in URDF made into scenes of ours: an affine body for each link (see urdf_bodies.hpp for
// the exceptions), joints between them, and pairs that do not collide. docs/import.md lists what becomes of
// each element.
#pragma once

#include <bulwark/scene/imported_scene.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace bulwark {

struct UrdfOptions {
  std::filesystem::path file;   ///< the URDF: names it in messages, meshes are found from it
  std::filesystem::path scene;  ///< the scene file that will be written
  std::vector<std::filesystem::path> package_paths;  ///< where packages are looked for first
  bool copy_meshes = false;                          ///< meshes go into a folder beside the scene
  bool free_base = false;                            ///< the root moves; by default it is held
  bool ground = false;                               ///< a plane below the robot
  bool hold = false;                                 ///< motors that keep the joints where they start
  std::map<std::string, double> joint_values;        ///< rad or m, at the start; 0 for those not named
};

/// Translates the text of a URDF file. Throws InputError.
ImportedScene import_urdf(const std::string& text, const UrdfOptions& options);

}  // namespace bulwark
