// Obstacles: their controls are their vertices, which follow a motion and nothing else.
#pragma once

#include <bulwark/bodies/body_layout.hpp>

namespace bulwark {

/// Triangles, segments and points that follow `motion`.
BodyLayout obstacle_body(const SurfaceMesh& mesh, const BodyOptions& options, const Motion& motion);

/// An infinite plane; the normal points to the free side. It may move, but not turn.
BodyLayout plane_body(const Vector3& point, const Vector3& normal, const BodyOptions& options,
                      const Motion& motion);

}  // namespace bulwark
