// The outer surface of beams and shells of ANCF elements: the four sides of a beam with its end faces, both sides of a
// shell with its rim.
#pragma once

#include <bulwark/bodies/riding_surface.hpp>

namespace bulwark {

/// All elements of the table are of one type; `controls` are theirs at rest. `cuts`: parts along the side of an element,
/// 0 by its shape.
RidingSurface ancf_surface(const ElementTable& elements, const Vectors& controls, int cuts);

}  // namespace bulwark
