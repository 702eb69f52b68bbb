// Motors and springs that a program steers between steps. What it sets acts from the next step on, in place
// of what the scene says, until it is set again or released. It is part of the state (State::steered): going
// back to a state and continuing from a checkpoint bring it along.
#pragma once

#include <bulwark/sim/world.hpp>

#include <optional>
#include <string>

namespace bulwark {

/// A motor or spring as it is driven now.
struct DriveSetting {
  int drive = 0;  ///< index into World::joint_drives
  DriveLaw law = DriveLaw::spring;
  double value = 0;      ///< at the world's time: rad or m, rad/s or m/s, N m or N; of a spring its rest
  double stiffness = 0;  ///< N m/rad or N/m; of a motor 0 for one that is chosen stiff
  double max_force = 0;  ///< of a motor, N m or N; infinity for any
};

/// Index of the joint of this name. Throws InputError that lists the joints when there is none.
int joint_index(const World& world, const std::string& name);

/// The drive that steering this joint acts on: its own where it is a motor or spring, else that of the one
/// motor which drives it. None where nothing or more than one motor drives it.
std::optional<int> steered_drive(const World& world, int joint);

/// How the joint is driven now; none where steered_drive is.
std::optional<DriveSetting> drive_setting(const World& world, int joint);

/// What to set of a drive; the rest stays as it is.
struct Steering {
  // Initialised, so that some of them can be named alone.
  // NOLINTBEGIN(readability-redundant-member-init)
  std::optional<double> target{};  ///< where a motor goes to, or the rest of a spring (rad or m)
  std::optional<double> speed{};   ///< of a motor (rad/s or m/s)
  std::optional<double> force{};   ///< of a motor, on the first body (N m or N)
  std::optional<double> stiffness{}, max_force{};
  // NOLINTEND(readability-redundant-member-init)
};

/// Writes into the world's state what was set. Throws InputError naming the joint: where nothing drives it or
/// several motors do, for what its drive does not have, and for numbers that can't be. Returns the drive.
int steer(World& world, int joint, const Steering& steering);
/// Goes back to the scene's time table and numbers. Returns the drive.
int release(World& world, int joint);

/// The drive as it acts: the scene's, with what was set in its place. `stiff` says whether its stiffness is
/// to be chosen.
JointDrive acting_drive(const World& world, int drive, bool& stiff);

/// After joints were removed: forgets what was set of them.
void forget_steering(World& world);
/// Throws InputError when the state steers what the world does not have.
void check_steering(const World& world, const State& state);

/// How fast a coordinate changes in the world's state (rad/s or m/s).
double coordinate_rate(const World& world, int coordinate);

}  // namespace bulwark
