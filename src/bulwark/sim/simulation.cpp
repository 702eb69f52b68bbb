#include <bulwark/base/error.hpp>
#include <bulwark/base/log.hpp>
#include <bulwark/base/parallel.hpp>
#include <bulwark/integrate/integrator.hpp>
#include <bulwark/sim/barrier_stiffness.hpp>
#include <bulwark/sim/simulation.hpp>
#include <bulwark/sim/start_check.hpp>
#include <bulwark/solve/linear_solver.hpp>
#include <bulwark/terms/barrier_contact.hpp>
#include <bulwark/terms/constant_force.hpp>
#include <bulwark/terms/elasticity.hpp>
#include <bulwark/terms/friction.hpp>
#include <bulwark/terms/script_pull.hpp>

#include <chrono>
#include <limits>

namespace bulwark {
namespace {

Psd psd_of(const std::string& name) {
  if (name == "clamp") return Psd::clamp;
  if (name == "abs") return Psd::abs;
  if (name == "none") return Psd::none;
  throw InputError("/solver/psd", "unknown choice '" + name + "'", "use one of: clamp, abs, none");
}

Eigen::SparseMatrix<double> mass_matrix(const World& world) {
  Eigen::SparseMatrix<double> mass(world.control_count(), world.control_count());
  mass.setFromTriplets(world.mass_entries.begin(), world.mass_entries.end());
  return mass;
}

double average_nodal_mass(const World& world) {
  int count = 0;
  double sum = 0;
  for (int i = 0; i < world.control_count(); ++i) {
    if (world.lumped_mass[i] > 0) {
      sum += world.lumped_mass[i];
      ++count;
    }
  }
  return count > 0 ? sum / count : 1;
}

std::string describe_control(const World& world, int control) {
  for (const Body& body : world.bodies) {
    if (control >= body.first_control && control < body.first_control + body.control_count) {
      return fmt::format("'{}' node {}", body.name, control - body.first_control);
    }
  }
  return fmt::format("control {}", control);
}

/// The scripted scheme's own limits: how far is arrived, and how long to try.
constexpr double arrived = 0.999;
constexpr double nearly_arrived = 0.99;
constexpr int max_pull_rounds = 60;
/// Lagging updates after which "until converged" gives up.
constexpr int max_friction_updates = 100;

}  // namespace

struct Simulation::Impl {
  World world;
  Settings settings;
  Derived derived;
  Profile profile;

  Eigen::SparseMatrix<double> mass;
  double nodal_mass;
  std::unique_ptr<Integrator> integrator;
  std::unique_ptr<Integrator> restart_integrator = make_integrator("implicit-euler");
  std::unique_ptr<LinearSolver> linear;
  Psd psd;
  Elasticity elasticity;
  ConstantForce external;
  std::unique_ptr<BarrierContact> contact;  ///< null when contact is off
  std::unique_ptr<Friction> friction;
  ScriptPull pull;
  Objective objective;

  Impl(World w, const Settings& s)
      : world(std::move(w)),
        settings(s),
        mass(mass_matrix(world)),
        nodal_mass(average_nodal_mass(world)),
        integrator(make_integrator(s.time.integrator)),
        linear(make_linear_solver(s.solver.linear)),
        psd(psd_of(s.solver.psd)),
        elasticity(world.tetrahedra, world.rest, world.tetrahedron_material, world.materials),
        objective(mass, profile) {
    if (!(settings.time.step > 0) || !std::isfinite(settings.time.step)) {
      throw InputError("/time/step", fmt::format("{} is not a time step", settings.time.step),
                       "use a positive number of seconds, e.g. 0.01");
    }
    set_thread_count(settings.solver.threads);
    if (settings.contact.enabled) check_start(world);
    derive();
    if (settings.contact.enabled) {
      const BarrierRange range = {derived.contact_distance, settings.contact.minimum_distance};
      contact = std::make_unique<BarrierContact>(
          world.collision,
          StepFilter(world.collision, make_broad_phase(settings.contact.broad_phase), make_ccd(settings.contact.ccd),
                     range.reach(), range.minimum_distance, profile),
          range, profile, [this](int vertex) { return describe_vertex(world, vertex); });
      contact->prepare(world.state.position);
      check_minimum_distance(world, *contact);
      friction = std::make_unique<Friction>(world.collision, [this](int a, int b) {
        return friction_between(world, a, b, settings.contact.friction);
      });
    }
    if (integrator->needs_acceleration()) set_start_acceleration();
  }

  void derive() {
    derived.length = scene_length(world);
    const Scaled& distance = settings.contact.distance;
    derived.contact_distance = distance.relative ? distance.value * derived.length : distance.value;
    if (settings.contact.enabled && distance.relative) {
      const double cap = largest_quiet_distance(world, derived.contact_distance);
      derived.distance_capped = cap < derived.contact_distance;
      derived.contact_distance = cap;
    }
    const Scaled& speed = settings.contact.static_speed;
    derived.static_speed = speed.relative ? speed.value * derived.length : speed.value;
    derived.tolerance_speed = settings.solver.tolerance * derived.length;
    const StiffnessBounds bounds = stiffness_bounds(range(), derived.length, nodal_mass, scale_of(settings.time.step));
    derived.minimum_stiffness = bounds.minimum;
    derived.maximum_stiffness = bounds.maximum;
  }

  BarrierRange range() const { return {derived.contact_distance, settings.contact.minimum_distance}; }

  /// beta h^2 of a regular step.
  double scale_of(double h) const {
    const std::string& name = settings.time.integrator;
    return h * h * (name == "bdf2" ? 4.0 / 9 : name == "newmark" ? 0.25 : 1.0);
  }

  Vectors external_force(double time) const {
    Vectors force = settings.gravity * world.lumped_mass.transpose();
    for (const Load& load : world.loads) {
      const Vector3 value = load.value.at(time);
      for (std::size_t k = 0; k < load.controls.size(); ++k) force.col(load.controls[k]) += load.shares[k] * value;
    }
    return force;
  }

  void set_start_acceleration() {
    Vectors gradient = Vectors::Zero(3, world.control_count());
    elasticity.add_gradient(world.state.position, gradient);
    gradient -= external_force(0);
    for (int i = 0; i < world.control_count(); ++i) {
      if (!world.scripted[i] && world.lumped_mass[i] > 0) {
        world.state.acceleration.col(i) = -gradient.col(i) / world.lumped_mass[i];
      }
    }
  }

  std::vector<Term*> terms() {
    std::vector<Term*> all = {&elasticity, &external};
    if (contact) all.insert(all.end(), {contact.get(), friction.get()});
    return all;
  }

  Vectors script_targets(const Vectors& q, double time) const {
    Vectors target = q;
    for (const Script& script : world.scripts) {
      for (std::size_t k = 0; k < script.controls.size(); ++k) {
        target.col(script.controls[k]) = script.motion.at(time, script.start.col(k));
      }
    }
    return target;
  }

  NewtonOptions newton_options(double tolerance_speed, double h) {
    NewtonOptions options;
    options.tolerance = tolerance_speed * h;
    options.max_iterations = settings.solver.max_iterations;
    options.psd = psd;
    double last_distance = contact ? contact->min_distance() : 0;
    options.after_step = [this, last_distance](const Vectors&) mutable {
      if (contact && !settings.contact.stiffness) {
        contact->set_stiffness(
            adapted_stiffness(contact->stiffness(), last_distance, contact->min_distance(), derived.length,
                              stiffness_bounds(range(), derived.length, nodal_mass, objective.scale())));
        last_distance = contact->min_distance();
      }
      return false;
    };
    return options;
  }

  void add_to(StepReport& report, const SolveRecord& record, double h) const {
    report.outcome = record.outcome;
    report.newton_iterations += record.iterations;
    report.linear_solves += record.linear_solves;
    report.newton_speed = record.step_size / h;
    if (record.worst_control >= 0) report.worst_point = describe_control(world, record.worst_control);
    if (record.smallest_step < report.smallest_step) {
      report.smallest_step = record.smallest_step;
      report.limiting_pair = record.smallest_cause;
    }
  }

  /// Moves scripted controls as far as nothing is in the way; where something is, pulls them on together with
  /// the solve. Returns false when they do not arrive.
  bool move_scripts(Vectors& q, double time, double h, StepReport& report) {
    const Vectors start = q;
    const Vectors target = script_targets(q, time);
    if (target == q) return true;
    const StepLimit limit = objective.largest_step(q, target - q);
    q = limit.step >= 1 ? target : Vectors(q + limit.step * (target - q));
    objective.prepare(q);
    set_stiffness(q);
    if (limit.step >= 1) return true;

    std::vector<int> moving;
    std::vector<char> fixed = world.scripted;
    VectorX pull_mass(world.control_count());
    for (int i = 0; i < world.control_count(); ++i) {
      pull_mass[i] = world.lumped_mass[i] > 0 ? world.lumped_mass[i] : nodal_mass;
      if (world.scripted[i] && target.col(i) != start.col(i)) {
        moving.push_back(i);
        fixed[i] = 0;
      }
    }
    const double scale = objective.scale();
    pull.begin(moving, pull_mass, start, target, 1e6 / scale);
    std::vector<Term*> with_pull = terms();
    with_pull.push_back(&pull);
    objective.set_terms(with_pull);
    objective.set_fixed(fixed);
    bool done = false;
    for (int round = 0; round < max_pull_rounds && !done; ++round) {
      NewtonOptions options = newton_options(std::max(1e-2 * derived.length, derived.tolerance_speed), h);
      options.after_step = [this, adapt = options.after_step](const Vectors& x) {
        adapt(x);
        return pull.progress(x) >= arrived;
      };
      const SolveRecord record = minimise(objective, *linear, q, options, profile);
      add_to(report, record, h);
      const double progress = pull.progress(q);
      done = progress >= arrived;
      if (done || record.outcome != Outcome::converged) break;
      if (progress < nearly_arrived && pull.stiffness() * scale < 1e8) {
        pull.stiffen();
      } else {
        pull.update_multipliers(q);
      }
    }
    objective.set_terms(terms());
    objective.set_fixed(world.scripted);
    objective.prepare(q);
    if (!done) report.outcome = Outcome::script_blocked;
    return done;
  }

  /// The barrier stiffness for the configuration q: the user's, or the one that balances the other forces.
  void set_stiffness(const Vectors& q) {
    if (!contact) return;
    if (settings.contact.stiffness) return contact->set_stiffness(*settings.contact.stiffness);
    const StiffnessBounds bounds = stiffness_bounds(range(), derived.length, nodal_mass, objective.scale());
    contact->set_stiffness(balancing_stiffness(objective, *contact, world.collision, q, bounds));
  }

  /// One minimisation over a time h that ends at `time`. Leaves the state alone when it fails.
  bool solve_part(double h, double time, const Integrator& method, StepReport& report) {
    State& state = world.state;
    Vectors q = state.position;
    const Prediction prediction = method.predict(state, h);
    objective.begin_step(prediction.target, prediction.beta * h * h);
    linear->begin_step();
    external.set_force(external_force(time), q);
    objective.set_terms(terms());
    objective.set_fixed(world.scripted);
    if (contact) {
      contact->set_stiffness(state.barrier_stiffness);
      contact->prepare(q);
      friction->begin_step(q, derived.static_speed, h);
      friction->lag(*contact);
    }
    objective.prepare(q);
    set_stiffness(q);
    if (!move_scripts(q, time, h, report)) return false;

    for (int update = 1;; ++update) {
      const SolveRecord record =
          minimise(objective, *linear, q, newton_options(derived.tolerance_speed, h), profile);
      add_to(report, record, h);
      if (record.outcome != Outcome::converged) return false;
      report.friction_updates = update;
      if (!contact || !any_friction()) break;
      const bool settled = update > 1 && record.iterations <= 1;
      const int wanted = settings.contact.friction_iterations;
      report.friction_converged = settled;
      if (settled || update == (wanted > 0 ? wanted : max_friction_updates)) break;
      friction->lag(*contact);
      if (update == 1 && !friction->active()) break;
    }
    method.advance(state, q, h);
    state.barrier_stiffness = contact ? contact->stiffness() : 0;
    return true;
  }

  bool any_friction() const {
    if (settings.contact.friction > 0 || !world.friction_pairs.empty()) return true;
    for (const Body& body : world.bodies) {
      if (body.friction.value_or(0) > 0) return true;
    }
    return false;
  }

  /// Solves the time from start to start + h in one part, or in halves where that fails.
  bool advance(double start, double h, int halvings, const Integrator& method, StepReport& report) {
    const State before = world.state;
    if (solve_part(h, start + h, method, report)) return true;
    world.state = before;
    if (halvings >= settings.solver.max_halvings) return false;
    log_warning("step {}: {} ({}); trying again in two halves of {:.3g} s", before.step + 1, outcome_name(report.outcome),
                report.limiting_pair.empty() ? report.worst_point : report.limiting_pair, h / 2);
    ++report.substeps;
    // Multi-step history belongs to the regular step, so parts of a step restart with implicit Euler.
    const Integrator& part = integrator->needs_acceleration() ? *integrator : *restart_integrator;
    return advance(start, h / 2, halvings + 1, part, report) &&
           advance(start + h / 2, h / 2, halvings + 1, part, report);
  }

  StepReport step() {
    const auto begin = std::chrono::steady_clock::now();
    profile = {};
    StepReport report;
    State before = world.state;
    const double h = settings.time.step;
    const bool solved = advance(static_cast<double>(before.step) * h, h, 0, *integrator, report);
    if (!solved) {
      world.state = before;
      throw SolveError(fmt::format(
          "step {} could not be solved, not even in {} parts: {}.\n  The last Newton step moved {} at {:.3g} m/s; "
          "the tolerance is {:.3g} m/s.\n  Smallest safe step: {:.3g}{}.\n  A shorter time step, a larger "
          "contact distance or a slower script may help.",
          before.step + 1, 1 << settings.solver.max_halvings, outcome_name(report.outcome), report.worst_point,
          report.newton_speed, derived.tolerance_speed, report.smallest_step,
          report.limiting_pair.empty() ? "" : ", by " + report.limiting_pair));
    }
    if (report.substeps > 1) {
      // The next regular step's history is one regular step old.
      world.state.previous_position = before.position;
      world.state.previous_velocity = before.velocity;
    }
    world.state.step = before.step + 1;
    world.state.time = static_cast<double>(world.state.step) * h;
    report.step = world.state.step;
    report.time = world.state.time;
    if (contact) {
      report.contacts = static_cast<int>(contact->contacts().size());
      report.min_distance = contact->min_distance();
      report.barrier_stiffness = contact->stiffness();
    } else {
      report.min_distance = std::numeric_limits<double>::infinity();
    }
    report.energies = energies();
    report.profile = profile;
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return report;
  }

  Energies energies() {
    Energies e;
    const State& s = world.state;
    for (int axis = 0; axis < 3; ++axis) {
      const VectorX v = s.velocity.row(axis).transpose();
      e.kinetic += 0.5 * v.dot(mass * v);
    }
    e.elastic = elasticity.energy(s.position);
    e.gravity = -settings.gravity.dot(s.position * world.lumped_mass);
    if (contact) e.contact = contact->energy(s.position);
    return e;
  }
};

Simulation::Simulation(World world, const Settings& settings)
    : impl_(std::make_unique<Impl>(std::move(world), settings)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;

StepReport Simulation::step() {
  return impl_->step();
}

const World& Simulation::world() const {
  return impl_->world;
}

const Settings& Simulation::settings() const {
  return impl_->settings;
}

const Derived& Simulation::derived() const {
  return impl_->derived;
}

void Simulation::restore(const State& state) {
  if (state.position.cols() != impl_->world.state.position.cols()) {
    throw InputError("checkpoint", "it belongs to a scene of another size", "start the run anew, without --resume");
  }
  impl_->world.state = state;
  if (impl_->contact) {
    impl_->contact->set_stiffness(state.barrier_stiffness);
    impl_->contact->prepare(state.position);
  }
}

std::vector<ContactForce> Simulation::contacts() const {
  std::vector<ContactForce> result;
  if (!impl_->contact) return result;
  const BarrierContact& contact = *impl_->contact;
  const CollisionMesh& mesh = impl_->world.collision;
  const Vectors displacement = impl_->friction->active() ? impl_->friction->vertex_displacement(impl_->world.state.position)
                                                         : Vectors();
  // Friction pairs are lagged contacts; those that are still contacts are matched by their vertices.
  std::map<std::array<int, 4>, const Friction::Lagged*> lagged;
  for (const Friction::Lagged& pair : impl_->friction->pairs()) lagged[pair.vertex] = &pair;
  for (const ContactPair& c : contact.contacts()) {
    const ClosestPoints closest = closest_points(c, contact.vertex_positions());
    ContactForce force;
    force.body_a = mesh.vertex_body[c.vertex[0]];
    force.body_b = mesh.vertex_body[c.kind == PairKind::edge_edge ? c.vertex[2] : c.vertex[1]];
    force.distance = std::sqrt(closest.squared_distance());
    force.normal_force = contact.normal_force(c) * closest.r / force.distance;
    Vector3 on_a = Vector3::Zero();
    for (int i = 0; i < c.vertices(); ++i) {
      if (closest.weight[i] > 0) on_a += closest.weight[i] * contact.vertex_positions().col(c.vertex[i]);
    }
    force.position = on_a - 0.5 * closest.r;
    const auto found = lagged.find(c.vertex);
    force.friction_force = found == lagged.end() ? Vector3(Vector3::Zero())
                                                 : impl_->friction->force(*found->second, displacement);
    result.push_back(force);
  }
  return result;
}

Vectors Simulation::contact_forces() const {
  Vectors gradient = Vectors::Zero(3, impl_->world.control_count());
  if (impl_->contact) {
    impl_->contact->add_gradient(impl_->world.state.position, gradient);
    impl_->friction->add_gradient(impl_->world.state.position, gradient);
  }
  return -gradient;
}

std::vector<double> Simulation::von_mises_stress() const {
  return impl_->elasticity.von_mises_stress(impl_->world.state.position);
}

}  // namespace bulwark
