#include <bulwark/base/error.hpp>
#include <bulwark/sim/soft_point.hpp>
#include <bulwark/sim/world.hpp>

#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>
#include <optional>

namespace bulwark {
namespace {

bool is_still(const World& world, int body) {
  for (const Script& script : world.scripts) {
    if (script.controls.empty() || script.motion.is_still()) continue;
    const int control = script.controls[0];
    const Body& b = world.bodies[body];
    if (control >= b.first_control && control < b.first_control + b.control_count) return false;
  }
  return true;
}

MaterialVector of_stiff(const StiffBody& body, const Vector3& X, double center) {
  MaterialVector result;
  if (center != 0) result.weights.push_back({body.first_control, center});
  for (int k = 0; k < 3; ++k) {
    if (X[k] != 0) result.weights.push_back({body.first_control + 1 + k, X[k]});
  }
  return result;
}

/// Four vertices of a moving obstacle that span space: any point that moves with it is a combination of them.
struct Frame {
  std::array<int, 4> control = {-1, -1, -1, -1};
  Eigen::Matrix4d inverse;  ///< of the matrix of their positions with a row of ones below
};

Frame frame_of(const World& world, const Body& body) {
  const auto x = world.state.position.middleCols(body.first_control, body.control_count);
  const int count = body.control_count;
  Frame frame;
  std::array<int, 4> pick = {0, 0, 0, 0};
  auto farthest = [&](auto&& measure) {
    int best = 0;
    for (int i = 1; i < count; ++i) {
      if (measure(Vector3(x.col(i))) > measure(Vector3(x.col(best)))) best = i;
    }
    return best;
  };
  const Vector3 a = x.col(0);
  pick[1] = farthest([&](const Vector3& p) { return (p - a).norm(); });
  const Vector3 b = x.col(pick[1]);
  pick[2] = farthest([&](const Vector3& p) { return (p - a).cross(b - a).norm(); });
  const Vector3 c = x.col(pick[2]);
  pick[3] = farthest([&](const Vector3& p) { return std::abs((p - a).dot((b - a).cross(c - a))); });
  Eigen::Matrix4d matrix;
  for (int k = 0; k < 4; ++k) {
    frame.control[k] = body.first_control + pick[k];
    matrix.col(k) << Vector3(x.col(pick[k])), 1;
  }
  if (!(std::abs(matrix.determinant()) > 1e-9 * std::pow((b - a).norm(), 3))) {
    throw InputError(fmt::format("body '{}'", body.name),
                     "a joint can't be tied to a flat obstacle that moves",
                     "make it an affine body with `fixed` and a `motion`");
  }
  frame.inverse = matrix.inverse();
  return frame;
}

MaterialVector of_obstacle(const World& world, const Body& body, const Eigen::Vector4d& homogeneous) {
  const Frame frame = frame_of(world, body);
  const Eigen::Vector4d weight = frame.inverse * homogeneous;
  MaterialVector result;
  for (int k = 0; k < 4; ++k) {
    if (weight[k] != 0) result.weights.push_back({frame.control[k], weight[k]});
  }
  return result;
}

/// A point (`shifts` 1) or a direction (0) of anything but a soft body; nothing for a soft one.
std::optional<MaterialVector> of_frame(const World& world, int body, const Vector3& v, double shifts) {
  MaterialVector fixed;
  fixed.constant = v;
  if (body == world_body) return fixed;
  const Body& b = world.bodies[body];
  if (b.is_obstacle())
    return is_still(world, body) ? fixed : of_obstacle(world, b, {v[0], v[1], v[2], shifts});
  if (!b.is_stiff()) return {};
  const StiffBody& stiff = world.stiff[b.stiff];
  const Vectors& q = world.state.position;
  const Vector3 X = v - shifts * q.col(stiff.first_control);
  const Matrix3 A = deformation(stiff, q);
  return of_stiff(stiff, A == Matrix3::Identity() ? X : Vector3(A.inverse() * X), shifts);
}

}  // namespace

MaterialVector material_point(const World& world, int body, const Vector3& x, double grip) {
  const std::optional<MaterialVector> point = of_frame(world, body, x, 1);
  if (point) return *point;
  return grip > 0 ? gripped_vector(world, body, x, grip, x, 1) : soft_point(world, body, x);
}

MaterialVector material_direction(const World& world, int body, const Vector3& d, const Vector3& at,
                                  double grip) {
  const std::optional<MaterialVector> direction = of_frame(world, body, d, 0);
  if (direction) return *direction;
  return grip > 0 ? gripped_vector(world, body, at, grip, d, 0) : soft_direction(world, body, at, d);
}

}  // namespace bulwark
