// From a running simulation to a frame.
#pragma once

#include <bulwark/output/frame.hpp>
#include <bulwark/sim/simulation.hpp>

namespace bulwark {

/// The simulation's current state, with the fields that its settings ask for.
Frame capture_frame(const Simulation& simulation);

}  // namespace bulwark
