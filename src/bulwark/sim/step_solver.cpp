#include <bulwark/base/error.hpp>
#include <bulwark/collision/ccd_recorder.hpp>
#include <bulwark/integrate/stiff_motion.hpp>
#include <bulwark/math/rotation.hpp>
#include <bulwark/sim/applied_forces.hpp>
#include <bulwark/sim/body_nodes.hpp>
#include <bulwark/sim/name_parts.hpp>
#include <bulwark/sim/plane_axes.hpp>
#include <bulwark/sim/pushed_bodies.hpp>
#include <bulwark/sim/scripted_motion.hpp>
#include <bulwark/sim/start_check.hpp>
#include <bulwark/sim/statics.hpp>
#include <bulwark/sim/step_solver.hpp>

#include <fmt/format.h>
#include <Eigen/SparseCholesky>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace bulwark {
namespace {

/// A script has arrived when this part of its path is done; below the second its pull is stiffened, above it
/// the multipliers do the rest.
constexpr double arrived = 0.999;
constexpr double nearly_arrived = 0.99;
constexpr int max_pull_rounds = 60;
/// A script whose multipliers grow over this many rounds without taking this part off the remaining path is
/// blocked for good: at that rate it would not arrive in the rounds there are.
constexpr std::size_t patient_rounds = 8;
constexpr double least_gain = 0.3;
/// And one whose path does not get shorter by this part in this many iterations.
constexpr double least_gain_of_iterations = 0.01;
constexpr int patient_iterations = 100;
/// Stiffness of the pull at first, and where stiffening ends, relative to the inertia of the controls.
constexpr double first_pull = 1e6, stiffest_pull = 1e8;
/// Where a script meets stiff bodies alone the barrier is softer, and a harder pull would only close the gaps.
constexpr double first_pull_of_stiff = 1e3;
/// Part of a path below which it counts as blocked.
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

std::vector<int> body_of_controls(const World& world) {
  std::vector<int> body(world.control_count(), -1);
  for (std::size_t b = 0; b < world.bodies.size(); ++b)
    std::fill_n(body.begin() + world.bodies[b].first_control, world.bodies[b].control_count,
                static_cast<int>(b));
  return body;
}

/// Obstacles move in a solve only where something blocks them: the smallest tolerance serves.
VectorX tolerance_speeds(const World& world, const Derived& derived, const std::vector<int>& control_body) {
  VectorX speed(world.control_count());
  for (int c = 0; c < world.control_count(); ++c)
    speed[c] = std::isfinite(derived.bodies[control_body[c]].tolerance_speed)
                   ? derived.bodies[control_body[c]].tolerance_speed
                   : derived.tolerance_speed;
  return speed;
}

double regular_time_scale(const Settings& settings) {
  if (is_static(settings)) return static_time * static_time;
  return make_integrator(settings.time.integrator)->beta() * settings.time.step * settings.time.step;
}

/// Part of what energy has fallen by that BDF-2 may still come back to, step by step.
constexpr double kept_of_earlier_energy = 0.75;

/// Part of the energy that a step turns over by which it may gain. That of vibrations goes up and down where
/// the integrator does not take it.
double energy_tolerance(const Integrator& integrator) {
  return integrator.dissipates() ? 1e-3 : 3e-2;
}

std::unique_ptr<Ccd> ccd_of(const ContactSettings& settings) {
  std::unique_ptr<Ccd> ccd = make_ccd(settings.ccd);
  return settings.ccd_recorder ? make_recording_ccd(std::move(ccd), settings.ccd_recorder) : std::move(ccd);
}

}  // namespace

StepSolver::StepSolver(World& world, const Settings& settings, const Derived& derived, Profile& profile)
    : world_(world),
      settings_(settings),
      derived_(derived),
      profile_(profile),
      mass_(mass_matrix(world)),
      control_body_(body_of_controls(world)),
      tolerance_speed_(tolerance_speeds(world, derived, control_body_)),
      scales_(contact_scales(world, settings, derived, regular_time_scale(settings))),
      psd_(psd_of(settings.solver.psd)),
      linear_(make_linear_solver(settings.solver.linear)),
      elastic_(make_elastic_terms(world.elements, world.rest)),
      orthogonality_(world.stiff),
      joints_(world, regular_time_scale(settings), by_adamw() ? first_order_springs : newton_springs),
      damping_(world, joints_),
      objective_(mass_, world.lever, world.stiff, profile) {
  accelerations_count_ = make_integrator(settings.time.integrator)->needs_acceleration();
  objective_.set_followers(joints_.followers(), joints_.placing());
  objective_.set_roles(world.roles);
  linear_->set_stop(settings.stop);
  if (!settings.contact.enabled) return;
  StepFilter filter(world.collision, make_broad_phase(settings.contact.broad_phase), ccd_of(settings.contact),
                    scales_, profile);
  filter.set_stop(settings.stop);
  contact_ =
      std::make_unique<BarrierContact>(world.collision, world.stiff, std::move(filter), scales_, profile);
  adaptive_ = std::make_unique<AdaptiveContact>(world, scales_, *contact_, control_body_);
  adaptive_->recall();
  contact_->prepare(world.state.position);
  check_minimum_distance(world, *contact_);
  friction_ = std::make_unique<Friction>(world.collision, world.stiff, [this](int a, int b) {
    return friction_between(world_, a, b, settings_.contact.friction);
  });
  const bool resists = std::any_of(world.bodies.begin(), world.bodies.end(), [](const Body& body) {
    return body.rolling_resistance > 0 || body.spinning_resistance > 0;
  });
  if (resists) {
    resistance_ = std::make_unique<RollingResistance>(world.collision, world.stiff, [this](int a, int b) {
      const Body &first = world_.bodies[a], &second = world_.bodies[b];
      return ResistanceCoefficients{std::max(first.rolling_resistance, second.rolling_resistance),
                                    std::max(first.spinning_resistance, second.spinning_resistance)};
    });
  }
  damping_.add_contact(settings.contact.restitution_damping, *contact_);
  models_ = make_contact_models(world, settings, derived);
}

/// Takes over the forces of contacts as they are now.
void StepSolver::lag_friction() {
  friction_->lag(*contact_);
  if (resistance_) resistance_->lag(*contact_);
}

/// The same of all contacts, those that are no barrier too, where a step is solved again from q.
void StepSolver::lag_contacts(const Vectors& q) {
  if (contact_) lag_friction();
  for (const auto& model : models_) model->lag(q);
}

bool StepSolver::solve(double h, double time, const Integrator& integrator, StepReport& report) {
  State& state = world_.state;
  Vectors q = state.position;
  const State before = state;
  if (adaptive_) adaptive_->recall();  // an attempt that failed may have left other factors
  const bool statics = integrator.is_static();
  if (statics) h = static_time;
  const Energies energies_before = settings_.solver.check_energy && !statics ? energies() : Energies();
  Prediction prediction = integrator.predict(state, h);
  const SpinMomenta spin = predict_stiff(world_.stiff, state, h, prediction);
  contact_weight_ = prediction.contact_weight();
  objective_.begin_step(prediction.target, prediction.beta * h * h);
  linear_->begin_step();
  external_.set_force(external_force(time, prediction.target), q);
  // In a step without end nothing is damped.
  joints_.begin_step(state, statics ? std::numeric_limits<double>::infinity() : h, time);
  for (const auto& term : elastic_) term->begin_at(q);
  // Newmark takes contact's force at the end twice, BDF-2 has the whole change of it at the step's end.
  const double neutral = prediction.from_acceleration ? 0.5 : prediction.from_history ? 1.0 : 0.0;
  for (const auto& model : models_)
    model->begin_step({h, time, statics, neutral, prediction.beta * contact_weight_});
  objective_.set_terms(terms());
  objective_.set_held(world_.held);
  if (contact_) {
    adaptive_->begin_step();
    // Friction begins with the forces of the step before.
    const std::vector<ExpectedTurn> turns =
        expected_turns(world_.stiff, q, state.velocity, prediction.target, h);
    friction_->begin_step(q, turns, h);
    if (resistance_) resistance_->expect(turns, h);
    lag_friction();
  }
  objective_.prepare(q);
  const bool keeps_energy = contact_weight_ > 1;
  EnergyStep energy;
  if (keeps_energy) energy.begin = contact_moment(q, q);
  if (adaptive_) adaptive_->set_factors(q, integrator, objective_);
  if (!statics) damping_.begin_step(q, prediction.reference, prediction.rate);
  if (!spin.empty()) begin_at_flight(q, prediction.target, load_factor(settings_, time) * settings_.gravity);
  if (!move_scripts(q, time, h, integrator, report)) return false;
  if (!(statics ? come_to_rest(q, time, report) : solve_with_friction(q, h, report))) return false;
  const VectorX joint_coordinates = joints_.coordinates(state, q);
  if (keeps_energy) {
    energy.end = contact_moment(q, before.position);
    // The trapezoidal rule takes half of the forces from each end of the step.
    energy.loads = 0.5 * (external_force(time - h, before.position) + external_.force());
  }
  for (const auto& term : elastic_) term->end_at(q);
  integrator.advance(state, q, h);
  for (const auto& model : models_) model->end_step(q, state);
  state.joint_coordinates = joint_coordinates;
  state.joint_multipliers = joints_.multipliers();
  const Vectors gradient = objective_.inertia_gradient(q) + objective_.force_gradient(q);
  report.residual = objective_.residual(q, gradient);
  note_reactions(q, gradient);
  advance_stiff(world_.stiff, spin, prediction, state);
  if (accelerations_count_) leave_out_contact_forces();
  if (keeps_energy) keep_energy_of(energy, before);
  if (!state.velocity.allFinite() || !state.acceleration.allFinite()) {
    state = before;
    report.outcome = Outcome::not_finite;
    return false;
  }
  if (adaptive_) adaptive_->remember();
  verdict_ = statics ? StepVerdict() : judge(before, energies_before, integrator, prediction, gradient);
  return true;
}

/// What joints and supports carry at the end of a step, from the objective's gradient there.
void StepSolver::note_reactions(const Vectors& q, const Vectors& gradient) {
  const bool held = any_reactions(world_);
  if (world_.joints.empty() && !held) return;
  const double scale = objective_.scale();
  if (!world_.joints.empty()) carried_.joints = joints_.states(world_.state, gradient, scale);
  if (!held) return;
  Vectors carried = gradient / scale - joints_.equation_forces(gradient, scale);
  if (contact_ && contact_weight_ > 1) carried -= (contact_weight_ - 1) * gradient_of_contacts(q);
  carried_.reactions = reactions_of(world_, q, carried);
}

/// The work that scripts, loads and joints may have done in the step from `before` to the state (J): the
/// largest that their forces at its end, by the objective's gradient there, can have done along the path.
double StepSolver::work_done(const State& before, const Vectors& gradient) {
  const State& state = world_.state;
  const Vectors motion = state.position - before.position;
  double work = 0;
  const Vectors all = gradient / objective_.scale();
  const Vectors loads = external_.force() - settings_.gravity * world_.gravity_mass.transpose();
  for (int c = 0; c < world_.control_count(); ++c) {
    const double way = motion.col(c).norm();
    if (world_.scripted[c]) work += std::max(all.col(c).norm(), pull_force_[c]) * way;
    work += loads.col(c).norm() * way;
  }
  Vectors joint = Vectors::Zero(3, world_.control_count());
  for (const JointSystem::Energy& energy : joints_.energies()) {
    joint.setZero();
    energy.term->add_gradient(state.position, joint);
    work += 2 * std::abs(joint.cwiseProduct(motion).sum());
  }
  return work + work_of_models(before);
}

void StepSolver::add_model_gradients(const Vectors& q, Vectors& gradient) const {
  for (const auto& model : models_) {
    for (const Term* term : model->terms()) term->add_gradient(q, gradient);
  }
}

/// What contacts that are no barrier may have done: what they store is in no energy, for the overlap of the
/// next step has another potential.
double StepSolver::work_of_models(const State& before) const {
  if (models_.empty()) return 0;
  double work = 0;
  for (const auto& model : models_) {
    for (const Term* term : model->terms())
      work += std::abs(term->energy(before.position) - term->energy(world_.state.position));
  }
  Vectors gradient = Vectors::Zero(3, world_.control_count());
  add_model_gradients(world_.state.position, gradient);
  return contact_weight_ *
         (work + 2 * gradient.cwiseProduct(world_.state.position - before.position).cwiseAbs().sum());
}

StepVerdict StepSolver::judge(const State& before, const Energies& energies_before,
                              const Integrator& integrator, const Prediction& prediction,
                              const Vectors& gradient) {
  StepVerdict verdict;
  const bool looks_back = prediction.from_history;
  if (settings_.solver.check_energy && (integrator.dissipates() || contact_weight_ > 1 || looks_back)) {
    const Energies after = energies();
    const double work = work_done(before, gradient);
    const double turned_over =
        energies_before.kinetic + energies_before.elastic + energies_before.contact + work;
    // What a motion by the tolerance is worth, and contact within its distance.
    double tolerated = 0;
    for (int c = 0; c < world_.control_count(); ++c)
      tolerated += world_.gravity_mass[c] * tolerance_speed_[c] * tolerance_speed_[c];
    double layer = 0;
    if (contact_) {
      std::vector<char> touches(world_.bodies.size(), 0);
      for (const ContactPair& c : contact_->contacts()) {
        for (const int v : {c.vertex[0], c.second_side()}) touches[world_.collision.vertex_body[v]] = 1;
      }
      for (std::size_t b = 0; b < touches.size(); ++b) {
        const Body& body = world_.bodies[b];
        if (!touches[b] || body.is_obstacle()) continue;
        layer += mass_of(world_, body) * settings_.gravity.norm() * derived_.bodies[b].contact_distance;
      }
    }
    const double allowed = energy_tolerance(integrator) * turned_over + tolerated +
                           2 * std::sqrt(2 * energies_before.kinetic * tolerated) + layer;
    // BDF-2 takes two thirds of an impulse in a step and the remainder in those that follow: its energy falls
    // and comes back.
    const double now = energies_before.total();
    const double had = looks_back ? std::max(now, before.earlier_energy) : now;
    world_.state.earlier_energy = now + kept_of_earlier_energy * (had - now) + work;
    const double gain = after.total() - had - work - allowed;
    verdict.energy_gain = std::isfinite(gain) ? std::max(0.0, gain) : BodyScale::none;
  }
  if (settings_.solver.check_passing && contact_) {
    ControlPath direct = {before.position, world_.state.position - before.position, {}};
    for (const StiffBody& body : world_.stiff) turn_towards(world_.state.position, body, direct);
    verdict.passed = contact_->passed(direct);
  }
  return verdict;
}

ContactMoment StepSolver::contact_moment(const Vectors& q, const Vectors& before) {
  ContactMoment moment;
  // Affine bodies store next to nothing.
  moment.elastic = VectorX::Zero(q.cols());
  for (const auto& term : elastic_) term->add_energies(q, moment.elastic);
  moment.contact_gradient = Vectors::Zero(3, q.cols());
  if (!contact_) return moment;
  moment.contacts = contact_->shares(vertex_positions(world_.collision, q - before));
  contact_->add_gradient(q, moment.contact_gradient);
  return moment;
}

/// Of all that acts between bodies that touch.
Vectors StepSolver::gradient_of_contacts(const Vectors& q) {
  Vectors gradient = Vectors::Zero(3, q.cols());
  contact_->add_gradient(q, gradient);
  friction_->add_gradient(q, gradient);
  if (resistance_) resistance_->add_gradient(q, gradient);
  if (damping_.of_contact() != nullptr) damping_.of_contact()->add_gradient(q, gradient);
  add_model_gradients(q, gradient);
  return gradient;
}

/// Implicit contact has acted by its forces at the end of the step: they do not enter the next prediction.
void StepSolver::leave_out_contact_forces() {
  if (!response_) response_ = std::make_unique<ForceResponse>(world_, mass_);
  if (!contact_) return;
  State& state = world_.state;
  state.acceleration += contact_weight_ * (*response_)(state.position, gradient_of_contacts(state.position));
}

/// Corrects velocities for the energy that the step should not have given or taken (energy_keeping.hpp).
void StepSolver::keep_energy_of(EnergyStep& step, const State& before) {
  State& state = world_.state;
  // What overlaps store is in no energy, so that there is none to keep.
  if (!models_.empty()) return;
  const bool lossy = (friction_ && friction_->active()) || resistance_ || !damping_.terms().empty();
  step.rule = lossy ? EnergyRule::not_more : EnergyRule::kept;
  keep_energy(world_, mass_, *response_, step, before, state);
}

/// Moves stiff bodies along their free flight as far as nothing is in the way: a better place to begin at
/// than where they were.
void StepSolver::begin_at_flight(Vectors& q, const Vectors& target, const Vector3& gravity) {
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
    if (!touches[body.body] && held_besides_plane(world_, first) == 0)
      path.step.col(first) += objective_.scale() * gravity;
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
bool StepSolver::solve_with_joints(Vectors& q, double h, StepReport& report, const NewtonLimits& limits) {
  for (int round = 0; round < max_joint_rounds; ++round) {
    NewtonOptions options = newton_options(limits.times_tolerance, h, report);
    options.max_iterations = std::min(options.max_iterations, limits.iterations);
    const SolveRecord record = minimise_objective(q, h, options, report);
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
  const bool rubs = (contact_ && any_friction()) || resistance_ || !models_.empty();
  for (int update = 1;; ++update) {
    const int before = report.iterations();
    if (!solve_with_joints(q, h, report, {})) return false;
    report.friction_updates = update;
    if (!rubs) return true;
    // Settled when the forces of the last configuration leave nothing to do.
    report.friction_converged = update > 1 && report.iterations() - before <= 1;
    if (report.friction_converged || update == most) return true;
    lag_contacts(q);
    if (update == 1 && !friction_->active() && !(resistance_ && resistance_->active()) && models_.empty()) {
      report.friction_converged = true;
      return true;
    }
  }
}

/// Moves scripted controls as far as nothing is in the way; where something is, pulls them on together with
/// the solve. Returns false when they do not arrive.
bool StepSolver::move_scripts(Vectors& q, double time, double h, const Integrator& integrator,
                              StepReport& report) {
  pull_force_.setZero(world_.control_count());
  const Vectors start = q;
  const Vectors target = script_targets(world_, q, time);
  if (target == start) return true;
  const ControlPath path = objective_.coordinates().followed(script_path(world_, q, target));
  const StepLimit limit = objective_.largest_step(path);
  double part = limit.step;
  const bool reached = objective_.reach(path, smallest_part, part, q);
  const bool free_way = reached && part >= 1;
  if (!reached) q = start;
  if (free_way && !objective_.coordinates().any_followers()) q = target;  // to the last bit
  objective_.prepare(q);
  if (adaptive_) adaptive_->set_factors(q, integrator, objective_);
  return free_way || pull_scripts(q, start, target, limit.cause, h, report);
}

/// The largest force that pulls have had in this step: what they press may have got away since.
void StepSolver::note_pull(const std::vector<int>& moving, const Vectors& q) {
  Vectors gradient = Vectors::Zero(3, q.cols());
  pull_.add_gradient(q, gradient);
  for (const int control : moving)
    pull_force_[control] = std::max(pull_force_[control], gradient.col(control).norm());
}

bool StepSolver::pull_scripts(Vectors& q, const Vectors& start, const Vectors& target,
                              const LimitCause& blocker, double h, StepReport& report) {
  std::vector<int> moving;
  std::vector<HeldAxes> held = world_.held;
  VectorX mass = world_.gravity_mass;
  PushedBodies pushed(world_, contact_.get(), blocker);
  const double scale = objective_.scale();
  std::vector<double> pulls;  // of what moves
  double otherwise = 1, first = first_pull;
  for (int i = 0; i < world_.control_count(); ++i) {
    if (!world_.scripted[i] || target.col(i) == start.col(i)) continue;
    if (moving.empty() || control_body_[i] != control_body_[moving.back()]) {
      const std::vector<int> bodies = pushed.of(control_body_[i]);
      otherwise = average_mass(world_, bodies);
      const bool all_stiff =
          std::all_of(bodies.begin(), bodies.end(), [&](int b) { return world_.bodies[b].is_stiff(); });
      first = all_stiff ? first_pull_of_stiff : first_pull;
    }
    if (!(mass[i] > 0)) mass[i] = mass_.coeff(i, i) > 0 ? mass_.coeff(i, i) : otherwise;
    moving.push_back(i);
    pulls.push_back(first / scale);
    held[i] = plane_axes(world_, i);
  }
  pull_.begin(moving, mass, start, target,
              Eigen::Map<const VectorX>(pulls.data(), static_cast<Eigen::Index>(pulls.size())));
  std::vector<WeightedTerm> with_pull = terms();
  with_pull.push_back(&pull_);
  objective_.set_terms(with_pull);
  objective_.set_held(held);
  bool done = false, stuck = false;
  std::vector<double> left;  // at the ends of the rounds with multipliers
  for (int round = 0; round < max_pull_rounds; ++round) {
    // Where scripts stand in between, rough answers do.
    NewtonOptions options = newton_options(std::max(1e-2 / settings_.solver.tolerance, 1.0), h, report);
    options.after_step = [this, &stuck, adapt = options.after_step, least = 1 - pull_.progress(q),
                          iterations = 0](const Vectors& x) mutable {
      if (adapt) adapt(x);
      const double now = 1 - pull_.progress(x);
      ++iterations;
      if (now < (1 - least_gain_of_iterations) * least) {
        least = now;
        iterations = 0;
      }
      stuck = iterations >= patient_iterations;
      return stuck || now <= 1 - arrived;
    };
    // A pull is many times stiffer than what it moves: too stiff for a method of the first order.
    const SolveRecord record = minimise(objective_, *linear_, q, options, profile_);
    report.newton_iterations += record.iterations;
    add_to(report, record, h);
    note_pull(moving, q);
    const double progress = pull_.progress(q);
    done = progress >= arrived;
    if (done || stuck || record.outcome != Outcome::converged) break;
    if (!(progress < nearly_arrived && pull_.stiffen(stiffest_pull / scale))) {
      pull_.update_multipliers(q);
      left.push_back(1 - progress);
      const std::size_t rounds = left.size();
      if (rounds > patient_rounds && left[rounds - 1] > (1 - least_gain) * left[rounds - 1 - patient_rounds])
        break;
    }
  }
  objective_.set_terms(terms());
  objective_.set_held(world_.held);
  objective_.prepare(q);
  if (!done && report.outcome != Outcome::work_limit) report.outcome = Outcome::script_blocked;
  return done;
}

NewtonOptions StepSolver::newton_options(double times_tolerance, double h, const StepReport& report) {
  NewtonOptions options;
  options.tolerance = (times_tolerance * h) * tolerance_speed_;
  options.rule = settings_.solver.newton;
  options.max_iterations = std::min(settings_.solver.max_iterations,
                                    settings_.solver.max_step_iterations - report.newton_iterations);
  options.stop = settings_.stop;
  options.psd = psd_;
  if (settings_.solver.record_system) {
    options.record_system = [this](const LinearSystem& system) {
      settings_.solver.record_system(world_.state.step + 1, system);
    };
  }
  if (!adaptive_) return options;
  if (auto watch = adaptive_->watch_gaps()) {
    options.after_step = [watch = std::move(watch)](const Vectors& q) {
      watch(q);
      return false;
    };
  }
  return options;
}

/// By the method that the scene asks for.
SolveRecord StepSolver::minimise_objective(Vectors& q, double h, const NewtonOptions& options,
                                           StepReport& report) {
  SolveRecord record;
  if (by_adamw()) {
    const AdamwRule& rule = settings_.solver.adamw;
    const int left = rule.max_step_iterations - report.adamw_iterations;
    record = minimise_by_adamw(
        objective_, q,
        {rule, h, options.tolerance, std::min(rule.max_iterations, left), options.after_step, options.stop},
        profile_);
    report.adamw_iterations += record.iterations;
  } else {
    record = minimise(objective_, *linear_, q, options, profile_);
    report.newton_iterations += record.iterations;
  }
  add_to(report, record, h);
  return record;
}

/// Gravity, loads and torques. Those of statics that are constant grow with time.
Vectors StepSolver::external_force(double time, const Vectors& q) const {
  const double factor = load_factor(settings_, time);
  auto value_of = [&](const Table& table) -> Vector3 {
    return table.times.empty() ? factor * table.at(time) : table.at(time);
  };
  Vectors force = factor * settings_.gravity * world_.gravity_mass.transpose();
  for (const Load& load : world_.loads) {
    const Vector3 value = value_of(load.value);
    for (std::size_t k = 0; k < load.controls.size(); ++k)
      force.col(load.controls[k]) += load.shares[k] * value;
  }
  for (const Torque& torque : world_.torques) {
    add_torque(world_.stiff[torque.stiff], value_of(torque.value), q, force);
  }
  add_applied_forces(world_, q, force);
  return force;
}

std::vector<WeightedTerm> StepSolver::terms() {
  std::vector<WeightedTerm> all;
  for (const auto& term : elastic_) all.emplace_back(term.get());
  all.insert(all.end(), {&orthogonality_, &external_});
  for (const JointSystem::Energy& energy : joints_.energies()) all.emplace_back(energy.term.get());
  if (contact_)
    all.insert(all.end(), {{contact_.get(), contact_weight_}, {friction_.get(), contact_weight_}});
  if (resistance_) all.emplace_back(resistance_.get(), contact_weight_);
  for (const auto& model : models_) {
    for (Term* term : model->terms()) all.emplace_back(term, contact_weight_);
  }
  if (is_static(settings_)) return all;
  for (const auto& damping : damping_.terms())
    all.emplace_back(damping.get(), damping.get() == damping_.of_contact() ? contact_weight_ : 1);
  return all;
}

void StepSolver::add_to(StepReport& report, const SolveRecord& record, double h) const {
  report.outcome = record.outcome;
  const SolverSettings& solver = settings_.solver;
  if (record.outcome == Outcome::iteration_limit &&
      (report.newton_iterations >= solver.max_step_iterations ||
       (by_adamw() && report.adamw_iterations >= solver.adamw.max_step_iterations)))
    report.outcome = Outcome::work_limit;
  report.linear_solves += record.linear_solves;
  report.linear_iterations += record.linear_iterations;
  report.newton_speed = record.step_size / h;
  report.residual = record.residual;
  if (record.worst_control >= 0) {
    report.worst_point = part_of_control(world_, record.worst_control);
    report.tolerance_speed = tolerance_speed_[record.worst_control];
  }
  if (record.smallest_step < report.smallest_step) {
    report.smallest_step = record.smallest_step;
    report.limited_by = culprit_of(world_, record.smallest_cause);
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
  for (const auto& term : elastic_) term->add_gradient(world_.state.position, gradient);
  // M a = -gradient over what moves. Rows of controls without a mass of their own stay out.
  std::vector<int> row(world_.control_count(), -1);
  int rows = 0;
  for (int i = 0; i < world_.control_count(); ++i) {
    if (!world_.scripted[i] && mass_.coeff(i, i) > 0) row[i] = rows++;
  }
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::MatrixX3d forces(rows, 3);
  for (int i = 0; i < world_.control_count(); ++i) {
    if (row[i] < 0) continue;
    forces.row(row[i]) = -gradient.col(i).transpose();
    for (Eigen::SparseMatrix<double>::InnerIterator it(mass_, i); it; ++it) {
      if (row[it.row()] >= 0) entries.emplace_back(row[it.row()], row[i], it.value());
    }
  }
  Eigen::SparseMatrix<double> moving(rows, rows);
  moving.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors(moving);
  const Eigen::MatrixX3d acceleration = factors.solve(forces);
  for (int i = 0; i < world_.control_count(); ++i) {
    if (row[i] >= 0) world_.state.acceleration.col(i) = acceleration.row(row[i]).transpose();
  }
  for (const StiffBody& body : world_.stiff) {
    if (world_.scripted[body.first_control]) continue;
    const Matrix3 force = -gradient.middleCols<3>(body.first_control + 1);
    world_.state.acceleration.middleCols<3>(body.first_control + 1) = force * body.second_moment.inverse();
  }
}

void StepSolver::restored() {
  joints_.renew_drives();
  carried_ = {};
  for (const auto& model : models_) model->restored();
  if (!contact_) return;
  contact_->begin_step();
  damping_.forget_contacts();
  adaptive_->recall();
  contact_->prepare(world_.state.position);
}

Energies StepSolver::energies() {
  Energies e;
  const State& s = world_.state;
  for (int axis = 0; axis < 3; ++axis) {
    const VectorX v = s.velocity.row(axis).transpose();
    e.kinetic += 0.5 * v.dot(mass_ * v);
  }
  e.elastic = orthogonality_.energy(s.position) + joints_.stored_energy(s);
  for (const auto& term : elastic_) {
    term->begin_at(s.position);
    e.elastic += term->energy(s.position);
  }
  e.gravity = -load_factor(settings_, s.time) * settings_.gravity.dot(s.position * world_.gravity_mass);
  if (contact_) e.contact = contact_->energy(s.position);
  return e;
}

std::vector<double> StepSolver::von_mises_stress() const {
  std::vector<double> stress(world_.elements.elements.size(), 0.0);
  for (const auto& term : elastic_) term->write_stress(world_.state.position, stress);
  // By types, as frames have them.
  std::vector<double> of_cells;
  for (const ElementType type : solid_types) {
    for (int e = 0; shape_of(type).solid && e < world_.elements.size(); ++e) {
      if (world_.elements.elements[e].type == type) of_cells.push_back(stress[e]);
    }
  }
  return of_cells;
}

VertexForces StepSolver::vertex_contact_forces() {
  const Vectors none = Vectors::Zero(3, world_.collision.vertex_count());
  if (!contact_) return {none, none};
  Vectors gradient = contact_->vertex_gradient(), friction = none;
  friction_->add_vertex_gradient(world_.state.position, friction);
  for (const ContactDamping& damping : contact_damping()) {
    for (int i = 0; i < damping.pair.vertices(); ++i)
      gradient.col(damping.pair.vertex[i]) -= damping.weight[i] * damping.force;
  }
  return {-gradient, -friction};
}

}  // namespace bulwark
