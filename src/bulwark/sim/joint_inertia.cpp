#include <bulwark/sim/joint_inertia.hpp>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace bulwark {

bool is_moved_by_forces(const World& world, int body) {
  if (body == world_body) return false;
  const Body& b = world.bodies[body];
  return b.kind != BodyKind::obstacle && !world.scripted[b.first_control];
}

double mass_of(const World& world, int body) {
  const Body& b = world.bodies[body];
  if (b.stiff >= 0) return world.stiff[b.stiff].mass;
  // A copy: the last bits of a sum do not depend on where in the world the body stands.
  return VectorX(world.lumped_mass.segment(b.first_control, b.control_count)).sum();
}

double moment_of(const World& world, int body, const Vector3& point, const Vector3& axis) {
  const Body& b = world.bodies[body];
  if (b.stiff < 0) return mass_of(world, body);
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
    const Body& b = world.bodies[body];
    if (b.stiff >= 0) {
      const StiffBody& stiff = world.stiff[b.stiff];
      smallest = std::min(smallest, (stiff.high - stiff.low).norm());
    } else {
      const auto x = world.rest.middleCols(b.first_control, b.control_count);
      smallest = std::min(smallest, (x.rowwise().maxCoeff() - x.rowwise().minCoeff()).norm());
    }
  }
  return smallest > 0 && std::isfinite(smallest) ? smallest : 1;
}

}  // namespace bulwark
