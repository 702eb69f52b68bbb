// Everything that changes from step to step. Saving it and loading it back continues a run bit by bit.
#pragma once

#include <bulwark/math/types.hpp>

#include <cstdint>
#include <vector>

namespace bulwark {

/// What contact has learnt of bodies, by their ids: these outlast the removal of others.
struct ContactMemory {
  /// A body whose contacts were made stiffer than its mass asks for.
  struct Stiffened {
    std::int64_t body = 0;
    double factor = 1;
    bool operator==(const Stiffened&) const = default;
  };
  /// Two bodies that began closer to each other than their contact distance: their barrier begins at this
  /// distance (m) until they have been farther apart.
  struct Close {
    std::int64_t body_a = 0, body_b = 0;
    double distance = 0;
    bool operator==(const Close&) const = default;
  };
  std::vector<Stiffened> stiffened;
  std::vector<Close> close;
  bool operator==(const ContactMemory&) const = default;
};

struct State {
  std::int64_t step = 0;
  double time = 0;
  Vectors position, velocity, acceleration;      ///< of the controls
  Vectors previous_position, previous_velocity;  ///< one step earlier; empty before the first (BDF-2)
  ContactMemory contact;
  VectorX joint_coordinates;  ///< m or rad, turns counted
  VectorX joint_multipliers;  ///< N or N m, of the first coordinates; 0 for the others
};

}  // namespace bulwark
