// The joints of a random scene: a tree of them, so that none contradict each other.
#pragma once

#include <random_scenes/random_bodies.hpp>

#include <vector>

namespace bulwark::test {

/// Joints of all kinds between the bodies and with the world, motors included; maybe none.
Json random_joints(RandomNumbers& random, const std::vector<RandomBody>& bodies);

}  // namespace bulwark::test
