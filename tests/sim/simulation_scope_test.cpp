// Simulations in one process keep what is theirs: threads, messages and BLAS.
#include <bulwark/base/log.hpp>
#include <bulwark/base/parallel.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/simulation.hpp>
#include <bulwark/solve/single_threaded_blas.hpp>

#include <gtest/gtest.h>

#include <array>
#include <mutex>
#include <thread>

extern "C" int openblas_get_num_threads() __attribute__((weak));
extern "C" void openblas_set_num_threads(int) __attribute__((weak));

namespace bulwark {
namespace {

World falling_box(double height) {
  World world;
  BodyOptions options;
  options.name = "box";
  options.pose.position = {0, height, 0};
  add_deformable(world, solid_mesh(BoxShape{{0.2, 0.2, 0.2}}, 0.05), {}, options);
  add_plane(world, {0, 0, 0}, {0, 1, 0}, {});
  return world;
}

TEST(SimulationScope, EveryOneKeepsItsThreads) {
  const int outside = thread_count();
  std::array<std::vector<int>, 3> seen;
  std::mutex asked_at_once;  // several threads of a simulation may ask
  std::vector<Simulation> simulations;
  for (int k = 0; k < 3; ++k) {
    Settings settings;
    settings.solver.threads = k + 1;
    settings.stop = [&seen, &asked_at_once, k] {
      const std::lock_guard<std::mutex> lock(asked_at_once);
      seen[k].push_back(thread_count());
      return false;
    };
    simulations.emplace_back(falling_box(0.11), settings);
  }
  for (int step = 0; step < 3; ++step) {
    for (Simulation& simulation : simulations) simulation.step();
  }
  EXPECT_EQ(thread_count(), outside);
  for (int k = 0; k < 3; ++k) {
    ASSERT_FALSE(seen[k].empty());
    for (const int count : seen[k]) EXPECT_EQ(count, k + 1);
  }
  EXPECT_EQ(simulations[0].world().state.position, simulations[2].world().state.position);
}

TEST(SimulationScope, TwoThatRunAtTheSameTimeGiveTheBitsOfEachAlone) {
  const auto run = [](int threads, Vectors& result) {
    Settings settings;
    settings.solver.threads = threads;
    Simulation simulation(falling_box(0.102), settings);
    for (int step = 0; step < 10; ++step) simulation.step();
    result = simulation.world().state.position;
  };
  Vectors alone, first, second;
  run(2, alone);
  std::thread other([&] { run(1, first); });
  run(3, second);
  other.join();
  EXPECT_EQ(alone, first);
  EXPECT_EQ(alone, second);
}

TEST(SimulationScope, NestedLoopsKeepTheNumber) {
  const ThreadScope scope(3);
  std::vector<int> seen(1000, 0);
  parallel_for(seen.size(), [&](std::size_t i) {
    parallel_for(200, [&](std::size_t) {});
    seen[i] = thread_count();
  });
  for (const int count : seen) EXPECT_EQ(count, 3);
}

TEST(SimulationScope, MessagesGoToTheSimulationsOwnSink) {
  std::vector<std::string> own, others;
  Settings settings;
  settings.solver.max_iterations = 1;  // so that steps are tried again, and say so
  settings.log = [&](LogLevel, const std::string& message) { own.push_back(message); };
  Simulation simulation(falling_box(0.1005), settings);
  {
    const LogSink sink = [&](LogLevel, const std::string& message) { others.push_back(message); };
    const LogScope scope(sink);
    for (int step = 0; step < 3; ++step) {
      try {
        simulation.step();
      } catch (const SolveError&) {
      }
    }
    log_warning("mine");
  }
  EXPECT_FALSE(own.empty());
  EXPECT_EQ(others, std::vector<std::string>{"mine"});
}

TEST(SimulationScope, TheProcessHasItsBlasThreadsBackAfterASolve) {
  if (openblas_get_num_threads == nullptr) GTEST_SKIP() << "BLAS is not OpenBLAS";
  const int before = openblas_get_num_threads();
  openblas_set_num_threads(2);
  const int set = openblas_get_num_threads();
  {
    const SingleThreadedBlas outer;
    const SingleThreadedBlas inner;
    EXPECT_EQ(openblas_get_num_threads(), 1);
  }
  EXPECT_EQ(openblas_get_num_threads(), set);
  openblas_set_num_threads(before);
}

}  // namespace
}  // namespace bulwark
