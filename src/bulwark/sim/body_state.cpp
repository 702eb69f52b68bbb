#include <bulwark/base/error.hpp>
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
      throw InputError(place_of(body), "it is held or follows a script, which determines its position",
                       "remove it and add it again at its new position");
    }
  }
}

Matrix3 nearest_rotation(const Body& body, const Matrix3& given) {
  if (!given.allFinite() || !(rigidity_error(given) < written_rotation) || !(given.determinant() > 0)) {
    throw InputError(place_of(body), "the orientation is not a rotation",
                     "give an orthogonal matrix with determinant 1");
  }
  const Svd3 svd = svd3(given);
  return svd.u * svd.v.transpose();
}

/// Throws where a body can't be turned, or set beside its plane.
void require_reachable(const World& world, const Body& body, const Vector3& center, const Matrix3& turn) {
  constexpr double rounding = 1e-12;
  if (world.thickness && (center.z() != 0 || !(turn.col(2) - Vector3::UnitZ()).isZero(rounding)))
    throw InputError(place_of(body), "the scene lies in the plane z = 0", "keep z, and turn about z alone");
  if (!body.is_stiff() || (turn - Matrix3::Identity()).isZero(rounding)) return;
  const StiffBody& stiff = world.stiff[body.stiff];
  if (world.thickness ? !stiff.turns_about[2] : !stiff.turns_freely())
    throw InputError(place_of(body), "its rotation is held about an axis", "leave its orientation as it is");
}

}  // namespace

void place_body(const World& world, int body, const Vector3& center, const Matrix3& rotation, State& state) {
  const Body& b = world.bodies[body];
  require_free(world, b);
  if (!center.allFinite()) throw InputError(place_of(b), "the position is not finite", "give three numbers");
  const Matrix3 wanted = nearest_rotation(b, rotation);
  const RigidMotion now = rigid_motion(world, body, state);
  const Matrix3 turn = wanted * now.rotation.transpose();
  require_reachable(world, b, center, turn);
  for (int c = b.first_control; c < b.first_control + b.control_count; ++c) {
    if (world.roles[c] == ControlRole::parameter) continue;
    const Vector3 x = state.position.col(c), v = state.velocity.col(c);
    const bool point = world.roles[c] == ControlRole::point;
    state.position.col(c) = point ? Vector3(turn * (x - now.center) + center) : Vector3(turn * x);
    state.velocity.col(c) = turn * v;
  }
  if (!b.is_stiff()) return;
  // What is stiff is where it is told to be, without the strain and the rounding that it had.
  state.position.col(b.first_control) = center;
  const StiffBody& stiff = world.stiff[b.stiff];
  if (world.thickness ? stiff.turns_about[2] : stiff.turns_freely())
    state.position.middleCols<3>(b.first_control + 1) = wanted;
}

void set_body_velocity(const World& world, int body, const Vector3& velocity, const Vector3& angular_velocity,
                       State& state) {
  const Body& b = world.bodies[body];
  require_free(world, b);
  if (!velocity.allFinite() || !angular_velocity.allFinite()) {
    throw InputError(place_of(b), "the velocity is not finite", "give three numbers");
  }
  Vector3 w = angular_velocity;
  for (int axis = 0; axis < 3; ++axis) {
    if (b.is_stiff() && !world.stiff[b.stiff].turns_about[axis]) w[axis] = 0;
  }
  const Vector3 center = rigid_motion(world, body, state).center;
  for (int c = b.first_control; c < b.first_control + b.control_count; ++c) {
    if (world.roles[c] == ControlRole::parameter) continue;
    const Vector3 x = state.position.col(c);
    const bool point = world.roles[c] == ControlRole::point;
    Vector3 v = point ? Vector3(velocity + w.cross(x - center)) : Vector3(w.cross(x));
    // The axes held of a rigid body's first column are those of its rotation.
    const bool by_axes = point || !b.is_stiff();
    for (int axis = 0; axis < 3; ++axis) {
      if (by_axes && (world.held[c] >> axis & 1) != 0) v[axis] = 0;
    }
    state.velocity.col(c) = v;
  }
}

}  // namespace bulwark
