#include <bulwark/base/parallel.hpp>
#include <bulwark/terms/rolling_resistance.hpp>

#include <algorithm>

namespace bulwark {

RollingResistance::RollingResistance(const CollisionMesh& mesh, const std::vector<StiffBody>& stiff,
                                     std::function<ResistanceCoefficients(int, int)> coefficients)
    : mesh_(mesh),
      stiff_(stiff),
      stiff_of_body_(mesh.bodies.size(), -1),
      coefficients_(std::move(coefficients)) {
  for (std::size_t s = 0; s < stiff.size(); ++s) stiff_of_body_[stiff[s].body] = static_cast<int>(s);
}

void RollingResistance::expect(const std::vector<ExpectedTurn>& turns, double h) {
  turns_ = turns;
  h_ = h;
}

void RollingResistance::lag(const BarrierContact& contact) {
  std::vector<RollingContact> contacts;
  for (const ContactPair& c : contact.contacts()) {
    const std::array<int, 2> vertex = {c.vertex[0], c.second_side()};
    RollingContact of;
    of.body_a = mesh_.vertex_body[vertex[0]];
    of.body_b = mesh_.vertex_body[vertex[1]];
    if (!resists(of)) continue;
    of.force = contact.normal_force(c);
    of.normal = closest_points(c, contact.vertex_positions()).r;
    of.lever = std::max(mesh_.radius_of(vertex[0]), mesh_.radius_of(vertex[1]));
    of.static_speed = contact.scales().static_speed(of.body_a, of.body_b);
    contacts.push_back(of);
  }
  lag(contacts);
}

bool RollingResistance::resists(const RollingContact& contact) const {
  if (stiff_of_body_[contact.body_a] < 0 && stiff_of_body_[contact.body_b] < 0) return false;
  const ResistanceCoefficients of = coefficients_(contact.body_a, contact.body_b);
  return of.rolling > 0 || of.spinning > 0;
}

void RollingResistance::lag(const std::vector<RollingContact>& contacts) {
  pairs_.clear();
  for (const RollingContact& contact : contacts) {
    if (!resists(contact) || !(contact.force > 0)) continue;
    const ResistanceCoefficients of = coefficients_(contact.body_a, contact.body_b);
    Lagged& lagged = pairs_.emplace_back();
    set_rolling_axes(lagged.pair, contact.normal, of.rolling * contact.force, of.spinning * contact.force);
    // What slides by the static speed at the surface, or at the end of a body that has none.
    double lever = contact.lever;
    const std::array<int, 2> body = {contact.body_a, contact.body_b};
    for (int side = 0; side < 2; ++side) {
      lagged.column[side] = -1;
      const int stiff = stiff_of_body_[body[side]];
      if (stiff < 0) continue;
      lagged.column[side] = stiff_[stiff].first_control + 1;
      set_turning_side(lagged.pair, side, turns_[stiff].vector, turns_[stiff].matrix);
      if (!(lever > 0)) lever = 0.5 * (stiff_[stiff].high - stiff_[stiff].low).norm();
    }
    lagged.smooth = h_ * contact.static_speed / lever;
  }
}

Vector3 RollingResistance::turn_of(const Lagged& lagged, const Vectors& q) const {
  std::array<Matrix3, 2> a;
  for (int side = 0; side < 2; ++side) {
    if (lagged.column[side] >= 0) a[side] = q.middleCols<3>(lagged.column[side]);
  }
  return relative_turn(lagged.pair, a.data());
}

double RollingResistance::energy(const Vectors& q) const {
  return parallel_sum(pairs_.size(), [&](std::size_t k) {
    return rolling_energy(pairs_[k].pair, turn_of(pairs_[k], q), pairs_[k].smooth);
  });
}

void RollingResistance::add_gradient(const Vectors& q, Vectors& gradient) const {
  for (const Lagged& lagged : pairs_) {
    const Vector3 g = rolling_gradient(lagged.pair, turn_of(lagged, q), lagged.smooth);
    for (int side = 0; side < 2; ++side) {
      if (lagged.column[side] < 0) continue;
      for (int k = 0; k < 3; ++k)
        gradient.col(lagged.column[side] + k) += turn_derivative(lagged.pair, side, k).transpose() * g;
    }
  }
}

void RollingResistance::hessian(const Vectors& q, const HessianModel& model, const BlockMap&,
                                HessianBlocks& blocks) const {
  const double secant = model.friction == HessianModel::Friction::secant ? 1 : 0;
  std::vector<std::size_t> start(pairs_.size() + 1, 0);
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const int columns = 3 * ((pairs_[k].column[0] >= 0) + (pairs_[k].column[1] >= 0));
    start[k + 1] = start[k] + static_cast<std::size_t>(columns * (columns + 1) / 2);
  }
  blocks.controls.resize(start.back());
  parallel_for(pairs_.size(), [&](std::size_t p) {
    const Lagged& lagged = pairs_[p];
    const Matrix3 h = rolling_hessian(lagged.pair, turn_of(lagged, q), lagged.smooth, secant);
    std::size_t out = start[p];
    for (int a = 0; a < 6; ++a) {
      if (lagged.column[a / 3] < 0) continue;
      const Matrix3 left = turn_derivative(lagged.pair, a / 3, a % 3).transpose() * h;
      for (int b = a; b < 6; ++b) {
        if (lagged.column[b / 3] < 0) continue;
        blocks.controls.set(out++, lagged.column[a / 3] + a % 3, lagged.column[b / 3] + b % 3,
                            left * turn_derivative(lagged.pair, b / 3, b % 3));
      }
    }
  });
}

double RollingResistance::step_measure(const Vectors& q, const Vectors& dq,
                                       std::vector<char>* unresolved) const {
  constexpr double resolved_part = 0.05;
  double largest = 0;
  for (const Lagged& lagged : pairs_) {
    if (turn_of(lagged, q).norm() >= lagged.smooth) continue;
    const double measure = (turn_of(lagged, dq) - lagged.pair.shift).norm() / (resolved_part * lagged.smooth);
    largest = std::max(largest, measure);
    if (!(measure > 1) || unresolved == nullptr) continue;
    for (const int column : lagged.column) {
      for (int k = -1; k < 3 && column >= 0; ++k) (*unresolved)[column + k] = 1;
    }
  }
  return largest;
}

}  // namespace bulwark
