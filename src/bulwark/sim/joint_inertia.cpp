#include <bulwark/sim/body_nodes.hpp>
#include <bulwark/sim/joint_inertia.hpp>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace bulwark {

bool is_moved_by_forces(const World& world, int body) {
  if (body == world_body) return false;
  const Body& b = world.bodies[body];
  if (b.is_obstacle()) return false;
  if (b.is_stiff()) return !world.scripted[b.first_control];
  // Parts of a soft body may be held.
  const auto first = world.scripted.begin() + b.first_control;
  return std::find(first, first + b.control_count, 0) != first + b.control_count;
}

double mass_of(const World& world, int body) {
  return mass_of(world, world.bodies[body]);
}

double moment_of(const World& world, int body, const Vector3& point, const Vector3& axis) {
  const Body& b = world.bodies[body];
  if (!b.is_stiff()) {
    // A rod has next to none about itself, and a stiffness can't be made of that.
    constexpr double least = 1e-3;
    double moment = 0, squares = 0;
    for (int i = b.first_control; i < b.first_control + b.point_count; ++i) {
      const Vector3 arm = world.state.position.col(i) - point;
      moment += world.gravity_mass[i] * arm.cross(axis).squaredNorm();
      squares += world.gravity_mass[i] * arm.squaredNorm();
    }
    return std::max(moment, least * squares);
  }
  const StiffBody& stiff = world.stiff[b.stiff];
  const Matrix3 A = deformation(stiff, world.state.position);
  const Matrix3 second_moment = A * stiff.second_moment * A.transpose();
  const Vector3 arm = (world.state.position.col(stiff.first_control) - point).cross(axis);
  return second_moment.trace() - axis.dot(second_moment * axis) + stiff.mass * arm.squaredNorm();
}

double smaller_extent(const World& world, const std::array<int, 2>& bodies) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const int body : bodies) {
    if (!is_moved_by_forces(world, body)) continue;
    smallest = std::min(smallest, body_length(world, world.bodies[body]));
  }
  return smallest > 0 && std::isfinite(smallest) ? smallest : 1;
}

}  // namespace bulwark
