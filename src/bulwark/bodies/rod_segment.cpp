#include <bulwark/bodies/rod_segment.hpp>
#include <bulwark/math/rotation.hpp>

#include <Eigen/Geometry>
#include <cmath>

namespace bulwark {

double frame_angle(const RodSegment& segment, const Vectors& from, const Vectors& to,
                   const Vector3& director) {
  const auto tangent = [&](const Vectors& q) {
    return Vector3(q.col(segment.vertices[1]) - q.col(segment.vertices[0])).normalized();
  };
  const Vector3 before = tangent(from), after = tangent(to), d = from.col(segment.director);
  const Vector3 start = (d - d.dot(before) * before).normalized();
  const Vector3 now = turn_between(before, after) * start;
  const double angle = std::atan2(after.cross(now).dot(director), now.dot(director));
  constexpr double rounding = 1e-12;  // a script that stands still must not turn the frame
  return std::abs(angle) > rounding ? angle : 0;
}

}  // namespace bulwark
