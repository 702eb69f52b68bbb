// Deformable solids of linear tetrahedra: the controls are the nodes of the mesh.
#pragma once

#include <bulwark/bodies/body_layout.hpp>

namespace bulwark {

enum class MassKind { lumped, consistent };

/// Every tetrahedron must have a positive volume.
BodyLayout deformable_body(const TetMesh& mesh, const ElasticMaterial& material, const BodyOptions& options,
                           MassKind mass);

}  // namespace bulwark
