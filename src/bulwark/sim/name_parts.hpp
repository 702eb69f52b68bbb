// From numbers of a world to parts of its bodies, as users know them (body_part.hpp).
#pragma once

#include <bulwark/sim/body_part.hpp>
#include <bulwark/sim/world.hpp>

namespace bulwark {

/// A node, or the whole body where its controls are none.
BodyPart part_of_control(const World& world, int control);
/// By the numbers of the mesh that the body was made from; those of a solid are nodes.
BodyPart part_of_primitive(const World& world, const Primitive& primitive);
BodyPart part_of_element(const World& world, int element);

StepCulprit culprit_of(const World& world, const LimitCause& cause);

}  // namespace bulwark
