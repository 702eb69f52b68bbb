#include <bulwark/integrate/free_flight.hpp>
#include <bulwark/math/svd3.hpp>
#include <bulwark/sim/body_nodes.hpp>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>

namespace bulwark {

double friction_between(const World& world, int body_a, int body_b, double scene_friction) {
  const auto found = world.friction_pairs.find({std::min(body_a, body_b), std::max(body_a, body_b)});
  if (found != world.friction_pairs.end()) return found->second;
  return std::min(world.bodies[body_a].friction.value_or(scene_friction),
                  world.bodies[body_b].friction.value_or(scene_friction));
}

double scene_length(const World& world) {
  Vector3 low = Vector3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  auto include = [&](const Body& body) {
    const Vectors nodes = rest_nodes(world, body);
    low = low.cwiseMin(nodes.rowwise().minCoeff());
    high = high.cwiseMax(nodes.rowwise().maxCoeff());
  };
  for (const Body& body : world.bodies) {
    if (!body.is_obstacle() && body.node_count() > 0) include(body);
  }
  if (!(low[0] <= high[0])) {
    // Nothing moves: obstacles are all there is to measure.
    for (const Body& body : world.bodies) {
      if (body.node_count() > 0) include(body);
    }
  }
  const double length = low[0] <= high[0] ? (high - low).norm() : 0;
  return length > 0 ? length : 1;
}

RigidMotion rigid_motion(const World& world, int body, const State& state) {
  const Body& b = world.bodies[body];
  RigidMotion result;
  if (b.point_count == 0) return result;
  if (b.is_stiff()) {
    const StiffBody& stiff = world.stiff[b.stiff];
    const Matrix3 A = deformation(stiff, state.position), rate = deformation(stiff, state.velocity);
    result.center = center(stiff, state.position);
    result.velocity = center(stiff, state.velocity);
    const Svd3 svd = svd3(A);
    result.rotation = svd.u * svd.v.transpose();
    const Vector3 momentum = angular_momentum(A, rate, stiff.second_moment);
    result.angular_velocity = angular_velocity(A, momentum, stiff.second_moment);
    return result;
  }
  VectorX mass = world.gravity_mass.segment(b.first_control, b.point_count);
  if (!(mass.sum() > 0)) mass.setOnes();
  const double total = mass.sum();
  const auto rest = world.rest.middleCols(b.first_control, b.point_count);
  const auto position = state.position.middleCols(b.first_control, b.point_count);
  const auto velocity = state.velocity.middleCols(b.first_control, b.point_count);
  const Vector3 rest_center = rest * mass / total;
  result.center = position * mass / total;
  result.velocity = velocity * mass / total;
  Matrix3 covariance = Matrix3::Zero(), inertia = Matrix3::Zero();
  Vector3 momentum = Vector3::Zero();
  for (int k = 0; k < b.point_count; ++k) {
    const Vector3 x = position.col(k) - result.center, v = velocity.col(k) - result.velocity;
    covariance += mass[k] * x * (rest.col(k) - rest_center).transpose();
    inertia += mass[k] * (x.squaredNorm() * Matrix3::Identity() - x * x.transpose());
    momentum += mass[k] * x.cross(v);
  }
  const Svd3 svd = svd3(covariance);
  result.rotation = svd.u * svd.v.transpose();
  if (inertia.determinant() > 1e-12 * std::pow(inertia.trace(), 3)) {
    result.angular_velocity = inertia.inverse() * momentum;
  }
  return result;
}

RigidMotion rigid_motion(const World& world, int body) {
  return rigid_motion(world, body, world.state);
}

}  // namespace bulwark
