#include <bulwark/sim/steered_joint.hpp>

namespace bulwark {

std::optional<double> SteeredJoint::coordinate() const {
  const std::vector<int>& own = joint().coordinates;
  if (own.empty()) return {};
  return simulation_.world().state.joint_coordinates[own.front()];
}

std::vector<double> SteeredJoint::coordinates() const {
  std::vector<double> values;
  for (const int c : joint().coordinates) values.push_back(simulation_.world().state.joint_coordinates[c]);
  return values;
}

std::optional<double> SteeredJoint::rate() const {
  const std::vector<int>& own = joint().coordinates;
  if (own.empty()) return {};
  return coordinate_rate(simulation_.world(), own.front());
}

Wrench SteeredJoint::reaction() const {
  const auto number = static_cast<std::size_t>(index());
  const std::vector<JointState>& states = simulation_.joint_states();
  const JointState state = number < states.size() ? states[number] : JointState{};
  return {reaction_point(simulation_.world(), joint()), state.force, state.torque};
}

std::optional<DriveSetting> SteeredJoint::drive() const {
  return drive_setting(simulation_.world(), index());
}

std::optional<double> SteeredJoint::value_of(DriveLaw law) const {
  const std::optional<DriveSetting> now = drive();
  if (!now || now->law != law) return {};
  return now->value;
}

std::optional<double> SteeredJoint::target() const {
  const std::optional<double> place = value_of(DriveLaw::position);
  return place ? place : value_of(DriveLaw::spring);
}

std::optional<double> SteeredJoint::speed() const {
  return value_of(DriveLaw::speed);
}

std::optional<double> SteeredJoint::force() const {
  return value_of(DriveLaw::force);
}

}  // namespace bulwark
