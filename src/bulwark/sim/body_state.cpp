#include <bulwark/base/error.hpp>
#include <bulwark/math/rotation.hpp>
#include <bulwark/math/svd3.hpp>
#include <bulwark/sim/body_state.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <Eigen/LU>

namespace bulwark {
namespace {

/// A matrix this near to a rotation is one that was written down with few digits.
constexpr double written_rotation = 1e-3;

std::string place_of(const Body& body) {
  return fmt::format("body '{}'", body.name);
}

void require_free(const World& world, const Body& body) {
  for (int c = body.first_control; c < body.first_control + body.control_count; ++c) {
    if (world.scripted[c]) {
      throw InputError(place_of(body), "it is held or follows a script, which says where it is",
                       "remove it and add it again at its new place");
    }
  }
}

Matrix3 nearest_rotation(const Body& body, const Matrix3& given) {
  if (!given.allFinite() || !(rigidity_error(given) < written_rotation) || !(given.determinant() > 0)) {
    throw InputError(place_of(body), "the orientation is no rotation",
                     "give an orthogonal matrix with determinant 1");
  }
  const Svd3 svd = svd3(given);
  return svd.u * svd.v.transpose();
}

}  // namespace

void place_body(const World& world, int body, const Vector3& center, const Matrix3& rotation, State& state) {
  const Body& b = world.bodies[body];
  require_free(world, b);
  if (!center.allFinite()) throw InputError(place_of(b), "the position is not finite", "give three numbers");
  const Matrix3 wanted = nearest_rotation(b, rotation);
  const RigidMotion now = rigid_motion(world, body, state);
  const Matrix3 turn = wanted * now.rotation.transpose();
  if (b.stiff >= 0) {
    const StiffBody& stiff = world.stiff[b.stiff];
    if (!stiff.turns_freely() && !(turn - Matrix3::Identity()).isZero(1e-12)) {
      throw InputError(place_of(b), "its rotation is held about an axis", "leave its orientation as it is");
    }
    state.position.col(b.first_control) = center;
    if (stiff.turns_freely()) state.position.middleCols<3>(b.first_control + 1) = wanted;
  } else {
    auto positions = state.position.middleCols(b.first_control, b.control_count);
    positions = ((turn * (positions.colwise() - now.center)).colwise() + center).eval();
  }
  auto velocities = state.velocity.middleCols(b.first_control, b.control_count);
  velocities = (turn * velocities).eval();
}

void set_body_velocity(const World& world, int body, const Vector3& velocity, const Vector3& angular_velocity,
                       State& state) {
  const Body& b = world.bodies[body];
  require_free(world, b);
  if (!velocity.allFinite() || !angular_velocity.allFinite()) {
    throw InputError(place_of(b), "the velocity is not finite", "give three numbers");
  }
  if (b.stiff >= 0) {
    const StiffBody& stiff = world.stiff[b.stiff];
    Vector3 v = velocity, w = angular_velocity;
    for (int axis = 0; axis < 3; ++axis) {
      if (world.held[b.first_control] & (1 << axis)) v[axis] = 0;
      if (!stiff.turns_about[axis]) w[axis] = 0;
    }
    state.velocity.col(b.first_control) = v;
    state.velocity.middleCols<3>(b.first_control + 1) = cross_matrix(w) * deformation(stiff, state.position);
    return;
  }
  const Vector3 center = rigid_motion(world, body, state).center;
  for (int c = b.first_control; c < b.first_control + b.control_count; ++c) {
    state.velocity.col(c) = velocity + angular_velocity.cross(Vector3(state.position.col(c)) - center);
  }
}

}  // namespace bulwark
