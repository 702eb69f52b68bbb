#include <bulwark/math/rotation.hpp>
#include <bulwark/output/drawing/camera.hpp>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace bulwark {

Camera fit_camera(const Vectors& points, double aspect, const Vector3& up) {
  // A three-quarter view: turned and lifted enough to show three sides of a box, none of them edge on.
  double turn = 0.6, lift = 0.42;  // radians
  // A planar scene is looked at straight.
  if (points.cols() > 0 && points.row(2).isZero(0) && up == Vector3::UnitY()) turn = lift = 0;
  constexpr double margin = 1.12;
  Camera camera;
  const Eigen::Quaterniond upright = turn_between(Vector3::UnitY(), up);
  camera.forward =
      upright * -Vector3(std::cos(lift) * std::sin(turn), std::sin(lift), std::cos(lift) * std::cos(turn));
  camera.right = camera.forward.cross(up).normalized();
  camera.up = camera.right.cross(camera.forward);
  if (points.cols() == 0) {
    camera.eye = -3 * camera.forward;
    return camera;
  }
  const Vector3 low = points.rowwise().minCoeff(), high = points.rowwise().maxCoeff();
  const Vector3 center = (low + high) / 2;
  double distance = 1e-3 * (high - low).norm();
  for (Eigen::Index i = 0; i < points.cols(); ++i) {
    const Vector3 d = points.col(i) - center;
    const double across = std::abs(d.dot(camera.right)) / (camera.tangent * aspect);
    const double along = std::abs(d.dot(camera.up)) / camera.tangent;
    distance = std::max(distance, margin * std::max(across, along) - d.dot(camera.forward));
  }
  if (distance <= 0) distance = 1;  // a single point
  camera.eye = center - distance * camera.forward;
  return camera;
}

Camera look_at(const Vector3& position, const Vector3& target, double field_of_view_degrees,
               const Vector3& up) {
  Camera camera;
  camera.eye = position;
  camera.forward = (target - position).normalized();
  const Vector3 across = camera.forward.cross(up);
  constexpr double nearly_along = 1e-6;  // sine of the angle below which `up` gives no direction
  camera.right = across.norm() > nearly_along ? across.normalized() : camera.forward.unitOrthogonal();
  camera.up = camera.right.cross(camera.forward);
  camera.tangent = std::tan(field_of_view_degrees * std::numbers::pi / 360);
  return camera;
}

}  // namespace bulwark
