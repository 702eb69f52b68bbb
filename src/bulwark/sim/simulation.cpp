#include <bulwark/base/error.hpp>
#include <bulwark/base/log.hpp>
#include <bulwark/base/parallel.hpp>
#include <bulwark/sim/applied_forces.hpp>
#include <bulwark/sim/simulation.hpp>
#include <bulwark/sim/start_check.hpp>
#include <bulwark/sim/state_check.hpp>
#include <bulwark/sim/statics.hpp>
#include <bulwark/sim/steered_joint.hpp>
#include <bulwark/sim/step_solver.hpp>
#include <bulwark/sim/world_change.hpp>
#include <bulwark/terms/vertex_stencils.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace bulwark {
namespace {

void check_settings(const Settings& settings) {
  if (!(settings.time.step > 0) || !std::isfinite(settings.time.step)) {
    throw InputError("/time/step", fmt::format("{} is not a time step", settings.time.step),
                     "use a positive number of seconds, e.g. 0.01");
  }
  if (settings.solver.minimiser != "newton" && settings.solver.minimiser != "adamw") {
    throw InputError("/solver/minimiser", "unknown choice '" + settings.solver.minimiser + "'",
                     "use one of: newton, adamw");
  }
  // The inertia that AdamW's tolerance goes by is nothing there.
  if (settings.solver.minimiser == "adamw" && is_static(settings)) {
    throw InputError("/solver/minimiser",
                     "\"adamw\" can't find equilibria of statics: without inertia its tolerance says nothing",
                     "use \"newton\", or let a damped motion (\"implicit-euler\") come to rest");
  }
}

bool is_limited(const StepReport& report) {
  return report.limited_by.reason != LimitReason::none;
}

const char* remedy_of(const StepReport& report, bool statics) {
  if (report.outcome == Outcome::no_equilibrium) {
    return "Hold it (`fixed`, a joint), put something in its way, or raise the friction of what it slides on.";
  }
  return statics ? "More load steps (time.steps), or a larger contact distance, may help."
                 : "A shorter time step, a larger contact distance or a slower script may help.";
}

std::string failure(const StepReport& report, int parts, bool statics, const std::string& remedy) {
  if (report.outcome == Outcome::no_equilibrium) {
    return fmt::format(
        "step {} has no equilibrium: '{}' moves away under its loads, by {:.3g} m, and nothing stops it.\n  {}",
        report.step, report.worst_point.body, report.newton_speed * static_time, remedy);
  }
  // In statics lengths count, not speeds.
  const double per = statics ? static_time : 1;
  const char* unit = statics ? "m" : "m/s";
  return fmt::format(
      "step {} could not be solved, not even in {} parts: {}.\n  The last {} moved {} {} {:.3g} {}; "
      "the tolerance is {:.3g} {}.\n  Smallest safe step: {:.3g}{}.\n  {}",
      report.step, parts, outcome_name(report.outcome),
      report.adamw_iterations > 0 ? "residual would have" : "Newton step", describe(report.worst_point),
      statics ? "by" : "at", report.newton_speed * per, unit, report.tolerance_speed * per, unit,
      report.smallest_step, is_limited(report) ? ", by " + describe(report.limited_by) : "", remedy);
}

/// Scripts say where their controls are; only they move them.
void require_scripts_kept(const World& world, const Vectors& position) {
  for (const Body& body : world.bodies) {
    for (int c = body.first_control; c < body.first_control + body.control_count; ++c) {
      if (!world.scripted[c] || position.col(c) == world.state.position.col(c)) continue;
      throw InputError(fmt::format("body '{}'", body.name),
                       "it is held or follows a script, which determines its position",
                       "leave its positions as they are");
    }
  }
}

}  // namespace

namespace {

/// A step that breaks a promise is taken in up to 2^10 parts: each halving is only of the part that does.
constexpr int promise_halvings = 10;

}  // namespace

/// What a simulation does runs on its own number of threads, and speaks to its own sink.
struct Scope {
  explicit Scope(const Settings& settings) : threads(settings.solver.threads), log(settings.log) {}
  ThreadScope threads;
  LogScope log;
};

struct Simulation::Impl {
  World world;
  Settings settings;
  Derived derived;
  Profile profile;
  std::unique_ptr<Integrator> integrator;
  std::unique_ptr<StepSolver> solver;
  bool may_stop = true;  ///< not while a step that was left is undone

  Impl(World w, const Settings& s)
      : world(std::move(w)), settings(s), integrator(make_integrator(s.time.integrator)) {
    check_settings(settings);
    if (s.stop) settings.stop = [this, asked = s.stop] { return may_stop && asked(); };
    const Scope scope(settings);
    if (integrator->is_static()) begin_statics(world);
    update_contact_models(world);
    if (settings.contact.enabled) check_start(world, settings.stop);
    derived = derive(world, settings);
    solver = std::make_unique<StepSolver>(world, settings, derived, profile);
    solver->find_close_bodies();
    if (integrator->needs_acceleration()) solver->set_start_acceleration();
  }

  /// How often a part of a step was halved, because it broke a promise, and because it could not be solved.
  struct Halvings {
    int promises = 0, failures = 0;
  };

  /// Solves the time from start to start + h in one part, or in halves where that fails or breaks a promise.
  bool advance(double start, double h, Halvings halvings, const Integrator& method, StepReport& report) {
    const State before = world.state;
    const bool solved = solver->solve(h, start + h, method, report);
    const StepVerdict verdict = solved ? solver->verdict() : StepVerdict();
    if (solved && verdict.kept()) return true;
    const State whole = world.state;
    const StepSolver::Carried whole_carried = solver->carried();
    const bool may_go_on = report.outcome != Outcome::work_limit && report.outcome != Outcome::no_equilibrium;
    // What is taken again for a promise may be halved as often where its parts can't be solved.
    const int failures_allowed = std::max(settings.solver.max_halvings,
                                          halvings.promises > 0 ? promise_halvings - halvings.promises : 0);
    const bool may_halve =
        solved ? halvings.promises < promise_halvings : halvings.failures < failures_allowed;
    if (may_go_on && may_halve) {
      ++(solved ? halvings.promises : halvings.failures);
      world.state = before;
      if (solved) {
        ++(verdict.passed.empty() ? report.energy_retries : report.passing_retries);
      } else {
        log_warning("step {}: {} ({}); trying again in two halves of {:.3g} s", before.step + 1,
                    outcome_name(report.outcome),
                    is_limited(report) ? describe(report.limited_by) : describe(report.worst_point), h / 2);
      }
      ++report.substeps;
      const Integrator& part = method.for_part_of_step(halvings.failures);
      const StepReport so_far = report;
      if (advance(start, h / 2, halvings, part, report) &&
          advance(start + h / 2, h / 2, halvings, part, report)) {
        return true;
      }
      if (solved) {
        // Better a step that breaks a promise, which is said, than none. What the parts took counts all the same.
        const StepReport parts = std::exchange(report, so_far);
        report.newton_iterations = parts.newton_iterations;
        report.adamw_iterations = parts.adamw_iterations;
        report.linear_solves = parts.linear_solves;
        report.linear_iterations = parts.linear_iterations;
        // Solved again, so that what is said of its end is of this step.
        StepReport again = so_far;
        world.state = before;
        if (!solver->solve(h, start + h, method, again)) {
          world.state = whole;
          solver->restored();
          solver->set_carried(whole_carried);
        }
      }
    }
    if (!solved) {
      world.state = before;
      return false;
    }
    report.energy_gain += verdict.energy_gain;
    report.passed_bodies += static_cast<int>(verdict.passed.size());
    log_warning(
        "step {}: {}, and shorter parts of the step do not help", before.step + 1,
        verdict.passed.empty()
            ? fmt::format("energy grew by {:.3g} J without work", verdict.energy_gain)
            : fmt::format("'{}' and '{}' got past each other", world.bodies[verdict.passed[0][0]].name,
                          world.bodies[verdict.passed[0][1]].name));
    return true;
  }

  /// After a step was left in its midst, by an exception: nothing that it had begun is kept.
  void undo(const State& before, StepSolver::Carried carried) {
    may_stop = false;
    world.state = before;
    solver = std::make_unique<StepSolver>(world, settings, derived, profile);
    solver->restored();
    solver->set_carried(std::move(carried));
    may_stop = true;
  }

  StepReport step() {
    const auto begin = std::chrono::steady_clock::now();
    profile = {};
    StepReport report;
    if (integrator->is_static()) require_no_speeds(world);
    const State before = world.state;
    StepSolver::Carried carried = solver->carried();
    const double h = settings.time.step;
    bool solved = false;
    try {
      solved = advance(static_cast<double>(before.step) * h, h, {}, *integrator, report);
    } catch (...) {
      undo(before, std::move(carried));
      throw;
    }
    if (!solved) {
      world.state = before;  // a first part may have been solved
      solver->restored();
      solver->set_carried(std::move(carried));
      report.step = before.step + 1;
      report.time = static_cast<double>(report.step) * h;
      report.profile = profile;
      report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      const std::string remedy = remedy_of(report, integrator->is_static());
      throw StepFailure(failure(report, 1 << settings.solver.max_halvings, integrator->is_static(), remedy),
                        remedy, report);
    }
    // Whatever parts a step took, the next one's history is one regular step old.
    world.state.previous_position = before.position;
    world.state.previous_velocity = before.velocity;
    world.state.step = before.step + 1;
    world.state.time = static_cast<double>(world.state.step) * h;

    report.step = world.state.step;
    report.time = world.state.time;
    report.min_distance = std::numeric_limits<double>::infinity();
    if (const BarrierContact* contact = solver->contact()) {
      report.contacts = static_cast<int>(contact->contacts().size());
      report.min_distance = contact->min_distance();
      report.barrier_stiffness = contact->largest_stiffness();
    }
    for (const auto& model : solver->contact_models())
      report.contacts += static_cast<int>(model->contacts().size());
    report.energies = solver->energies();
    for (const StiffBody& body : world.stiff) {
      report.rigidity_error =
          std::max(report.rigidity_error, rigidity_error(deformation(body, world.state.position)));
    }
    report.profile = profile;
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return report;
  }

  World change(const std::function<void(World&)>& edit) {
    World other = world;
    edit(other);
    update_contact_models(other);
    forget_other_models(other);
    require_sound(other);
    const BodyChanges changes = changes_between(world, other);
    if (settings.contact.enabled) check_change(other, changes.surface);
    Derived derived_then = derive(other, settings);
    // By swapping, the old solver finds its world as it was should the new one refuse.
    std::swap(world, other);
    std::swap(derived, derived_then);
    try {
      solver = std::make_unique<StepSolver>(world, settings, derived, profile);
    } catch (...) {
      std::swap(world, other);
      std::swap(derived, derived_then);
      throw;
    }
    take_over(changes);
    return other;
  }

  void move_to(const Vectors& position, const Vectors& velocity) {
    if (position.cols() != world.control_count() || velocity.cols() != world.control_count()) {
      throw InputError("positions", fmt::format("the world has {} controls", world.control_count()),
                       "give three numbers for each of them");
    }
    require_scripts_kept(world, position);
    World other = world;
    other.state.position = position;
    other.state.velocity = velocity;
    require_sound(other);
    const BodyChanges changes = changes_between(world, other);
    if (settings.contact.enabled) check_change(other, changes.surface);
    world.state.position = position;
    world.state.velocity = velocity;
    take_over(changes);
  }

  /// After the world was changed: caches and the past of what moves otherwise than before.
  void take_over(const BodyChanges& changes) {
    solver->restored();
    solver->find_close_bodies(changes.surface);
    const Vectors acceleration = world.state.acceleration;
    solver->set_start_acceleration();
    for (std::size_t body = 0; body < world.bodies.size(); ++body) {
      const Body& b = world.bodies[body];
      if (changes.motion[body]) continue;
      world.state.acceleration.middleCols(b.first_control, b.control_count) =
          acceleration.middleCols(b.first_control, b.control_count);
    }
    begin_past(world, changes.motion, settings.time.step);
    world.state.earlier_energy = State().earlier_energy;
  }
};

Simulation::Simulation(World world, const Settings& settings)
    : impl_(std::make_unique<Impl>(std::move(world), settings)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;

StepReport Simulation::step() {
  const Scope scope(impl_->settings);
  return impl_->step();
}

World Simulation::change(const std::function<void(World&)>& edit) {
  const Scope scope(impl_->settings);
  return impl_->change(edit);
}

void Simulation::move_to(const Vectors& position, const Vectors& velocity) {
  const Scope scope(impl_->settings);
  impl_->move_to(position, velocity);
}

void Simulation::apply(int body, const Applied& applied) {
  bulwark::apply(impl_->world, body, applied);
}

Vectors& Simulation::applied_to_controls() {
  World& world = impl_->world;
  const Eigen::Index had = world.applied_to_controls.cols(), wanted = world.control_count();
  if (had < wanted) {
    world.applied_to_controls.conservativeResize(3, wanted);
    world.applied_to_controls.rightCols(wanted - had).setZero();
  }
  return world.applied_to_controls;
}

SteeredJoint Simulation::joint(const std::string& name) {
  joint_index(impl_->world, name);
  return {*this, name};
}

void Simulation::steer(const std::string& joint, const Steering& steering) {
  impl_->solver->steered(bulwark::steer(impl_->world, joint_index(impl_->world, joint), steering));
}

void Simulation::release(const std::string& joint) {
  impl_->solver->steered(bulwark::release(impl_->world, joint_index(impl_->world, joint)));
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
  const Scope scope(impl_->settings);
  require_state_fits(state, impl_->world, "the state to go on from");
  check_steering(impl_->world, state);
  impl_->world.state = state;
  impl_->solver->restored();
}

std::vector<ContactForce> Simulation::contacts() const {
  const Scope scope(impl_->settings);
  std::vector<ContactForce> result;
  const BarrierContact* contact = impl_->solver->contact();
  if (contact == nullptr) return result;
  const Friction& friction = *impl_->solver->friction();
  const CollisionMesh& mesh = impl_->world.collision;
  const Vectors& positions = contact->vertex_positions();
  // Friction pairs are lagged contacts; those that are still contacts are matched by their vertices.
  std::map<std::array<int, 4>, const Friction::Lagged*> lagged;
  for (const Friction::Lagged& pair : friction.pairs()) lagged[pair.vertex] = &pair;
  const Vectors displacement =
      friction.active() ? friction.vertex_displacement(impl_->world.state.position) : Vectors();
  std::map<std::array<int, 4>, Vector3> damping;
  const std::vector<ContactDamping> damped = impl_->solver->contact_damping();
  for (const ContactDamping& d : damped) damping[d.pair.vertex] = d.force;
  auto add = [&](const ContactPair& c, double barrier_force) {
    const ClosestPoints closest = closest_points(c, positions);
    ContactForce force;
    force.body_a = mesh.vertex_body[c.vertex[0]];
    force.body_b = mesh.vertex_body[c.second_side()];
    const double distance = std::sqrt(closest.squared_distance());
    const Vector3 normal = closest.r / distance;
    force.distance = distance - c.offset;
    force.normal_force = barrier_force * normal;
    if (const auto found = damping.find(c.vertex); found != damping.end()) {
      force.normal_force += found->second;
      damping.erase(found);
    }
    Vector3 on_a = Vector3::Zero();
    double radius = 0;
    for (int i = 0; i < c.vertices(); ++i) {
      if (!(closest.weight[i] > 0)) continue;
      on_a += closest.weight[i] * positions.col(c.vertex[i]);
      radius = mesh.radius_of(c.vertex[i]);
    }
    force.position = on_a - (radius + 0.5 * force.distance) * normal;
    const auto found = lagged.find(c.vertex);
    force.friction_force = Vector3::Zero();
    if (found != lagged.end())
      force.friction_force = friction.force(*found->second, impl_->world.state.position, displacement);
    result.push_back(force);
  };
  for (const ContactPair& c : contact->contacts()) add(c, contact->normal_force(c));
  // Contacts of the step's beginning that its end has no more: damping held them still.
  for (const ContactDamping& d : damped) {
    if (damping.contains(d.pair.vertex)) add(d.pair, 0);
  }
  for (const auto& model : impl_->solver->contact_models()) {
    const std::vector<ContactForce> patches = model->contacts();
    result.insert(result.end(), patches.begin(), patches.end());
  }
  return result;
}

Vectors Simulation::contact_forces() const {
  const Scope scope(impl_->settings);
  Vectors forces = Vectors::Zero(3, impl_->world.control_count());
  add_vertex_gradient(impl_->world.collision, vertex_contact_forces(), 1, forces);
  for (const auto& model : impl_->solver->contact_models()) model->add_control_forces(forces);
  return forces;
}

Vectors Simulation::vertex_contact_forces() const {
  const Scope scope(impl_->settings);
  const VertexForces forces = impl_->solver->vertex_contact_forces();
  return forces.normal + forces.friction;
}

ContactPressure Simulation::contact_pressure() const {
  const Scope scope(impl_->settings);
  return bulwark::contact_pressure(impl_->world, impl_->solver->vertex_contact_forces());
}

const std::vector<JointState>& Simulation::joint_states() const {
  return impl_->solver->carried().joints;
}

const std::vector<Reaction>& Simulation::reactions() const {
  return impl_->solver->carried().reactions;
}

std::vector<double> Simulation::von_mises_stress() const {
  const Scope scope(impl_->settings);
  return impl_->solver->von_mises_stress();
}

}  // namespace bulwark
