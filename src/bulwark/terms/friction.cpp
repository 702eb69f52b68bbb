#include <bulwark/base/parallel.hpp>
#include <bulwark/terms/friction.hpp>
#include <bulwark/terms/vertex_stencils.hpp>

#include <algorithm>
#include <numeric>

namespace bulwark {

Friction::Friction(const CollisionMesh& mesh, const std::vector<StiffBody>& stiff,
                   std::function<double(int, int)> coefficient)
    : mesh_(mesh),
      stiff_(stiff),
      stiff_of_body_(mesh.bodies.size(), -1),
      coefficient_(std::move(coefficient)),
      stiff_blocks_(mesh, stiff) {
  for (std::size_t s = 0; s < stiff.size(); ++s) stiff_of_body_[stiff[s].body] = static_cast<int>(s);
}

void Friction::begin_step(const Vectors& q, const std::vector<ExpectedTurn>& turns, double h) {
  start_ = vertex_positions(mesh_, q);
  turns_ = turns;
  h_ = h;
  slips_.clear();
}

void Friction::set_lever_of(Lagged& lagged, int side, int vertex, const Vector3& normal) const {
  const double radius = mesh_.radius_of(vertex);
  const int stiff = stiff_of_body_[mesh_.vertex_body[vertex]];
  if (!(radius > 0) || stiff < 0) return;
  lagged.columns[side] = stiff_[stiff].first_control + 1;
  // Towards the other side; what the second side moves by counts negative.
  set_lever(lagged.pair, side, -radius * normal, turns_[stiff].vector, turns_[stiff].matrix);
}

void Friction::lag(const BarrierContact& contact) {
  pairs_.clear();
  slips_.clear();
  for (const ContactPair& c : contact.contacts()) {
    // Weights are positive on the first side and negative on the second; the vertices' order tells the sides.
    const int body_a = mesh_.vertex_body[c.vertex[0]], body_b = mesh_.vertex_body[c.second_side()];
    const double mu = coefficient_(body_a, body_b);
    if (!(mu > 0)) continue;
    const double force = contact.normal_force(c);
    if (!(force > 0)) continue;
    const ClosestPoints closest = closest_points(c, contact.vertex_positions());
    Lagged& lagged = pairs_.emplace_back();
    lagged.vertex = c.vertex;
    lagged.vertices = c.vertices();
    lagged.second_side = c.second_side();
    lagged.pair.strength = mu * force;
    lagged.pair.weight = closest.weight;
    lagged.pair.tangent = tangent_plane(closest.r);
    lagged.smooth = h_ * contact.scales().static_speed(body_a, body_b);
    if (c.offset > 0) {
      const Vector3 normal = closest.r.normalized();
      set_lever_of(lagged, 0, c.vertex[0], normal);
      set_lever_of(lagged, 1, c.second_side(), normal);
    }
  }
  secants_.assign(pairs_.size(), {});
  moving_.resize(pairs_.size());
  std::iota(moving_.begin(), moving_.end(), 0);
}

void Friction::focus(const BlockMap& map, bool everything_moves) {
  const std::vector<char> bodies = moving_bodies(mesh_, map);
  slips_.clear();
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

Vector2 Friction::slip(const Lagged& lagged, const Vectors& controls, const Vectors& displacement,
                       bool of_change) const {
  std::array<Vector3, 4> moved;
  for (int i = 0; i < lagged.vertices; ++i) moved[i] = displacement.col(lagged.vertex[i]);
  if (lagged.columns[0] < 0 && lagged.columns[1] < 0)
    return friction_slip(lagged.pair, moved.data(), lagged.vertices);
  std::array<Matrix3, 2> turned;
  for (int side = 0; side < 2; ++side) {
    if (lagged.columns[side] >= 0) turned[side] = controls.middleCols<3>(lagged.columns[side]);
  }
  const Vector2 slip = friction_slip(lagged.pair, moved.data(), lagged.vertices, turned.data());
  return of_change ? Vector2(slip - lagged.pair.tangent.transpose() * lagged.pair.shift) : slip;
}

/// The slips at the controls q; asked for again there, they are known.
const std::vector<Vector2>& Friction::slips(const Vectors& q) const {
  if (slips_.size() == pairs_.size() && slips_at_.cols() == q.cols() && slips_at_ == q) return slips_;
  slips_at_ = q;
  slips_.resize(pairs_.size());
  const Vectors u = vertex_displacement(q);
  parallel_for(moving_.size(), [&](std::size_t m) { slips_[moving_[m]] = slip(pairs_[moving_[m]], q, u); });
  return slips_;
}

double Friction::energy(const Vectors& q) const {
  if (pairs_.empty()) return 0;
  const std::vector<Vector2>& slip = slips(q);
  return parallel_sum(moving_.size(), [&](std::size_t m) {
    const std::uint32_t k = moving_[m];
    return friction_energy(pairs_[k].pair, slip[k], pairs_[k].smooth);
  });
}

Vector3 Friction::force(const Lagged& lagged, const Vectors& q, const Vectors& displacement) const {
  return -friction_gradient(lagged.pair, slip(lagged, q, displacement), lagged.smooth);
}

void Friction::add_vertex_gradient(const Vectors& q, Vectors& vertex_gradient) const {
  if (pairs_.empty()) return;
  const std::vector<Vector2>& slip = slips(q);
  std::vector<Vector3> gradient(moving_.size());
  parallel_for(moving_.size(), [&](std::size_t m) {
    const Lagged& lagged = pairs_[moving_[m]];
    gradient[m] = friction_gradient(lagged.pair, slip[moving_[m]], lagged.smooth);
  });
  for (std::size_t m = 0; m < moving_.size(); ++m) {
    const Lagged& lagged = pairs_[moving_[m]];
    for (int i = 0; i < lagged.vertices; ++i)
      vertex_gradient.col(lagged.vertex[i]) += lagged.pair.weight[i] * gradient[m];
  }
}

void Friction::add_gradient(const Vectors& q, Vectors& gradient) const {
  if (pairs_.empty()) return;
  Vectors vertex_gradient = Vectors::Zero(3, mesh_.vertex_count());
  add_vertex_gradient(q, vertex_gradient);
  bulwark::add_vertex_gradient(mesh_, vertex_gradient, 1, gradient);
  if (mesh_.radius.empty()) return;
  const std::vector<Vector2>& slip = slips(q);
  for (const std::uint32_t k : moving_) {
    const Lagged& lagged = pairs_[k];
    if (lagged.columns[0] < 0 && lagged.columns[1] < 0) continue;
    const Vector3 g = friction_gradient(lagged.pair, slip[k], lagged.smooth);
    for (int side = 0; side < 2; ++side) {
      if (lagged.columns[side] >= 0)
        gradient.middleCols<3>(lagged.columns[side]) += g * lagged.pair.lever[side].transpose();
    }
  }
}

void Friction::note_iterate(const Vectors& q) {
  if (pairs_.empty()) return;
  const std::vector<Vector2>& slip = slips(q);
  parallel_for(moving_.size(), [&](std::size_t m) {
    Secant& secant = secants_[moving_[m]];
    const Vector2& now = slip[moving_[m]];
    secant.part = jumps(pairs_[moving_[m]], secant.slip, now) ? 1 : 0.5 * secant.part;
    secant.slip = now;
  });
}

bool Friction::foresee(const ControlPath& path, double /*part*/) {
  if (pairs_.empty()) return false;
  const std::vector<Vector2>& now = slips(path.from);
  const Vectors du = vertex_positions(mesh_, path.step);
  std::vector<char> changed(moving_.size());
  parallel_for(moving_.size(), [&](std::size_t m) {
    const std::uint32_t k = moving_[m];
    const Vector2 end = now[k] + slip(pairs_[k], path.step, du, true);
    changed[m] = secants_[k].part < 1 && jumps(pairs_[k], now[k], end);
    if (changed[m]) secants_[k].part = 1;
  });
  return std::find(changed.begin(), changed.end(), 1) != changed.end();
}

void Friction::hessian(const Vectors& q, const HessianModel& model, const BlockMap& map,
                       HessianBlocks& blocks) const {
  stiff_blocks_.see(map);
  const StiffBlocks::Split split = stiff_blocks_.split(moving_.size(), [&](std::size_t m) {
    return std::array<int, 2>{pairs_[moving_[m]].vertex[0], pairs_[moving_[m]].second_side};
  });
  const std::vector<Vector2>& slip = slips(q);
  const bool by_secants = model.friction == HessianModel::Friction::secant;
  auto hessian_of = [&](std::size_t k) {
    return friction_hessian(pairs_[k].pair, slip[k], pairs_[k].smooth, by_secants ? secants_[k].part : 0);
  };
  fill_combination_blocks(
      split.soft.size(),
      [&](std::size_t k, std::vector<ControlShare>& shares) {
        const Lagged& lagged = pairs_[moving_[split.soft[k]]];
        add_shares(mesh_, lagged.vertex.data(), lagged.vertices, lagged.pair.weight.data(), shares);
        for (int side = 0; side < 2; ++side) {
          if (lagged.columns[side] < 0) continue;
          for (int i = 0; i < 3; ++i)
            shares.push_back({lagged.columns[side] + i, lagged.pair.lever[side][i]});
        }
      },
      [&](std::size_t k) { return hessian_of(moving_[split.soft[k]]); }, blocks.controls);
  auto add = [&](std::size_t at, StiffPair& pair) {
    const std::size_t k = moving_[split.stiff[at]];
    pair.add(pairs_[k].vertex.data(), pairs_[k].vertices, pairs_[k].pair.weight, hessian_of(k),
             {pairs_[k].pair.lever[0], pairs_[k].pair.lever[1]});
  };
  stiff_blocks_.sum(q, map, split.sides, add, blocks.unknowns);
}

double Friction::step_measure(const Vectors& q, const Vectors& dq, std::vector<char>* unresolved) const {
  constexpr double resolved_part = 0.05;
  if (moving_.empty()) return 0;
  const std::vector<Vector2>& now = slips(q);
  const Vectors du = vertex_positions(mesh_, dq);
  std::vector<double> moved(moving_.size());
  parallel_for(moving_.size(), [&](std::size_t m) {
    const Lagged& pair = pairs_[moving_[m]];
    const bool sticks = now[moving_[m]].norm() < pair.smooth;
    // The secant's steps are too short to tell.
    moved[m] = sticks ? slip(pair, dq, du, true).norm() / (resolved_part * pair.smooth)
               : secants_[moving_[m]].part == 1 ? 1 / resolved_part
                                                : 0;
  });
  if (unresolved != nullptr) {
    for (std::size_t k = 0; k < moving_.size(); ++k) {
      const Lagged& lagged = pairs_[moving_[k]];
      if (moved[k] > 1) mark_controls(mesh_, lagged.vertex.data(), lagged.vertices, *unresolved);
    }
  }
  return *std::max_element(moved.begin(), moved.end());
}

}  // namespace bulwark
