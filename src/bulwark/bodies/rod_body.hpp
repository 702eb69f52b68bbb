// Rods of segments, and nets of them: the controls are the vertices, all of which collide, and two more for
// each segment, which carry its material frame.
#pragma once

#include <bulwark/bodies/body_layout.hpp>
#include <bulwark/bodies/rod_segment.hpp>

namespace bulwark {

/// A rod or a net of rods: the mesh has edges only, and no vertex without one. Where more than two segments
/// meet they are joined stiffly.
BodyLayout rod_body(const SurfaceMesh& mesh, const RodMaterial& material, const BodyOptions& options);

}  // namespace bulwark
