// Particles: points with a mass, and springs between them.
#pragma once

#include <bulwark/bodies/body_layout.hpp>

namespace bulwark {

/// A point with a mass at each vertex of the mesh, and a spring along each of its edges, at rest as the mesh
/// is. The points collide with surfaces; springs pass through everything. `mass` is that of each point, kg.
BodyLayout particles_body(const SurfaceMesh& mesh, double mass, const SpringMaterial& springs,
                          const BodyOptions& options);

}  // namespace bulwark
