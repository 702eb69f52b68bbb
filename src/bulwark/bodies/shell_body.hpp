// Shells (cloth) of triangles: the controls are the vertices, all of which collide.
#pragma once

#include <bulwark/bodies/body_layout.hpp>

namespace bulwark {

/// A shell, flat or curved, open or closed. The surface has triangles only, and no vertex without one.
BodyLayout shell_body(const SurfaceMesh& mesh, const ClothMaterial& material, const BodyOptions& options);

}  // namespace bulwark
