// A soft body: its controls are the nodes of a mesh of tetrahedra or hexahedra of any order.
#pragma once

#include <bulwark/bodies/body_layout.hpp>
#include <bulwark/geometry/solid_mesh.hpp>

namespace bulwark {

/// Elements of order 2 and more always have the consistent mass: sums of its rows are negative at corners.
enum class MassKind { lumped, consistent };

/// What collides of a solid.
struct SolidSurface {
  int cuts = 0;  ///< parts that the edges of faces are cut into; 0: as many as the order
  std::shared_ptr<const SurfaceMesh> carried;  ///< a mesh that rides on it instead, before the pose
};

BodyLayout deformable_body(const SolidMesh& mesh, const ElasticMaterial& material, const BodyOptions& options,
                           MassKind mass, const SolidSurface& surface = {});
BodyLayout deformable_body(const TetMesh& mesh, const ElasticMaterial& material, const BodyOptions& options,
                           MassKind mass);

}  // namespace bulwark
