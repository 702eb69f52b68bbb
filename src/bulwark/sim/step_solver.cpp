#include <bulwark/base/error.hpp>
#include <bulwark/collision/ccd_recorder.hpp>
#include <bulwark/integrate/stiff_motion.hpp>
#include <bulwark/math/rotation.hpp>
#include <bulwark/sim/applied_forces.hpp>
#include <bulwark/sim/scripted_motion.hpp>
#include <bulwark/sim/start_check.hpp>
#include <bulwark/sim/step_solver.hpp>

#include <fmt/format.h>

#include <Eigen/LU>

namespace bulwark {
namespace {

/// A script has arrived when this part of its way is done; below the second its pull is stiffened, above it
/// the multipliers do the rest.
constexpr double arrived = 0.999;
constexpr double nearly_arrived = 0.99;
constexpr int max_pull_rounds = 60;
/// Stiffness of the pull at first, and where stiffening ends, relative to the inertia of the controls.
constexpr double first_pull = 1e6, stiffest_pull = 1e8;
/// Where all moving bodies are stiff the barrier is softer, and a harder pull would only close the gaps.
constexpr double first_pull_of_stiff = 1e3;
/// Part of a way below which it counts as blocked.
constexpr double smallest_part = 1e-10;
/// Rounds of multipliers after which a joint stays open by what is left: a warning and `error` in joints.csv
/// say it.
constexpr int max_joint_rounds = 30;
/// Lagging updates after which "until converged" gives up.
constexpr int max_friction_updates = 100;

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

/// The mass that the barrier's stiffness is made for: of a node of the soft bodies, or of a stiff body where
/// there are no others.
double average_nodal_mass(const World& world) {
  double soft = 0, stiff = 0;
  int soft_count = 0;
  for (int i = 0; i < world.control_count(); ++i) {
    if (!(world.lumped_mass[i] > 0)) continue;
    soft += world.lumped_mass[i];
    ++soft_count;
  }
  for (const StiffBody& body : world.stiff) {
    soft -= body.mass;
    --soft_count;
    stiff += body.mass;
  }
  if (soft_count > 0) return soft / soft_count;
  return world.stiff.empty() ? 1 : stiff / static_cast<double>(world.stiff.size());
}

bool only_stiff_bodies(const World& world) {
  return !world.stiff.empty() && world.tetrahedra.empty() && world.shell_triangles.empty() &&
         world.rod_segments.empty();
}

BarrierRange barrier_range(const Settings& settings, const Derived& derived) {
  return {derived.contact_distance, settings.contact.minimum_distance};
}

std::string describe_control(const World& world, int control) {
  for (const Body& body : world.bodies) {
    if (control >= body.first_control && control < body.first_control + body.control_count) {
      if (body.stiff >= 0) return fmt::format("'{}'", body.name);
      return fmt::format("'{}' node {}", body.name, control - body.first_control);
    }
  }
  return fmt::format("control {}", control);
}

std::unique_ptr<Ccd> ccd_of(const ContactSettings& settings) {
  std::unique_ptr<Ccd> ccd = make_ccd(settings.ccd);
  return settings.ccd_recorder ? make_recording_ccd(std::move(ccd), settings.ccd_recorder) : std::move(ccd);
}

}  // namespace

Derived derive(const World& world, const Settings& settings) {
  Derived derived;
  derived.length = scene_length(world);
  const Scaled& distance = settings.contact.distance;
  derived.contact_distance = distance.relative ? distance.value * derived.length : distance.value;
  if (settings.contact.enabled && distance.relative) {
    const double cap =
        largest_quiet_distance(world, derived.contact_distance, settings.contact.minimum_distance);
    derived.distance_capped = cap < derived.contact_distance;
    derived.contact_distance = cap;
  }
  const Scaled& speed = settings.contact.static_speed;
  derived.static_speed = speed.relative ? speed.value * derived.length : speed.value;
  derived.tolerance_speed = settings.solver.tolerance * derived.length;
  const double h = settings.time.step;
  const double scale = make_integrator(settings.time.integrator)->beta() * h * h;
  const BarrierRange range = barrier_range(settings, derived);
  const double mass = average_nodal_mass(world);
  const StiffnessBounds bounds = only_stiff_bodies(world)
                                     ? stiff_body_bounds(range, mass, scale)
                                     : stiffness_bounds(range, derived.length, mass, scale);
  derived.minimum_stiffness = bounds.minimum;
  derived.maximum_stiffness = bounds.maximum;
  derived.nodal_mass = mass;
  return derived;
}

Derived derive_after_change(const Derived& derived, const World& before, const World& world,
                            const Settings& settings) {
  if (before.lumped_mass.isZero(0)) return derive(world, settings);
  Derived next = derived;
  const bool softness_changes = only_stiff_bodies(before) != only_stiff_bodies(world);
  if (softness_changes && !world.lumped_mass.isZero(0)) next.nodal_mass = average_nodal_mass(world);
  return next;
}

StepSolver::StepSolver(World& world, const Settings& settings, const Derived& derived, Profile& profile)
    : world_(world),
      settings_(settings),
      derived_(derived),
      profile_(profile),
      mass_(mass_matrix(world)),
      nodal_mass_(derived.nodal_mass),
      psd_(psd_of(settings.solver.psd)),
      linear_(make_linear_solver(settings.solver.linear)),
      elasticity_(world.tetrahedra, world.rest, world.tetrahedron_material, world.materials),
      orthogonality_(world.stiff),
      shells_(world.shell_triangles, world.rest, world.shell_material, world.cloths),
      rods_(world.rod_segments, world.rest, world.rod_materials),
      joints_(world,
              make_integrator(settings.time.integrator)->beta() * settings.time.step * settings.time.step),
      damping_(world, joints_),
      objective_(mass_, world.stiff, profile) {
  objective_.set_followers(joints_.followers(), joints_.placing());
  if (!settings.contact.enabled) return;
  for (const StiffBody& body : world.stiff)
    world.collision.bodies[body.body].weight = body.mass / nodal_mass_;
  const BarrierRange range = barrier_range(settings, derived);
  contact_ = std::make_unique<BarrierContact>(
      world.collision, world.stiff,
      StepFilter(world.collision, make_broad_phase(settings.contact.broad_phase), ccd_of(settings.contact),
                 range.reach(), range.minimum_distance, profile),
      range, profile, [this](int vertex) { return describe_vertex(world_, vertex); });
  contact_->prepare(world.state.position);
  check_minimum_distance(world, *contact_);
  friction_ = std::make_unique<Friction>(world.collision, world.stiff, [this](int a, int b) {
    return friction_between(world_, a, b, settings_.contact.friction);
  });
  damping_.add_contact(world, settings.contact.restitution_damping, *contact_);
}

bool StepSolver::solve(double h, double time, const Integrator& integrator, StepReport& report) {
  State& state = world_.state;
  Vectors q = state.position;
  Prediction prediction = integrator.predict(state, h);
  SpinMomenta spin;
  if (integrator.follows_rotation()) spin = predict_stiff(world_.stiff, state, h, prediction);
  objective_.begin_step(prediction.target, prediction.beta * h * h);
  linear_->begin_step();
  external_.set_force(external_force(time, prediction.target), q);
  joints_.begin_step(state, h, time);
  rods_.begin_at(q);
  objective_.set_terms(terms());
  objective_.set_held(world_.held);
  if (contact_) {
    // Friction begins with the forces of the step before.
    contact_->set_stiffness(state.barrier_stiffness);
    contact_->prepare(q);
    loaded_stiffness_ = loaded_stiffness(*contact_);
    friction_->begin_step(q, derived_.static_speed, h);
    friction_->lag(*contact_);
  }
  objective_.prepare(q);
  set_stiffness(q, integrator);
  damping_.begin_step(q, prediction.reference, prediction.rate);
  if (!spin.empty()) begin_at_flight(q, prediction.target);
  if (!move_scripts(q, time, h, integrator, report) || !solve_with_friction(q, h, report)) return false;
  const VectorX joint_coordinates = joints_.coordinates(state, q);
  rods_.renew_directors(q);
  integrator.advance(state, q, h);
  state.joint_coordinates = joint_coordinates;
  state.joint_multipliers = joints_.multipliers();
  note_reactions(q);
  if (integrator.follows_rotation()) advance_stiff(world_.stiff, spin, prediction, state);
  state.barrier_stiffness = contact_ ? contact_->stiffness() : 0;
  return true;
}

/// What joints and supports carry at the end of a step.
void StepSolver::note_reactions(const Vectors& q) {
  const bool held = any_reactions(world_);
  if (world_.joints.empty() && !held) return;
  const double scale = objective_.scale();
  const Vectors gradient = objective_.inertia_gradient(q) + objective_.force_gradient(q);
  if (!world_.joints.empty()) joint_states_ = joints_.states(world_.state, gradient, scale);
  if (held) reactions_ = reactions_of(world_, q, gradient / scale - joints_.equation_forces(gradient, scale));
}

/// Moves stiff bodies along their free flight as far as nothing is in the way: a better place to begin at
/// than where they were.
void StepSolver::begin_at_flight(Vectors& q, const Vectors& target) {
  std::vector<char> touches(world_.collision.bodies.size(), 0);
  if (contact_) {
    for (const ContactPair& c : contact_->contacts()) {
      for (const int v : {c.vertex[0], c.second_side()}) touches[world_.collision.vertex_body[v]] = 1;
    }
  }
  ControlPath path;
  path.from = q;
  path.step = Vectors::Zero(3, q.cols());
  for (const StiffBody& body : world_.stiff) {
    const int first = body.first_control;
    if (world_.scripted[first]) continue;
    path.step.col(first) = target.col(first) - q.col(first);
    if (!touches[body.body] && world_.held[first] == 0)
      path.step.col(first) += objective_.scale() * settings_.gravity;
    turn_towards(target, body, path);
  }
  if (path.step.isZero(0)) return;
  path = objective_.coordinates().followed(std::move(path));
  // No deeper into contacts than the objective falls: there Newton's steps are as small as the gap, so that a
  // solve would end on the spot, and the gap would shrink from step to step.
  const double before = objective_.energy(q);
  constexpr int attempts = 8;
  double part = objective_.largest_step(path).step;
  for (int attempt = 0; attempt < attempts; ++attempt, part /= 2) {
    Vectors there = q;
    if (!objective_.reach(path, smallest_part, part, there) || !(objective_.energy(there) <= before))
      continue;
    q = there;
    objective_.prepare(q);
    return;
  }
}

/// Solves, and renews the multipliers of joints until their equations hold.
bool StepSolver::solve_with_joints(Vectors& q, double h, StepReport& report) {
  for (int round = 0; round < max_joint_rounds; ++round) {
    const SolveRecord record =
        minimise(objective_, *linear_, q, newton_options(derived_.tolerance_speed, h), profile_);
    add_to(report, record, h);
    if (record.outcome != Outcome::converged) return false;
    if (!joints_.renew_multipliers(q)) return true;
  }
  joints_.warn_of_open_joints(q);
  return true;
}

/// Solves, and where there is friction updates its lagged forces and solves again, as often as is asked for.
bool StepSolver::solve_with_friction(Vectors& q, double h, StepReport& report) {
  const int wanted = settings_.contact.friction_iterations;
  const int most = wanted > 0 ? wanted : max_friction_updates;
  const bool rubs = contact_ && any_friction();
  for (int update = 1;; ++update) {
    const int before = report.newton_iterations;
    if (!solve_with_joints(q, h, report)) return false;
    report.friction_updates = update;
    if (!rubs) return true;
    // Settled when the forces of the last configuration leave nothing to do.
    report.friction_converged = update > 1 && report.newton_iterations - before <= 1;
    if (report.friction_converged || update == most) return true;
    friction_->lag(*contact_);
    if (update == 1 && !friction_->active()) {
      report.friction_converged = true;
      return true;
    }
  }
}

/// Moves scripted controls as far as nothing is in the way; where something is, pulls them on together with
/// the solve. Returns false when they do not arrive.
bool StepSolver::move_scripts(Vectors& q, double time, double h, const Integrator& integrator,
                              StepReport& report) {
  const Vectors start = q;
  const Vectors target = script_targets(world_, rods_, q, time);
  if (target == start) return true;
  const ControlPath path = objective_.coordinates().followed(script_path(world_, q, target));
  double part = objective_.largest_step(path).step;
  const bool reached = objective_.reach(path, smallest_part, part, q);
  const bool free_way = reached && part >= 1;
  if (!reached) q = start;
  if (free_way && !objective_.coordinates().any_followers()) q = target;  // to the last bit
  objective_.prepare(q);
  set_stiffness(q, integrator);
  return free_way || pull_scripts(q, start, target, h, report);
}

bool StepSolver::pull_scripts(Vectors& q, const Vectors& start, const Vectors& target, double h,
                              StepReport& report) {
  std::vector<int> moving;
  std::vector<HeldAxes> held = world_.held;
  VectorX mass = world_.lumped_mass;
  for (int i = 0; i < world_.control_count(); ++i) {
    if (!(mass[i] > 0)) mass[i] = mass_.coeff(i, i) > 0 ? mass_.coeff(i, i) : nodal_mass_;
    if (world_.scripted[i] && target.col(i) != start.col(i)) {
      moving.push_back(i);
      held[i] = 0;
    }
  }
  const double scale = objective_.scale();
  pull_.begin(moving, mass, start, target,
              (only_stiff_bodies(world_) ? first_pull_of_stiff : first_pull) / scale);
  std::vector<Term*> with_pull = terms();
  with_pull.push_back(&pull_);
  objective_.set_terms(with_pull);
  objective_.set_held(held);
  bool done = false;
  for (int round = 0; round < max_pull_rounds; ++round) {
    NewtonOptions options = newton_options(std::max(1e-2 * derived_.length, derived_.tolerance_speed), h);
    options.after_step = [this, adapt = options.after_step](const Vectors& x) {
      adapt(x);
      return pull_.progress(x) >= arrived;
    };
    const SolveRecord record = minimise(objective_, *linear_, q, options, profile_);
    add_to(report, record, h);
    const double progress = pull_.progress(q);
    done = progress >= arrived;
    if (done || record.outcome != Outcome::converged) break;
    if (progress < nearly_arrived && pull_.stiffness() * scale < stiffest_pull) {
      pull_.stiffen();
    } else {
      pull_.update_multipliers(q);
    }
  }
  objective_.set_terms(terms());
  objective_.set_held(world_.held);
  objective_.prepare(q);
  if (!done) report.outcome = Outcome::script_blocked;
  return done;
}

/// The barrier stiffness for the configuration q: the user's, or the one that balances the other forces.
/// Raising it under a contact that is compressed does work, which only a dissipative integrator swallows; the
/// others keep the stiffness while contacts last.
void StepSolver::set_stiffness(const Vectors& q, const Integrator& integrator) {
  if (!contact_) return;
  if (settings_.contact.stiffness) return contact_->set_stiffness(*settings_.contact.stiffness);
  const double last = world_.state.barrier_stiffness;
  if (only_stiff_bodies(world_) && integrator.dissipates()) {
    // What was raised for a hard impact is let go again slowly.
    return contact_->set_stiffness(std::clamp(0.5 * last, bounds().minimum, bounds().maximum));
  }
  const bool keep = !integrator.dissipates() && last > 0 && !contact_->contacts().empty();
  contact_->set_stiffness(
      keep ? last
           : std::max(loaded_stiffness_,
                      balancing_stiffness(objective_, *contact_, world_.collision, q, bounds())));
}

StiffnessBounds StepSolver::bounds() const {
  if (only_stiff_bodies(world_)) {
    return stiff_body_bounds(contact_->range(), nodal_mass_, objective_.scale());
  }
  StiffnessBounds bounds =
      stiffness_bounds(contact_->range(), derived_.length, nodal_mass_, objective_.scale());
  bounds.maximum = std::max(bounds.maximum, loaded_stiffness_);
  return bounds;
}

NewtonOptions StepSolver::newton_options(double tolerance_speed, double h) {
  NewtonOptions options;
  options.tolerance = tolerance_speed * h;
  options.max_iterations = settings_.solver.max_iterations;
  options.psd = psd_;
  const bool adaptive = contact_ && !settings_.contact.stiffness;
  options.after_step = [this, adaptive,
                        distance = contact_ ? contact_->min_distance() : 0](const Vectors&) mutable {
    if (!adaptive) return false;
    const double tiny =
        only_stiff_bodies(world_) ? 1e-4 * contact_->range().distance : 1e-9 * derived_.length;
    contact_->set_stiffness(
        adapted_stiffness(contact_->stiffness(), distance, contact_->min_distance(), tiny, bounds()));
    distance = contact_->min_distance();
    return false;
  };
  return options;
}

/// Gravity, loads and torques. A torque t on a stiff body is the force 1/2 t x a_k on the columns of its A:
/// together they turn it by t and stretch nothing.
Vectors StepSolver::external_force(double time, const Vectors& q) const {
  Vectors force = settings_.gravity * world_.lumped_mass.transpose();
  for (const Load& load : world_.loads) {
    const Vector3 value = load.value.at(time);
    for (std::size_t k = 0; k < load.controls.size(); ++k)
      force.col(load.controls[k]) += load.shares[k] * value;
  }
  for (const Torque& torque : world_.torques) {
    const StiffBody& body = world_.stiff[torque.stiff];
    const Vector3 half = 0.5 * torque.value.at(time);
    for (int k = body.first_control + 1; k < body.first_control + 4; ++k)
      force.col(k) += half.cross(Vector3(q.col(k)));
  }
  add_applied_forces(world_, q, force);
  return force;
}

std::vector<Term*> StepSolver::terms() {
  std::vector<Term*> all = {&elasticity_, &orthogonality_, &external_};
  for (const JointSystem::Energy& energy : joints_.energies()) all.push_back(energy.term.get());
  if (!world_.shell_triangles.empty()) all.push_back(&shells_);
  if (!world_.rod_segments.empty()) all.push_back(&rods_);
  if (contact_) all.insert(all.end(), {contact_.get(), friction_.get()});
  for (const auto& damping : damping_.terms()) all.push_back(damping.get());
  return all;
}

void StepSolver::add_to(StepReport& report, const SolveRecord& record, double h) const {
  report.outcome = record.outcome;
  report.newton_iterations += record.iterations;
  report.linear_solves += record.linear_solves;
  report.newton_speed = record.step_size / h;
  if (record.worst_control >= 0) report.worst_point = describe_control(world_, record.worst_control);
  if (record.smallest_step < report.smallest_step) {
    report.smallest_step = record.smallest_step;
    report.limiting_pair = record.smallest_cause;
  }
}

bool StepSolver::any_friction() const {
  if (settings_.contact.friction > 0 || !world_.friction_pairs.empty()) return true;
  for (const Body& body : world_.bodies) {
    if (body.friction.value_or(0) > 0) return true;
  }
  return false;
}

void StepSolver::set_start_acceleration() {
  Vectors gradient = -external_force(world_.state.time, world_.state.position);
  elasticity_.add_gradient(world_.state.position, gradient);
  shells_.add_gradient(world_.state.position, gradient);
  rods_.add_gradient(world_.state.position, gradient);
  for (int i = 0; i < world_.control_count(); ++i) {
    if (!world_.scripted[i] && world_.lumped_mass[i] > 0) {
      world_.state.acceleration.col(i) = -gradient.col(i) / world_.lumped_mass[i];
    }
  }
  for (const StiffBody& body : world_.stiff) {
    if (world_.scripted[body.first_control]) continue;
    const Matrix3 force = -gradient.middleCols<3>(body.first_control + 1);
    world_.state.acceleration.middleCols<3>(body.first_control + 1) = force * body.second_moment.inverse();
  }
}

void StepSolver::restored() {
  joints_.renew_drives();
  joint_states_.clear();
  reactions_.clear();
  if (!contact_) return;
  contact_->begin_step();
  contact_->set_stiffness(world_.state.barrier_stiffness);
  contact_->prepare(world_.state.position);
}

Energies StepSolver::energies() {
  Energies e;
  const State& s = world_.state;
  for (int axis = 0; axis < 3; ++axis) {
    const VectorX v = s.velocity.row(axis).transpose();
    e.kinetic += 0.5 * v.dot(mass_ * v);
  }
  rods_.begin_at(s.position);
  e.elastic = elasticity_.energy(s.position) + orthogonality_.energy(s.position) +
              shells_.energy(s.position) + rods_.energy(s.position) + joints_.stored_energy(s);
  e.gravity = -settings_.gravity.dot(s.position * world_.lumped_mass);
  if (contact_) e.contact = contact_->energy(s.position);
  return e;
}

Vectors StepSolver::vertex_contact_forces() {
  if (!contact_) return Vectors::Zero(3, world_.collision.vertex_count());
  Vectors gradient = contact_->stiffness() * contact_->unit_vertex_gradient();
  friction_->add_vertex_gradient(world_.state.position, gradient);
  for (const ContactDamping& damping : contact_damping()) {
    for (int i = 0; i < damping.pair.vertices(); ++i)
      gradient.col(damping.pair.vertex[i]) -= damping.weight[i] * damping.force;
  }
  return -gradient;
}

}  // namespace bulwark
