#include <bulwark/math/rotation.hpp>
#include <bulwark/solve/coordinates.hpp>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace bulwark {
namespace {

Matrix3 free_axes(HeldAxes held) {
  Matrix3 mask = Matrix3::Identity();
  for (int axis = 0; axis < 3; ++axis) {
    if (held >> axis & 1) mask(axis, axis) = 0;
  }
  return mask;
}

}  // namespace

Coordinates::Coordinates(VectorX lever, std::vector<StiffBody> stiff)
    : stiff_(std::move(stiff)), stiff_of_(lever.size(), -1), lever_(std::move(lever)) {
  for (std::size_t b = 0; b < stiff_.size(); ++b) {
    const StiffBody& body = stiff_[b];
    for (int k = 0; k < 4; ++k) stiff_of_[body.first_control + k] = static_cast<int>(b);
  }
  follows_.assign(stiff_of_.size(), 0);
  set_held(std::vector<HeldAxes>(stiff_of_.size(), 0));
}

void Coordinates::set_followers(std::vector<Follower> followers, std::vector<Follower> placing) {
  followers_ = std::move(followers);
  placing_ = std::move(placing);
  std::fill(follows_.begin(), follows_.end(), 0);
  for (const Follower& f : followers_) follows_[f.scalar / 3] |= static_cast<HeldAxes>(1 << f.scalar % 3);
  const std::vector<HeldAxes> held = std::exchange(held_, {});
  set_held(held);
}

void Coordinates::follow(Vectors& q) const {
  auto x = flat(q);
  for (const Follower& f : placing_) {
    double sum = f.constant;
    for (const auto& [scalar, e] : f.on) sum += e * x[scalar];
    x[f.scalar] = sum;
  }
}

ControlPath Coordinates::followed(ControlPath path) const {
  if (placing_.empty()) return path;
  const Vectors end = path.at(1);
  Vectors there = end;
  follow(there);
  for (const Follower& f : placing_) flat(path.step)[f.scalar] += flat(there)[f.scalar] - flat(end)[f.scalar];
  return path;
}

Vectors Coordinates::pulled_back(const Vectors& gradient) const {
  Vectors result = gradient;
  auto g = flat(result);
  for (const Follower& f : placing_) {
    for (const auto& [scalar, e] : f.on) g[scalar] += e * flat(gradient)[f.scalar];
  }
  for (const Follower& f : placing_) g[f.scalar] = 0;
  return result;
}

/// The parts of controls that follow others in the rows of those.
void Coordinates::place_parts() {
  map_.parts.clear();
  map_.follower.clear();
  if (followers_.empty()) return;
  map_.follower.assign(held_.size(), -1);
  std::vector<std::map<int, Matrix3>> parts;
  for (const Follower& f : followers_) {
    const int control = f.scalar / 3, axis = f.scalar % 3;
    if (map_.follower[control] < 0) {
      map_.follower[control] = static_cast<int>(parts.size());
      parts.emplace_back();
      if (map_.row[control] >= 0) parts.back()[map_.row[control]] = map_.factor[control];
    }
    std::map<int, Matrix3>& own = parts[map_.follower[control]];
    for (const auto& [scalar, e] : f.on) {
      const int other = scalar / 3, component = scalar % 3;
      if (map_.row[other] < 0 || (held_[other] >> component & 1) != 0) continue;
      const auto place = own.try_emplace(map_.row[other], Matrix3::Zero()).first;
      place->second(axis, component) += e;
    }
  }
  for (const std::map<int, Matrix3>& own : parts) {
    map_.parts.emplace_back();
    for (const auto& [row, factor] : own) map_.parts.back().push_back({row, factor});
  }
}

void Coordinates::set_held(const std::vector<HeldAxes>& held) {
  if (held == held_ && !map_.row.empty()) return;
  held_ = held;
  const int count = static_cast<int>(held.size());
  map_.row.assign(count, -1);
  map_.plain.assign(count, 1);
  map_.factor.assign(count, Matrix3::Identity());
  map_.held.assign(held.begin(), held.end());
  held_unknowns_.clear();
  unknowns_ = 0;
  auto add_unknown = [&](HeldAxes axes) {
    for (int axis = 0; axis < 3; ++axis) {
      if (axes >> axis & 1) held_unknowns_.push_back({unknowns_, axis});
    }
    return unknowns_++;
  };
  for (int i = 0; i < count; ++i) {
    const int b = stiff_of_[i];
    const bool turns = b >= 0 && stiff_[b].rigid && i > stiff_[b].first_control;
    if (turns) {
      // All three columns share the rotation, whose held axes the first one has.
      const int first = stiff_[b].first_control + 1;
      if (held[first] == all_axes) continue;
      map_.row[i] = i == first ? add_unknown(held[first]) : map_.row[first];
      map_.plain[i] = 0;
    } else if (const HeldAxes out = held[i] | follows_[i]; out != all_axes) {
      map_.row[i] = add_unknown(out);
      map_.plain[i] = out == 0;
      map_.factor[i] = free_axes(out);
    }
  }
  map_.rows = unknowns_;
  place_parts();
  ++map_.version;
}

void Coordinates::linearise(const Vectors& q) {
  for (const StiffBody& body : stiff_) {
    const int first = body.first_control + 1;
    if (!body.rigid || map_.row[first] < 0) continue;
    const Matrix3 mask = free_axes(held_[first]);
    for (int k = 0; k < 3; ++k) map_.factor[first + k] = -cross_matrix(q.col(first + k)) * mask;
  }
}

std::vector<RigidMode> Coordinates::rigid_modes(const Vectors& q) const {
  std::vector<RigidMode> modes(unknowns_);
  for (std::size_t i = 0; i < map_.row.size(); ++i) {
    if (map_.row[i] < 0) continue;
    RigidMode& mode = modes[map_.row[i]];
    const int body = stiff_of_[i];
    const ControlRole role = roles_.empty() ? ControlRole::point : roles_[i];
    if (body >= 0 && stiff_[body].rigid && static_cast<int>(i) > stiff_[body].first_control) {
      mode = {0, Vector3::Zero(), 1};
    } else if (role == ControlRole::parameter) {
      mode = {0, Vector3::Zero(), 0};
    } else {
      mode = {role == ControlRole::point ? 1.0 : 0.0, q.col(static_cast<Eigen::Index>(i)), 0};
    }
  }
  return modes;
}

VectorX Coordinates::reduced(const Vectors& gradient) const {
  VectorX result = VectorX::Zero(3 * unknowns_);
  for (Eigen::Index i = 0; i < gradient.cols(); ++i) {
    const int row = map_.row[i];
    if (map_.follows(static_cast<int>(i))) {
      for (const BlockMap::Part& part : map_.parts[map_.follower[i]])
        result.segment<3>(3 * part.row) += part.factor.transpose() * gradient.col(i);
      continue;
    }
    if (row < 0) continue;
    if (map_.plain[i]) {
      result.segment<3>(3 * row) += gradient.col(i);
    } else {
      result.segment<3>(3 * row) += map_.factor[i].transpose() * gradient.col(i);
    }
  }
  return result;
}

void Coordinates::complete(const Vectors& q, const Vectors& control_gradient, Psd psd,
                           BlockMatrix& hessian) const {
  const Vectors followed = followers_.empty() ? Vectors() : pulled_back(control_gradient);
  const Vectors& gradient = followers_.empty() ? control_gradient : followed;
  for (const StiffBody& body : stiff_) {
    const int first = body.first_control + 1;
    if (!moves(first) && !moves(first + 1) && !moves(first + 2)) continue;
    Matrix3 second = Matrix3::Zero();
    for (int k = 0; k < 3; ++k) {
      const Vector3 g = gradient.col(first + k), a = q.col(first + k);
      second += 0.5 * (g * a.transpose() + a * g.transpose()) - g.dot(a) * Matrix3::Identity();
    }
    if (body.rigid) {
      const Matrix3 mask = free_axes(held_[first]);
      hessian.value[hessian.row_start[map_.row[first]]] += projected<3>(mask * second * mask, psd);
    } else {
      complete_affine(body, q.middleCols<3>(first), projected<3>(second, psd), hessian);
    }
  }
  for (const HeldUnknown& unknown : held_unknowns_) {
    hessian.value[hessian.row_start[unknown.row]](unknown.axis, unknown.axis) = 1;
  }
}

void Coordinates::complete_affine(const StiffBody& body, const Matrix3& A, const Matrix3& second,
                                  BlockMatrix& hessian) const {
  // w = sum_k L_k da_k,  L_k = 1/2 [b_k] with the rows b_k of A^-1; in the unknowns, w = sum_r W_r u_r.
  const Matrix3 inverse = A.inverse();
  if (!inverse.allFinite()) return;
  const int first = body.first_control + 1;
  std::map<int, Matrix3> W;
  for (int k = 0; k < 3; ++k) {
    const Matrix3 L = 0.5 * cross_matrix(inverse.row(k).transpose());
    if (map_.follows(first + k)) {
      for (const BlockMap::Part& part : map_.parts[map_.follower[first + k]])
        W.try_emplace(part.row, Matrix3::Zero()).first->second += L * part.factor;
    } else if (map_.row[first + k] >= 0) {
      W.try_emplace(map_.row[first + k], Matrix3::Zero()).first->second += L * map_.factor[first + k];
    }
  }
  for (auto i = W.begin(); i != W.end(); ++i) {
    const int row = i->first;
    for (auto j = i; j != W.end(); ++j) {
      const int column = j->first;
      const auto begin = hessian.column.begin() + hessian.row_start[row];
      const auto end = hessian.column.begin() + hessian.row_start[row + 1];
      // The orthogonality of the columns has put all of these blocks into the pattern.
      const auto place = std::lower_bound(begin, end, column);
      if (place == end || *place != column) continue;
      hessian.value[place - hessian.column.begin()] += i->second.transpose() * second * j->second;
    }
  }
}

ControlPath Coordinates::path(const Vectors& q, const VectorX& unknowns) const {
  ControlPath path;
  path.from = q;
  path.step = Vectors::Zero(3, q.cols());
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const int row = map_.row[i];
    if (map_.follows(static_cast<int>(i))) {
      for (const BlockMap::Part& part : map_.parts[map_.follower[i]])
        path.step.col(i) += part.factor * unknowns.segment<3>(3 * part.row);
      continue;
    }
    if (row < 0) continue;
    const auto u = unknowns.segment<3>(3 * row);
    if (map_.plain[i]) {
      path.step.col(i) = u;
    } else {
      path.step.col(i) = map_.factor[i] * u;
    }
  }
  for (const StiffBody& body : stiff_) {
    const Matrix3 A = q.middleCols<3>(body.first_control + 1),
                  dA = path.step.middleCols<3>(body.first_control + 1);
    if (dA.isZero(0)) continue;
    Vector3 w;
    if (body.rigid) {
      const int first = body.first_control + 1;
      w = free_axes(held_[first]) * unknowns.segment<3>(3 * map_.row[first]);
    } else {
      // The turning part of dA A^-1.
      const Matrix3 rate = dA * A.inverse();
      w = 0.5 * Vector3(rate(2, 1) - rate(1, 2), rate(0, 2) - rate(2, 0), rate(1, 0) - rate(0, 1));
      if (!w.allFinite()) continue;
    }
    path.turns.push_back({body.body, body.first_control, w});
  }
  return followed(std::move(path));
}

Coordinates::Weights Coordinates::weights(const VectorX& control_mass) const {
  Weights weights = {VectorX::Zero(3 * unknowns_), VectorX::Zero(3 * unknowns_)};
  auto add = [&](Eigen::Index control, int row, const Matrix3& factor) {
    for (int axis = 0; axis < 3; ++axis) {
      const double moved = factor.col(axis).norm();
      double& lever = weights.lever[3 * row + axis];
      lever = std::max(lever, lever_[control] * moved);
      weights.mass[3 * row + axis] += control_mass[control] * moved * moved;
    }
  };
  for (Eigen::Index i = 0; i < control_mass.size(); ++i) {
    if (map_.follows(static_cast<int>(i))) {
      for (const BlockMap::Part& part : map_.parts[map_.follower[i]]) add(i, part.row, part.factor);
    } else if (map_.row[i] >= 0) {
      add(i, map_.row[i], map_.factor[i]);
    }
  }
  return weights;
}

double Coordinates::motion_of(const StiffBody& body, const Vectors& step) {
  const Vector3 dp = step.col(body.first_control);
  const Matrix3 dA = step.middleCols<3>(body.first_control + 1);
  if (dp.isZero(0) && dA.isZero(0)) return 0;
  // Motion is convex in X: it is largest at a corner of the box around the body.
  double largest = 0;
  for (int corner = 0; corner < 8; ++corner) {
    Vector3 X;
    for (int k = 0; k < 3; ++k) X[k] = corner >> k & 1 ? body.high[k] : body.low[k];
    largest = std::max(largest, (dp + dA * X).norm());
  }
  return largest;
}

Coordinates::Motion Coordinates::largest_motion(const Vectors& step, const VectorX& tolerance) const {
  Motion largest;
  auto consider = [&](double size, int control) {
    const double part = size / tolerance[control];
    if (part > largest.part || largest.control < 0) largest = {part, size, control};
  };
  for (Eigen::Index i = 0; i < step.cols(); ++i) {
    if (stiff_of_[i] < 0 && moves(static_cast<int>(i)))
      consider(lever_[i] * step.col(i).norm(), static_cast<int>(i));
  }
  for (const StiffBody& body : stiff_) {
    const double size = motion_of(body, step);
    if (size > 0) consider(size, body.first_control);
  }
  return largest;
}

}  // namespace bulwark
