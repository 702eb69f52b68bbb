#include <bulwark/base/error.hpp>
#include <bulwark/sim/applied_forces.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>

namespace bulwark {

void add_torque(const StiffBody& body, const Vector3& torque, const Vectors& q, Vectors& force) {
  const Vector3 half = 0.5 * torque;
  for (int k = body.first_control + 1; k < body.first_control + 4; ++k)
    force.col(k) += half.cross(Vector3(q.col(k)));
}

void add_applied_forces(const World& world, const Vectors& q, Vectors& force) {
  for (std::size_t i = 0; i < world.applied.size(); ++i) {
    const Body& body = world.bodies[i];
    const Applied& applied = world.applied[i];
    if (body.point_count > 0) {
      force.middleCols(body.first_control, body.point_count).colwise() +=
          applied.force / static_cast<double>(body.point_count);
    }
    if (body.is_stiff()) add_torque(world.stiff[body.stiff], applied.torque, q, force);
  }
  const Eigen::Index count = world.applied_to_controls.cols();
  force.leftCols(count) += world.applied_to_controls;
}

void apply(World& world, int body, const Applied& applied) {
  const Body& b = world.bodies[body];
  const std::string place = fmt::format("body '{}'", b.name);
  if (!applied.force.allFinite() || !applied.torque.allFinite()) {
    throw InputError(place, "the force or torque is not finite", "give three finite numbers");
  }
  if (!b.is_stiff() && !applied.torque.isZero(0)) {
    throw InputError(place, "only affine and rigid bodies take a torque",
                     "apply forces to its nodes instead");
  }
  if (world.applied.size() <= static_cast<std::size_t>(body)) world.applied.resize(body + 1);
  world.applied[body] = applied;
}

}  // namespace bulwark
