// Scenes of rigid-ipc in the plane: the same format with vectors of two numbers, angles of one, and bodies that are
// mostly written out vertex by vertex. Its bodies are their lines: a body's mass is density times the length of its edges
// (times 1 m^2), at their ends in halves, whether the lines are closed or not.
#pragma once

#include <bulwark/scene/import_rigid_ipc.hpp>
#include <bulwark/scene/rigid_ipc_bodies.hpp>
#include <bulwark/scene/rigid_ipc_object.hpp>

#include <nlohmann/json.hpp>

namespace bulwark {

/// Whether the file's vectors have two numbers.
bool is_planar_rigid_ipc(const Json& problem);

class RigidIpcPlanarWriter {
 public:
  RigidIpcPlanarWriter(const RigidIpcOptions& options, double duration)
      : options_(options), duration_(duration), meshes_(options.file, options.mesh_folder) {}

  /// Adds the body at /rigid_body_problem/rigid_bodies/N, unless it is not enabled. Throws IssueFound or InputError.
  void add(const Json& json, const std::string& path, ImportWarnings& warnings);

  Json bodies = Json::array();
  Box moving;  ///< around all that moves

 private:
  const RigidIpcOptions& options_;
  double duration_;  ///< s
  RigidIpcMeshes meshes_;
};

}  // namespace bulwark
