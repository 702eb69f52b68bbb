// AdamW on functions whose minima are known: that the objective falls in every step, whatever the parameters, and
// where a solve ends.
#include <bulwark/solve/adamw.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace bulwark {
namespace {

/// A valley that bends: (1 - x)^2 + 100 (y - x^2)^2 over the first control, and a wall at z = limit that steps are cut at.
class BentValley : public Term {
 public:
  double energy(const Vectors& q) const override {
    const double x = q(0, 0), y = q(1, 0);
    if (q(2, 0) >= limit) return std::numeric_limits<double>::quiet_NaN();
    return (1 - x) * (1 - x) + steep * (y - x * x) * (y - x * x);
  }
  void add_gradient(const Vectors& q, Vectors& gradient) const override {
    const double x = q(0, 0), y = q(1, 0);
    gradient(0, 0) += -2 * (1 - x) - 4 * steep * x * (y - x * x);
    gradient(1, 0) += 2 * steep * (y - x * x);
  }
  void hessian(const Vectors&, const HessianModel&, const BlockMap&, HessianBlocks&) const override {
    ADD_FAILURE() << "AdamW asks for no Hessian";
  }
  StepLimit largest_step(const ControlPath& path) override {
    const double rise = path.step(2, 0), room = 0.9 * (limit - path.from(2, 0));
    return {rise > room ? room / rise : 1.0, {LimitReason::contact}};
  }
  double limit = std::numeric_limits<double>::infinity();
  double steep = 100;
};

class AdamwTest : public testing::Test {
 protected:
  AdamwTest() { set_up(2); }
  void set_up(int controls, double mass = 1) {
    Eigen::SparseMatrix<double> masses(controls, controls);
    for (int i = 0; i < controls; ++i) masses.insert(i, i) = mass;
    objective =
        std::make_unique<Objective>(masses, VectorX::Ones(controls), std::vector<StiffBody>(), profile);
    objective->set_held(std::vector<HeldAxes>(controls, 0));
    q = Vectors::Zero(3, controls);
    options.tolerance = VectorX::Constant(controls, 1e-8);
    options.max_iterations = 100'000;
  }
  /// Solves, and expects that the objective never rises.
  SolveRecord solve(const Vectors& target, double scale, std::vector<WeightedTerm> terms = {}) {
    objective->set_terms(std::move(terms));
    objective->begin_step(target, scale);
    double before = objective->energy(q);
    if (std::isfinite(before)) {
      options.after_step = [this, before](const Vectors& x) mutable {
        const double now = objective->energy(x);
        EXPECT_LE(now, before + 1e-13 * std::abs(before));
        before = now;
        return false;
      };
    }
    return minimise_by_adamw(*objective, q, options, profile);
  }

  Profile profile;
  std::unique_ptr<Objective> objective;
  AdamwOptions options;
  Vectors q;
};

TEST_F(AdamwTest, FindsThePredictionOfFreeBodies) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> spread(-1, 1);
  set_up(40);
  Vectors target(3, 40);
  for (int i = 0; i < 40; ++i)
    target.col(i) = Vector3(spread(random), 100 * spread(random), 1e-4 * spread(random));
  const SolveRecord record = solve(target, 1);
  EXPECT_EQ(record.outcome, Outcome::converged);
  EXPECT_LE((q - target).colwise().norm().maxCoeff(), 1e-8);
  EXPECT_LE(record.step_part, 1);
  EXPECT_EQ(record.linear_solves, 0);
}

TEST_F(AdamwTest, FollowsABentValleyToItsEnd) {
  set_up(1, 1e-3);
  BentValley valley;
  q.col(0) = Vector3(-1.2, 1, 0);
  options.tolerance.setConstant(1e-4);
  const SolveRecord record = solve(Vectors::Zero(3, 1), 1, {&valley});
  EXPECT_EQ(record.outcome, Outcome::converged);
  EXPECT_NEAR(q(0, 0), 1, 2e-2);  // the masses draw a little towards 0
  EXPECT_NEAR(q(1, 0), q(0, 0) * q(0, 0), 1e-3);
  EXPECT_LE(objective->gradient(q).norm(), 1e-3 * 1e-4 * 1.001);
}

/// Whatever the parameters: the objective does not rise, and a solve that says it has converged is at the minimum.
TEST_F(AdamwTest, NoParametersMakeTheObjectiveRise) {
  struct Case {
    const char* name;
    void (*change)(AdamwRule&);
    bool solved;
  };
  const Case cases[] = {
      {"as it is", [](AdamwRule&) {}, true},
      {"a huge rate", [](AdamwRule& r) { r.rate = 1e12; }, true},
      {"a tiny rate that grows", [](AdamwRule& r) { r.rate = 1e-12, r.rate_growth = 2; }, true},
      {"a tiny rate that stays", [](AdamwRule& r) { r.rate = 1e-12, r.rate_growth = 1; }, false},
      {"a rate that fades", [](AdamwRule& r) { r.rate_decay = 0.5, r.rate_growth = 1; }, false},
      {"no memory", [](AdamwRule& r) { r.beta1 = r.beta2 = 0; }, true},
      {"a long memory", [](AdamwRule& r) { r.beta1 = 0.9999; }, false},
      {"a mean that outlasts its square", [](AdamwRule& r) { r.beta1 = 0.99, r.beta2 = 0.1; }, false},
      {"no epsilon", [](AdamwRule& r) { r.epsilon = 0; }, true},
      {"an epsilon above all gradients", [](AdamwRule& r) { r.epsilon = 100; }, true},
      {"no decay", [](AdamwRule& r) { r.weight_decay = 0; }, true},
      {"a decay that undoes every step", [](AdamwRule& r) { r.weight_decay = 1e9; }, false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    set_up(1, 0.1);
    BentValley valley;
    valley.steep = 10;
    options.rule = {};
    c.change(options.rule);
    options.tolerance.setConstant(1e-5);
    options.max_iterations = 5000;
    q.col(0) = Vector3(-1.2, 1, 0.5);
    const SolveRecord record = solve(Vectors::Zero(3, 1), 1, {&valley});
    EXPECT_TRUE(q.allFinite());
    if (c.solved) {
      EXPECT_EQ(record.outcome, Outcome::converged);
    }
    if (record.outcome == Outcome::converged) {
      EXPECT_LE(objective->gradient(q).norm(), 0.1 * 1e-5 * std::sqrt(3));
    }
  }
}

TEST_F(AdamwTest, StepsEndWhereAFilterSays) {
  set_up(1, 1);
  BentValley wall;
  wall.limit = 0.5;
  options.max_iterations = 300;
  const SolveRecord record = solve(Vector3(0, 0, 1), 1e-3, {&wall});  // beyond the wall
  EXPECT_LT(q(2, 0), 0.5);
  EXPECT_GT(q(2, 0), 0.49);
  EXPECT_LT(record.smallest_step, 1);
  EXPECT_EQ(record.smallest_cause.reason, LimitReason::contact);
  EXPECT_NE(record.outcome, Outcome::converged);
}

TEST_F(AdamwTest, EachStoppingRuleOfTheSourceEndsASolve) {
  BentValley valley;
  const auto iterations = [&](void (*change)(AdamwRule&)) {
    set_up(1, 1e-2);
    options.rule = {};
    options.rule.check_interval = 1;
    change(options.rule);
    q.col(0) = Vector3(-1.2, 1, 0);
    const SolveRecord record = solve(Vectors::Zero(3, 1), 0.5, {&valley});
    EXPECT_EQ(record.outcome, Outcome::converged);
    return record.iterations;
  };
  const int by_motion = iterations([](AdamwRule&) {});
  EXPECT_LT(iterations([](AdamwRule& r) { r.gradient_tolerance = 1; }), by_motion);
  EXPECT_LE(objective->gradient(q).norm() / 0.5, 1);
  EXPECT_LT(iterations([](AdamwRule& r) { r.relative_tolerance = 1e-2; }), by_motion);
  EXPECT_LT(iterations([](AdamwRule& r) { r.decrease_tolerance = 1e-3; }), by_motion);
}

TEST_F(AdamwTest, ASolveThatStartsAtItsEndTakesNoStep) {
  q.setConstant(0.25);
  const SolveRecord record = solve(q, 1);
  EXPECT_EQ(record.outcome, Outcome::converged);
  EXPECT_EQ(record.iterations, 0);
}

TEST_F(AdamwTest, SaysWhyItEnds) {
  BentValley valley;
  q.col(0) = Vector3(-1.2, 1, 0);
  options.max_iterations = 3;
  EXPECT_EQ(solve(Vectors::Zero(3, 2), 1, {&valley}).outcome, Outcome::iteration_limit);
  q.col(0) = Vector3(std::numeric_limits<double>::quiet_NaN(), 0, 0);
  EXPECT_EQ(solve(Vectors::Zero(3, 2), 1, {&valley}).outcome, Outcome::not_finite);
  valley.limit = -1;
  q.setZero();
  EXPECT_EQ(solve(Vectors::Zero(3, 2), 1, {&valley}).outcome, Outcome::not_finite);
}

}  // namespace
}  // namespace bulwark
