// Bodies of a rigid-ipc file made into bodies of our scene, one after the other, with the materials and mesh
// files that they need.
#pragma once

#include <bulwark/scene/import_rigid_ipc.hpp>
#include <bulwark/scene/rigid_ipc_body.hpp>
#include <bulwark/scene/rigid_ipc_mesh.hpp>

#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace bulwark {

/// A box that grows with the points put into it.
struct Box {
  Vector3 lower = Vector3::Constant(std::numeric_limits<double>::infinity());
  Vector3 upper = -lower;

  void add(const Vectors& points) {
    lower = lower.cwiseMin(points.rowwise().minCoeff());
    upper = upper.cwiseMax(points.rowwise().maxCoeff());
  }
  double diagonal() const { return (upper - lower).norm(); }
};

/// What all bodies of a file share.
struct RigidIpcContext {
  double step = 0, duration = 0;  ///< s
  /// Groups with a static or kinematic body. In rigid-ipc all such bodies are of one group, and a dynamic
  /// body that shares a group with any of them joins it. Obstacles never meet here, so this matters for such
  /// dynamic bodies only.
  std::set<int> static_groups;
};

class RigidIpcBodyWriter {
 public:
  RigidIpcBodyWriter(const RigidIpcOptions& options, RigidIpcContext context)
      : options_(options), context_(std::move(context)), meshes_(options.file, options.mesh_folder) {}

  /// Adds the body, or one for each of its pieces. Throws IssueFound or InputError.
  void add(const RigidIpcBody& body);

  Json bodies = Json::array();
  Json materials = Json::object();
  std::vector<ImportedFile> files;
  Box moving;  ///< around all that moves

 private:
  /// A body of our scene: the mesh of one of theirs, or a piece of it.
  struct Part {
    std::string name;
    std::string reference;  ///< the mesh file, from the scene
    SurfaceMesh surface;
  };

  std::vector<Part> parts_of(const RigidIpcBody& body);
  Json write_body(const RigidIpcBody& body, const Part& part);
  static void write_dynamics(Json& json, const RigidIpcBody& body);
  std::string material(double density, const SurfaceMesh& scaled);
  std::string unique_name(const std::string& name);
  int group_of(const RigidIpcBody& body) const;

  std::filesystem::path scene_folder() const;
  std::string add_file(const std::filesystem::path& name, ImportedFile file);
  std::string mesh_reference(const RigidIpcBody& body, const RigidIpcMesh& mesh);
  Part made_part(const std::string& name, const std::string& file_name, const SurfaceMesh& surface);

  const RigidIpcOptions& options_;
  RigidIpcContext context_;
  RigidIpcMeshes meshes_;
  std::set<std::string> names_;
  std::map<std::string, int> name_counts_;
  std::map<std::pair<double, double>, std::string> material_names_;  ///< by density and thickness
};

}  // namespace bulwark
