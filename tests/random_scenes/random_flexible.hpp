// Makes elements of higher order, or an ANCF beam or shell, of a random soft body.
#pragma once

#include <random_scenes/random_bodies.hpp>

namespace bulwark::test {

/// Leaves every kind but `deformable` as it is.
void make_flexible(RandomNumbers& random, RandomBody& body);

}  // namespace bulwark::test
