#include <bulwark/base/error.hpp>
#include <bulwark/scene/nearest.hpp>
#include <bulwark/scene/urdf_kinematics.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace bulwark {
namespace {

/// How far from its ends a range begins to push: a twentieth of it, at most 2 degrees (sim/joint.cpp).
double pushing_width(const UrdfJoint& joint) {
  const double part = 0.05 * (joint.limit->upper - joint.limit->lower);
  return joint.turns() ? std::min(part, 2 * std::numbers::pi / 180) : part;
}

bool has_range(const UrdfJoint& joint) {
  const bool limited = joint.type == UrdfJoint::Type::revolute || joint.type == UrdfJoint::Type::prismatic;
  return limited && joint.limit->lower < joint.limit->upper;
}

const char* unit_of(const UrdfJoint& joint) {
  return joint.turns() ? "rad" : "m";
}

/// What a joint would have without limits: its own value, or what it mimics.
double wanted_value(const UrdfRobot& robot, const std::map<std::string, double>& given,
                    const UrdfJoint& joint, std::size_t depth) {
  const auto found = given.find(joint.name);
  if (found != given.end()) return found->second;
  if (!joint.mimic || depth > robot.joints.size()) return 0;
  const auto leader = std::find_if(robot.joints.begin(), robot.joints.end(),
                                   [&](const UrdfJoint& other) { return other.name == joint.mimic->joint; });
  return joint.mimic->multiplier * wanted_value(robot, given, *leader, depth + 1) + joint.mimic->offset;
}

}  // namespace

std::vector<double> start_values(const UrdfRobot& robot, const std::map<std::string, double>& given,
                                 std::vector<std::string>& notes) {
  for (const auto& [name, value] : given) {
    std::vector<std::string> known;
    for (const UrdfJoint& joint : robot.joints) {
      if (joint.turns() || joint.slides()) known.push_back(joint.name);
    }
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError(fmt::format("--joint {}={}", name, value),
                       fmt::format("the robot has no joint '{}' that turns or slides", name),
                       suggestion(name, known, "joints"));
  }
  std::vector<double> values;
  for (const UrdfJoint& joint : robot.joints) {
    double value = joint.turns() || joint.slides() ? wanted_value(robot, given, joint, 0) : 0;
    if (has_range(joint) && !(value > joint.limit->lower && value < joint.limit->upper)) {
      const auto [lower, upper] = std::pair(joint.limit->lower, joint.limit->upper);
      if (given.contains(joint.name))
        throw InputError(fmt::format("--joint {}={}", joint.name, value),
                         fmt::format("the joint's limits are {} and {} {}", lower, upper, unit_of(joint)),
                         "give a value between them; the limits themselves do not count as inside");
      const double width = pushing_width(joint);
      const double inside = std::clamp(value, lower + width, upper - width);
      notes.push_back(
          fmt::format("joint '{}' starts at {:.4g} {}: {:.4g} is not inside its limits {:.4g} and {:.4g}",
                      joint.name, inside, unit_of(joint), value, lower, upper));
      value = inside;
    }
    values.push_back(value);
  }
  return values;
}

std::vector<Frame3> link_frames(const UrdfRobot& robot, const std::vector<double>& values) {
  std::vector<Frame3> frames(robot.links.size(), Frame3::Identity());
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    const UrdfJoint& joint = robot.joints[j];
    Frame3 motion = Frame3::Identity();
    if (joint.turns()) motion.linear() = Eigen::AngleAxisd(values[j], joint.axis).toRotationMatrix();
    if (joint.slides()) motion.translation() = values[j] * joint.axis;
    frames[joint.child] = frames[joint.parent] * joint.origin * motion;
  }
  return frames;
}

}  // namespace bulwark
