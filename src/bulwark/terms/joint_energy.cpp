#include <bulwark/base/parallel.hpp>
#include <bulwark/math/psd.hpp>
#include <bulwark/stencils/joint_coordinate.hpp>
#include <bulwark/terms/joint_energy.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace bulwark {
namespace {

/// A step keeps at least this part of the room that a range leaves.
constexpr double kept_room = 0.1;
/// Between two looks along a path no body turns by more than this (rad).
constexpr double look_every = 0.1;

double room(const JointPotential& range, double c) {
  return std::min(c - range.low, range.high - c);
}

}  // namespace

JointVectors JointCoordinate::vectors(const Vectors& q) const {
  return {w.at(q), u.at(q), v.at(q)};
}

JointEnergy::JointEnergy(std::vector<JointDrive> drives, const std::vector<JointCoordinate>& coordinates)
    : drives_(std::move(drives)), coordinates_(coordinates), now_(drives_.size()), wanted_(drives_.size()) {
  std::size_t blocks = 0;
  for (const JointDrive& drive : drives_) {
    const JointCoordinate& c = coordinates_[drive.coordinate];
    std::map<int, Vector3> weight;
    Vector9 moving = Vector9::Zero();
    int part = 0;
    for (const MaterialVector* vector : {&c.w, &c.u, &c.v}) {
      for (const auto& [control, value] : vector->weights)
        weight.try_emplace(control, Vector3::Zero()).first->second[part] += value;
      if (!vector->weights.empty()) moving.segment<3>(3 * part).setOnes();
      ++part;
    }
    moving_.push_back(moving);
    controls_.emplace_back();
    for (const auto& [control, w] : weight) controls_.back().push_back({control, w});
    first_block_.push_back(blocks);
    blocks += weight.size() * (weight.size() + 1) / 2;
  }
  first_block_.push_back(blocks);
}

void JointEnergy::begin(const VectorX& start, double h, double time) {
  start_ = start;
  for (std::size_t d = 0; d < drives_.size(); ++d) {
    const JointDrive& drive = drives_[d];
    JointPotential& now = now_[d];
    now = drive.potential;
    const double value = drive.value.values.empty() ? 0 : drive.value.at(time)[0];
    switch (drive.law) {
      case JointDrive::Law::spring:
      case JointDrive::Law::range:
        break;
      case JointDrive::Law::position:
        now.target = value;
        break;
      case JointDrive::Law::speed:
        now.target = near(d) + h * value;
        break;
      case JointDrive::Law::force:
        now.target = value;
        break;
      case JointDrive::Law::damping:
        now.kind = JointPotentialKind::damping;
        now.stiffness = drive.damping / h;
        now.target = near(d);
        break;
    }
    wanted_[d] = now.target;
  }
}

double JointEnergy::coordinate(std::size_t drive, const Vectors& q, double near) const {
  const JointCoordinate& c = coordinates_[drives_[drive].coordinate];
  return joint_coordinate(c.measure, c.vectors(q), near);
}

double JointEnergy::energy(const Vectors& q) const {
  return parallel_sum(drives_.size(), [&](std::size_t d) {
    return joint_potential(now_[d], coordinate(d, q, near(d))).value;
  });
}

void JointEnergy::add_gradient(std::size_t d, const Vectors& q, Vectors& gradient) const {
  const double slope = joint_potential(now_[d], coordinate(d, q, near(d))).first;
  if (slope == 0) return;
  const JointCoordinate& c = coordinates_[drives_[d].coordinate];
  const JointDerivatives derivatives = joint_derivatives(c.measure, c.vectors(q), near(d));
  for (const Control& own : controls_[d]) {
    for (int part = 0; part < 3; ++part)
      gradient.col(own.control) += slope * own.weight[part] * derivatives.gradient.segment<3>(3 * part);
  }
}

void JointEnergy::add_gradient(const Vectors& q, Vectors& gradient) const {
  // In order: drives share controls.
  for (std::size_t d = 0; d < drives_.size(); ++d) add_gradient(d, q, gradient);
}

void JointEnergy::hessian(const Vectors& q, const HessianModel& model, const BlockMap&,
                          HessianBlocks& blocks) const {
  blocks.controls.resize(first_block_.back());
  parallel_for(drives_.size(), [&](std::size_t d) {
    const JointCoordinate& c = coordinates_[drives_[d].coordinate];
    const JointPotentialDerivatives p = joint_potential(now_[d], coordinate(d, q, near(d)));
    const bool active = p.first != 0 || p.second != 0;
    Matrix9 h = Matrix9::Zero();
    if (active) {
      const JointDerivatives derivatives = joint_derivatives(c.measure, c.vectors(q), near(d));
      const Matrix9 all = joint_hessian(derivatives, p.first, p.second);
      // Constant vectors have no say in what is definite.
      h = projected<9>(moving_[d].asDiagonal() * all * moving_[d].asDiagonal(), model.psd);
    }
    set_blocks(d, h, blocks.controls);
  });
}

void JointEnergy::damped_hessian(const Vectors& q, BlockList& blocks) const {
  blocks.resize(first_block_.back());
  parallel_for(drives_.size(), [&](std::size_t d) {
    const JointCoordinate& c = coordinates_[drives_[d].coordinate];
    Matrix9 h = Matrix9::Zero();
    if (drives_[d].law == JointDrive::Law::range) {
      const double second = joint_potential(now_[d], coordinate(d, q, near(d))).second;
      if (second != 0) {
        const JointDerivatives derivatives = joint_derivatives(c.measure, c.vectors(q), near(d));
        h = joint_hessian(derivatives, 0, second);
      }
    }
    set_blocks(d, h, blocks);
  });
}

void JointEnergy::set_blocks(std::size_t d, const Matrix9& h, BlockList& blocks) const {
  const std::vector<Control>& own = controls_[d];
  std::size_t k = first_block_[d];
  for (std::size_t i = 0; i < own.size(); ++i) {
    for (std::size_t j = i; j < own.size(); ++j) {
      Matrix3 block = Matrix3::Zero();
      for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b)
          block += own[i].weight[a] * own[j].weight[b] * h.block<3, 3>(3 * a, 3 * b);
      }
      blocks.set(k++, own[i].control, own[j].control, block);
    }
  }
}

StepLimit JointEnergy::largest_step(const ControlPath& path) {
  double angle = 0;
  for (const Turn& turn : path.turns) angle = std::max(angle, turn.rotation.norm());
  const int looks = static_cast<int>(std::clamp(std::ceil(angle / look_every), 1.0, 100.0));
  StepLimit limit;
  std::vector<double> last(drives_.size()), floor(drives_.size());
  for (std::size_t d = 0; d < drives_.size(); ++d) {
    if (drives_[d].law != JointDrive::Law::range) continue;
    last[d] = coordinate(d, path.from, near(d));
    floor[d] = kept_room * std::min(room(now_[d], last[d]), now_[d].width);
  }
  for (int look = 1; look <= looks && limit.step >= 1; ++look) {
    const double t = static_cast<double>(look) / looks;
    const Vectors q = path.at(t);
    double reached = t;
    for (std::size_t d = 0; d < drives_.size(); ++d) {
      if (drives_[d].law != JointDrive::Law::range) continue;
      const double c = coordinate(d, q, last[d]);
      if (room(now_[d], c) >= floor[d]) {
        last[d] = c;
        continue;
      }
      // By bisection between the last look and this one.
      double inside = static_cast<double>(look - 1) / looks, outside = reached;
      for (int i = 0; i < 40 && outside - inside > 1e-3 * outside; ++i) {
        const double middle = 0.5 * (inside + outside);
        (room(now_[d], coordinate(d, path.at(middle), last[d])) >= floor[d] ? inside : outside) = middle;
      }
      if (inside < limit.step) {
        limit = {inside, {LimitReason::joint_range, {}, coordinates_[drives_[d].coordinate].joint}};
        reached = outside;
      }
    }
  }
  return limit;
}

double JointEnergy::step_measure(const Vectors& q, const Vectors& dq, std::vector<char>* unresolved) const {
  double largest = 0;
  for (std::size_t d = 0; d < drives_.size(); ++d) {
    if (drives_[d].law != JointDrive::Law::range) continue;
    const double c = coordinate(d, q, near(d)), left = room(now_[d], c);
    if (left >= now_[d].width) continue;
    const double moved = coordinate(d, q + dq, c) - c;
    const double measure = std::abs(moved) / (kept_room * left);
    largest = std::max(largest, measure);
    if (unresolved == nullptr || measure <= 1) continue;
    for (const Control& control : controls_[d]) (*unresolved)[control.control] = 1;
  }
  return largest;
}

}  // namespace bulwark
