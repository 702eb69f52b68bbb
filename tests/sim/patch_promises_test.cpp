// Patch-penalty contact keeps the promises of results: the same bits on any number of threads, however fast these are,
// and after a resume; bodies may go between steps; what it can't do is refused.
#include <bulwark/base/error.hpp>
#include <bulwark/geometry/append_surface.hpp>
#include <bulwark/sim/patch_penalty.hpp>
#include <bulwark/sim/remove_body.hpp>

#include <gtest/gtest.h>

#include <sim/patch_world.hpp>

#include <chrono>
#include <functional>
#include <thread>

namespace bulwark {
namespace {

using test::ball_radius;

/// Balls, a brick and a soft cube that fall on each other and on a floor, spinning.
World pile() {
  World world = test::empty_patch_world();
  test::add_floor(world);
  for (int k = 0; k < 3; ++k)
    test::add_ball(world, "ball " + std::to_string(k), {0.1 * k, 0.155 + 0.305 * k, 0.05 * k}, 0.05,
                   {0.5, -1, 0.2 * k}, 1e-3);
  add_rigid(world, surface_mesh(BoxShape{{0.4, 0.1, 0.3}}), {}, named("brick", {0.6, 0.0501, 0.1}));
  ElasticMaterial soft;
  soft.young = 1e5;
  add_deformable(world, solid_mesh(BoxShape{{0.2, 0.2, 0.2}}, 0.1), soft, named("cube", {0.6, 0.2002, 0.1}));
  return world;
}

Settings pile_settings() {
  Settings s = test::patch_settings(1e-3);
  s.gravity = {0, -9.81, 0};
  s.contact.friction = 0.3;
  s.contact.patch_penalty.young = 1e6;
  s.contact.patch_penalty.static_friction = 0.4;
  s.contact.patch_penalty.restitution = 0.2;
  s.contact.patch_penalty.detection_ahead = 4;
  return s;
}

State after(const Settings& settings, int steps) {
  Simulation simulation = test::started(pile(), settings);
  for (int step = 0; step < steps; ++step) simulation.step();
  EXPECT_FALSE(simulation.contacts().empty());
  return simulation.world().state;
}

void expect_same(const State& a, const State& b) {
  EXPECT_EQ(a.position, b.position);
  EXPECT_EQ(a.velocity, b.velocity);
  EXPECT_EQ(a.contact_history, b.contact_history);
}

constexpr int steps = 60;

TEST(PatchPromises, TheSameBitsOnAnyNumberOfThreads) {
  Settings settings = pile_settings();
  settings.solver.threads = 1;
  const State one = after(settings, steps);
  settings.solver.threads = 2;
  expect_same(one, after(settings, steps));
  EXPECT_FALSE(one.contact_history.empty());
}

TEST(PatchPromises, TheSameBitsHoweverFastTheThreadsAre) {
  const State quick = after(pile_settings(), steps);
  const auto sleep = [] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); };
  Settings slow_detection = pile_settings();
  slow_detection.contact.detection_delays.before_detection = sleep;
  expect_same(quick, after(slow_detection, steps));
  Settings slow_steps = pile_settings();
  slow_steps.contact.detection_delays.before_step = sleep;
  expect_same(quick, after(slow_steps, steps));
  Settings often = pile_settings();
  often.contact.patch_penalty.detection_ahead = 1;
  expect_same(quick, after(often, steps));
}

TEST(PatchPromises, AResumedRunGoesOnWithTheSameBits) {
  const State whole = after(pile_settings(), steps);
  const State half = after(pile_settings(), steps / 2 + 1);
  Simulation simulation = test::started(pile(), pile_settings());
  simulation.restore(half);
  for (int step = steps / 2 + 1; step < steps; ++step) simulation.step();
  expect_same(whole, simulation.world().state);
}

TEST(PatchPromises, ABodyMayGoAndTheOthersKeepTheirHistory) {
  Simulation simulation = test::started(pile(), pile_settings());
  for (int step = 0; step < steps; ++step) simulation.step();
  const auto history_of = [&](const std::string& name) {
    std::vector<std::vector<double>> values;
    for (const ContactHistory& item : simulation.world().state.contact_history) {
      if (simulation.world().bodies[item.body_a].name == name ||
          simulation.world().bodies[item.body_b].name == name)
        values.push_back(item.values);
    }
    return values;
  };
  const auto of_cube = history_of("cube");
  EXPECT_FALSE(of_cube.empty());
  simulation.change([](World& world) { remove_body(world, 1); });
  EXPECT_EQ(history_of("cube"), of_cube);
  EXPECT_TRUE(history_of("ball 0").empty());
  for (int step = 0; step < 20; ++step) simulation.step();
  EXPECT_FALSE(simulation.contacts().empty());
}

/// The thread that detects works at bodies that are gone by then.
TEST(PatchPromises, BodiesMayGoWhileTheyAreLookedAt) {
  Settings settings = pile_settings();
  settings.contact.detection_delays.before_detection = [] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
  };
  Simulation simulation = test::started(pile(), settings);
  for (int body = 4; body >= 1; --body) {
    simulation.step();
    simulation.change([&](World& world) { remove_body(world, body); });
  }
  for (int step = 0; step < 5; ++step) simulation.step();
  EXPECT_EQ(simulation.world().bodies.size(), 2u);
}

TEST(PatchPromises, WhatPairsRememberGoesWithTheirModel) {
  Simulation simulation = test::started(pile(), pile_settings());
  for (int step = 0; step < steps; ++step) simulation.step();
  ASSERT_FALSE(simulation.world().state.contact_history.empty());
  simulation.change([](World& world) { world.contact_model = ContactModelKind::none; });
  EXPECT_TRUE(simulation.world().state.contact_history.empty());
}

/// A plate with many feet lands on all of them at once: each pushes the whole plate.
TEST(PatchPromises, ManyPatchesOfABodyThrowItBackNoFasterThanItCame) {
  for (const double restitution : {0.9, 1.0}) {
    World world = test::empty_patch_world();
    test::add_floor(world);
    SurfaceMesh feet;
    for (int k = 0; k < 25; ++k) {
      SurfaceMesh pin = surface_mesh(BoxShape{{0.01, 0.05, 0.01}});
      pin.vertices.colwise() += Vector3(0.02 * (k % 5 - 2), 0, 0.02 * (k / 5 - 2));
      append_surface(feet, pin);
    }
    BodyOptions options = named("plate", {0, 0.0251, 0});
    options.velocity = {0, -0.1, 0};
    const int plate = add_rigid(world, feet, {}, options);
    Settings settings = test::patch_settings(1e-3);
    settings.contact.patch_penalty.young.reset();
    settings.contact.patch_penalty.area_stiffness = 2e9;
    settings.contact.patch_penalty.restitution = restitution;
    Simulation simulation = test::started(std::move(world), settings);
    double fastest = 0;
    for (int step = 0; step < 40; ++step) {
      simulation.step();
      fastest = std::max(fastest, rigid_motion(simulation.world(), plate).velocity.norm());
    }
    EXPECT_LT(fastest, 0.1 * 1.02) << restitution;
    EXPECT_GT(rigid_motion(simulation.world(), plate).velocity.y(), 0) << restitution;
  }
}

TEST(PatchPromises, ForcesOfAStepAreEqualAndOpposite) {
  Simulation simulation = test::started(pile(), pile_settings());
  for (int step = 0; step < steps; ++step) simulation.step();
  const Vectors forces = simulation.contact_forces();
  Vector3 sum = Vector3::Zero();
  double all = 0;
  for (const Body& body : simulation.world().bodies) {
    // Of points: what acts on the directions of stiff bodies is a moment.
    const auto own = forces.middleCols(body.first_control, body.point_count);
    sum += own.rowwise().sum();
    all += own.colwise().norm().sum();
  }
  EXPECT_GT(all, 1);
  EXPECT_LT(sum.norm(), 1e-9 * all);
}

TEST(PatchPromises, PairsHaveValuesOfTheirOwn) {
  // A ball with the floor's restitution, and one with its own.
  World world = test::empty_patch_world();
  const int floor = test::add_floor(world);
  const int usual = test::add_ball(world, "usual", {0, ball_radius + 1e-3, 0}, 0.03, {0, -1, 0});
  const int other = test::add_ball(world, "other", {1, ball_radius + 1e-3, 0}, 0.03, {0, -1, 0});
  PatchPenaltySettings own;
  own.restitution = 0.3;
  world.patch_pairs[{floor, other}] = own;
  Simulation simulation = test::started(std::move(world), test::patch_settings(1e-4));
  for (int step = 0; step < 200; ++step) simulation.step();
  EXPECT_NEAR(rigid_motion(simulation.world(), usual).velocity.y(), 1, 0.02);
  EXPECT_NEAR(rigid_motion(simulation.world(), other).velocity.y(), 0.3, 0.02);
}

void expect_refused(World world, const Settings& settings, const std::string& why) {
  try {
    test::started(std::move(world), settings);
    ADD_FAILURE() << "this should be refused: " << why;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
  }
}

TEST(PatchPromises, WhatCannotBeIsRefused) {
  Settings settings = pile_settings();
  settings.time.integrator = "static";
  World still = test::empty_patch_world();
  test::add_floor(still);
  test::add_ball(still, "ball", {0, 1, 0}, 0.05);
  expect_refused(still, settings, "statics");
  settings = pile_settings();
  settings.contact.patch_penalty.young.reset();
  expect_refused(still, settings, "stiffness");
  World open = test::empty_patch_world();
  const int sheet = add_obstacle(open, surface_mesh(GridShape{}), named("sheet", {0, 0, 0}));
  EXPECT_NE(patch_penalty_refusal(open, sheet), "");
  const int round = add_rigid(open, round_surface(SphereShape{0.1}), {}, named("round", {0, 1, 0}));
  EXPECT_NE(patch_penalty_refusal(open, round), "");
  EXPECT_EQ(patch_penalty_refusal(open, test::add_floor(open)), "");
}

TEST(PatchPromises, MemoryOfAPatchReadsWhatItWrites) {
  PatchMemory memory = {{1, 2, 3}, 0.5, 0.25, {4, 5, 6}, true, false};
  const PatchMemory again = PatchMemory::of(memory.values());
  EXPECT_EQ(again.values(), memory.values());
  EXPECT_THROW(PatchMemory::of({1, 2}), InputError);
}

}  // namespace
}  // namespace bulwark
