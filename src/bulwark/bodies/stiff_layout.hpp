// Affine and rigid bodies: the controls are the center of mass p and the columns of A (stiff_body.hpp).
#pragma once

#include <bulwark/bodies/body_layout.hpp>

namespace bulwark {

/// A body with the given surface. One that is not closed (sheets, wires, points) needs a thickness, which
/// gives it its mass, unless the options state a mass.
BodyLayout affine_body(const SurfaceMesh& mesh, const StiffMaterial& material, const BodyOptions& options);
BodyLayout rigid_body(const SurfaceMesh& mesh, const StiffMaterial& material, const BodyOptions& options);

}  // namespace bulwark
