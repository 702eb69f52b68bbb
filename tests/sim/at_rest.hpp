// Settings of a scene without gravity that is brought to rest in so many load steps.
#pragma once

#include <bulwark/sim/simulation.hpp>

namespace bulwark::test {

inline Settings at_rest(int steps = 1) {
  Settings settings;
  settings.time.integrator = "static";
  settings.time.step = 1.0 / steps;
  settings.time.steps = steps;
  settings.gravity.setZero();
  return settings;
}

}  // namespace bulwark::test
