// The mesh of a body: from its `shape` or its mesh file, checked, and within the scene's memory budget.
#pragma once

#include <bulwark/bodies/deformable_body.hpp>
#include <bulwark/geometry/mass_moments.hpp>
#include <bulwark/geometry/mesh.hpp>
#include <bulwark/geometry/pose.hpp>
#include <bulwark/scene/json_text.hpp>
#include <bulwark/scene/read_values.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

namespace bulwark {

/// How many vertices are left for a body and its copies.
struct MeshBudget {
  std::int64_t vertices = 0;
  std::int64_t copies = 1;
};

/// Throws at `path` where so many vertices, in all copies, are more than are left.
void require_fits(double vertices, const MeshBudget& budget, const std::string& path,
                  const std::string& remedy);

/// The mesh file of a body; throws InputError where there is none.
std::filesystem::path mesh_path(const Json& body, const std::filesystem::path& base_folder);

/// Mesh files that were found to enclose a volume, so that bodies which share one have it checked once.
struct MeshFileChecks {
  std::set<std::filesystem::path> sound_solids;
};

/// A solid for a deformable body; a closed surface in a file is filled with tetrahedra. `pose` only serves
/// the check that no element collapses under its scale. Round shapes have curved elements from order 2 on.
SolidMesh solid_for_body(const Json& body, const std::string& path, const Pose& pose,
                         const std::filesystem::path& base_folder, const MeshBudget& budget);

/// What collides of it.
SolidSurface solid_surface_for_body(const Json& body, const std::string& path,
                                    const std::filesystem::path& base_folder);

/// The surface, wires or points of an obstacle.
SurfaceMesh surface_for_body(const Json& body, const std::string& path, const Pose& pose,
                             const std::filesystem::path& base_folder, const MeshBudget& budget);

/// The surface of a stiff body, and what it stands for where its shapes have formulas: at density 1, before
/// the pose.
struct StiffSurface {
  SurfaceMesh mesh;
  std::optional<MassMoments> ideal;
  std::shared_ptr<const SurfaceMesh> skin;  ///< what is drawn, where the mesh has radii
};

/// Of a body (or part of one) that is a round built-in shape: volume and moments of that shape itself.
std::optional<MassMoments> ideal_moments_of_shape(const Json& part);

/// How the mass of a stiff body is found.
enum class MassOrigin {
  given,     ///< any mesh will do
  of_solid,  ///< from what a closed surface encloses
  of_sheet   ///< the same, or from the thickness of one that is open
};

/// The surface of a stiff body. A mesh file whose mass is sought must enclose a volume properly.
StiffSurface stiff_surface_for_body(const Json& body, const std::string& path, const Pose& pose,
                                    const std::filesystem::path& base_folder, const MeshBudget& budget,
                                    MassOrigin origin, MeshFileChecks& checks);

/// The sheet of a shell or the wires of a rod. `kind` is the body's, for messages; a solid in a file is
/// refused.
SurfaceMesh thin_mesh_for_body(const Json& body, const std::string& kind, const std::string& path,
                               const Pose& pose, const std::filesystem::path& base_folder,
                               const MeshBudget& budget);

}  // namespace bulwark
