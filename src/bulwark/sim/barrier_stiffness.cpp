#include <bulwark/base/joined_sets.hpp>
#include <bulwark/sim/barrier_stiffness.hpp>
#include <bulwark/stencils/barrier.hpp>
#include <bulwark/terms/vertex_stencils.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace bulwark {
namespace {

std::array<int, 2> bodies_of(const CollisionMesh& mesh, const ContactPair& contact) {
  return {mesh.vertex_body[contact.vertex[0]], mesh.vertex_body[contact.second_side()]};
}

}  // namespace

ContactIslands::ContactIslands(const CollisionMesh& mesh, const ContactScales& scales,
                               const std::vector<ContactPair>& contacts)
    : island_(mesh.bodies.size(), -1) {
  JoinedSets sets(mesh.bodies.size());
  std::vector<char> touches(mesh.bodies.size(), 0);
  for (const ContactPair& contact : contacts) {
    const auto [a, b] = bodies_of(mesh, contact);
    if (!mesh.bodies[a].obstacle) touches[a] = 1;
    if (!mesh.bodies[b].obstacle) touches[b] = 1;
    if (!mesh.bodies[a].obstacle && !mesh.bodies[b].obstacle) sets.join(a, b);
  }
  for (std::size_t b = 0; b < island_.size(); ++b) {
    if (!touches[b]) continue;
    // A set is named by its smallest body, which has its number by now.
    const int first = sets.find(static_cast<int>(b));
    if (first == static_cast<int>(b)) {
      island_[b] = count();
      all_stiff_.push_back(1);
    } else {
      island_[b] = island_[first];
    }
    if (!scales.body(static_cast<int>(b)).stiff) all_stiff_[island_[b]] = 0;
  }
}

int ContactIslands::of(const CollisionMesh& mesh, const ContactPair& contact) const {
  const auto [a, b] = bodies_of(mesh, contact);
  return island_[a] >= 0 ? island_[a] : island_[b];
}

std::vector<double> balancing_factors(Objective& objective, const BarrierContact& contact,
                                      const CollisionMesh& mesh, const ContactIslands& islands,
                                      const std::vector<int>& control_body, const Vectors& q) {
  std::vector<double> along(islands.count(), 0), square(islands.count(), 0), factor(islands.count(), 1);
  if (islands.count() == 0) return factor;
  Vectors push = Vectors::Zero(3, q.cols());
  add_vertex_gradient(mesh, contact.vertex_gradient(), objective.scale(), push);
  const Vectors others = objective.inertia_gradient(q) + objective.force_gradient(q, &contact);
  const Coordinates& coordinates = objective.coordinates();
  for (int i = 0; i < q.cols(); ++i) {
    const int island = islands.of(control_body[i]);
    if (island < 0 || !coordinates.moves(i)) continue;
    const double lever = coordinates.lever()[i];
    along[island] += push.col(i).dot(others.col(i)) / (lever * lever);
    square[island] += push.col(i).squaredNorm() / (lever * lever);
  }
  for (int k = 0; k < islands.count(); ++k) {
    if (square[k] > 0) factor[k] = std::clamp(-along[k] / square[k], 1.0, largest_soft_factor);
  }
  return factor;
}

std::vector<double> loaded_factors(const BarrierContact& contact, const CollisionMesh& mesh,
                                   const ContactIslands& islands) {
  constexpr double wanted_part = 0.02;
  std::vector<double> factor(islands.count(), 0);
  for (const ContactPair& pair : contact.contacts()) {
    const auto [a, b] = bodies_of(mesh, pair);
    const double wanted = pair.range.minimum_distance + wanted_part * pair.range.distance;
    const double now = std::max(contact.scales().factor[a], contact.scales().factor[b]);
    const double force = contact.normal_force(pair) / pair.weight();
    double& island = factor[islands.of(mesh, pair)];
    island = std::max(island, now * force / barrier_force(wanted * wanted, pair.range));
  }
  return factor;
}

std::vector<double> smallest_gaps(const BarrierContact& contact, const CollisionMesh& mesh) {
  std::vector<double> smallest(mesh.bodies.size(), std::numeric_limits<double>::infinity());
  const std::vector<ContactPair>& pairs = contact.contacts();
  const ContactScales& scales = contact.scales();
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto [a, b] = bodies_of(mesh, pairs[k]);
    const double distance = pairs[k].range.distance;
    const double length = std::min(scales.body(a).length, scales.body(b).length);
    const bool stiff = scales.body(a).stiff && scales.body(b).stiff;
    const double tiny = stiff ? 1e-4 * distance : std::max(1e-9 * length, 1e-3 * distance);
    const double gap = (contact.distance(k) - pairs[k].range.minimum_distance) / tiny;
    smallest[a] = std::min(smallest[a], gap);
    smallest[b] = std::min(smallest[b], gap);
  }
  return smallest;
}

}  // namespace bulwark
