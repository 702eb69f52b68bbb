#include <bulwark/base/log.hpp>
#include <bulwark/sim/joint_steering.hpp>
#include <bulwark/sim/joint_system.hpp>
#include <bulwark/stencils/joint_coordinate.hpp>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace bulwark {
namespace {

/// A round that leaves more than this part of an error makes the equation stiffer, by this factor, for the
/// remainder of the step: heavy bodies hang on light ones.
constexpr double slow_round = 0.1, stiffening = 10, most_stiffening = 1e5;

/// Stiffness of a range's barrier: at half its width it is a spring of 50 times the inertia, as contact
/// between stiff bodies is. A softer one lets a heavy load come so near the end of the range that only tiny
/// steps follow its curved boundary.
const double range_springs = 50 / range_barrier(0.5).second;

}  // namespace

JointSystem::JointSystem(const World& world, double scale, double springs)
    : world_(world),
      scale_(scale),
      springs_(springs),
      elimination_(eliminate_joints(world)),
      placing_(placing_followers(world, elimination_)) {
  std::map<double, std::vector<int>> by_damping;
  for (std::size_t d = 0; d < world.joint_drives.size(); ++d)
    by_damping[world.joint_drives[d].restitution_damping].push_back(static_cast<int>(d));
  for (const auto& [damping, members] : by_damping) {
    std::vector<JointDrive> drives;
    for (const int d : members) drives.push_back(working_drive(d));
    energies_.push_back(
        {std::make_unique<JointEnergy>(std::move(drives), world.joint_coordinates), damping, members});
    for (std::size_t d = 0; d < members.size(); ++d) {
      const WorldDrive& given = world.joint_drives[members[d]];
      if (given.tolerance > 0)
        equations_.push_back({energies_.back().term.get(), d, given.drive.coordinate, given.tolerance});
    }
  }
  if (elimination_.kept.empty()) return;
  // C_P^T: a row per follower, a column per row that was kept.
  std::map<int, int> place;
  for (std::size_t f = 0; f < elimination_.followers.size(); ++f)
    place[elimination_.followers[f].scalar] = static_cast<int>(f);
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t r = 0; r < elimination_.kept.size(); ++r) {
    for (const auto& [scalar, c] : world.joint_rows[elimination_.kept[r]].entries) {
      if (const auto found = place.find(scalar); found != place.end())
        entries.emplace_back(found->second, static_cast<int>(r), c);
    }
  }
  Eigen::SparseMatrix<double> matrix(elimination_.followers.size(), elimination_.kept.size());
  matrix.setFromTriplets(entries.begin(), entries.end());
  multipliers_.compute(matrix);
}

JointDrive JointSystem::working_drive(int index) const {
  bool chosen = false;
  JointDrive drive = acting_drive(world_, index, chosen);
  if (!chosen) return drive;
  const WorldDrive& given = world_.joint_drives[index];
  const double inertia = given.inertia, width = drive.potential.width;
  const double springs = given.tolerance > 0 ? springs_ : newton_springs;
  drive.potential.stiffness = drive.law == JointDrive::Law::range
                                  ? range_springs * inertia * width * width / scale_
                                  : springs * inertia / scale_;
  return drive;
}

void JointSystem::renew_drive(int drive) {
  for (const Energy& energy : energies_) {
    const auto found = std::lower_bound(energy.drives.begin(), energy.drives.end(), drive);
    if (found == energy.drives.end() || *found != drive) continue;
    energy.term->set_drive(static_cast<std::size_t>(found - energy.drives.begin()), working_drive(drive));
  }
}

void JointSystem::renew_drives() {
  for (std::size_t d = 0; d < world_.joint_drives.size(); ++d) {
    const JointKind kind = world_.joints[world_.joint_drives[d].joint].kind;
    if (kind == JointKind::motor || kind == JointKind::spring) renew_drive(static_cast<int>(d));
  }
}

void JointSystem::begin_step(const State& state, double h, double time) {
  for (const Energy& energy : energies_) energy.term->begin(state.joint_coordinates, h, time);
  for (Equation& equation : equations_) {
    const Eigen::Index c = equation.coordinate;
    equation.multiplier = c < state.joint_multipliers.size() ? state.joint_multipliers[c] : 0;
    equation.stiffness = equation.term->drives()[equation.drive].potential.stiffness;
    equation.misfit = std::numeric_limits<double>::infinity();
    equation.term->set_multiplier(equation.drive, equation.multiplier, equation.stiffness);
  }
}

bool JointSystem::renew_multipliers(const Vectors& q) {
  const auto misfit = [&](const Equation& e) { return e.term->misfit(e.drive, q); };
  const bool hold = std::all_of(equations_.begin(), equations_.end(),
                                [&](const Equation& e) { return std::abs(misfit(e)) <= e.tolerance; });
  if (hold) return false;
  for (Equation& e : equations_) {
    const double now = misfit(e);
    e.multiplier += e.stiffness * now;
    const double stiffest = most_stiffening * e.term->drives()[e.drive].potential.stiffness;
    if (std::abs(now) > std::max(e.tolerance, slow_round * e.misfit))
      e.stiffness = std::min(stiffening * e.stiffness, stiffest);
    e.misfit = std::abs(now);
    e.term->set_multiplier(e.drive, e.multiplier, e.stiffness);
  }
  return true;
}

void JointSystem::warn_of_open_joints(const Vectors& q) {
  for (const Equation& e : equations_) {
    const double misfit = std::abs(e.term->misfit(e.drive, q));
    const int joint = world_.joint_coordinates[e.coordinate].joint;
    if (misfit <= e.tolerance || !warned_of_.insert(joint).second) continue;
    log_warning(
        "joint '{}' has an error of {:.3g}, above its tolerance of {:.3g}: another constraint on its bodies may contradict it, or their masses may differ too much",
        world_.joints[joint].name, misfit, e.tolerance);
  }
}

VectorX JointSystem::multipliers() const {
  VectorX all = VectorX::Zero(static_cast<Eigen::Index>(world_.joint_coordinates.size()));
  for (const Equation& e : equations_) all[e.coordinate] = e.multiplier;
  return all;
}

double JointSystem::stored_energy(const State& state) const {
  double sum = 0;
  for (const Energy& energy : energies_) {
    for (const JointDrive& drive : energy.term->drives()) {
      if (drive.law == JointDrive::Law::spring || drive.law == JointDrive::Law::range)
        sum += joint_potential(drive.potential, state.joint_coordinates[drive.coordinate]).value;
    }
  }
  return sum;
}

VectorX JointSystem::coordinates(const State& state, const Vectors& q) const {
  VectorX values = state.joint_coordinates;
  for (std::size_t c = 0; c < world_.joint_coordinates.size(); ++c) {
    const JointCoordinate& coordinate = world_.joint_coordinates[c];
    values[c] = joint_coordinate(coordinate.measure, coordinate.vectors(q), values[c]);
  }
  return values;
}

void JointSystem::add_reaction(int body, const Vectors& force, const Vector3& point, JointState& state,
                               double sign) const {
  const Body& b = world_.bodies[body];
  const Vectors& q = world_.state.position;
  for (int i = b.first_control; i < b.first_control + b.control_count; ++i) {
    const Vector3 f = sign * force.col(i), x = q.col(i);
    // Directions, such as the columns of a stiff body's A, carry torque alone.
    if (world_.roles[i] == ControlRole::parameter) continue;
    const bool is_point = world_.roles[i] == ControlRole::point;
    if (is_point) state.force += f;
    state.torque += is_point ? (x - point).cross(f) : x.cross(f);
  }
}

VectorX JointSystem::row_multipliers(const Vectors& gradient, double scale) {
  VectorX rhs(elimination_.followers.size());
  for (std::size_t f = 0; f < elimination_.followers.size(); ++f)
    rhs[f] = flat(gradient)[elimination_.followers[f].scalar] / scale;
  return multipliers_.solve(rhs);
}

Vectors JointSystem::equation_forces(const Vectors& gradient, double scale) {
  Vectors forces = Vectors::Zero(3, gradient.cols());
  if (elimination_.kept.empty()) return forces;
  const VectorX lambda = row_multipliers(gradient, scale);
  for (std::size_t r = 0; r < elimination_.kept.size(); ++r) {
    for (const auto& [scalar, c] : world_.joint_rows[elimination_.kept[r]].entries)
      forces(scalar % 3, scalar / 3) += c * lambda[r];
  }
  return forces;
}

std::vector<JointState> JointSystem::states(const State& state, const Vectors& gradient, double scale) {
  std::vector<JointState> result(world_.joints.size());
  const Vectors& q = state.position;
  // Forces on the controls, by joint.
  std::vector<std::map<int, Vector3>> forces(world_.joints.size());
  auto force_on = [&](int joint, int control) -> Vector3& {
    return forces[joint].try_emplace(control, Vector3::Zero()).first->second;
  };
  if (!elimination_.kept.empty()) {
    const VectorX lambda = row_multipliers(gradient, scale);
    for (std::size_t r = 0; r < elimination_.kept.size(); ++r) {
      const ConstraintRow& row = world_.joint_rows[elimination_.kept[r]];
      for (const auto& [scalar, c] : row.entries)
        force_on(row.joint, scalar / 3)[scalar % 3] += c * lambda[r];
    }
  }
  for (const ConstraintRow& row : world_.joint_rows) {
    double residual = -row.value;
    for (const auto& [scalar, c] : row.entries) residual += c * flat(q)[scalar];
    result[row.joint].error = std::max(result[row.joint].error, std::abs(residual));
  }
  Vectors one = Vectors::Zero(3, q.cols());
  std::vector<double> wanted(world_.joint_drives.size());
  for (const Energy& energy : energies_) {
    for (std::size_t d = 0; d < energy.drives.size(); ++d) {
      const WorldDrive& drive = world_.joint_drives[energy.drives[d]];
      wanted[energy.drives[d]] = energy.term->wanted(d);
      energy.term->add_gradient(d, q, one);
      const JointCoordinate& c = world_.joint_coordinates[drive.drive.coordinate];
      for (const MaterialVector* vector : {&c.w, &c.u, &c.v}) {
        for (const auto& [control, weight] : vector->weights) {
          force_on(drive.joint, control) -= one.col(control);
          one.col(control).setZero();
        }
      }
    }
  }
  Vectors all = Vectors::Zero(3, q.cols());
  for (std::size_t j = 0; j < world_.joints.size(); ++j) {
    const Joint& joint = world_.joints[j];
    if (!joint.coordinates.empty()) result[j].coordinate = state.joint_coordinates[joint.coordinates.front()];
    for (const int d : joint.held) {
      const int coordinate = world_.joint_drives[d].drive.coordinate;
      result[j].error = std::max(result[j].error, std::abs(state.joint_coordinates[coordinate] - wanted[d]));
    }
    for (const auto& [control, force] : forces[j]) all.col(control) = force;
    // On the first body; where that is the world, against what the second one gets.
    const bool first = joint.body_a != world_body && !world_.bodies[joint.body_a].is_obstacle();
    const Vector3 point = first ? joint.point_a.at(q) : joint.point_b.at(q);
    if (first || joint.body_b != world_body)
      add_reaction(first ? joint.body_a : joint.body_b, all, point, result[j], first ? 1 : -1);
    for (const auto& [control, force] : forces[j]) all.col(control).setZero();
  }
  return result;
}

}  // namespace bulwark
