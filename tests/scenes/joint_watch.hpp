// Watches the joints of a scene while it runs: in every step no range is left and no equation is broken.
#pragma once

#include <scenes/scene_run.hpp>

#include <functional>
#include <numbers>
#include <string>
#include <utility>

namespace bulwark {

inline constexpr double per_degree = std::numbers::pi / 180;

class JointWatch {
 public:
  /// `allowed_error` is that of the joints' equations: rounding, or the tolerance of sliders that
  /// move.
  explicit JointWatch(SceneRun& run, double allowed_error = 1e-11,
                      std::function<void(const SceneRun&)> observer = {})
      : run_(run), allowed_error_(allowed_error), observer_(std::move(observer)) {
    run.each_step([this](const SceneRun&) { look(); });
  }

  /// A joint's coordinate, the one of joints.csv (rad or m).
  double coordinate(const std::string& joint) const {
    return run_.simulation().joint_states()[index(joint)].coordinate;
  }
  double degrees(const std::string& joint) const { return coordinate(joint) / per_degree; }
  Vector3 force(const std::string& joint) const {
    return run_.simulation().joint_states()[index(joint)].force;
  }

  /// Of a cone-twist joint (degrees): 0 the twist, 1 the bend about y, 2 the bend about z.
  double cone_twist_degrees(const std::string& joint, int which) const {
    const World& world = run_.world();
    const int of = static_cast<int>(index(joint));
    int found = 0;
    for (std::size_t c = 0; c < world.joint_coordinates.size(); ++c) {
      if (world.joint_coordinates[c].joint != of) continue;
      if (found++ == which) return world.state.joint_coordinates[static_cast<Eigen::Index>(c)] / per_degree;
    }
    throw std::invalid_argument("joint '" + joint + "' has no such coordinate");
  }

  double largest_error() const { return largest_error_; }

 private:
  std::size_t index(const std::string& joint) const {
    const std::vector<Joint>& joints = run_.world().joints;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      if (joints[j].name == joint) return j;
    }
    throw std::invalid_argument("the scene has no joint '" + joint + "'");
  }

  void look() {
    const World& world = run_.world();
    for (const WorldDrive& drive : world.joint_drives) {
      if (drive.drive.law != JointDrive::Law::range) continue;
      const double value = world.state.joint_coordinates[drive.drive.coordinate];
      EXPECT_GT(value, drive.drive.potential.low) << place(drive.joint);
      EXPECT_LT(value, drive.drive.potential.high) << place(drive.joint);
    }
    const std::vector<JointState>& states = run_.simulation().joint_states();
    for (std::size_t j = 0; j < states.size(); ++j) {
      EXPECT_LT(states[j].error, allowed_error_) << place(static_cast<int>(j));
      largest_error_ = std::max(largest_error_, states[j].error);
    }
    if (observer_) observer_(run_);
  }

  std::string place(int joint) const {
    return world_name(joint) + ", step " + std::to_string(run_.world().state.step);
  }
  const std::string& world_name(int joint) const { return run_.world().joints[joint].name; }

  SceneRun& run_;
  double allowed_error_;
  std::function<void(const SceneRun&)> observer_;
  double largest_error_ = 0;
};

}  // namespace bulwark
