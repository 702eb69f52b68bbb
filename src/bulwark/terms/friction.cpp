#include <bulwark/base/parallel.hpp>
#include <bulwark/terms/friction.hpp>
#include <bulwark/terms/vertex_stencils.hpp>

#include <algorithm>
#include <numeric>

namespace bulwark {

Friction::Friction(const CollisionMesh& mesh, const std::vector<StiffBody>& stiff,
                   std::function<double(int, int)> coefficient)
    : mesh_(mesh), coefficient_(std::move(coefficient)), stiff_blocks_(mesh, stiff) {}

void Friction::begin_step(const Vectors& q, double static_speed, double h) {
  start_ = vertex_positions(mesh_, q);
  smooth_ = static_speed * h;
}

void Friction::lag(const BarrierContact& contact) {
  pairs_.clear();
  for (const ContactPair& c : contact.contacts()) {
    // Weights are positive on the first side and negative on the second; the vertices' order tells the sides.
    const double mu = coefficient_(mesh_.vertex_body[c.vertex[0]], mesh_.vertex_body[c.second_side()]);
    if (!(mu > 0)) continue;
    const double force = contact.normal_force(c);
    if (!(force > 0)) continue;
    const ClosestPoints closest = closest_points(c, contact.vertex_positions());
    pairs_.push_back(
        {c.vertex, c.vertices(), c.second_side(), {mu * force, closest.weight, tangent_plane(closest.r)}});
  }
  moving_.resize(pairs_.size());
  std::iota(moving_.begin(), moving_.end(), 0);
}

void Friction::focus(const BlockMap& map, bool everything_moves) {
  stiff_blocks_.focus(map, everything_moves);
  const std::vector<char> bodies = moving_bodies(mesh_, map);
  moving_.clear();
  for (std::uint32_t k = 0; k < pairs_.size(); ++k) {
    if (everything_moves || bodies[mesh_.vertex_body[pairs_[k].vertex[0]]] ||
        bodies[mesh_.vertex_body[pairs_[k].second_side]])
      moving_.push_back(k);
  }
}

Vectors Friction::vertex_displacement(const Vectors& q) const {
  return vertex_positions(mesh_, q) - start_;
}

Vector2 Friction::slip(const Lagged& lagged, const Vectors& displacement) const {
  std::array<Vector3, 4> u;
  for (int i = 0; i < lagged.vertices; ++i) u[i] = displacement.col(lagged.vertex[i]);
  return friction_slip(lagged.pair, u.data(), lagged.vertices);
}

double Friction::energy(const Vectors& q) {
  if (pairs_.empty()) return 0;
  const Vectors u = vertex_displacement(q);
  return parallel_sum(moving_.size(), [&](std::size_t k) {
    const Lagged& lagged = pairs_[moving_[k]];
    return friction_energy(lagged.pair, slip(lagged, u), smooth_);
  });
}

Vector3 Friction::force(const Lagged& lagged, const Vectors& displacement) const {
  return -friction_gradient(lagged.pair, slip(lagged, displacement), smooth_);
}

void Friction::add_vertex_gradient(const Vectors& q, Vectors& vertex_gradient) const {
  if (pairs_.empty()) return;
  const Vectors u = vertex_displacement(q);
  for (const std::uint32_t k : moving_) {
    const Lagged& lagged = pairs_[k];
    const Vector3 g = friction_gradient(lagged.pair, slip(lagged, u), smooth_);
    for (int i = 0; i < lagged.vertices; ++i)
      vertex_gradient.col(lagged.vertex[i]) += lagged.pair.weight[i] * g;
  }
}

void Friction::add_gradient(const Vectors& q, Vectors& gradient) {
  if (pairs_.empty()) return;
  Vectors vertex_gradient = Vectors::Zero(3, mesh_.vertex_count());
  add_vertex_gradient(q, vertex_gradient);
  bulwark::add_vertex_gradient(mesh_, vertex_gradient, 1, gradient);
}

void Friction::hessian(const Vectors& q, Psd, const BlockMap& map, HessianBlocks& blocks) {
  const Vectors u = pairs_.empty() ? Vectors() : vertex_displacement(q);
  std::vector<std::size_t> soft, stiff;
  std::vector<std::array<int, 2>> bodies;
  for (const std::uint32_t k : moving_) {
    const Lagged& pair = pairs_[k];
    if (stiff_blocks_.takes(pair.vertex.data(), pair.vertices)) {
      stiff.push_back(k);
      bodies.push_back(stiff_blocks_.sides(pair.vertex[0], pair.second_side));
    } else {
      soft.push_back(k);
    }
  }
  parallel_for(moving_.size(), [&](std::size_t k) {
    Lagged& lagged = pairs_[moving_[k]];
    const Vector2 now = slip(lagged, u);
    const bool jumped = now.dot(lagged.slip) < 0 && std::max(now.norm(), lagged.slip.norm()) > smooth_;
    lagged.secant = jumped ? 1 : 0.5 * lagged.secant;
    lagged.slip = now;
  });
  auto hessian_of = [&](const Lagged& lagged) {
    return friction_hessian(lagged.pair, lagged.slip, smooth_, lagged.secant);
  };
  fill_vertex_blocks(
      mesh_, soft.size(),
      [&](std::size_t k) {
        return std::pair<const int*, int>(pairs_[soft[k]].vertex.data(), pairs_[soft[k]].vertices);
      },
      [&](std::size_t k) {
        const Matrix3 h = hessian_of(pairs_[soft[k]]);
        const Eigen::Vector4d& w = pairs_[soft[k]].pair.weight;
        Eigen::Matrix<double, 12, 12> all;
        for (int i = 0; i < 4; ++i) {
          for (int j = 0; j < 4; ++j) all.block<3, 3>(3 * i, 3 * j) = w[i] * w[j] * h;
        }
        return all;
      },
      blocks.controls);
  stiff_blocks_.begin(q, map, bodies, blocks.unknowns);
  for (const std::size_t k : stiff) {
    stiff_blocks_.add(pairs_[k].vertex.data(), pairs_[k].vertices, pairs_[k].pair.weight,
                      hessian_of(pairs_[k]));
  }
}

double Friction::step_measure(const Vectors& q, const Vectors& dq, std::vector<char>* unresolved) const {
  constexpr double resolved_part = 0.05;
  if (moving_.empty()) return 0;
  const Vectors u = vertex_displacement(q), du = vertex_positions(mesh_, dq);
  std::vector<double> moved(moving_.size());
  parallel_for(moving_.size(), [&](std::size_t k) {
    const Lagged& lagged = pairs_[moving_[k]];
    // The secant's steps are too short to tell.
    moved[k] = slip(lagged, u).norm() < smooth_ ? slip(lagged, du).norm() : lagged.secant == 1 ? smooth_ : 0;
  });
  if (unresolved != nullptr) {
    for (std::size_t k = 0; k < moving_.size(); ++k) {
      const Lagged& lagged = pairs_[moving_[k]];
      if (moved[k] > resolved_part * smooth_)
        mark_controls(mesh_, lagged.vertex.data(), lagged.vertices, *unresolved);
    }
  }
  return *std::max_element(moved.begin(), moved.end()) / (resolved_part * smooth_);
}

}  // namespace bulwark
