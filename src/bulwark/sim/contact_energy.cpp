#include <bulwark/base/joined_sets.hpp>
#include <bulwark/sim/contact_energy.hpp>

#include <cmath>

namespace bulwark {
namespace {

/// Sets of bodies that touch, by the smallest body of each; obstacles connect nothing.
class Islands {
 public:
  Islands(const World& world, const ContactMoment& begin, const ContactMoment& end)
      : sets_(world.bodies.size()), closed_(world.bodies.size(), 0) {
    for (const ContactMoment* moment : {&begin, &end}) {
      for (const BarrierContact::Share& contact : moment->contacts) {
        if (!is_obstacle(world, contact.body_a) && !is_obstacle(world, contact.body_b))
          sets_.join(contact.body_a, contact.body_b);
      }
    }
    for (const Joint& joint : world.joints) {
      closed_[sets_.find(joint.body_a)] = 1;
      if (joint.body_b >= 0) closed_[sets_.find(joint.body_b)] = 1;
    }
  }
  static bool is_obstacle(const World& world, int body) { return world.collision.bodies[body].obstacle; }
  int of(int body) { return sets_.find(body); }
  int of(const World& world, const BarrierContact::Share& contact) {
    return of(is_obstacle(world, contact.body_a) ? contact.body_b : contact.body_a);
  }
  /// Whether joints hold some of its bodies.
  bool jointed(int island) const { return closed_[island] != 0; }

 private:
  JoinedSets sets_;
  std::vector<char> closed_;
};

/// (M v) by controls.
Vectors momenta(const Eigen::SparseMatrix<double>& mass, const Vectors& v) {
  return (mass * v.transpose()).transpose();
}

/// The part of the direction u that changes the kinetic energy by `gain`, given u.Mu and u.Mv: the one that
/// pushes bodies apart, and where energy is to go the smallest; as much as there is where there is less.
double part_for(double gain, double square, double along) {
  const double left = along * along + 2 * square * gain;
  const double root = std::sqrt(std::max(left, 0.0));
  const bool apart = gain > 0 || along > 0;
  return (-along + (apart ? root : -root)) / square;
}

}  // namespace

void give_back_contact_energy(const World& world, const Eigen::SparseMatrix<double>& mass,
                              const ForceResponse& response, const ContactMoment& begin,
                              const ContactMoment& end, bool lossy, const State& before, State& after) {
  if (begin.contacts.empty() && end.contacts.empty()) return;
  Islands islands(world, begin, end);
  const std::size_t count = world.bodies.size();
  std::vector<double> loss(count, 0), square(count, 0), along(count, 0);
  for (const BarrierContact::Share& contact : begin.contacts)
    loss[islands.of(world, contact)] += contact.energy;
  for (const BarrierContact::Share& contact : end.contacts)
    loss[islands.of(world, contact)] += contact.obstacle_work - contact.energy;

  const Vectors step = after.position - before.position;
  const Vectors direction = response(after.position, -(begin.contact_gradient + end.contact_gradient));
  const Vectors momentum = momenta(mass, after.velocity), momentum_before = momenta(mass, before.velocity);
  const Vectors momentum_of_direction = momenta(mass, direction);
  for (std::size_t b = 0; b < count; ++b) {
    const Body& body = world.bodies[b];
    if (Islands::is_obstacle(world, static_cast<int>(b))) continue;
    const int island = islands.of(static_cast<int>(b));
    for (int i = body.first_control; i < body.first_control + body.control_count; ++i) {
      square[island] += direction.col(i).dot(momentum_of_direction.col(i));
      along[island] += direction.col(i).dot(momentum.col(i));
      if (lossy || world.scripted[i]) {
        loss[island] += end.contact_gradient.col(i).dot(step.col(i));
      } else {
        loss[island] -= 0.5 * (after.velocity.col(i).dot(momentum.col(i)) -
                               before.velocity.col(i).dot(momentum_before.col(i)));
        loss[island] -= 0.5 * (begin.other_gradient.col(i) + end.other_gradient.col(i)).dot(step.col(i));
      }
    }
  }
  for (std::size_t b = 0; b < count; ++b) {
    const Body& body = world.bodies[b];
    const int island = islands.of(static_cast<int>(b));
    if (!(square[island] > 0) || islands.jointed(island)) continue;
    const double part = part_for(loss[island], square[island], along[island]);
    after.velocity.middleCols(body.first_control, body.control_count) +=
        part * direction.middleCols(body.first_control, body.control_count);
  }
}

}  // namespace bulwark
