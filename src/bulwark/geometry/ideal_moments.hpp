// Volume and moments of the round shapes themselves, in closed form. Their meshes are inscribed: the default
// ball has a tenth less volume than the one it stands for.
#pragma once

#include <bulwark/geometry/mass_moments.hpp>
#include <bulwark/geometry/pose.hpp>
#include <bulwark/geometry/shapes.hpp>

#include <optional>
#include <vector>

namespace bulwark {

/// Of a sphere, cylinder, capsule, cone, torus, ring or rounded box, at density 1. None for shapes that their mesh
/// represents exactly, or that have no formula.
std::optional<MassMoments> ideal_moments(const Shape& shape);

/// Moments in another pose.
MassMoments transformed(const Pose& pose, const MassMoments& moments);

/// Moments of several bodies as one.
MassMoments sum_of(const std::vector<MassMoments>& parts);

}  // namespace bulwark
