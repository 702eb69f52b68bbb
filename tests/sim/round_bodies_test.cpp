// Spheres, capsules and rounded boxes as they are: rolling, sliding and spinning against closed-form answers, and
// contact of what has a radius, of all kinds.
#include "sim/stiff_scene.hpp"

#include <bulwark/base/parallel.hpp>
#include <bulwark/bodies/cloth_material.hpp>

#include <cmath>
#include <numbers>
#include <random>

namespace bulwark::test {
namespace {

constexpr double gravity = 9.81;

SurfaceMesh ball(double radius) {
  return round_surface(SphereShape{radius});
}

SurfaceMesh capsule(double radius, double height) {
  return round_surface(CapsuleShape{radius, height});
}

/// Gravity as on a slope of this angle that goes down along +x.
Vector3 on_slope(double degrees) {
  const double angle = degrees * std::numbers::pi / 180;
  return gravity * Vector3(std::sin(angle), -std::cos(angle), 0);
}

Settings with_friction(double friction, double h) {
  Settings settings;
  settings.time.step = h;
  settings.contact.friction = friction;
  return settings;
}

/// The gap at which a body of this mass rests on the ground; contacts begin a little above it.
double begin_gap(double size) {
  return 0.5e-3 * size;
}

class RoundBodies : public testing::TestWithParam<BodyKind> {};
INSTANTIATE_TEST_SUITE_P(Stiff, RoundBodies, testing::ValuesIn(stiff_kinds),
                         [](const auto& of) { return name_of(of.param); });

TEST_P(RoundBodies, ABallHasTheMassAndInertiaOfASphere) {
  World world;
  add_stiff(world, GetParam(), ball(0.3), {2000}, at("ball", {1, 2, 3}));
  const double mass = 2000 * 4.0 / 3 * std::numbers::pi * 0.027;
  EXPECT_NEAR(world.stiff[0].mass, mass, 1e-12 * mass);
  EXPECT_LT((world.stiff[0].second_moment - mass * 0.09 / 5 * Matrix3::Identity()).norm(), 1e-12 * mass);
  EXPECT_EQ(world.state.position.col(0), Vector3(1, 2, 3));
}

TEST_P(RoundBodies, ABallRollsDownASlopeWithFiveSeventhsOfTheAcceleration) {
  for (const bool on_triangles : {false, true}) {
    for (const double angle : {5.0, 15.0, 30.0}) {
      World world;
      const double radius = 0.1;
      if (on_triangles) {
        add_obstacle(world, surface_mesh(BoxShape{{40, 1, 4}}), at("ground", {0.013, -0.5, 0.017}));
      } else {
        add_ground(world);
      }
      const int rolling =
          add_stiff(world, GetParam(), ball(radius), {1000}, at("ball", {0, radius + begin_gap(radius), 0}));
      Settings settings = with_friction(0.8, 0.01);
      settings.gravity = on_slope(angle);
      Simulation simulation(std::move(world), settings);
      for (int k = 0; k < 100; ++k) simulation.step();
      const RigidMotion motion = rigid_motion(simulation.world(), rolling);
      const double expected = 5.0 / 7 * settings.gravity.x();
      EXPECT_NEAR(motion.velocity.x(), expected, 1e-3 * expected) << angle << on_triangles;
      EXPECT_NEAR(-motion.angular_velocity.z() * radius, expected, 1e-3 * expected) << angle << on_triangles;
      EXPECT_LT(std::abs(motion.velocity.z()), 1e-6);
      EXPECT_TRUE(free_of_intersections(simulation));
    }
  }
}

TEST_P(RoundBodies, ABowlingBallSlidesAndThenRolls) {
  World world;
  const double radius = 0.108, speed = 8, friction = 0.2;
  add_obstacle(world, surface_mesh(BoxShape{{60, 1, 4}}), at("lane", {0.3, -0.5, 0.1}));
  BodyOptions options = at("ball", {-10, radius + begin_gap(radius), 0});
  options.velocity = {speed, 0, 0};
  const int index = add_stiff(world, GetParam(), ball(radius), {1300}, options);
  Simulation simulation(std::move(world), with_friction(friction, 0.005));
  const double rolls_from = 2 * speed / (7 * friction * gravity);
  for (int k = 1; k <= 400; ++k) {
    simulation.step();
    const RigidMotion motion = rigid_motion(simulation.world(), index);
    const double t = k * 0.005, v = motion.velocity.x(), w = -motion.angular_velocity.z() * radius;
    if (t < 0.95 * rolls_from) {
      EXPECT_NEAR(v, speed - friction * gravity * t, 5e-3 * speed) << t;
      EXPECT_NEAR(w, 2.5 * friction * gravity * t, 5e-3 * speed) << t;
    } else if (t > 1.05 * rolls_from) {
      EXPECT_NEAR(v, 5.0 / 7 * speed, 5e-3 * speed) << t;
      EXPECT_NEAR(w, v, 1e-3 * speed) << t;
    }
  }
  EXPECT_TRUE(free_of_intersections(simulation));
}

TEST_P(RoundBodies, ABallRollsRightHoweverFarItTurnsInAStep) {
  // Half a turn in a step, and more.
  for (const double spin : {50.0, 250.0, 400.0}) {
    World world;
    const double radius = 0.1;
    add_ground(world);
    BodyOptions options = at("ball", {0, radius + begin_gap(radius), 0});
    options.velocity = {spin * radius, 0, 0};
    options.angular_velocity = {0, 0, -spin};
    const int index = add_stiff(world, GetParam(), ball(radius), {1000}, options);
    Simulation simulation(std::move(world), with_friction(0.5, 0.01));
    for (int k = 0; k < 50; ++k) simulation.step();
    const RigidMotion motion = rigid_motion(simulation.world(), index);
    EXPECT_NEAR(motion.velocity.x(), spin * radius, 1e-4 * spin * radius) << spin;
  }
}

TEST_P(RoundBodies, ASpinningBallComesToRestAsItsCoefficientSays) {
  World world;
  const double radius = 0.1, spin = 20, coefficient = 0.005;
  add_obstacle(world, surface_mesh(BoxShape{{4, 1, 4}}), at("ground", {0.1, -0.5, 0.3}));
  BodyOptions options = at("ball", {0, radius + begin_gap(radius), 0});
  options.angular_velocity = {0, spin, 0};
  options.spinning_resistance = coefficient;
  const int index = add_stiff(world, GetParam(), ball(radius), {1000}, options);
  Simulation simulation(std::move(world), with_friction(0.5, 0.005));
  const double slower = coefficient * gravity / (0.4 * radius * radius);
  for (int k = 1; k <= 400; ++k) {
    simulation.step();
    const double t = k * 0.005, w = rigid_motion(simulation.world(), index).angular_velocity.y();
    EXPECT_NEAR(w, std::max(0.0, spin - slower * t), 0.01 * spin) << t;
  }
  EXPECT_LT(std::abs(rigid_motion(simulation.world(), index).angular_velocity.y()), 1e-6);
}

TEST(RadiiOfAllSizes, WorldsAndGrainsMeetInOneScene) {
  // Both pairs come at each other at their own pace, and part again: 18 orders of magnitude apart.
  constexpr double world_radius = 1e6, grain_radius = 1e-12;
  const auto run = [](int threads) {
    World world;
    const auto add = [&](const std::string& name, double radius, double x, double y, double speed) {
      BodyOptions options = at(name, {x, y, 0});
      options.velocity = {speed, 0, 0};
      add_rigid(world, ball(radius), {}, options);
    };
    add("left world", world_radius, -1.05 * world_radius, 1e8, world_radius);
    add("right world", world_radius, 1.05 * world_radius, 1e8, -world_radius);
    add("left grain", grain_radius, -1.1 * grain_radius, 0, grain_radius);
    add("right grain", grain_radius, 1.1 * grain_radius, 0, -grain_radius);
    Settings settings = with_friction(0, 0.02);
    settings.gravity.setZero();
    settings.solver.threads = threads;
    Simulation simulation(std::move(world), settings);
    for (int step = 0; step < 12; ++step) {
      simulation.step();
      const Vectors& q = simulation.world().state.position;
      EXPECT_GT(q(0, 4) - q(0, 0), 2 * world_radius);
      EXPECT_GT(q(0, 12) - q(0, 8), 2 * grain_radius);
    }
    return simulation.world().state;
  };
  const State one = run(1), three = run(3);
  EXPECT_GT(one.velocity(0, 4) - one.velocity(0, 0), 0);
  EXPECT_GT(one.velocity(0, 12) - one.velocity(0, 8), 0);
  EXPECT_EQ(one.position, three.position);
}

TEST_P(RoundBodies, ResistanceIsRenewedWithinAStepWhereNothingRubs) {
  // A ball that spins as it lands on ice: its resistance goes by the normal force of the step in which it lands.
  const double radius = 0.1, coefficient = 0.002, h = 0.01;
  World world;
  add_ground(world);
  BodyOptions options = at("ball", {0, radius + 0.015, 0});
  options.velocity = {0, -1, 0};
  options.angular_velocity = {0, 0, -20};
  options.rolling_resistance = coefficient;
  const int index = add_stiff(world, GetParam(), ball(radius), {1000}, options);
  Settings settings = with_friction(0, h);
  settings.contact.friction_iterations = 0;
  Simulation simulation(std::move(world), settings);
  const double mass = simulation.world().stiff[0].mass, inertia = 0.4 * mass * radius * radius;
  RigidMotion before = rigid_motion(simulation.world(), index);
  bool landed = false;
  for (int k = 0; k < 4; ++k) {
    const StepReport report = simulation.step();
    const RigidMotion now = rigid_motion(simulation.world(), index);
    const double impulse = mass * (now.velocity.y() - before.velocity.y() + gravity * h);
    if (impulse > 0.1 * mass) {
      landed = true;
      EXPECT_GT(report.friction_updates, 1);
      EXPECT_NEAR(inertia * (now.angular_velocity.z() - before.angular_velocity.z()), coefficient * impulse,
                  0.02 * coefficient * impulse);
    }
    before = now;
  }
  EXPECT_TRUE(landed);
}

TEST_P(RoundBodies, RollingResistanceSlowsARollingBallAndHoldsOneOnASlope) {
  const double radius = 0.1, coefficient = 0.002;
  {
    World world;
    add_ground(world);
    BodyOptions options = at("ball", {0, radius + begin_gap(radius), 0});
    options.velocity = {1, 0, 0};
    options.angular_velocity = {0, 0, -1 / radius};
    options.rolling_resistance = coefficient;
    const int index = add_stiff(world, GetParam(), ball(radius), {1000}, options);
    Simulation simulation(std::move(world), with_friction(0.5, 0.01));
    for (int k = 0; k < 200; ++k) simulation.step();
    EXPECT_NEAR(rigid_motion(simulation.world(), index).velocity.x(),
                1 - 2 * coefficient * gravity / (1.4 * radius), 2e-3);
  }
  for (const bool holds : {true, false}) {
    World world;
    const int ground = add_ground(world);
    world.bodies[ground].rolling_resistance = coefficient;  // of either side
    const int index =
        add_stiff(world, GetParam(), ball(radius), {1000}, at("ball", {0, radius + begin_gap(radius), 0}));
    Settings settings = with_friction(0.5, 0.01);
    settings.solver.tolerance = 1e-5;  // of speeds that are small themselves
    // It holds while tan(angle) < coefficient / radius.
    settings.gravity =
        on_slope((holds ? 0.8 : 1.2) * std::atan(coefficient / radius) * 180 / std::numbers::pi);
    Simulation simulation(std::move(world), settings);
    const auto speed = [&] { return rigid_motion(simulation.world(), index).velocity.x(); };
    for (int k = 0; k < 50; ++k) simulation.step();
    const double half_way = speed();
    for (int k = 0; k < 50; ++k) simulation.step();
    if (holds) {
      EXPECT_LT(speed(), 2e-4);
    } else {
      EXPECT_NEAR((speed() - half_way) / 0.5, 0.2 * coefficient / radius * gravity / 1.4, 1e-3);
    }
  }
}

TEST_P(RoundBodies, ACapsuleRollsStraight) {
  World world;
  const double radius = 0.1;
  add_obstacle(world, surface_mesh(BoxShape{{60, 1, 4}}), at("ground", {0.2, -0.5, 0.013}));
  BodyOptions options = at("capsule", {0, radius + begin_gap(radius), 0});
  options.pose.rotation = Eigen::AngleAxisd(std::numbers::pi / 2, Vector3::UnitX()).toRotationMatrix();
  const int index = add_stiff(world, GetParam(), capsule(radius, 0.6), {1000}, options);
  const StiffBody& stiff = stiff_body(world, index);
  const double inertia = stiff.second_moment(0, 0) + stiff.second_moment(1, 1);  // about z
  const double expected_part = 1 / (1 + inertia / (stiff.mass * radius * radius));
  Settings settings = with_friction(0.8, 0.01);
  settings.gravity = on_slope(10);
  Simulation simulation(std::move(world), settings);
  for (int k = 0; k < 100; ++k) simulation.step();
  const RigidMotion motion = rigid_motion(simulation.world(), index);
  const double expected = expected_part * settings.gravity.x();
  EXPECT_NEAR(motion.velocity.x(), expected, 1e-3 * expected);
  EXPECT_LT(std::abs(motion.center.z()), 1e-5);
  EXPECT_LT(std::abs(motion.angular_velocity.y()), 1e-4);
  EXPECT_TRUE(free_of_intersections(simulation));
}

/// Two balls meet in the middle, each with the other's velocity after it.
TEST_P(RoundBodies, BallsOfACradlePassTheirMomentumOn) {
  World world;
  const double radius = 0.05, gap = 2e-3;
  const int count = 5;
  for (int k = 0; k < count; ++k) {
    BodyOptions options =
        at("ball" + std::to_string(k), {k * (2 * radius + gap) - (k == 0 ? 0.05 : 0), 0, 0});
    if (k == 0) options.velocity = {1, 0, 0};
    add_stiff(world, GetParam(), ball(radius), {7800}, options);
  }
  Settings settings;
  settings.gravity.setZero();
  settings.time.integrator = "newmark";
  settings.time.step = 2e-4;
  settings.contact.distance = {1e-4, true};
  settings.solver.tolerance = 1e-6;
  Simulation simulation(std::move(world), settings);
  for (int k = 0; k < 500; ++k) simulation.step();
  double momentum = 0, energy = 0;
  for (int k = 0; k < count; ++k) {
    const double v = rigid_motion(simulation.world(), k).velocity.x();
    momentum += v;
    energy += v * v;
  }
  EXPECT_NEAR(momentum, 1, 1e-6);
  EXPECT_NEAR(energy, 1, 0.02);
  EXPECT_GT(rigid_motion(simulation.world(), count - 1).velocity.x(), 0.9);
  EXPECT_TRUE(free_of_intersections(simulation));
}

TEST(RoundPairs, SpheresCapsulesRodsParticlesAndClothMeetAtTheirRadii) {
  // Something falls onto something that is held; it comes to rest where their radii say.
  const double r = 0.05;
  struct Upper {
    const char* name;
    std::function<int(World&, const BodyOptions&)> add;
  };
  const StiffMaterial stiff = {1000};
  SurfaceMesh point;
  point.vertices = Vector3::Zero();
  point.points = {0};
  const auto with_radius = [&](BodyOptions options) {
    options.offset = r;
    return options;
  };
  const RodMaterial rod = [&] {
    RodMaterial material;
    material.radius = r;
    return material;
  }();
  const SurfaceMesh line = surface_mesh(LineShape{{-0.5, 0, 0}, {0.5, 0, 0}, 4});
  const std::vector<Upper> uppers = {
      {"sphere", [&](World& w, const BodyOptions& o) { return add_rigid(w, ball(r), stiff, o); }},
      {"capsule", [&](World& w, const BodyOptions& o) { return add_affine(w, capsule(r, 6 * r), stiff, o); }},
      {"particle",
       [&](World& w, const BodyOptions& o) { return add_particles(w, point, 0.1, {}, with_radius(o)); }},
      {"rod", [&](World& w, const BodyOptions& o) { return add_rod(w, line, rod, o); }}};
  for (const Upper& upper : uppers) {
    for (const Upper& lower : uppers) {
      World world;
      const int held = lower.add(world, at("lower", {0, 0, 0}));
      hold(world, held, SelectAll{});
      BodyOptions options = at("upper", {0, 2 * r + 2e-3, 0});
      // Across the lower one, and standing capsules end on.
      options.pose.rotation = Eigen::AngleAxisd(std::numbers::pi / 2, Vector3::UnitY()).toRotationMatrix();
      const double tip = std::string(upper.name) == "capsule" ? 2 * r : 0;
      const double below = std::string(lower.name) == "capsule" ? 2 * r : 0;
      options.pose.position.y() += tip + below;
      const int index = upper.add(world, options);
      Simulation simulation(std::move(world), Settings());
      double lowest = 1;
      for (int k = 0; k < 6; ++k) {
        simulation.step();
        ASSERT_TRUE(free_of_intersections(simulation)) << upper.name << " on " << lower.name;
        const Vectors x = vertex_positions(simulation.world().collision, simulation.world().state.position);
        // The vertex over the other body: the ends of a rod bend down.
        const Body& body = simulation.world().bodies[index];
        int over = body.first_vertex;
        for (int v = over; v < body.first_vertex + body.vertex_count; ++v) {
          const auto away = [&](int vertex) { return std::hypot(x(0, vertex), x(2, vertex)); };
          if (away(v) < away(over) - 1e-9) over = v;
        }
        lowest = std::min(lowest, x(1, over));
      }
      EXPECT_GT(lowest, 2 * r + below) << upper.name << " on " << lower.name;
      EXPECT_LT(lowest, 2 * r + below + 2e-3) << upper.name << " on " << lower.name;
    }
  }
}

TEST(RoundPairs, SegmentsSideBySidePushEachOther) {
  // Where they are parallel, edges have no common normal: their ends and points hold them apart.
  const double r = 0.05;
  for (const bool rods : {false, true}) {
    for (const double shift : {0.0, 0.07}) {
      World world;
      RodMaterial rod;
      rod.radius = r;
      BodyOptions options = at("lower", {0, 0, 0});
      options.pose.rotation = Eigen::AngleAxisd(std::numbers::pi / 2, Vector3::UnitZ()).toRotationMatrix();
      const SurfaceMesh line = surface_mesh(LineShape{{0, -0.3, 0}, {0, 0.3, 0}, 6});
      const auto add = [&] {
        return rods ? add_rod(world, line, rod, options)
                    : add_rigid(world, capsule(r, 0.6 + 2 * r), {1000}, options);
      };
      hold(world, add(), SelectAll{});
      options.name = "upper";
      options.pose.position = {shift, 2 * r + 5e-4, 0};
      const int upper = add();
      Settings settings;
      settings.contact.friction = 0.5;
      Simulation simulation(std::move(world), settings);
      for (int k = 0; k < 5; ++k) {
        simulation.step();
        ASSERT_TRUE(free_of_intersections(simulation));
      }
      const Vectors x = vertex_positions(simulation.world().collision, simulation.world().state.position);
      const Body& body = simulation.world().bodies[upper];
      EXPECT_GT(x.row(1).segment(body.first_vertex, body.vertex_count).minCoeff(), 2 * r - 1e-3);
      EXPECT_LT(simulation.world().state.velocity.cwiseAbs().maxCoeff(), 0.5);
    }
  }
}

TEST(RoundPairs, ClothRestsOnAGroundByHalfItsThickness) {
  World world;
  add_ground(world);
  ClothMaterial material;
  material.thickness = 0.01;
  add_shell(world, surface_mesh(GridShape{{0.4, 0.4}, {4, 4}}), material, at("cloth", {0, 0.0056, 0}));
  Simulation simulation(std::move(world), Settings());
  for (int k = 0; k < 20; ++k) simulation.step();
  const double lowest = simulation.world().state.position.row(1).tail(25).minCoeff();
  EXPECT_GT(lowest, 0.005);
  EXPECT_LT(lowest, 0.0057);
  EXPECT_TRUE(free_of_intersections(simulation));
}

TEST(RoundPairs, ARopeFinerThanItsThicknessDoesNotPushOnItselfAtRest) {
  World world;
  RodMaterial material;
  material.radius = 0.02;
  add_rod(world, surface_mesh(LineShape{{0, 0, 0}, {0.5, 0, 0}, 100}), material, at("rope", {0, 1, 0}));
  Settings settings;
  settings.gravity.setZero();
  Simulation simulation(std::move(world), settings);
  const Vectors before = simulation.world().state.position;
  for (int k = 0; k < 5; ++k) simulation.step();
  EXPECT_LT((simulation.world().state.position - before).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(RoundPairs, ASkinKeepsSoftBodiesApart) {
  World world;
  add_ground(world);
  ElasticMaterial material;
  BodyOptions options = at("cube", {0, 0.052 + 0.02, 0});
  options.offset = 0.02;
  add_deformable(world, solid_mesh(BoxShape{{0.1, 0.1, 0.1}}, 0.05), material, options);
  Simulation simulation(std::move(world), Settings());
  for (int k = 0; k < 30; ++k) simulation.step();
  EXPECT_TRUE(free_of_intersections(simulation));
  const Body& body = simulation.world().bodies[1];
  EXPECT_GT(
      simulation.world().state.position.middleCols(body.first_control, body.control_count).row(1).minCoeff(),
      0.02);
}

TEST(RoundPairs, PouredSpheresNeverIntersectAndGiveTheSameBitsOnAnyNumberOfThreads) {
  auto run = [](int threads) {
    World world;
    add_ground(world);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (int k = 0; k < 60; ++k) {
      const double radius = 0.05 + 0.05 * uniform(random);
      const Vector3 place(0.25 * (k % 3) + 0.01 * uniform(random), 0.15 + 0.23 * (k / 9),
                          0.25 * (k / 3 % 3) + 0.01 * uniform(random));
      const SurfaceMesh mesh = k % 5 == 4 ? capsule(0.5 * radius, 2 * radius) : ball(radius);
      BodyOptions options = at("body" + std::to_string(k), place);
      options.velocity = {0, -3, 0};
      options.angular_velocity = 20 * Vector3(uniform(random), uniform(random), uniform(random));
      add_stiff(world, k % 2 == 0 ? BodyKind::rigid : BodyKind::affine, mesh, {1000}, options);
    }
    Settings settings = with_friction(0.4, 0.01);
    settings.solver.threads = threads;
    Simulation simulation(std::move(world), settings);
    for (int k = 0; k < 25; ++k) {
      simulation.step();
      EXPECT_TRUE(free_of_intersections(simulation)) << k;
    }
    return simulation.world().state.position;
  };
  const Vectors one = run(1);
  EXPECT_EQ(one, run(2));
}

/// Where only the earliest pair of the whole scene limits a step, iterations grow with the contacts of an impact: some
/// 200 here.
TEST(RoundPairs, AnImpactOfManyBallsTakesFewerIterationsThanBalls) {
  World world;
  add_ground(world);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int k = 0; k < 216; ++k) {
    const Vector3 place(0.11 * (k % 6) + 0.005 * uniform(random),
                        0.06 + 0.11 * (k / 36) + 0.005 * uniform(random),
                        0.11 * (k / 6 % 6) + 0.005 * uniform(random));
    BodyOptions options = at("ball" + std::to_string(k), place);
    options.velocity = {0, -3, 0};
    add_stiff(world, BodyKind::rigid, ball(0.05), {1000}, options);
  }
  Simulation simulation(std::move(world), with_friction(0.3, 0.01));
  int most = 0;
  for (int k = 0; k < 12; ++k) most = std::max(most, simulation.step().newton_iterations);
  EXPECT_TRUE(free_of_intersections(simulation));
  EXPECT_LE(most, 140);
}

TEST(RoundPairs, FastBallsDoNotPassEachOtherInsideAStep) {
  for (const double off : {0.0, 1e-9, 1e-6}) {
    World world;
    BodyOptions left = at("left", {-0.5, 0, 0}), right = at("right", {0.5, off, 0});
    left.velocity = {100, 0, 0};
    right.velocity = {-100, 0, 0};
    add_rigid(world, ball(0.1), {1000}, left);
    add_affine(world, ball(0.1), {1000}, right);
    Settings settings;
    settings.gravity.setZero();
    settings.time.step = 0.02;
    Simulation simulation(std::move(world), settings);
    for (int k = 0; k < 3; ++k) simulation.step();
    EXPECT_LT(rigid_motion(simulation.world(), 0).center.x(), rigid_motion(simulation.world(), 1).center.x())
        << off;
  }
}

}  // namespace
}  // namespace bulwark::test
