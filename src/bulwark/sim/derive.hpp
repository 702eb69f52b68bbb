// What the defaults of a scene become: lengths, distances and speeds of contact and of the solver's
// tolerance, each from the body that it is for.
#pragma once

#include <bulwark/collision/contact_scales.hpp>
#include <bulwark/sim/report.hpp>
#include <bulwark/sim/settings.hpp>
#include <bulwark/sim/world.hpp>

namespace bulwark {

/// Relative values are fractions of the diagonal of the box around a body at rest. A contact distance that is
/// not given outright is capped so that no body pushes on itself at rest.
Derived derive(const World& world, const Settings& settings);

/// The same with masses, for contact. `time_scale` is beta h^2 of a regular step.
ContactScales contact_scales(const World& world, const Settings& settings, const Derived& derived,
                             double time_scale);

/// Average mass of a node of those that are soft, or of a stiff body where there are no others; that of the world
/// where there are none, and 1 where nothing moves.
double average_mass(const World& world, const std::vector<int>& bodies);

}  // namespace bulwark
