#include <bulwark/sim/barrier_stiffness.hpp>
#include <bulwark/stencils/barrier.hpp>
#include <bulwark/terms/vertex_stencils.hpp>

#include <algorithm>

namespace bulwark {

StiffnessBounds stiffness_bounds(const BarrierRange& range, double length, double nodal_mass, double scale) {
  // A contact distance given outright can be smaller than 1e-8 of the length; the gap to resist is then a
  // part of it.
  const double gap = std::min(1e-8 * length, 0.1 * range.distance);
  const double D0 = gap * gap;
  const double curvature = 4 * D0 * barrier_second_derivative(D0, range.end());
  const double minimum = 1e11 * nodal_mass / curvature / scale;
  return {minimum, 100 * minimum};
}

StiffnessBounds stiff_body_bounds(const BarrierRange& range, double mass, double scale) {
  constexpr double springs_of_inertia = 50;
  const double half = range.minimum_distance + 0.5 * range.distance, squared = half * half;
  const double D = range.argument(squared);
  const double curvature =
      4 * squared * barrier_second_derivative(D, range.end()) + 2 * barrier_first_derivative(D, range.end());
  const double minimum = springs_of_inertia * mass / curvature / scale;
  return {minimum, 1000 * minimum};
}

double balancing_stiffness(Objective& objective, const BarrierContact& contact, const CollisionMesh& mesh,
                           const Vectors& q, const StiffnessBounds& bounds) {
  if (contact.contacts().empty()) return bounds.minimum;
  Vectors push = Vectors::Zero(3, q.cols());
  add_vertex_gradient(mesh, contact.unit_vertex_gradient(), objective.scale(), push);
  const Vectors others = objective.inertia_gradient(q) + objective.force_gradient(q, &contact);
  double along = 0, square = 0;
  const Coordinates& coordinates = objective.coordinates();
  for (int i = 0; i < q.cols(); ++i) {
    if (!coordinates.moves(i)) continue;
    const double lever = coordinates.lever()[i];
    along += push.col(i).dot(others.col(i)) / (lever * lever);
    square += push.col(i).squaredNorm() / (lever * lever);
  }
  if (!(square > 0)) return bounds.minimum;
  return std::clamp(-along / square, bounds.minimum, bounds.maximum);
}

double loaded_stiffness(const BarrierContact& contact) {
  constexpr double wanted_part = 0.02;
  const BarrierRange& range = contact.range();
  const double wanted = range.minimum_distance + wanted_part * range.distance;
  double largest = 0;
  for (const ContactPair& pair : contact.contacts())
    largest = std::max(largest, contact.normal_force(pair) / pair.multiplicity);
  return largest / barrier_force(wanted * wanted, range);
}

double adapted_stiffness(double stiffness, double distance_before, double distance_after, double tiny,
                         const StiffnessBounds& bounds) {
  if (distance_before < tiny && distance_after < tiny && distance_after < distance_before) {
    return std::min(bounds.maximum, 2 * stiffness);
  }
  return stiffness;
}

}  // namespace bulwark
