// Random scenes of everything (random_scene.hpp) keep the promises of a step, and give the same bits on any
// number of threads and when they are continued from a saved state on another number. 100 seeds by default,
// 1,000 with --all. A step that can't be solved is an answer too, so long as it is the same one everywhere;
// they are counted.
#include <random_scenes/random_scene.hpp>
#include <random_scenes/step_promises.hpp>

#include <bulwark/base/log.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <iostream>
#include <optional>

namespace bulwark {
namespace {

bool same_bits(const Eigen::Ref<const MatrixX>& a, const Eigen::Ref<const MatrixX>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0;
}

bool same_bits(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

bool same_bits(const State& a, const State& b) {
  return a.step == b.step && same_bits(a.time, b.time) && same_bits(a.position, b.position) &&
         same_bits(a.velocity, b.velocity) && same_bits(a.acceleration, b.acceleration) &&
         same_bits(a.previous_position, b.previous_position) &&
         same_bits(a.previous_velocity, b.previous_velocity) &&
         same_bits(a.earlier_energy, b.earlier_energy) && a.contact == b.contact &&
         a.contact_history == b.contact_history && same_bits(a.joint_coordinates, b.joint_coordinates) &&
         same_bits(a.joint_multipliers, b.joint_multipliers);
}

struct Run {
  std::vector<State> states;           ///< before the first step, and after each
  std::optional<std::string> failure;  ///< of the step after the last state
};

/// Runs a scene to its end, or to the step that fails; from a saved state where one is given.
template <class AfterStep>
Run run(Scene scene, int threads, const State* from, AfterStep&& after_step) {
  scene.settings.solver.threads = threads;
  Simulation simulation(std::move(scene.world), scene.settings);
  if (from != nullptr) simulation.restore(*from);
  Run result;
  result.states.push_back(simulation.world().state);
  while (simulation.world().state.step < scene.settings.time.steps) {
    try {
      const StepReport report = simulation.step();
      after_step(simulation, result.states.back(), report);
    } catch (const SolveError& error) {
      result.failure = error.what();
      break;
    }
    result.states.push_back(simulation.world().state);
  }
  return result;
}

/// The second run, which began after `skipped` steps of the first, must have the bits of the first.
void expect_same_bits(const Run& first, const Run& second, std::size_t skipped) {
  for (std::size_t k = 0; k < std::min(first.states.size() - skipped, second.states.size()); ++k)
    ASSERT_TRUE(same_bits(first.states[k + skipped], second.states[k])) << "after step " << k + skipped;
  EXPECT_EQ(first.failure.value_or(""), second.failure.value_or(""));
  EXPECT_EQ(first.states.size(), second.states.size() + skipped);
}

/// `linear` is the linear solver; that of the scene where it is empty.
void expect_promises(std::uint64_t seed, const std::string& linear, int& steps, int& contacts,
                     int& failures) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  Scene scene = test::random_scene(seed);
  if (!linear.empty()) scene.settings.solver.linear = linear;
  const Run first = run(scene, 1, nullptr,
                        [&](const Simulation& simulation, const State& before, const StepReport& report) {
                          SCOPED_TRACE("step " + std::to_string(report.step));
                          contacts += report.contacts;
                          test::expect_step_promises(simulation, before, report);
                        });
  steps += static_cast<int>(first.states.size()) - 1;
  if (first.failure) {
    ++failures;
    std::cout << "seed " << seed << ": " << *first.failure << std::endl;
  }
  const auto ignore = [](const Simulation&, const State&, const StepReport&) {};
  for (const int threads : {2, 3, 7}) {
    SCOPED_TRACE(std::to_string(threads) + " threads");
    expect_same_bits(first, run(scene, threads, nullptr, ignore), 0);
  }
  const std::size_t from = seed % first.states.size();
  const int threads = static_cast<int>(1 + seed / 3 % 4);
  SCOPED_TRACE("resumed after step " + std::to_string(from) + " on " + std::to_string(threads) + " threads");
  expect_same_bits(first, run(scene, threads, &first.states[from], ignore), from);
}

/// Seeds [first, first + count).
void expect_promises_of_seeds(std::uint64_t first, std::uint64_t count, const std::string& linear = "") {
  set_log_sink({});
  int steps = 0, contacts = 0, failures = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    try {
      expect_promises(seed, linear, steps, contacts, failures);
    } catch (const std::exception& error) {
      ADD_FAILURE() << "seed " << seed << ": " << error.what();
    }
  }
  std::cout << count << " scenes: " << steps << " steps, " << contacts << " contacts at their ends, "
            << failures << " scenes end in a step that can't be solved" << std::endl;
}

class RandomScenes : public testing::TestWithParam<int> {};
TEST_P(RandomScenes, KeepTheirPromises) {
  expect_promises_of_seeds(10 * GetParam(), 10);
}
INSTANTIATE_TEST_SUITE_P(OfTenSeeds, RandomScenes, testing::Range(0, 10));

TEST(RandomFlexibleScenes, KeepTheirPromises) {
  expect_promises_of_seeds(test::first_flexible_seed, 10);
}
TEST(RandomScenesWithoutBarrier, KeepTheirPromises) {
  expect_promises_of_seeds(test::first_model_seed, 7);
}
TEST(RandomPlanarScenes, KeepTheirPromises) {
  expect_promises_of_seeds(test::first_planar_seed, 10);
}
TEST(SlowRandomPlanarScenes, KeepTheirPromises) {
  expect_promises_of_seeds(test::first_planar_seed, 200);
}
TEST(SlowRandomScenesWithoutBarrier, KeepTheirPromises) {
  expect_promises_of_seeds(test::first_model_seed, 200);
}
TEST(SlowRandomFlexibleScenes, KeepTheirPromises) {
  expect_promises_of_seeds(test::first_flexible_seed, 200);
}

TEST(SlowRandomScenesByConjugateGradients, KeepTheirPromises) {
  expect_promises_of_seeds(0, 60, "cg");
  expect_promises_of_seeds(test::first_flexible_seed, 10, "cg");
}

class SlowRandomScenes : public testing::TestWithParam<int> {};
TEST_P(SlowRandomScenes, KeepTheirPromises) {
  expect_promises_of_seeds(50 * GetParam(), 50);
}
INSTANTIATE_TEST_SUITE_P(OfFiftySeeds, SlowRandomScenes, testing::Range(0, 20));

TEST(RandomScene, IsTheSameForTheSameSeed) {
  EXPECT_EQ(test::random_scene_text(7), test::random_scene_text(7));
  EXPECT_NE(test::random_scene_text(7), test::random_scene_text(8));
}

}  // namespace
}  // namespace bulwark
