// Everything that changes from step to step. Saving it and loading it back continues a run bit by bit.
#pragma once

#include <bulwark/collision/contact_model_kind.hpp>
#include <bulwark/math/types.hpp>
#include <bulwark/terms/drive_law.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace bulwark {

/// What a program set of a motor or spring, in place of what the scene says (sim/joint_steering.hpp).
struct SteeredDrive {
  std::string joint;            ///< the motor's or spring's own name
  std::optional<DriveLaw> law;  ///< that `value` is for; none where the scene's time table goes on
  double value = 0;             ///< rad or m, rad/s or m/s, N m or N; of a spring its rest angle or length
  std::optional<double> stiffness;  ///< N m/rad or N/m; 0 for a stiff motor
  std::optional<double> max_force;  ///< of a motor, N m or N; infinity for any

  bool operator==(const SteeredDrive&) const = default;
};

/// What contact has learnt of bodies, by their numbers.
struct ContactMemory {
  /// A body whose contacts were made stiffer than its mass asks for.
  struct Stiffened {
    int body = 0;
    double factor = 1;
    bool operator==(const Stiffened&) const = default;
  };
  /// Two bodies that began closer to each other than their contact distance: their barrier begins at this
  /// distance (m) until they have been farther apart.
  struct Close {
    int body_a = 0, body_b = 0;  ///< body_a < body_b
    double distance = 0;
    bool operator==(const Close&) const = default;
  };
  std::vector<Stiffened> stiffened;
  std::vector<Close> close;
  bool operator==(const ContactMemory&) const = default;
};

/// What a contact model that is no barrier remembers of two bodies (sim/contact_model.hpp).
struct ContactHistory {
  ContactModelKind model = ContactModelKind::none;  ///< whose it is
  int body_a = 0, body_b = 0;                       ///< body_a < body_b
  std::vector<double> values;                       ///< the model's own, finite
  bool operator==(const ContactHistory&) const = default;
};

struct State {
  std::int64_t step = 0;
  double time = 0;
  Vectors position, velocity, acceleration;      ///< of the controls
  Vectors previous_position, previous_velocity;  ///< one step earlier; empty before the first (BDF-2)
  /// Energy of earlier steps that BDF-2 may come back to, with the work done since (J); lowest where unknown.
  double earlier_energy = std::numeric_limits<double>::lowest();
  ContactMemory contact;
  std::vector<ContactHistory> contact_history;  ///< by model and bodies
  VectorX joint_coordinates;                    ///< m or rad, turns counted
  VectorX joint_multipliers;                    ///< N or N m, of the first coordinates; 0 for the others
  std::vector<SteeredDrive> steered;            ///< by name
};

}  // namespace bulwark
