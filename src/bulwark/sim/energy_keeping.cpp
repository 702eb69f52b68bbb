#include <bulwark/base/joined_sets.hpp>
#include <bulwark/sim/energy_keeping.hpp>
#include <bulwark/sim/plane_axes.hpp>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace bulwark {
namespace {

/// Sets of bodies that touch, by one body of each; obstacles connect nothing.
class Islands {
 public:
  Islands(const World& world, const ContactMoment& begin, const ContactMoment& end, const Vectors& way)
      : sets_(world.bodies.size()), driven_(world.bodies.size(), 0), bound_(world.bodies.size(), 0) {
    for (const ContactMoment* moment : {&begin, &end}) {
      for (const BarrierContact::Share& contact : moment->contacts) {
        if (!is_obstacle(world, contact.body_a) && !is_obstacle(world, contact.body_b))
          sets_.join(contact.body_a, contact.body_b);
      }
    }
    for (const ContactMoment* moment : {&begin, &end}) {
      for (const BarrierContact::Share& contact : moment->contacts) {
        if (is_obstacle(world, contact.body_a) || is_obstacle(world, contact.body_b))
          bound_[of(world, contact)] = 1;
      }
    }
    for (const Joint& joint : world.joints) {
      driven_[sets_.find(joint.body_a)] = 1;
      if (joint.body_b >= 0) driven_[sets_.find(joint.body_b)] = 1;
    }
    for (std::size_t b = 0; b < world.bodies.size(); ++b) {
      const Body& body = world.bodies[b];
      for (int i = body.first_control; i < body.first_control + body.control_count; ++i) {
        if (held_besides_plane(world, i) != 0) bound_[sets_.find(static_cast<int>(b))] = 1;
        if (world.scripted[i] != 0 && !way.col(i).isZero(0)) driven_[sets_.find(static_cast<int>(b))] = 1;
      }
    }
  }
  static bool is_obstacle(const World& world, int body) { return world.collision.bodies[body].obstacle; }
  int of(int body) { return sets_.find(body); }
  int of(const World& world, const BarrierContact::Share& contact) {
    return of(is_obstacle(world, contact.body_a) ? contact.body_b : contact.body_a);
  }
  /// Whether joints hold or scripts move some of its bodies: what they do to its energy is not known here.
  bool driven(int island) const { return driven_[island] != 0; }
  /// Whether obstacles or scripts hold some of it: its momentum is not its own.
  bool bound(int island) const { return bound_[island] != 0; }

 private:
  JoinedSets sets_;
  std::vector<char> driven_, bound_;
};

/// Part of its energy by which that of a vibration may rise in a step where it falls in others.
constexpr double rise_and_fall = 0.02;

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

/// What the velocities of sets of bodies are beside that of each set as one rigid body. Sets that something
/// holds have all of theirs.
class RelativeMotion {
 public:
  RelativeMotion(const World& world, const Eigen::SparseMatrix<double>& mass, Islands& islands,
                 const State& state)
      : world_(world), sets_(world.bodies.size()) {
    // Stiff bodies count as points here: a set of one of them has no motion but its own.
    const Vectors momentum = momenta(mass, state.velocity);
    for_each_point(islands, [&](Set& set, int i, double m) {
      set.mass += m;
      set.center += m * state.position.col(i);
      set.momentum += momentum.col(i);
    });
    for (Set& set : sets_) {
      if (set.mass > 0) set.center /= set.mass;
    }
    for_each_point(islands, [&](Set& set, int i, double m) {
      const Vector3 r = state.position.col(i) - set.center;
      set.inertia += m * (r.squaredNorm() * Matrix3::Identity() - r * r.transpose());
      set.spin += r.cross(Vector3(momentum.col(i)));
    });
    for (Set& set : sets_) {
      const double size = set.inertia.trace();
      if (size > 0 && set.inertia.determinant() > 1e-12 * size * size * size)
        set.spin = set.inertia.inverse() * set.spin;
      else
        set.spin.setZero();
    }
  }

  Vectors of(const State& state, Islands& islands) const {
    Vectors u = Vectors::Zero(3, state.velocity.cols());
    for (std::size_t b = 0; b < world_.bodies.size(); ++b) {
      const Body& body = world_.bodies[b];
      const int island = islands.of(static_cast<int>(b));
      const bool bound = islands.bound(island);
      if (Islands::is_obstacle(world_, static_cast<int>(b))) continue;
      const Set& set = sets_[island];
      const int count = bound ? body.control_count : body.point_count;
      for (int i = body.first_control; i < body.first_control + count; ++i) {
        if (world_.scripted[i]) continue;
        u.col(i) = state.velocity.col(i);
        if (bound || !(set.mass > 0)) continue;
        const Vector3 r = state.position.col(i) - set.center;
        u.col(i) -= set.momentum / set.mass + set.spin.cross(r);
        // What rounding leaves of a set that moves as one is no motion of its own: any energy that is lacking by
        // rounding as well would be sought along it, with a velocity turned round.
        constexpr double rounding = 1e-12;
        if (u.col(i).norm() <= rounding * state.velocity.col(i).norm()) u.col(i).setZero();
      }
    }
    return u;
  }

 private:
  struct Set {
    double mass = 0;
    Vector3 center = Vector3::Zero(), momentum = Vector3::Zero(), spin = Vector3::Zero();
    Matrix3 inertia = Matrix3::Zero();
  };
  template <class Function>
  void for_each_point(Islands& islands, Function&& call) {
    for (std::size_t b = 0; b < world_.bodies.size(); ++b) {
      const Body& body = world_.bodies[b];
      if (Islands::is_obstacle(world_, static_cast<int>(b))) continue;
      Set& set = sets_[islands.of(static_cast<int>(b))];
      for (int i = body.first_control; i < body.first_control + body.point_count; ++i)
        call(set, i, world_.gravity_mass[i]);
    }
  }
  const World& world_;
  std::vector<Set> sets_;
};

}  // namespace

void keep_energy(const World& world, const Eigen::SparseMatrix<double>& mass, const ForceResponse& response,
                 const EnergyStep& step, const State& before, State& after) {
  const ContactMoment &begin = step.begin, &end = step.end;
  const Vectors way = after.position - before.position;
  Islands islands(world, begin, end, way);
  const std::size_t count = world.bodies.size();
  std::vector<double> lack(count, 0), taken(count, 0), had(count, 0);
  std::vector<char> touches(count, 0);
  for (const BarrierContact::Share& contact : begin.contacts) {
    const int island = islands.of(world, contact);
    taken[island] += contact.energy;
    had[island] += contact.energy;
    touches[island] = 1;
  }
  for (const BarrierContact::Share& contact : end.contacts) {
    const int island = islands.of(world, contact);
    taken[island] += contact.obstacle_work - contact.energy;
    touches[island] = 1;
  }
  const Vectors momentum = momenta(mass, after.velocity), momentum_before = momenta(mass, before.velocity);
  auto for_controls = [&](auto&& call) {
    for (std::size_t b = 0; b < count; ++b) {
      const Body& body = world.bodies[b];
      if (Islands::is_obstacle(world, static_cast<int>(b))) continue;
      const int island = islands.of(static_cast<int>(b));
      if (islands.driven(island)) continue;
      for (int i = body.first_control; i < body.first_control + body.control_count; ++i) call(island, i);
    }
  };
  lack = taken;
  for_controls([&](int island, int i) {
    taken[island] += end.contact_gradient.col(i).dot(way.col(i));
    lack[island] -= end.elastic[i] - begin.elastic[i];
    had[island] += begin.elastic[i] + 0.5 * before.velocity.col(i).dot(momentum_before.col(i));
    if (world.scripted[i]) return;
    lack[island] -= 0.5 * (after.velocity.col(i).dot(momentum.col(i)) -
                           before.velocity.col(i).dot(momentum_before.col(i)));
    lack[island] += step.loads.col(i).dot(way.col(i));
  });

  /// Changes the kinetic energy of each set by its `wanted` along u, as far as that goes.
  auto correct = [&](const Vectors& u, const std::vector<double>& wanted) {
    std::vector<double> square(count, 0), along(count, 0), part(count, 0);
    const Vectors momentum_now = momenta(mass, after.velocity), momentum_of_u = momenta(mass, u);
    for_controls([&](int island, int i) {
      square[island] += u.col(i).dot(momentum_of_u.col(i));
      along[island] += u.col(i).dot(momentum_now.col(i));
    });
    for (std::size_t k = 0; k < count; ++k) {
      if (square[k] > 0 && wanted[k] != 0) part[k] = part_for(wanted[k], square[k], along[k]);
      lack[k] -= part[k] * along[k] + 0.5 * part[k] * part[k] * square[k];
    }
    for_controls([&](int island, int i) { after.velocity.col(i) += part[island] * u.col(i); });
  };

  const bool may_fall = step.rule == EnergyRule::not_more;
  std::vector<double> wanted = lack;
  for (std::size_t k = 0; k < count; ++k) {
    const double spare = lack[k] + rise_and_fall * had[k];
    if (may_fall && spare > 0) wanted[k] = std::min(taken[k], spare);
    if (!touches[k]) wanted[k] = 0;
  }
  if (std::any_of(wanted.begin(), wanted.end(), [](double w) { return w != 0; }))
    correct(response(after.position, -(begin.contact_gradient + end.contact_gradient)), wanted);
  wanted = lack;
  for (std::size_t k = 0; k < count; ++k) {
    // What bodies that move as one lack they get back by contact alone.
    if (may_fall && lack[k] > -rise_and_fall * had[k]) wanted[k] = 0;
  }
  if (std::any_of(wanted.begin(), wanted.end(), [](double w) { return w != 0; }))
    correct(RelativeMotion(world, mass, islands, after).of(after, islands), wanted);
}

}  // namespace bulwark
