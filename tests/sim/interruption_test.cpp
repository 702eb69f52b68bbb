// A step can be left in its midst, anywhere: the world is as before, and what follows has the same bits as if
// nothing had happened.
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/simulation.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <memory>

namespace bulwark {
namespace {

BodyOptions at(const std::string& name, const Vector3& position, const Vector3& velocity = {0, 0, 0}) {
  BodyOptions options;
  options.name = name;
  options.pose.position = position;
  options.velocity = velocity;
  return options;
}

/// Stiff and soft bodies and a cloth that meet, and a wall that pushes them: all that a step may be doing.
World crowd() {
  World world;
  const SurfaceMesh box = surface_mesh(BoxShape{{0.3, 0.1, 0.2}});
  add_affine(world, box, {}, at("affine", {0, 0.06, 0}, {0, -1, 0}));
  add_rigid(world, box, {}, at("rigid", {0.05, 0.18, 0.02}, {0, -1, 0}));
  ElasticMaterial soft;
  soft.young = 2e4;
  add_deformable(world, solid_mesh(SphereShape{0.1}, 0.06), soft, at("ball", {0.05, 0.36, 0}, {0, -2, 0}));
  add_shell(world, surface_mesh(GridShape{{0.4, 0.4}, {5, 5}}), {},
            at("cloth", {0.02, 0.5, 0.01}, {0, -2, 0}));
  Motion push;
  push.linear_velocity = {1, 0, 0};
  add_obstacle(world, surface_mesh(BoxShape{{0.1, 0.4, 0.4}}), at("wall", {-0.21, 0.21, 0}), push);
  add_plane(world, {0, 0, 0}, {0, 1, 0}, at("ground", {0, 0, 0}));
  return world;
}

/// Says stop at a question that can be chosen, once.
struct Questions {
  std::atomic<long> asked = 0, answer = -1;
  bool stop() { return asked++ == answer; }
};

Settings settings_with(const std::shared_ptr<Questions>& questions, const std::string& linear, int threads) {
  Settings settings;
  settings.contact.friction = 0.3;
  settings.solver.linear = linear;
  settings.solver.threads = threads;
  settings.stop = [questions] { return questions->stop(); };
  return settings;
}

constexpr int steps = 5;

class Interruption : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(LinearSolvers, Interruption, testing::Values("auto", "cg"),
                         [](const auto& tested) { return tested.param; });

TEST_P(Interruption, AnywhereChangesNoBit) {
  auto questions = std::make_shared<Questions>();
  Simulation whole(crowd(), settings_with(questions, GetParam(), 1));
  const long at_start = questions->asked;
  int iterations = 0;
  for (int k = 0; k < steps; ++k) iterations += whole.step().newton_iterations;
  const long all = questions->asked;
  EXPECT_GT(all - at_start, 2 * iterations) << "every iteration asks";

  constexpr long places = 12;
  for (long place = 0; place < places; ++place) {
    for (const int threads : {1, 2}) {
      questions = std::make_shared<Questions>();
      Simulation simulation(crowd(), settings_with(questions, GetParam(), threads));
      questions->answer = at_start + (all - at_start) * place / places;
      int interrupts = 0;
      while (simulation.world().state.step < steps) {
        const State before = simulation.world().state;
        try {
          simulation.step();
        } catch (const Interrupted& error) {
          ++interrupts;
          EXPECT_EQ(error.exit_code(), 130);
          EXPECT_EQ(simulation.world().state.step, before.step);
          EXPECT_EQ(simulation.world().state.position, before.position);
          EXPECT_EQ(simulation.world().state.velocity, before.velocity);
        }
      }
      EXPECT_EQ(interrupts, 1) << "at " << place;
      EXPECT_EQ(simulation.world().state.position, whole.world().state.position) << "at " << place;
      EXPECT_EQ(simulation.world().state.velocity, whole.world().state.velocity) << "at " << place;
    }
  }
}

TEST(InterruptionOfTheStart, EndsItsCheck) {
  auto questions = std::make_shared<Questions>();
  questions->answer = 0;
  EXPECT_THROW(Simulation(crowd(), settings_with(questions, "auto", 1)), Interrupted);
}

}  // namespace
}  // namespace bulwark
