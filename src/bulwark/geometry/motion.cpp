#include <bulwark/geometry/motion.hpp>

#include <Eigen/Geometry>
#include <algorithm>

namespace bulwark {
namespace {

/// Index i and weight w such that the value at `time` is (1-w) value[i] + w value[i+1].
std::pair<std::size_t, double> locate(const std::vector<double>& times, double time) {
  if (time <= times.front()) return {0, 0.0};
  if (time >= times.back()) return {times.size() - 1, 0.0};
  const std::size_t upper = std::upper_bound(times.begin(), times.end(), time) - times.begin();
  return {upper - 1, (time - times[upper - 1]) / (times[upper] - times[upper - 1])};
}

}  // namespace

Vector3 Table::at(double time) const {
  if (values.empty()) return Vector3::Zero();
  if (values.size() == 1 || times.empty()) return values.front();
  const auto [i, w] = locate(times, time - begin);
  return w == 0 ? values[i] : Vector3((1 - w) * values[i] + w * values[i + 1]);
}

Vector3 Motion::at(double time, const Vector3& start) const {
  const double t = time - begin;
  Vector3 displacement = t * linear_velocity;
  Vector3 rotation = t * angular_velocity;
  if (!keyframes.empty()) {
    std::vector<double> times;
    for (const Keyframe& key : keyframes) times.push_back(key.time);
    const auto [i, w] = locate(times, t);
    const Keyframe& a = keyframes[i];
    const Keyframe& b = keyframes[std::min(i + 1, keyframes.size() - 1)];
    displacement = (1 - w) * a.displacement + w * b.displacement;
    rotation = (1 - w) * a.rotation + w * b.rotation;
  }
  const double angle = rotation.norm();
  if (angle == 0) return start + displacement;
  return pivot + Eigen::AngleAxisd(angle, rotation / angle) * (start - pivot) + displacement;
}

}  // namespace bulwark
