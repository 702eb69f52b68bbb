// A joint of a running simulation, by name: what it does is read, and its motor or spring is steered.
//
//   simulation.joint("elbow").set_target(0.8);       // rad; holds from the next step on
//   simulation.step();
//   const Wrench carried = simulation.joint("elbow").reaction();
//
// Angles are in radians, lengths in metres. Steering a joint steers the motor that drives it; a motor and a
// spring are steered by their own names as well (joint_steering.hpp). The object finds its joint by name
// whenever it is asked, so that it stays good while other joints come and go; the simulation must stay where
// it is.
#pragma once

#include <bulwark/sim/simulation.hpp>

#include <optional>
#include <string>
#include <vector>

namespace bulwark {

class SteeredJoint {
 public:
  SteeredJoint(Simulation& simulation, std::string name) : simulation_(simulation), name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  JointKind kind() const { return joint().kind; }
  /// Whether its coordinates are angles.
  bool angular() const { return joint().angular; }

  /// Its only or first coordinate now, turns counted (rad or m); none of a joint that has none.
  std::optional<double> coordinate() const;
  /// All of them, in the order of docs/joints.md.
  std::vector<double> coordinates() const;
  /// How fast the first one changes (rad/s or m/s).
  std::optional<double> rate() const;
  /// Force and torque on its first body in the last step; zero before the first step.
  Wrench reaction() const;

  /// How it is driven now; none where no motor drives it and it is no spring.
  std::optional<DriveSetting> drive() const;
  /// Where its motor goes to, or its spring's rest; none while something else is followed.
  std::optional<double> target() const;
  std::optional<double> speed() const;
  std::optional<double> force() const;

  void set_target(double value) { steer({.target = value}); }
  void set_speed(double value) { steer({.speed = value}); }
  void set_force(double value) { steer({.force = value}); }
  void set_stiffness(double value) { steer({.stiffness = value}); }
  /// The largest force of the motor towards a target or speed; infinity for no limit.
  void set_max_force(double value) { steer({.max_force = value}); }
  void steer(const Steering& steering) { simulation_.steer(name_, steering); }
  /// Goes back to the scene's own time table and numbers.
  void release() { simulation_.release(name_); }

 private:
  int index() const { return joint_index(simulation_.world(), name_); }
  const Joint& joint() const { return simulation_.world().joints[index()]; }
  std::optional<double> value_of(DriveLaw law) const;

  Simulation& simulation_;
  std::string name_;
};

}  // namespace bulwark
