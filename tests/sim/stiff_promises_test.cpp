// The promises under stress: stiff bodies of all shapes, fast, thin, scripted and squeezed, never intersect
// or deform.
#include <bulwark/base/error.hpp>
#include <bulwark/base/log.hpp>
#include <bulwark/math/rotation.hpp>
#include <sim/stiff_scene.hpp>

#include <gtest/gtest.h>

#include <numbers>
#include <random>

namespace bulwark {
namespace {

using test::add_ground;
using test::add_stiff;
using test::at;
using test::free_of_intersections;
using test::name_of;
using test::stiff_kinds;
using test::WatchedRun;

TEST(StiffPromises, BodiesOfAllShapesFallOntoEachOtherWithoutIntersection) {
  const std::vector<SurfaceMesh> shapes = {
      surface_mesh(BoxShape{{0.3, 0.2, 0.1}}),
      surface_mesh(SphereShape{0.1}, 0.06),
      surface_mesh(TorusShape{0.15, 0.04}, 0.05),
      surface_mesh(ConeShape{0.12, 0.25}, 0.1),
      surface_mesh(GridShape{{0.3, 0.3}, {2, 2}}),
      surface_mesh(LineShape{{-0.2, 0, 0}, {0.2, 0, 0}, 2}),
      surface_mesh(TetrahedronShape{0.25}),
      surface_mesh(PointsShape{{{0, 0, 0}, {0.1, 0, 0}, {0, 0, 0.1}}}),
  };
  std::mt19937 random(2);
  std::uniform_real_distribution<double> uniform(-1, 1);
  auto vector = [&] { return Vector3(uniform(random), uniform(random), uniform(random)); };
  World world;
  for (std::size_t k = 0; k < 2 * shapes.size(); ++k) {
    BodyOptions options =
        at("body " + std::to_string(k),
           {0.05 * uniform(random), 0.25 + 0.33 * static_cast<double>(k), 0.05 * uniform(random)});
    options.pose.rotation = rotation_matrix(Vector3(3 * vector()));
    options.velocity = Vector3(0, -1.0 - 0.4 * static_cast<double>(k), 0);
    options.angular_velocity = 10 * vector();
    add_stiff(world, stiff_kinds[k % 2], shapes[k % shapes.size()], {1000, 1e11, 0.01}, options);
  }
  add_obstacle(world, surface_mesh(BoxShape{{3, 0.2, 3}}), at("floor", {0, -0.1, 0}));
  Settings settings;
  settings.contact.friction = 0.3;
  WatchedRun run(std::move(world), settings);
  int contacts = 0;
  for (int i = 0; i < 80; ++i) {
    contacts = std::max(contacts, run.step().contacts);
    ASSERT_TRUE(free_of_intersections(run.simulation)) << "step " << i;
  }
  EXPECT_GT(contacts, 15);
}

TEST(StiffPromises, ASpinningBladeHitsABlockAndGainsNoEnergy) {
  // 50 rad/s: half a radian a step.
  for (const BodyKind kind : stiff_kinds) {
    World world;
    BodyOptions options = at("blade", {0, 0, 0});
    options.angular_velocity = {0, 50, 0};
    add_stiff(world, kind, surface_mesh(BoxShape{{1, 0.1, 0.05}}), {}, options);
    options = at("block", {0.45, 0, 0.3});
    options.velocity = {0, 0, -5};
    add_stiff(world, kind, surface_mesh(BoxShape{{0.1, 0.1, 0.1}}), {}, options);
    Settings settings;
    settings.gravity.setZero();
    WatchedRun run(std::move(world), settings);
    double start = 0;
    for (const int b : {0, 1}) {
      const RigidMotion motion = run.motion(b);
      start += 0.5 * test::stiff_body(run.world(), b).mass * motion.velocity.squaredNorm() +
               0.5 * motion.angular_velocity.dot(test::spin_momentum(run.world(), b));
    }
    bool touched = false;
    for (int i = 0; i < 40; ++i) {
      const StepReport report = run.step();
      touched = touched || report.contacts > 0;
      EXPECT_LT(report.energies.total(), start * (1 + 1e-6)) << name_of(kind) << " step " << i;
    }
    EXPECT_TRUE(touched) << name_of(kind);
  }
}

TEST(StiffPromises, AThinWireRestsAcrossTwoPosts) {
  for (const BodyKind kind : stiff_kinds) {
    World world;
    const int wire = add_stiff(world, kind, surface_mesh(LineShape{{-0.5, 0, 0}, {0.5, 0, 0}, 3}),
                               {7800, 1e11, 0.005}, at("wire", {0, 0.52, 0}));
    for (const double x : {-0.3, 0.35}) {
      add_obstacle(world, surface_mesh(BoxShape{{0.05, 0.5, 0.2}}),
                   at("post " + std::to_string(x), {x, 0.25, 0}));
    }
    Settings settings;
    settings.contact.distance = {1e-3, false};
    settings.contact.friction = 0.3;
    settings.solver.tolerance = 1e-4;
    WatchedRun run(std::move(world), settings);
    run.steps(80);
    EXPECT_GT(run.motion(wire).center.y(), 0.5) << name_of(kind);
    EXPECT_LT(run.motion(wire).center.y(), 0.501) << name_of(kind);
    const double weight = test::stiff_body(run.world(), wire).mass * 9.81;
    EXPECT_NEAR(test::contact_force(run.simulation, wire).y(), weight, 0.02 * weight) << name_of(kind);
  }
}

TEST(StiffPromises, AtDefaultSettingsABlockRestsAtAGapThatDoesNotShrink) {
  for (const BodyKind kind : stiff_kinds) {
    World world;
    add_stiff(world, kind, surface_mesh(BoxShape{{0.4, 0.2, 0.3}}), {}, at("box", {0, 0.15, 0}));
    add_ground(world);
    WatchedRun run(std::move(world), {});
    run.steps(40);
    const double gap = run.motion(0).center.y() - 0.1;
    EXPECT_GT(gap, 0.1 * run.simulation.derived().contact_distance) << name_of(kind);
    run.steps(60);
    EXPECT_NEAR(run.motion(0).center.y() - 0.1, gap, 0.05 * gap) << name_of(kind);
  }
}

TEST(StiffPromises, ABodyTurnedInsideOutIsTheSameBody) {
  SurfaceMesh inward = surface_mesh(BoxShape{{0.4, 0.2, 0.3}});
  for (Triangle& t : inward.triangles) std::swap(t[0], t[1]);
  for (const BodyKind kind : stiff_kinds) {
    World world;
    add_stiff(world, kind, inward, {}, at("box", {0, 0.15, 0}));
    EXPECT_NEAR(test::stiff_body(world, 0).mass, 24, 1e-10);
    add_ground(world);
    WatchedRun run(std::move(world), {});
    run.steps(40);
    EXPECT_NEAR(run.motion(0).center.y(), 0.1, 1e-3);
  }
}

TEST(StiffPromises, APressThatClosesAllTheWayIsRefusedAndTheLastGoodStateKept) {
  // A rigid block stops it. An affine one yields first: a script is as strong as it must be, and the
  // orthogonality energy is finite.
  for (const BodyKind kind : stiff_kinds) {
    World world;
    add_stiff(world, kind, surface_mesh(BoxShape{{0.2, 0.2, 0.2}}), {}, at("block", {0, 0.11, 0}));
    add_ground(world);
    const int press =
        add_stiff(world, kind, surface_mesh(BoxShape{{1, 0.1, 1}}), {}, at("press", {0, 0.27, 0}));
    Motion motion;
    motion.linear_velocity = {0, -3, 0};
    hold(world, press, SelectAll{}, motion);
    Settings settings;
    settings.solver.max_iterations = 60;
    settings.solver.max_halvings = 2;
    set_log_sink({});
    Simulation simulation(std::move(world), settings);
    State last;
    bool refused = false;
    try {
      for (int i = 0; i < 20; ++i) {
        last = simulation.world().state;
        simulation.step();
      }
    } catch (const SolveError&) {
      refused = true;
    }
    EXPECT_TRUE(refused) << name_of(kind);
    EXPECT_EQ(simulation.world().state.position, last.position);
    EXPECT_TRUE(free_of_intersections(simulation));
  }
}

TEST(StiffPromises, SoftBodiesLieInsideTheFlatFacesOfStiffOnes) {
  // A refined flat face has inner edges and vertices that contact leaves out: what lies there must be carried
  // all the same.
  for (const BodyKind kind : stiff_kinds) {
    World world;
    ElasticMaterial rubber;
    rubber.young = 1e5;
    const int plate =
        add_stiff(world, kind, surface_mesh(BoxShape{{0.6, 0.1, 0.6}}, 0.1), {}, at("plate", {0, 0.06, 0}));
    const int ball =
        add_deformable(world, solid_mesh(SphereShape{0.1}, 0.05), rubber, at("ball", {0.03, 0.23, 0.02}));
    BodyOptions options = at("tip", {-0.18, 0.25, -0.13});
    options.pose.rotation = rotation_matrix(Vector3(std::numbers::pi, 0, 0));
    const int cone = add_stiff(world, kind, surface_mesh(ConeShape{0.05, 0.2}, 0.05), {}, options);
    add_ground(world);
    Settings settings;
    settings.contact.friction = 0.5;
    WatchedRun run(std::move(world), settings);
    for (int i = 0; i < 60; ++i) {
      run.step();
      ASSERT_TRUE(free_of_intersections(run.simulation)) << name_of(kind) << " step " << i;
    }
    EXPECT_GT(run.motion(ball).center.y(), 0.17) << name_of(kind);
    EXPECT_GT(run.motion(cone).center.y(), 0.1) << name_of(kind);
    EXPECT_GT(run.motion(plate).center.y(), 0.05) << name_of(kind);
  }
}

}  // namespace
}  // namespace bulwark
