// solver.minimiser and solver.adamw: what is read, and how mistakes are answered.
#include <bulwark/base/error.hpp>
#include <bulwark/base/log.hpp>
#include <bulwark/scene/load.hpp>

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace bulwark {
namespace {

Scene with_solver(const std::string& solver) {
  return parse_scene(R"({ "bulwark": 1, "time": { "steps": 1 }, "solver": )" + solver + R"(,
    "bodies": [{ "kind": "obstacle", "shape": { "plane": { "normal": [0, 1, 0] } } }] })",
                     "scene.json");
}

std::string problem_of(const std::string& solver) {
  try {
    with_solver(solver);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(SceneMinimiser, IsNewtonsMethodByDefault) {
  const Scene scene = with_solver("{}");
  EXPECT_EQ(scene.settings.solver.minimiser, "newton");
  EXPECT_EQ(scene.resolved_json.find("adamw"), std::string::npos);
}

TEST(SceneMinimiser, ParametersOfAdamwHaveTheDefaultsOfTheSchema) {
  const AdamwRule read = with_solver(R"({ "minimiser": "adamw", "adamw": {} })").settings.solver.adamw;
  const AdamwRule absent = with_solver(R"({ "minimiser": "adamw" })").settings.solver.adamw;
  const auto numbers = [](const AdamwRule& r) {
    return std::vector<double>{r.rate.value_or(-1),
                               r.beta1,
                               r.beta2,
                               r.epsilon,
                               r.weight_decay,
                               r.rate_decay,
                               r.rate_growth,
                               static_cast<double>(r.check_interval),
                               r.gradient_tolerance,
                               r.relative_tolerance,
                               r.decrease_tolerance,
                               static_cast<double>(r.max_iterations),
                               static_cast<double>(r.max_step_iterations)};
  };
  EXPECT_EQ(numbers(read), numbers(absent));
  EXPECT_EQ(numbers(read)[0], -1);
  const std::string all = R"({ "minimiser": "adamw", "adamw": { "rate": 2e-4, "beta1": 0.8, "beta2": 0.99,
    "epsilon": 1e-6, "weight_decay": 0.5, "rate_decay": 0.995, "rate_growth": 1, "check_interval": 20,
    "gradient_tolerance": 0.1, "relative_tolerance": 1e-4, "decrease_tolerance": 1e-9, "max_iterations": 800,
    "max_step_iterations": 4000 } })";
  EXPECT_EQ(numbers(with_solver(all).settings.solver.adamw),
            (std::vector<double>{2e-4, 0.8, 0.99, 1e-6, 0.5, 0.995, 1, 20, 0.1, 1e-4, 1e-9, 800, 4000}));
}

TEST(SceneMinimiser, RulesOfNewtonsMethodAreOffByDefault) {
  for (const char* solver : {"{}", R"({ "newton": {} })"}) {
    const NewtonRule rule = with_solver(solver).settings.solver.newton;
    EXPECT_EQ(rule.gradient_tolerance, 0);
    EXPECT_EQ(rule.relative_tolerance, 0);
  }
  const NewtonRule rule =
      with_solver(R"({ "newton": { "gradient_tolerance": 1e-4, "relative_tolerance": 1e-6 } })")
          .settings.solver.newton;
  EXPECT_EQ(rule.gradient_tolerance, 1e-4);
  EXPECT_EQ(rule.relative_tolerance, 1e-6);
}

TEST(SceneMinimiser, MistakesAreAnswered) {
  const std::array<std::array<const char*, 2>, 12> mistakes = {{
      {R"({ "minimiser": "adamw", "newton": {} })", "/solver/newton"},
      {R"({ "newton": { "gradient_tolerance": -1 } })", "/solver/newton/gradient_tolerance"},
      {R"({ "newton": { "relative_tolerance": 1 } })", "/solver/newton/relative_tolerance"},
      {R"({ "minimiser": "adam" })", "/solver/minimiser"},
      {R"({ "adamw": {} })", "/solver/adamw"},
      {R"({ "minimiser": "newton", "adamw": { "rate": 1 } })", "\"minimiser\": \"adamw\""},
      {R"({ "minimiser": "adamw", "adamw": { "rate": 0 } })", "/solver/adamw/rate"},
      {R"({ "minimiser": "adamw", "adamw": { "rate": "fast" } })", "/solver/adamw/rate"},
      {R"({ "minimiser": "adamw", "adamw": { "beta1": 1 } })", "/solver/adamw/beta1"},
      {R"({ "minimiser": "adamw", "adamw": { "rate_growth": 0.9 } })", "/solver/adamw/rate_growth"},
      {R"({ "minimiser": "adamw", "adamw": { "check_interval": 0 } })", "/solver/adamw/check_interval"},
      {R"({ "minimiser": "adamw", "adamw": { "learning_rate": 1 } })", "learning_rate"},
  }};
  for (const auto& [scene, expected] : mistakes)
    EXPECT_NE(problem_of(scene).find(expected), std::string::npos) << scene << "\n" << problem_of(scene);
}

TEST(SceneMinimiser, TheOldSpellingIsReadWithAWarning) {
  std::vector<std::string> warnings;
  const LogSink sink = [&](LogLevel, const std::string& message) { warnings.push_back(message); };
  const LogScope scope(sink);
  EXPECT_EQ(with_solver(R"({ "minimizer": "newton" })").settings.solver.minimiser, "newton");
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("\"minimiser\""), std::string::npos) << warnings[0];
}

}  // namespace
}  // namespace bulwark
