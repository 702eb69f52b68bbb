// The promises about a step as a whole: fast bodies do not get past each other in it, nothing gains energy
// from nothing, a start inside of the contact distance throws nothing apart, and what lies elsewhere has no
// say.
#include <sim/stiff_scene.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>
#include <vector>

namespace bulwark {
namespace {

using test::add_ground;
using test::add_stiff;
using test::at;
using test::free_of_intersections;

Settings without_gravity(double step) {
  Settings settings;
  settings.gravity.setZero();
  settings.time.step = step;
  return settings;
}

ElasticMaterial rubber() {
  ElasticMaterial material;
  material.young = 1e6;
  material.poisson = 0.4;
  material.density = 1000;
  return material;
}

/// What meets: two bodies on the x axis, the first of which flies to the right.
enum class Kind { affine, rigid, soft };

void add(World& world, Kind kind, const std::string& name, double size, double x, double speed, bool round) {
  BodyOptions options = at(name, {x, 0, 0});
  options.velocity = {speed, 0, 0};
  if (kind == Kind::soft) {
    const TetMesh mesh = round ? solid_mesh(SphereShape{0.5 * size}, 0.4 * size)
                               : solid_mesh(BoxShape{{size, size, size}}, 0.5 * size);
    add_deformable(world, mesh, rubber(), options);
    return;
  }
  const SurfaceMesh mesh =
      round ? surface_mesh(SphereShape{0.5 * size}, 0.3 * size) : surface_mesh(BoxShape{{size, size, size}});
  add_stiff(world, kind == Kind::rigid ? BodyKind::rigid : BodyKind::affine, mesh, {}, options);
}

struct Encounter {
  Kind left, right;
  double left_size, right_size, left_speed, right_speed, step;
  bool round;
};

class HeadOn : public testing::TestWithParam<Encounter> {};

TEST_P(HeadOn, NeitherBodyGetsPastTheOtherNorGainsEnergy) {
  const Encounter e = GetParam();
  World world;
  // So far apart that they meet in the middle of a step, after some steps of flight.
  const double distance = 0.5 * (e.left_size + e.right_size) + 2.5 * e.step * (e.left_speed - e.right_speed);
  add(world, e.left, "left", e.left_size, 0, e.left_speed, e.round);
  add(world, e.right, "right", e.right_size, distance, e.right_speed, e.round);
  Simulation simulation(std::move(world), without_gravity(e.step));
  const Vector3 momentum = simulation.world().state.velocity * simulation.world().gravity_mass;
  double energy = 0;
  bool touched = false;
  for (int i = 0; i < 8; ++i) {
    const StepReport report = simulation.step();
    touched = touched || report.contacts > 0 || report.passing_retries > 0;
    EXPECT_EQ(report.passed_bodies, 0) << "step " << i;
    EXPECT_EQ(report.energy_gain, 0) << "step " << i;
    if (i > 0) {
      EXPECT_LE(report.energies.total(), energy * (1 + 2e-3) + 1e-6) << "step " << i;
    }
    energy = report.energies.total();
    EXPECT_TRUE(free_of_intersections(simulation)) << "step " << i;
    const double left = rigid_motion(simulation.world(), 0).center.x(),
                 right = rigid_motion(simulation.world(), 1).center.x();
    EXPECT_LT(left, right) << "step " << i;
  }
  EXPECT_TRUE(touched);
  const Vector3 after = simulation.world().state.velocity * simulation.world().gravity_mass;
  EXPECT_LT((after - momentum).norm(), 1e-2 * momentum.norm() + 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Bodies, HeadOn,
                         testing::Values(Encounter{Kind::affine, Kind::affine, 0.1, 0.1, 20, -20, 0.01,
                                                   false},
                                         Encounter{Kind::rigid, Kind::rigid, 0.1, 0.1, 20, -20, 0.01, false},
                                         Encounter{Kind::affine, Kind::rigid, 0.1, 0.15, 60, -5, 0.01, true},
                                         Encounter{Kind::rigid, Kind::affine, 0.2, 0.1, 15, 0, 0.02, true},
                                         Encounter{Kind::affine, Kind::soft, 0.1, 0.3, 30, 0, 0.02, true},
                                         Encounter{Kind::soft, Kind::soft, 0.2, 0.2, 40, -40, 0.01, false},
                                         Encounter{Kind::rigid, Kind::soft, 0.1, 0.3, 400, 0, 0.002, false}));

TEST(Passing, ABallDoesNotGetPastAPost) {
  for (const double speed : {40.0, 100.0, 300.0}) {
    World world;
    BodyOptions ball = at("ball", {-2.3, 0, 0.01});
    ball.velocity = {speed, 0, 0};
    add_affine(world, surface_mesh(SphereShape{0.05}, 0.03), {}, ball);
    add_obstacle(world, surface_mesh(CylinderShape{0.04, 1}, 0.05), at("post", {0, 0, 0}));
    Simulation simulation(std::move(world), without_gravity(0.01));
    for (int i = 0; i < 10; ++i) {
      const StepReport report = simulation.step();
      EXPECT_EQ(report.passed_bodies, 0) << speed;
      EXPECT_EQ(report.energy_gain, 0) << speed;
      const RigidMotion motion = rigid_motion(simulation.world(), 0);
      // It may glance off to a side, but not go on behind the post as if there were none.
      EXPECT_FALSE(motion.center.x() > 0 && std::abs(motion.center.z()) < 0.08 &&
                   motion.velocity.x() > 0.99 * speed)
          << speed << " step " << i;
      EXPECT_LT(motion.velocity.norm(), 1.01 * speed);
    }
  }
}

TEST(Passing, ABallDoesNotGetPastACloth) {
  World world;
  BodyOptions ball = at("ball", {0.02, 0.5, 0.03});
  ball.velocity = {0, -60, 0};
  add_affine(world, surface_mesh(SphereShape{0.05}, 0.03), {}, ball);
  ClothMaterial cotton;
  add_shell(world, surface_mesh(GridShape{{0.4, 0.4}, {6, 6}}), cotton, at("cloth", {0, 0, 0}));
  Simulation simulation(std::move(world), without_gravity(0.01));
  for (int i = 0; i < 4; ++i) {
    const StepReport report = simulation.step();
    EXPECT_EQ(report.passed_bodies, 0) << i;
    EXPECT_TRUE(free_of_intersections(simulation));
  }
  EXPECT_LT(rigid_motion(simulation.world(), 1).velocity.y(), -1);  // it takes the cloth along
}

TEST(Passing, SlidingAndRollingArePassedNoRetry) {
  // A row of bodies on an inclined plane: they slide, roll and lean on each other.
  World world;
  add_ground(world);
  for (int k = 0; k < 6; ++k) {
    BodyOptions options = at("body " + std::to_string(k), {0.23 * k, 0.11, 0});
    options.velocity = {2.0 - 0.3 * k, 0, 0};
    add_stiff(world, k % 2 == 0 ? BodyKind::affine : BodyKind::rigid,
              k % 3 == 0 ? surface_mesh(SphereShape{0.1}, 0.06) : surface_mesh(BoxShape{{0.2, 0.2, 0.2}}), {},
              options);
  }
  Settings settings;
  settings.contact.friction = 0.4;
  Simulation simulation(std::move(world), settings);
  for (int i = 0; i < 100; ++i) {
    const StepReport report = simulation.step();
    EXPECT_EQ(report.passing_retries, 0) << i;
    EXPECT_EQ(report.energy_retries, 0) << i;
  }
}

TEST(Energy, FastSpinningBodiesGainNoneWhenTheyStrike) {
  for (const double turns : {1.0, 5.0, 17.0}) {  // radians a step
    World world;
    add_ground(world);
    BodyOptions options = at("bar", {0, 0.26, 0});
    options.angular_velocity = {0, 0, turns / 0.01};
    options.velocity = {0, -1, 0};
    add_affine(world, surface_mesh(BoxShape{{0.4, 0.1, 0.1}}), {}, options);
    Simulation simulation(std::move(world), Settings());
    double before = 0;
    for (int i = 0; i < 12; ++i) {
      const StepReport report = simulation.step();
      if (i > 0) {
        EXPECT_LE(report.energies.total(), before * 1.002 + 1e-3) << turns << " step " << i;
      }
      before = report.energies.total();
      EXPECT_EQ(report.energy_gain, 0);
    }
  }
}

// ---------------------------------------------------------------------------------------------- the start

class StartGap : public testing::TestWithParam<std::tuple<double, double>> {};

TEST_P(StartGap, AStackBeginsAndStaysAtRest) {
  const auto [part, step] = GetParam();
  // A gap that is a part of the contact distance of cubes of 0.5 m.
  const double gap = part * 1e-3 * 0.5 * std::sqrt(3.0);
  for (const BodyKind kind : {BodyKind::affine, BodyKind::rigid}) {
    World world;
    add_ground(world);
    constexpr int count = 9;
    for (int k = 0; k < count; ++k)
      add_stiff(world, kind, surface_mesh(BoxShape{{0.5, 0.5, 0.5}}), {},
                at("cube " + std::to_string(k), {0, 0.25 + gap + k * (0.5 + gap), 0}));
    Settings settings;
    settings.time.step = step;
    Simulation simulation(std::move(world), settings);
    std::vector<double> start(count);
    for (int k = 0; k < count; ++k) start[k] = rigid_motion(simulation.world(), k + 1).center.y();
    double fastest = 0;
    for (int i = 0; i < 20; ++i) {
      simulation.step();
      for (int k = 0; k < count; ++k) {
        const RigidMotion motion = rigid_motion(simulation.world(), k + 1);
        fastest = std::max(fastest, motion.velocity.y());
        EXPECT_NEAR(motion.center.y(), start[k], (k + 1) * gap) << "cube " << k << " step " << i;
      }
    }
    // Nothing is thrown upward faster than it could have fallen through its gap.
    EXPECT_LT(fastest, std::sqrt(2 * 9.81 * gap * count)) << part << " " << step;
  }
}

INSTANTIATE_TEST_SUITE_P(Gaps, StartGap,
                         testing::Combine(testing::Values(0.01, 0.1, 0.5, 1.0),
                                          testing::Values(1e-2, 1e-3, 1e-4)));

TEST(Start, AHeavyBoxJustAboveTheFloorStaysThere) {
  for (const double step : {1e-2, 1e-4}) {
    World world;
    add_ground(world);
    BodyOptions options = at("box", {0, 0.5001, 0});
    add_affine(world, surface_mesh(BoxShape{{1, 1, 1}}), {1000}, options);
    Settings settings;
    settings.time.step = step;
    Simulation simulation(std::move(world), settings);
    for (int i = 0; i < 30; ++i) simulation.step();
    EXPECT_LT(std::abs(rigid_motion(simulation.world(), 1).velocity.y()), 0.05) << step;
    EXPECT_NEAR(rigid_motion(simulation.world(), 1).center.y(), 0.5001, 1.1e-4) << step;
  }
}

TEST(Start, APairGetsItsFullDistanceBackAsItParts) {
  World world;
  add_affine(world, surface_mesh(BoxShape{{0.5, 0.5, 0.5}}), {}, at("lower", {0, 0, 0}));
  BodyOptions upper = at("upper", {0, 0.50001, 0});
  upper.velocity = {0, 0.01, 0};
  add_affine(world, surface_mesh(BoxShape{{0.5, 0.5, 0.5}}), {}, upper);
  Simulation simulation(std::move(world), without_gravity(0.01));
  ASSERT_EQ(simulation.world().state.contact.close.size(), 1u);
  EXPECT_NEAR(simulation.world().state.contact.close[0].distance, 1e-5, 1e-12);
  double last = 0;
  for (int i = 0; i < 12; ++i) {
    const StepReport report = simulation.step();
    EXPECT_EQ(report.contacts, 0);
    if (simulation.world().state.contact.close.empty()) break;
    EXPECT_GT(simulation.world().state.contact.close[0].distance, last);
    last = simulation.world().state.contact.close[0].distance;
  }
  EXPECT_TRUE(simulation.world().state.contact.close.empty());
  EXPECT_NEAR(rigid_motion(simulation.world(), 1).velocity.y(), 0.01, 1e-12);
}

// ---------------------------------------------------------------------------------------- what lies
// elsewhere

/// A small pile of different bodies with friction on a floor, about the given place.
void add_pile(World& world, const Vector3& place, double size, const std::string& name, bool soft) {
  for (int k = 0; k < 4; ++k) {
    BodyOptions options =
        at(name + std::to_string(k), place + size * Vector3(0.1 * k, 0.6 + 1.1 * k, 0.05 * k));
    options.velocity = size * Vector3(0.3, -1, 0);
    if (soft && k == 1) {
      add_deformable(world, solid_mesh(BoxShape{{size, size, size}}, size), rubber(), options);
    } else {
      add_stiff(world, k % 2 == 0 ? BodyKind::affine : BodyKind::rigid,
                surface_mesh(BoxShape{{size, size, size}}), {}, options);
    }
  }
}

TEST(Elsewhere, WhatLiesFarAwayDoesNotChangeAPile) {
  for (const bool soft : {false, true}) {
    World alone, beside;
    Settings settings;
    settings.contact.friction = 0.3;
    settings.solver.tolerance = 1e-3;
    add_pile(alone, {0, 0, 0}, 0.1, "body ", soft);
    add_ground(alone);
    add_pile(beside, {0, 0, 0}, 0.1, "body ", soft);
    add_ground(beside);
    add_pile(beside, {60, 0, 0}, 3, "large ", true);
    add_pile(beside, {-40, 0, 10}, 0.01, "small ", false);
    Simulation first(std::move(alone), settings), second(std::move(beside), settings);
    for (std::size_t b = 0; b < 4; ++b) EXPECT_EQ(first.derived().bodies[b], second.derived().bodies[b]) << b;
    for (int i = 0; i < 30; ++i) {
      first.step();
      second.step();
    }
    for (int b = 0; b < 4; ++b) {
      const RigidMotion x = rigid_motion(first.world(), b), y = rigid_motion(second.world(), b);
      EXPECT_LT((x.center - y.center).norm(), 1e-3) << b << (soft ? " soft" : " stiff");
    }
  }
}

TEST(Elsewhere, ASoftBodyFarAwayDoesNotChangeHowAScriptPushesStiffOnes) {
  enum class Beside { nothing, ball, cloth };
  const auto pushed = [](BodyKind kind, Beside beside) {
    World world;
    add_ground(world);
    Motion to_the_right;
    to_the_right.linear_velocity = {3, 0, 0};
    add_obstacle(world, surface_mesh(BoxShape{{0.1, 0.2, 0.4}}), at("ram", {-0.101, 0.11, 0}), to_the_right);
    for (int k = 0; k < 4; ++k)
      add_stiff(world, kind, surface_mesh(BoxShape{{0.1, 0.1, 0.1}}), {},
                at("box " + std::to_string(k), {0.1002 * k, 0.0501, 0}));
    if (beside == Beside::ball)
      add_deformable(world, solid_mesh(SphereShape{0.2}, 0.2), rubber(), at("ball", {100, 50, 0}));
    if (beside == Beside::cloth)
      add_shell(world, surface_mesh(GridShape{{1, 1}, {2, 2}}), {}, at("cloth", {100, 50, 0}));
    Settings settings;
    settings.contact.friction = 0.4;
    settings.solver.tolerance = 1e-4;
    Simulation simulation(std::move(world), settings);
    for (int i = 0; i < 30; ++i) simulation.step();
    Vectors centers(3, 4);
    for (int b = 0; b < 4; ++b) centers.col(b) = rigid_motion(simulation.world(), 2 + b).center;
    return centers;
  };
  for (const BodyKind kind : {BodyKind::affine, BodyKind::rigid}) {
    const Vectors alone = pushed(kind, Beside::nothing);
    EXPECT_GT(alone(0, 0), 0.8);
    // The tolerance allows 2e-5 m/s.
    for (const Beside beside : {Beside::ball, Beside::cloth})
      EXPECT_LT((pushed(kind, beside) - alone).cwiseAbs().maxCoeff(), 1e-5);
  }
}

TEST(Elsewhere, ScenesOfAMillimetreAndOfAKilometreScaleAlike) {
  // Lengths times s, with gravity times s: all motions scale by s in the same time.
  std::vector<Vectors> ends;
  for (const double s : {1e-3, 1.0, 1e3}) {
    World world;
    add_pile(world, {0, 0, 0}, s, "body ", false);
    add_ground(world);
    Settings settings;
    settings.gravity *= s;
    settings.contact.friction = 0.3;
    settings.solver.tolerance = 1e-6;
    Simulation simulation(std::move(world), settings);
    for (int i = 0; i < 30; ++i) simulation.step();
    Vectors centers(3, 4);
    for (int b = 0; b < 4; ++b) centers.col(b) = rigid_motion(simulation.world(), b).center / s;
    ends.push_back(centers);
  }
  EXPECT_LT((ends[0] - ends[1]).cwiseAbs().maxCoeff(), 1e-4);
  // Affine bodies of the same material are less stiff against the loads of a larger scene.
  EXPECT_LT((ends[2] - ends[1]).cwiseAbs().maxCoeff(), 2e-2);
}

TEST(Elsewhere, ANutOnABridgeRestsOnIt) {
  World world;
  add_affine(world, surface_mesh(BoxShape{{50, 1, 5}}), {}, at("bridge", {0, 0.5 + 1e-3, 0}));
  add_affine(world, surface_mesh(BoxShape{{0.02, 0.01, 0.02}}), {}, at("nut", {3, 1.001 + 0.005 + 5e-6, 0}));
  add_ground(world);
  Settings settings;
  settings.contact.friction = 0.3;
  Simulation simulation(std::move(world), settings);
  EXPECT_NEAR(simulation.derived().bodies[1].contact_distance, 3e-5, 1e-6);
  for (int i = 0; i < 50; ++i) simulation.step();
  const RigidMotion nut = rigid_motion(simulation.world(), 1), bridge = rigid_motion(simulation.world(), 0);
  EXPECT_NEAR(nut.center.y() - bridge.center.y(), 0.5 + 0.005, 3e-5);
  EXPECT_LT(nut.velocity.norm(), 1e-3);
}

}  // namespace
}  // namespace bulwark
