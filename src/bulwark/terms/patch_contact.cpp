#include <bulwark/terms/patch_contact.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace bulwark {
namespace {

/// Part of the acting force by which the forces at the end of a solve may be wrong.
constexpr double resolved_force = 0.01;
/// Of positions, relative to their size: less is rounding.
constexpr double rounding = 1e-13;

/// Adds up the shares of each control from `begin` on, by rising control.
void join_shares(std::vector<ControlShare>& shares, std::size_t begin) {
  const auto first = shares.begin() + static_cast<std::ptrdiff_t>(begin);
  std::stable_sort(first, shares.end(),
                   [](const ControlShare& a, const ControlShare& b) { return a.control < b.control; });
  std::size_t kept = begin;
  for (std::size_t k = begin; k < shares.size(); ++k) {
    if (kept > begin && shares[kept - 1].control == shares[k].control) {
      shares[kept - 1].weight += shares[k].weight;
    } else {
      shares[kept++] = shares[k];
    }
  }
  shares.resize(kept);
}

}  // namespace

void PatchContact::set_patches(ContactPatches patches, const Vectors& start) {
  patches_ = std::move(patches);
  start_ = start;
  springs_.assign(patches_.patches.size(), {Vector3::Zero(), 0, 1, Vector3::Zero(), 0, 0, 0});
  points_.clear();
  shares_.clear();
  for (std::size_t p = 0; p < patches_.patches.size(); ++p) {
    const ContactPatch& patch = patches_.patches[p];
    springs_[p].normal = patch.normal;
    for (std::size_t k = patch.first_point; k < patch.first_point + patch.point_count; ++k) {
      const PatchPoint& from = patches_.points[k];
      Point point = {shares_.size(), 0, 0, p, from.share};
      // Either triangle may come first in the list.
      for (const int body : {patch.body_a, patch.body_b}) {
        const std::size_t begin = shares_.size();
        for (int i = 0; i < 6; ++i) {
          if (from.vertex[i] >= 0 && mesh_.vertex_body[from.vertex[i]] == body)
            add_shares(mesh_, &from.vertex[i], 1, &from.weight[i], shares_);
        }
        join_shares(shares_, begin);
        if (body == patch.body_a) point.second = shares_.size();
      }
      point.end = shares_.size();
      points_.push_back(point);
    }
  }
}

void PatchContact::clear() {
  patches_ = {};
  springs_.clear();
  points_.clear();
  shares_.clear();
}

Vector3 PatchContact::displacement(const Point& point, const Vectors& q) const {
  Vector3 u = Vector3::Zero();
  for (const ControlShare& share : shares_of(point))
    u += share.weight * (q.col(share.control) - start_.col(share.control));
  return u;
}

double PatchContact::energy(const Vectors& q) const {
  return parallel_sum(points_.size(), [&](std::size_t k) {
    return points_[k].share * patch_energy(springs_[points_[k].patch], displacement(points_[k], q));
  });
}

void PatchContact::add_gradient(const Vectors& q, Vectors& gradient) const {
  std::vector<Vector3> of_points(points_.size());
  parallel_for(points_.size(), [&](std::size_t k) {
    of_points[k] = points_[k].share * patch_gradient(springs_[points_[k].patch], displacement(points_[k], q));
  });
  for (std::size_t k = 0; k < points_.size(); ++k) {
    for (const ControlShare& share : shares_of(points_[k]))
      gradient.col(share.control) += share.weight * of_points[k];
  }
}

void PatchContact::hessian(const Vectors& q, const HessianModel&, const BlockMap&,
                           HessianBlocks& blocks) const {
  fill_combination_blocks(
      points_.size(),
      [&](std::size_t k, std::vector<ControlShare>& shares) {
        const auto own = shares_of(points_[k]);
        shares.insert(shares.end(), own.begin(), own.end());
      },
      [&](std::size_t k) -> Matrix3 {
        return points_[k].share * patch_hessian(springs_[points_[k].patch], displacement(points_[k], q));
      },
      blocks.controls);
}

double PatchContact::step_measure(const Vectors& q, const Vectors& dq, std::vector<char>* unresolved) const {
  double largest = 0;
  for (const Point& point : points_) {
    const PatchSpring& spring = springs_[point.patch];
    Vector3 step = Vector3::Zero();
    double place = 0;
    for (const ControlShare& share : shares_of(point)) {
      step += share.weight * dq.col(share.control);
      place = std::max(place, std::abs(share.weight) * q.col(share.control).cwiseAbs().maxCoeff());
    }
    const Vector3 u = displacement(point, q);
    const Matrix3 h = patch_hessian(spring, u);
    const double acts = std::max({spring.force, spring.limit, patch_gradient(spring, u).norm()});
    const double least = rounding * place * (spring.stiffness + spring.tangential_stiffness + spring.drag);
    const double measure = (h * step).norm() / std::max(resolved_force * acts, least);
    if (!(measure > 0)) continue;
    largest = std::max(largest, measure);
    if (!(measure > 1) || unresolved == nullptr) continue;
    for (const ControlShare& share : shares_of(point)) (*unresolved)[share.control] = 1;
  }
  return largest;
}

PatchContact::Acting PatchContact::acting(std::size_t patch, const Vectors& q) const {
  Acting acting;
  for (const Point& point : points_of(patch)) {
    Vector3 moved[2] = {Vector3::Zero(), Vector3::Zero()};
    for (std::size_t k = point.first; k < point.end; ++k) {
      const int side = k < point.second ? 0 : 1;
      moved[side] += (side == 0 ? 1 : -1) * shares_[k].weight *
                     (q.col(shares_[k].control) - start_.col(shares_[k].control));
    }
    const Vector3 u = displacement(point, q);
    acting.normal += point.share * patch_normal_force(springs_[patch], u);
    acting.traction += point.share * patch_traction(springs_[patch], u);
    acting.displacement += point.share * u;
    for (int side = 0; side < 2; ++side) acting.moved[side] += point.share * moved[side];
  }
  return acting;
}

double PatchContact::largest_mode(std::size_t patch, const VectorX& inverse_mass) const {
  // K = sum g w w^T: no eigenvalue of M^-1 K is above its trace, nor above the largest sum over a row.
  double trace = 0;
  std::vector<std::pair<int, double>> rows;
  for (const Point& point : points_of(patch)) {
    double sum = 0;
    for (const ControlShare& share : shares_of(point)) {
      trace += point.share * share.weight * share.weight * inverse_mass[share.control];
      if (inverse_mass[share.control] > 0) sum += std::abs(share.weight);
    }
    for (const ControlShare& share : shares_of(point)) {
      rows.emplace_back(share.control,
                        point.share * std::abs(share.weight) * sum * inverse_mass[share.control]);
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  double largest = 0;
  for (std::size_t k = 0, end = 0; k < rows.size(); k = end) {
    double sum = 0;
    for (; end < rows.size() && rows[end].first == rows[k].first; ++end) sum += rows[end].second;
    largest = std::max(largest, sum);
  }
  return std::min(trace, largest);
}

}  // namespace bulwark
