#include <bulwark/base/error.hpp>
#include <bulwark/sim/joint_steering.hpp>
#include <bulwark/stencils/joint_coordinate.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

namespace bulwark {
namespace {

bool can_be_steered(const WorldDrive& drive, const Joint& joint) {
  const bool own = joint.kind == JointKind::motor || joint.kind == JointKind::spring;
  return own && drive.drive.law != DriveLaw::damping && drive.drive.law != DriveLaw::range;
}

/// All drives that steering the joint could mean.
std::vector<int> candidates(const World& world, int joint) {
  const Joint& wanted = world.joints[joint];
  const bool itself = wanted.kind == JointKind::motor || wanted.kind == JointKind::spring;
  std::vector<int> found;
  for (std::size_t d = 0; d < world.joint_drives.size(); ++d) {
    const WorldDrive& drive = world.joint_drives[d];
    if (!can_be_steered(drive, world.joints[drive.joint])) continue;
    const bool drives_it = wanted.coordinate >= 0 && drive.drive.coordinate == wanted.coordinate;
    if (itself ? drive.joint == joint : drives_it) found.push_back(static_cast<int>(d));
  }
  return found;
}

[[noreturn]] void fail(const Joint& joint, const std::string& problem, const std::string& remedy) {
  throw InputError(fmt::format("joint '{}'", joint.name), problem, remedy);
}

int required_drive(const World& world, int joint) {
  const Joint& j = world.joints[joint];
  const std::vector<int> found = candidates(world, joint);
  if (found.size() == 1) return found[0];
  if (found.empty()) {
    const bool drivable = j.coordinates.size() == 1;
    fail(j, "no motor drives it, so that it can't be steered",
         drivable ? fmt::format("add one: {{\"kind\": \"motor\", \"joint\": \"{}\", \"{}\": 0}}", j.name,
                                j.angular ? "torque" : "force")
                  : fmt::format("a {} has nothing that a motor could drive; hinges, sliders and springs do",
                                joint_kind_name(j.kind)));
  }
  std::string names;
  for (const int d : found)
    names += (names.empty() ? "'" : ", '") + world.joints[world.joint_drives[d].joint].name + "'";
  fail(j, fmt::format("{} motors drive it: {}", found.size(), names), "steer one of them by its own name");
}

const SteeredDrive* find_steered(const State& state, const std::string& name) {
  const auto found = std::lower_bound(
      state.steered.begin(), state.steered.end(), name,
      [](const SteeredDrive& steered, const std::string& wanted) { return steered.joint < wanted; });
  return found != state.steered.end() && found->joint == name ? &*found : nullptr;
}

SteeredDrive& steered_entry(State& state, const std::string& name) {
  const auto place = std::lower_bound(
      state.steered.begin(), state.steered.end(), name,
      [](const SteeredDrive& steered, const std::string& wanted) { return steered.joint < wanted; });
  if (place != state.steered.end() && place->joint == name) return *place;
  SteeredDrive entry;
  entry.joint = name;
  return *state.steered.insert(place, entry);
}

void check_numbers(const Joint& joint, bool spring, const Steering& s) {
  const int laws = (s.target ? 1 : 0) + (s.speed ? 1 : 0) + (s.force ? 1 : 0);
  if (laws > 1) fail(joint, "a motor follows a target, a speed or a force", "set one of them");
  if (spring && (s.speed || s.force || s.max_force))
    fail(joint, "a spring has a target and a stiffness, and nothing else to steer",
         "use a motor for speeds and forces");
  for (const std::optional<double>& value : {s.target, s.speed, s.force}) {
    if (value && !std::isfinite(*value)) fail(joint, "the value is not finite", "give a finite number");
  }
  if (s.stiffness && !(*s.stiffness >= 0 && std::isfinite(*s.stiffness)))
    fail(joint, "the stiffness is negative or not finite", "give a finite number, 0 or more");
  if (s.max_force && !(*s.max_force > 0))
    fail(joint, "`max_force` is not positive", "give a positive number, or infinity for any force");
}

}  // namespace

int joint_index(const World& world, const std::string& name) {
  const auto found = std::find_if(world.joints.begin(), world.joints.end(),
                                  [&](const Joint& joint) { return joint.name == name; });
  if (found != world.joints.end()) return static_cast<int>(found - world.joints.begin());
  constexpr std::size_t most = 10;
  std::string known;
  for (std::size_t j = 0; j < std::min(most, world.joints.size()); ++j)
    known += (j == 0 ? "" : ", ") + world.joints[j].name;
  throw InputError(fmt::format("joint '{}'", name), "there is no such joint",
                   known.empty() ? "the scene has no joints" : "the joints are: " + known);
}

std::optional<int> steered_drive(const World& world, int joint) {
  const std::vector<int> found = candidates(world, joint);
  if (found.size() != 1) return {};
  return found[0];
}

std::optional<DriveSetting> drive_setting(const World& world, int joint) {
  const std::optional<int> drive = steered_drive(world, joint);
  if (!drive) return {};
  bool stiff = false;
  const JointDrive acting = acting_drive(world, *drive, stiff);
  DriveSetting setting;
  setting.drive = *drive;
  setting.law = acting.law;
  setting.value =
      acting.law == DriveLaw::spring ? acting.potential.target : acting.value.at(world.state.time)[0];
  setting.stiffness = stiff ? 0 : acting.potential.stiffness;
  setting.max_force = acting.potential.largest_force;
  return setting;
}

int steer(World& world, int joint, const Steering& steering) {
  const int drive = required_drive(world, joint);
  const bool spring = world.joint_drives[drive].drive.law == DriveLaw::spring;
  const Joint& own = world.joints[world.joint_drives[drive].joint];
  check_numbers(own, spring, steering);
  SteeredDrive& entry = steered_entry(world.state, own.name);
  const auto follow = [&](DriveLaw law, const std::optional<double>& value) {
    if (!value) return;
    entry.law = law;
    entry.value = *value;
  };
  follow(spring ? DriveLaw::spring : DriveLaw::position, steering.target);
  follow(DriveLaw::speed, steering.speed);
  follow(DriveLaw::force, steering.force);
  if (steering.stiffness) entry.stiffness = steering.stiffness;
  if (steering.max_force) entry.max_force = steering.max_force;
  return drive;
}

int release(World& world, int joint) {
  const int drive = required_drive(world, joint);
  const std::string& name = world.joints[world.joint_drives[drive].joint].name;
  std::erase_if(world.state.steered, [&](const SteeredDrive& steered) { return steered.joint == name; });
  return drive;
}

JointDrive acting_drive(const World& world, int index, bool& stiff) {
  const WorldDrive& given = world.joint_drives[index];
  const Joint& joint = world.joints[given.joint];
  JointDrive drive = given.drive;
  stiff = given.stiff;
  if (world.state.steered.empty() || !can_be_steered(given, joint)) return drive;
  const SteeredDrive* steered = find_steered(world.state, joint.name);
  if (steered == nullptr) return drive;
  if (steered->stiffness) drive.potential.stiffness = *steered->stiffness;
  if (steered->max_force) drive.potential.largest_force = *steered->max_force;
  if (steered->law == DriveLaw::spring) {
    drive.potential.target = steered->value;
  } else if (steered->law) {
    drive.law = *steered->law;
    drive.value = Table::constant(Vector3(steered->value, 0, 0));
    drive.potential.kind =
        drive.law == DriveLaw::force ? JointPotentialKind::force : JointPotentialKind::spring;
  }
  if (joint.kind == JointKind::motor) stiff = drive.law != DriveLaw::force && drive.potential.stiffness == 0;
  return drive;
}

void forget_steering(World& world) {
  if (world.state.steered.empty()) return;
  std::unordered_set<std::string> names;
  for (const Joint& joint : world.joints) names.insert(joint.name);
  std::erase_if(world.state.steered,
                [&](const SteeredDrive& steered) { return !names.contains(steered.joint); });
}

void check_steering(const World& world, const State& state) {
  for (const SteeredDrive& steered : state.steered) {
    const Joint& joint = world.joints[joint_index(world, steered.joint)];
    const bool spring = joint.kind == JointKind::spring;
    const bool fits = joint.kind == JointKind::motor || spring;
    const bool law_fits =
        !steered.law || (spring ? *steered.law == DriveLaw::spring
                                : *steered.law == DriveLaw::position || *steered.law == DriveLaw::speed ||
                                      *steered.law == DriveLaw::force);
    if (!fits || !law_fits)
      fail(joint, "the state drives it in a way that it does not support", "use another state");
    Steering numbers;
    numbers.target = steered.value;
    numbers.stiffness = steered.stiffness;
    if (!spring) numbers.max_force = steered.max_force;
    check_numbers(joint, spring, numbers);
  }
}

double coordinate_rate(const World& world, int index) {
  const JointCoordinate& c = world.joint_coordinates[index];
  const State& state = world.state;
  const JointDerivatives d =
      joint_derivatives(c.measure, c.vectors(state.position), state.joint_coordinates[index]);
  double rate = 0;
  int part = 0;
  for (const MaterialVector* vector : {&c.w, &c.u, &c.v}) {
    for (const auto& [control, weight] : vector->weights)
      rate += weight * d.gradient.segment<3>(3 * part).dot(state.velocity.col(control));
    ++part;
  }
  return rate;
}

}  // namespace bulwark
