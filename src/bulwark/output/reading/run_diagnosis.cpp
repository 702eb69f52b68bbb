#include <bulwark/base/error.hpp>
#include <bulwark/base/profile.hpp>
#include <bulwark/output/reading/csv_table.hpp>
#include <bulwark/output/reading/run_diagnosis.hpp>
#include <bulwark/output/reading/run_summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace bulwark {
namespace {

// What counts as remarkable. None of these is exact: they choose what is worth saying.
constexpr double large_part = 0.4;         // of the time, for one phase
constexpr double small_line_search = 0.1;  // a line search cut to less than this
constexpr double remarkable_cut = 0.2;     // of all iterations, in steps with such a line search
constexpr double many_iterations = 15;     // Newton iterations per step
constexpr double many_of_adamw = 2000;     // and of AdamW
constexpr double far_per_step = 50;        // contact distances that a body moves in a step
constexpr double soft_affine = 1e-2;       // strain of an affine body

/// What the tables say of one step.
struct StepFacts {
  std::int64_t step = 0;
  std::string outcome = "converged", worst_point, worst_body, limiting_pair, limiting_body_a, limiting_body_b;
  double time = 0, substeps = 1, iterations = 0, friction_updates = 0, newton_speed = 0, smallest_step = 1,
         rigidity_error = 0;
  bool finished = false;  ///< has a row in steps.csv
  double seconds = 0, contacts = 0, min_distance = 0;
  double linear_solves = 0, linear_iterations = 0;
  std::vector<double> phase_seconds;
  bool failed() const { return outcome != "converged"; }
};

/// The body whose point was last to converge. Runs of older versions have only the words for the point.
std::string body_of(const StepFacts& facts) {
  return facts.worst_body.empty() ? facts.worst_point : "'" + facts.worst_body + "'";
}

/// The bodies that limited a step, whichever parts of them did; a joint has words alone.
std::string bodies_of(const StepFacts& facts) {
  const auto [first, second] = std::minmax(facts.limiting_body_a, facts.limiting_body_b);
  if (second.empty()) return facts.limiting_pair;
  if (first.empty()) return "'" + second + "'";
  return first == second ? fmt::format("'{}' with itself", first)
                         : fmt::format("'{}' and '{}'", first, second);
}

/// Digits as a person would say them.
std::string seconds_text(double seconds) {
  return seconds < 0.1 ? fmt::format("{:.1f} ms", 1000 * seconds) : fmt::format("{:.3g} s", seconds);
}

std::string share_text(double part) {
  return fmt::format("{:.0f} %", 100 * part);
}

/// What is not known counts for nothing.
double known(double number) {
  return std::isfinite(number) ? number : 0;
}

std::vector<StepFacts> read_steps(const std::filesystem::path& folder) {
  const CsvTable solves = read_csv_table(folder / "solves.csv");
  const auto solve_number = [&](std::size_t row, const char* name) {
    return known(solves.number(row, solves.column(name)));
  };
  const auto solve_text = [&](std::size_t row, const char* name) {
    return solves.rows[row][solves.column(name)];
  };
  std::vector<StepFacts> steps;
  std::map<std::int64_t, std::size_t> by_step;
  for (std::size_t row = 0; row < solves.rows.size(); ++row) {
    StepFacts facts;
    facts.step = solves.whole_number(row, solves.column("step"));
    facts.time = solve_number(row, "time");
    facts.outcome = solve_text(row, "outcome");
    facts.worst_point = solve_text(row, "worst_point");
    facts.limiting_pair = solve_text(row, "limiting_pair");
    facts.substeps = solve_number(row, "substeps");
    facts.iterations = solve_number(row, "newton_iterations");
    facts.friction_updates = solve_number(row, "friction_updates");
    facts.newton_speed = solve_number(row, "newton_speed");
    facts.smallest_step = solve_number(row, "smallest_step");
    for (const auto& [name, value] : {std::pair("worst_body", &facts.worst_body),
                                      {"limiting_body_a", &facts.limiting_body_a},
                                      {"limiting_body_b", &facts.limiting_body_b}}) {
      if (solves.has(name)) *value = solve_text(row, name);
    }
    if (solves.has("adamw_iterations")) facts.iterations += solve_number(row, "adamw_iterations");
    if (solves.has("rigidity_error")) facts.rigidity_error = solve_number(row, "rigidity_error");
    by_step[facts.step] = steps.size();
    steps.push_back(std::move(facts));
  }
  const CsvTable rows = read_csv_table(folder / "steps.csv");
  const auto number = [&](std::size_t row, const std::string& name) {
    return known(rows.number(row, rows.column(name)));
  };
  for (std::size_t row = 0; row < rows.rows.size(); ++row) {
    const auto place = by_step.find(rows.whole_number(row, rows.column("step")));
    if (place == by_step.end()) continue;
    StepFacts& facts = steps[place->second];
    facts.finished = true;
    facts.seconds = number(row, "seconds");
    facts.contacts = number(row, "contacts");
    facts.min_distance = number(row, "min_distance");
    if (rows.has("linear_solves")) facts.linear_solves = number(row, "linear_solves");
    if (rows.has("linear_iterations")) facts.linear_iterations = number(row, "linear_iterations");
    facts.phase_seconds.clear();  // a damaged table may have a step twice
    for (const std::string_view phase : phase_names) {
      const std::string column = fmt::format("seconds_{}", phase);
      // Runs of older versions have fewer of these columns.
      facts.phase_seconds.push_back(rows.has(column) ? number(row, column) : 0);
    }
  }
  return steps;
}

/// The largest speed of a moving body, by bodies.csv, and whose it is.
std::pair<double, std::string> fastest_body(const std::filesystem::path& folder,
                                            const std::vector<StepFacts>& steps) {
  std::pair<double, std::string> fastest{0, ""};
  std::error_code error;
  if (steps.empty() || !std::filesystem::exists(folder / "bodies.csv", error)) return fastest;
  const CsvTable bodies = read_csv_table(folder / "bodies.csv");
  for (std::size_t row = 0; row < bodies.rows.size(); ++row) {
    const std::int64_t step = bodies.whole_number(row, bodies.column("step"));
    // A failed step leaves no row: the state before it counts.
    if (step < steps.front().step - 1 || step > steps.back().step) continue;
    const double speed =
        std::hypot(bodies.number(row, bodies.column("vx")), bodies.number(row, bodies.column("vy")),
                   bodies.number(row, bodies.column("vz")));
    if (speed > fastest.first) fastest = {speed, bodies.rows[row][bodies.column("body")]};
  }
  return fastest;
}

/// The most frequent text, and how often it comes.
std::pair<std::string, std::size_t> most_frequent(const std::map<std::string, std::size_t>& counts) {
  std::pair<std::string, std::size_t> most{"", 0};
  for (const auto& [text, count] : counts) {
    if (count > most.second) most = {text, count};
  }
  return most;
}

class RunDoctor {
 public:
  RunDoctor(const std::filesystem::path& folder, std::optional<std::int64_t> only)
      : folder_(folder), summary_(read_run_summary(folder)), steps_(read_steps(folder)) {
    if (!only) return;
    single_ = true;
    const std::vector<StepFacts> all = steps_;
    std::erase_if(steps_, [&](const StepFacts& facts) { return facts.step != *only; });
    if (steps_.empty()) {
      throw InputError(fmt::format("--step {}", *only),
                       all.empty() ? "the run has no steps"
                                   : fmt::format("the run has no such step; they go from {} to {}",
                                                 all.front().step, all.back().step));
    }
    for (const StepFacts& facts : all)
      usual_iterations_ += facts.iterations / static_cast<double>(all.size());
  }

  Diagnosis diagnose() {
    headline();
    if (!summary_.not_promised.empty()) find("No promise: " + summary_.not_promised + ".");
    if (steps_.empty()) return result_;
    phases();
    failure();
    parts_of_steps();
    line_searches();
    convergence();
    friction();
    stiff_bodies();
    phase_remedies();
    if (result_.remedies.empty()) {
      result_.remedies.push_back(
          "Nothing stands out: the time goes where it has to. What remains is fewer steps, coarser meshes or a larger solver.tolerance.");
    }
    return result_;
  }

 private:
  void find(const std::string& text) { result_.findings.push_back(text); }
  void advise(const std::string& text) {
    std::vector<std::string>& remedies = result_.remedies;
    if (std::find(remedies.begin(), remedies.end(), text) == remedies.end()) remedies.push_back(text);
  }

  void headline() {
    const std::string title = summary_.title.empty() ? folder_.string() : summary_.title;
    double seconds = 0, iterations = 0;
    std::size_t finished = 0;
    const StepFacts* slowest = nullptr;
    for (const StepFacts& facts : steps_) {
      iterations += facts.iterations;
      if (!facts.finished) continue;
      ++finished;
      seconds += facts.seconds;
      if (slowest == nullptr || facts.seconds > slowest->seconds) slowest = &facts;
    }
    if (single_) {
      const StepFacts& facts = steps_.front();
      result_.headline = fmt::format(
          "{}, step {} (t = {:.4g} s): {}; {:.0f} {} iterations, typically {:.3g}{}", title, facts.step,
          facts.time, facts.failed() ? "failed, " + facts.outcome : "solved", facts.iterations, method_,
          usual_iterations_,
          facts.finished
              ? fmt::format("; {} of wall time; {:.0f} contacts", seconds_text(facts.seconds), facts.contacts)
              : "");
      return;
    }
    if (finished == 0) {
      result_.headline = title + ": no step was finished";
      return;
    }
    result_.headline =
        fmt::format("{}: {} steps in {}, {:.3g} {} iterations a step; the run is {}", title, finished,
                    seconds_text(seconds), iterations / static_cast<double>(steps_.size()), method_,
                    summary_.state.empty() ? "in an unknown state" : summary_.state);
    const double mean = seconds / static_cast<double>(finished);
    if (slowest->seconds > 3 * mean) {
      find(fmt::format("The slowest step is {} with {}, {:.1f} times the mean (--step {} looks at it).",
                       slowest->step, seconds_text(slowest->seconds), slowest->seconds / mean,
                       slowest->step));
    }
  }

  void phases() {
    double whole = 0;
    std::vector<double> sums(phase_names.size(), 0);
    for (const StepFacts& facts : steps_) {
      whole += facts.seconds;
      for (std::size_t i = 0; i < facts.phase_seconds.size(); ++i) sums[i] += facts.phase_seconds[i];
    }
    // These come on top of a step's seconds.
    for (const Phase phase : {Phase::output, Phase::output_wait})
      whole += sums[static_cast<std::size_t>(phase)];
    if (!(whole > 0)) return;
    double other = whole;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (!takes_time(static_cast<Phase>(i))) continue;
      std::string name(phase_names[i]);
      std::replace(name.begin(), name.end(), '_', ' ');
      result_.phases.push_back({name, sums[i], sums[i] / whole});
      other -= sums[i];
    }
    result_.phases.push_back({"everything else", std::max(0.0, other), std::max(0.0, other) / whole});
    std::stable_sort(result_.phases.begin(), result_.phases.end(),
                     [](const PhaseShare& a, const PhaseShare& b) { return a.seconds > b.seconds; });
  }

  void failure() {
    const StepFacts& last = steps_.back();
    if (last.outcome == "no-equilibrium") {
      find(fmt::format("Step {} has no equilibrium: {} moves away under its loads.", last.step,
                       last.worst_point));
      advise(
          "Hold it (`fixed`, a joint), put something in its way, or raise the friction of what it slides on.");
      return;
    }
    if (!last.failed()) {
      if (!single_ && summary_.state == "failed" && !summary_.message.empty()) find(summary_.message);
      return;
    }
    find(fmt::format("Step {} failed: {}. The last {} moved {} at {:.3g} m/s; the tolerance is {:.3g} m/s.",
                     last.step, last.outcome, by_adamw() ? "residual would have" : "Newton step",
                     last.worst_point, last.newton_speed, summary_.tolerance_speed));
    if (by_adamw()) {
      advise(
          "AdamW needs very many iterations where stiff and soft parts meet: solver.minimiser \"newton\", or raise "
          "solver.adamw.max_iterations.");
    }
    if (!last.limiting_pair.empty()) {
      find(fmt::format("In it, {} allowed only {:.2g} of a step.", last.limiting_pair, last.smallest_step));
    }
    if (last.outcome == "iteration-limit") {
      if (!by_adamw() && last.newton_speed < 10 * summary_.tolerance_speed) {
        advise(fmt::format("It was close: solver.max_iterations above {}, or a larger solver.tolerance.",
                           summary_.max_iterations));
      }
      advise(shorter_step());
    } else if (last.outcome == "line-search-stalled") {
      advise(fmt::format(
          "Look at {} in the last frame: parts that have no room left. Make room, or use a smaller "
          "contact.distance.",
          last.limiting_pair.empty() ? last.worst_point : bodies_of(last)));
      advise(shorter_step());
    } else if (last.outcome == "script-blocked") {
      advise(
          "A script pushes against something that can't yield: slow it down, make room, or soften what is "
          "squeezed.");
    } else if (last.outcome == "work-limit") {
      advise(fmt::format(
          "Its parts and rounds took solver.{}max_step_iterations {} iterations in all: raise it if they made progress.",
          by_adamw() ? "adamw." : "", method_));
      advise(shorter_step());
    } else {
      advise(
          "A number was not finite: check the units of the scene (`bulwark validate` warns of odd ones), and "
          "look for "
          "nearly flat elements.");
    }
  }

  std::string shorter_step() const {
    return fmt::format("A shorter time step: --set /time/step={:.2g} (now {:.3g} s).",
                       summary_.step_length / 2, summary_.step_length);
  }

  void parts_of_steps() {
    const auto in_parts =
        std::count_if(steps_.begin(), steps_.end(), [](const StepFacts& s) { return s.substeps > 1; });
    if (in_parts == 0) return;
    find(single_
             ? fmt::format("It was tried again in parts, {:.0f} solves in all.", steps_.front().substeps)
             : fmt::format("{} of {} steps had to be tried again in parts, which costs several solves each.",
                           in_parts, steps_.size()));
    advise(shorter_step());
  }

  void line_searches() {
    std::map<std::string, std::size_t> pairs;
    double iterations = 0, iterations_cut = 0;  // in all steps, and in those with a short line search
    const StepFacts* worst = nullptr;
    for (const StepFacts& facts : steps_) {
      iterations += facts.iterations;
      if (facts.limiting_pair.empty()) continue;
      ++pairs[bodies_of(facts)];
      if (facts.smallest_step < small_line_search) iterations_cut += facts.iterations;
      if (worst == nullptr || facts.smallest_step < worst->smallest_step) worst = &facts;
    }
    if (worst == nullptr) return;
    const auto [pair, count] = most_frequent(pairs);
    if (single_) {
      if (!worst->failed()) {
        find(fmt::format("The line search was cut to {:.2g} of Newton's step by {}.", worst->smallest_step,
                         worst->limiting_pair));
      }
    } else {
      find(
          fmt::format("{} limited the line search most often, in {} of {} steps; the smallest step was "
                      "{:.2g}, in step {} by "
                      "{}.",
                      pair, count, steps_.size(), worst->smallest_step, worst->step, worst->limiting_pair));
    }
    const auto [speed, body] = fastest_body(folder_, steps_);
    const double distances = speed * summary_.step_length / summary_.contact_distance;
    if (iterations_cut > remarkable_cut * iterations && distances > far_per_step) {
      find(
          fmt::format("'{}' moves up to {:.3g} m in a step, {:.0f} times the contact distance of {:.2g} m: "
                      "collisions begin abruptly, and each costs iterations.",
                      body, speed * summary_.step_length, distances, summary_.contact_distance));
      advise(shorter_step());
      advise("A larger contact.distance: forces begin earlier, and the barrier is softer.");
    }
  }

  void convergence() {
    double iterations = 0;
    std::map<std::string, std::size_t> bodies;
    std::map<std::string, double> iterations_of;
    for (const StepFacts& facts : steps_) {
      iterations += facts.iterations;
      if (facts.worst_point.empty()) continue;
      ++bodies[body_of(facts)];
      iterations_of[body_of(facts)] += facts.iterations;
    }
    const double mean = iterations / static_cast<double>(steps_.size());
    if (mean < (by_adamw() ? many_of_adamw : many_iterations) || bodies.empty()) return;
    const auto slowest = std::max_element(iterations_of.begin(), iterations_of.end(),
                                          [](const auto& a, const auto& b) { return a.second < b.second; });
    find(single_ ? fmt::format("{} was the last to converge.", steps_.front().worst_point)
                 : fmt::format("Body {} is the last to converge in {} of {} steps, which took {} of all "
                               "{} iterations.",
                               slowest->first, bodies[slowest->first], steps_.size(),
                               share_text(slowest->second / std::max(iterations, 1.0)), method_));
    advise(
        fmt::format("Look at body {}: elements much smaller than the others, or a material much stiffer or "
                    "softer than its "
                    "neighbours', converge slowly.",
                    single_ ? body_of(steps_.front()) : slowest->first));
    if (by_adamw()) {
      advise(
          "So many iterations of AdamW cost more than Newton's few, as a rule: solver.minimiser \"newton\", or a shorter time step, which adds to the inertia.");
    }
    advise(
        "A larger solver.tolerance (the default is 0.01) ends each solve sooner, at the price of accuracy.");
  }

  void friction() {
    double updates = 0;
    for (const StepFacts& facts : steps_) updates += facts.friction_updates;
    const double mean = updates / static_cast<double>(steps_.size());
    constexpr double many_updates = 3;
    if (mean < many_updates) return;
    find(fmt::format("Friction was updated {:.1f} times a step, with a solve each time.", mean));
    advise("contact.friction_iterations: 1 is enough where sticking need not be exact.");
  }

  void stiff_bodies() {
    const auto worst = std::max_element(
        steps_.begin(), steps_.end(),
        [](const StepFacts& a, const StepFacts& b) { return a.rigidity_error < b.rigidity_error; });
    if (worst->rigidity_error < soft_affine) return;
    find(fmt::format("An affine body was strained by {:.2g} in step {}: it is no longer stiff.",
                     worst->rigidity_error, worst->step));
    advise("Give affine bodies a larger stiffness, or make them rigid.");
  }

  void way_of_solving() {
    double solves = 0, iterations = 0;
    for (const StepFacts& facts : steps_) {
      solves += facts.linear_solves;
      iterations += facts.linear_iterations;
    }
    if (!(solves > 0)) return;
    if (iterations == 0) {
      find("Its systems were factorised: they took few operations, or solver.linear asks for it.");
      return;
    }
    const double each = iterations / solves;
    find(
        fmt::format("Its systems were solved by conjugate gradients, {:.0f} iterations each: a factorisation "
                    "would take more.",
                    each));
    constexpr double hard_systems = 300;
    if (each > hard_systems)
      advise(
          "So many iterations come from very stiff beside very soft materials, nearly incompressible ones or "
          "elements of bad shape; solver.linear \"cholesky\" may be faster.");
  }

  void phase_remedies() {
    for (const PhaseShare& phase : result_.phases) {
      if (phase.part < large_part) continue;
      find(fmt::format("The {} took {} of the time.",
                       phase.name == "ccd" ? "collision detection" : phase.name, share_text(phase.part)));
      if (phase.name == "linear solve") way_of_solving();
      if (phase.name == "linear solve" || phase.name == "assembly") {
        advise(fmt::format(
            "The system has {} nodes: a coarser mesh (shape resolution) helps most; bodies that barely deform can be affine, with four nodes each.",
            summary_.controls));
      } else if (phase.name == "broad phase" || phase.name == "ccd" || phase.name == "contact") {
        advise(fmt::format(
            "{} surface triangles can touch: a coarser surface, a smaller contact.distance where the "
            "mesh is finer "
            "than it, or contact.self false for bodies that never touch themselves.",
            summary_.surface_triangles));
      } else if (phase.name == "output") {
        advise("Write fewer frames: --set /output/every=10; or fewer fields: output.fields.");
      } else if (phase.name == "line search") {
        advise(shorter_step());
      }
    }
  }

  bool by_adamw() const { return summary_.minimiser == "adamw"; }

  std::filesystem::path folder_;
  RunSummary summary_;
  std::string_view method_ = minimiser_title(summary_.minimiser);
  std::vector<StepFacts> steps_;
  bool single_ = false;
  double usual_iterations_ = 0;
  Diagnosis result_;
};

}  // namespace

Diagnosis diagnose_run(const std::filesystem::path& folder, std::optional<std::int64_t> step) {
  return RunDoctor(folder, step).diagnose();
}

}  // namespace bulwark
