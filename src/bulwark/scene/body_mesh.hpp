// The mesh of a body: from its `shape` or its mesh file, checked, and within the scene's memory budget.
#pragma once

#include <bulwark/geometry/mesh.hpp>
#include <bulwark/geometry/pose.hpp>
#include <bulwark/scene/json_text.hpp>

#include <cstdint>
#include <filesystem>

namespace bulwark {

/// How many vertices are left for a body and its copies.
struct MeshBudget {
  std::int64_t vertices = 0;
  std::int64_t copies = 1;
};

/// A solid for a deformable body; a closed surface in a file is filled with tetrahedra. `pose` only serves
/// the check that no element collapses under its scale.
TetMesh solid_for_body(const Json& body, const std::string& path, const Pose& pose,
                       const std::filesystem::path& base_folder, const MeshBudget& budget);

/// The surface, wires or points of an obstacle.
SurfaceMesh surface_for_body(const Json& body, const std::string& path, const Pose& pose,
                             const std::filesystem::path& base_folder, const MeshBudget& budget);

/// The sheet of a shell or the wires of a rod. `kind` is the body's, for messages; a solid in a file is
/// refused.
SurfaceMesh thin_mesh_for_body(const Json& body, const std::string& kind, const std::string& path,
                               const Pose& pose, const std::filesystem::path& base_folder,
                               const MeshBudget& budget);

}  // namespace bulwark
