#include <bulwark/scene/imported_scene.hpp>
#include <bulwark/scene/issues.hpp>
#include <bulwark/scene/rigid_ipc_motion.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

namespace bulwark {
namespace {

constexpr int max_keys = 100'000;
constexpr double degrees_per_radian = 180 / std::numbers::pi;

/// Here the turn is about the center of mass c, a keyframe's is about the body's position p:
///   c + R (X - c) + d = p + R (X - p) + d + (I - R) (c - p).
Json keyframe(double time, const Vector3& displacement, const Vector3& turn, const Vector3& center_offset) {
  Json key;
  key["time"] = time;
  const double angle = turn.norm();
  if (angle == 0) {
    key["position"] = to_json(displacement);
    return key;
  }
  const Matrix3 rotation = Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix();
  key["position"] = to_json(displacement + center_offset - rotation * center_offset);
  key["rotation"]["axis"] = to_json(turn / angle);
  key["rotation"]["degrees"] = angle * degrees_per_radian;
  return key;
}

}  // namespace

Json rigid_ipc_motion(const RigidIpcBody& body, const Vector3& center, double step, double duration) {
  const bool moves = !body.velocity.isZero(0) || !body.angular_velocity_degrees.isZero(0);
  if (!moves && body.kinematic_poses.empty()) return nullptr;
  if (body.kinematic_poses.empty() && body.kinematic_max_time < 0) {
    Json motion;
    if (!body.velocity.isZero(0)) motion["linear"] = to_json(body.velocity);
    if (!body.angular_velocity_degrees.isZero(0)) {
      motion["angular_degrees"] = to_json(body.angular_velocity_degrees);
      motion["pivot"] = to_json(center);
    }
    return motion;
  }
  Json keys = Json::array();
  const Vector3 offset = center - body.position;
  const double end = body.kinematic_max_time < 0 ? duration : std::min(body.kinematic_max_time, duration);
  // Half a step of slack: a pose that falls on the end still belongs to the motion.
  const auto before_end = [&](double time) { return time < end + step / 2; };
  Vector3 displacement = Vector3::Zero(), turn = Vector3::Zero();
  double time = 0;
  for (const RigidIpcBody::Pose& pose : body.kinematic_poses) {
    if (!before_end(time + step)) break;
    time += step;
    displacement = pose.position - center;
    turn = pose.rotation;
    keys.push_back(keyframe(time, displacement, turn, offset));
  }
  if (moves && before_end(time + step)) {
    const double start = time;
    const Vector3 spin = body.angular_velocity_degrees / degrees_per_radian;
    // About a point that the spin carries along, the path between two keys is not straight: one for each
    // step.
    constexpr double rounding = 1e-12;
    const bool straight = spin.isZero(0) || offset.norm() <= rounding * (1 + body.position.norm());
    const double interval = straight ? end - start : step;
    const double intervals = std::round((end - start) / interval);
    if (intervals > max_keys) {
      throw IssueFound(
          pointer_to(body.path, "angular_velocity"),
          "a body that turns about a point off its origin needs a key for each step, and the scene "
          "has too many steps for that",
          fmt::format("shorten it to {} steps, or end the motion by `kinematic_max_time`", max_keys));
    }
    const int count = static_cast<int>(intervals);
    for (int i = 1; i <= count; ++i) {
      const double elapsed = i * interval;
      keys.push_back(
          keyframe(start + elapsed, displacement + elapsed * body.velocity, turn + elapsed * spin, offset));
    }
  }
  return keys.empty() ? Json(nullptr) : keys;
}

}  // namespace bulwark
