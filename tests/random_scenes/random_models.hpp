// Contact without the barrier and the other minimiser, for random scenes.
#pragma once

#include <random_scenes/random_bodies.hpp>

#include <vector>

namespace bulwark::test {

/// Gives a scene a contact model, some pairs another one, and at times AdamW. Bodies that a model can't have stay with
/// the barrier.
void draw_models(RandomNumbers& random, const std::vector<RandomBody>& bodies, Json& scene);

}  // namespace bulwark::test
