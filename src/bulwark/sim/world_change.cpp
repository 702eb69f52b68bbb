#include <bulwark/base/error.hpp>
#include <bulwark/math/rotation.hpp>
#include <bulwark/sim/arrays_fit.hpp>
#include <bulwark/sim/world_change.hpp>
#include <bulwark/stencils/joint_coordinate.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace bulwark {
namespace {

/// How far a rigid body's A may be from a rotation: rounding of many steps.
constexpr double rigid_rounding = 1e-9;
/// How far a joint's equation may be from holding, relative to its parts: rounding of many steps.
constexpr double joint_rounding = 1e-7;
/// And how far outright, of a coefficient of 1 (m).
constexpr double smallest_misfit = 1e-9;
/// And one that is held by a multiplier, relative to its tolerance.
constexpr double held_misfit = 1e5;

bool same_rules(const CollisionBody& a, const CollisionBody& b) {
  return a.obstacle == b.obstacle && a.collides == b.collides && a.self == b.self && a.group == b.group;
}

template <class Columns>
bool same(const Columns& a, const Columns& b) {
  return a.cols() == b.cols() && a == b;
}

void append_zeros(Vectors& matrix, Eigen::Index columns) {
  const Eigen::Index had = matrix.cols();
  matrix.conservativeResize(3, columns);
  matrix.rightCols(columns - had).setZero();
}

[[noreturn]] void refuse_misfit(const World& world, int joint) {
  throw InputError(fmt::format("joint '{}'", world.joints[joint].name),
                   "its bodies would no longer fit together",
                   "move them together, or remove the joint first");
}

void require_joints_hold(const World& world) {
  for (const ConstraintRow& row : world.joint_rows) {
    double sum = -row.value, size = std::abs(row.value), largest = 0;
    for (const auto& [scalar, coefficient] : row.entries) {
      const double part = coefficient * world.state.position(scalar % 3, scalar / 3);
      sum += part;
      size += std::abs(part);
      largest = std::max(largest, std::abs(coefficient));
    }
    if (!(std::abs(sum) <= joint_rounding * size + smallest_misfit * largest))
      refuse_misfit(world, row.joint);
  }
  for (const WorldDrive& drive : world.joint_drives) {
    const JointCoordinate& c = world.joint_coordinates[drive.drive.coordinate];
    // A length may be another than that of the start.
    if (!(drive.tolerance > 0)) continue;
    if (c.measure != JointMeasure::dot && c.measure != JointMeasure::height) continue;
    if (drive.drive.law != JointDrive::Law::spring) continue;  // it follows a time table
    const double misfit =
        joint_coordinate(c.measure, c.vectors(world.state.position), 0) - drive.drive.potential.target;
    if (!(std::abs(misfit) <= held_misfit * drive.tolerance)) refuse_misfit(world, drive.joint);
  }
}

/// Pairs that nothing kept apart before and that the barrier keeps apart now.
void mark_newly_guarded(const World& before, const World& after, std::vector<char>& marks) {
  if (before.collision.unguarded_pairs.empty()) return;
  std::unordered_map<std::int64_t, int> now;
  for (std::size_t i = 0; i < after.bodies.size(); ++i) now[after.bodies[i].id] = static_cast<int>(i);
  const std::vector<std::array<int, 2>>& still = after.collision.unguarded_pairs;
  for (const auto& [a, b] : before.collision.unguarded_pairs) {
    const auto first = now.find(before.bodies[a].id), second = now.find(before.bodies[b].id);
    if (first == now.end() || second == now.end()) continue;
    const std::array<int, 2> pair = {std::min(first->second, second->second),
                                     std::max(first->second, second->second)};
    if (std::binary_search(still.begin(), still.end(), pair)) continue;
    marks[pair[0]] = marks[pair[1]] = 1;
  }
}

}  // namespace

BodyChanges changes_between(const World& before, const World& after) {
  std::unordered_map<std::int64_t, int> old;
  for (std::size_t i = 0; i < before.bodies.size(); ++i) old[before.bodies[i].id] = static_cast<int>(i);
  const Vectors vertices_before = vertex_positions(before.collision, before.state.position),
                vertices = vertex_positions(after.collision, after.state.position);
  BodyChanges changes;
  for (std::size_t i = 0; i < after.bodies.size(); ++i) {
    const Body& b = after.bodies[i];
    const auto found = old.find(b.id);
    bool surface = true, motion = true;
    if (found != old.end()) {
      const Body& a = before.bodies[found->second];
      surface = !same_rules(before.collision.bodies[found->second], after.collision.bodies[i]) ||
                !same(vertices_before.middleCols(a.first_vertex, a.vertex_count),
                      vertices.middleCols(b.first_vertex, b.vertex_count));
      const auto controls = [](const Vectors& v, const Body& body) {
        return v.middleCols(body.first_control, body.control_count);
      };
      motion = !same(controls(before.state.position, a), controls(after.state.position, b)) ||
               !same(controls(before.state.velocity, a), controls(after.state.velocity, b));
    }
    changes.surface.push_back(surface);
    changes.motion.push_back(motion);
  }
  mark_newly_guarded(before, after, changes.surface);
  return changes;
}

void require_sound(const World& world) {
  const State& s = world.state;
  std::string misfit = arrays_misfit(world);
  if (s.previous_velocity.cols() != s.previous_position.cols())
    misfit = "`state.previous_velocity` and `state.previous_position` differ in length";
  if (!misfit.empty()) {
    throw InputError("world", "its arrays are inconsistent after the change: " + misfit,
                     "change it by the functions of sim/ only");
  }
  for (const Body& body : world.bodies) {
    const auto finite = [&](const Vectors& v) {
      return v.middleCols(body.first_control, body.control_count).allFinite();
    };
    if (!finite(s.position) || !finite(s.velocity)) {
      throw InputError(fmt::format("body '{}'", body.name), "its positions or velocities are not finite",
                       "give finite numbers");
    }
  }
  for (const StiffBody& body : world.stiff) {
    const Matrix3 A = deformation(body, s.position);
    const std::string place = fmt::format("body '{}'", world.bodies[body.body].name);
    if (body.rigid && !(rigidity_error(A) < rigid_rounding)) {
      throw InputError(place, "its controls 1 to 3 are not the columns of a rotation",
                       "set its position and rotation instead of its controls");
    }
    if (!(A.determinant() > 0)) {
      throw InputError(place, "it would be turned inside out", "give controls 1 to 3 a positive determinant");
    }
  }
  require_joints_hold(world);
}

void begin_past(World& world, const std::vector<char>& bodies, double h) {
  State& s = world.state;
  if (s.previous_position.cols() == 0) return;
  append_zeros(s.previous_position, world.control_count());
  append_zeros(s.previous_velocity, world.control_count());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies[i]) continue;
    const Body& body = world.bodies[i];
    for (int c = body.first_control; c < body.first_control + body.control_count; ++c) {
      const Vector3 v = s.velocity.col(c);
      Vector3 a = s.acceleration.col(c);
      for (int axis = 0; axis < 3; ++axis) {
        if (world.held[c] & (1 << axis)) a[axis] = 0;
      }
      s.previous_position.col(c) = s.position.col(c) - h * v + 0.5 * h * h * a;
      s.previous_velocity.col(c) = v - h * a;
    }
    if (body.stiff < 0) continue;
    const Vector3 w = rigid_motion(world, static_cast<int>(i)).angular_velocity;
    const StiffBody& stiff = world.stiff[body.stiff];
    const Matrix3 A = rotation_matrix(-h * w) * deformation(stiff, s.position);
    s.previous_position.middleCols<3>(stiff.first_control + 1) = A;
    s.previous_velocity.middleCols<3>(stiff.first_control + 1) = cross_matrix(w) * A;
  }
}

}  // namespace bulwark
