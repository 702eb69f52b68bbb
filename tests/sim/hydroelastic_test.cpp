// Hydroelastic contact against reference integrations of its pressure, and in motion.
#include <bulwark/base/error.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/body_nodes.hpp>
#include <bulwark/sim/derive.hpp>
#include <bulwark/sim/hydroelastic_contact.hpp>
#include <bulwark/sim/remove_body.hpp>
#include <bulwark/sim/simulation.hpp>

#include <sim/stiff_scene.hpp>

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>

namespace bulwark {
namespace {

using test::add_ground;
using test::at;

constexpr double pi = std::numbers::pi;
constexpr double modulus = 1e5;

Settings hydroelastic_settings(int threads = 1) {
  Settings settings;
  settings.solver.threads = threads;
  settings.contact.model = ContactModelKind::hydroelastic;
  settings.contact.hydroelastic.modulus = modulus;
  return settings;
}

int add_soft(World& world, const std::string& name, const TetMesh& mesh, const Vector3& position) {
  ElasticMaterial soft;
  soft.young = 1e5;
  return add_deformable(world, mesh, soft, at(name, position));
}

/// What acts between the bodies of a world as they are.
struct Acting {
  std::vector<ContactForce> contacts;
  Vectors forces;  ///< on the controls
};

Acting acting(World& world, const Settings& settings = hydroelastic_settings()) {
  world.contact_model = ContactModelKind::hydroelastic;
  update_contact_models(world);
  const Derived derived = derive(world, settings);
  HydroelasticContact model(world, settings, derived);
  model.begin_step({0.01, 0.01, false});
  State state = world.state;
  model.end_step(world.state.position, state);
  Acting acting{model.contacts(), Vectors::Zero(3, world.control_count())};
  model.add_control_forces(acting.forces);
  return acting;
}

Vector3 force_on(const World& world, const Acting& acting, int body) {
  const Body& b = world.bodies[body];
  return acting.forces.middleCols(b.first_control, b.point_count).rowwise().sum();
}

/// Force on two equal balls whose centers have the distance d: the pressure (1 - s / R) over the disc between them.
double force_of_equal_balls(double R, double d) {
  const auto antiderivative = [&](double s) { return R * s * s / 2 - s * s * s / 3; };
  return 2 * pi * modulus / R * (antiderivative(R) - antiderivative(d / 2));
}

TEST(Hydroelastic, TwoBallsConvergeToTheIntegralOfTheirPressure) {
  const double R = 0.1, d = 0.15, exact = force_of_equal_balls(R, d);
  double last = 1;
  for (const double resolution : {0.04, 0.02, 0.01}) {
    World world;
    const TetMesh ball = solid_mesh(SphereShape{R}, resolution);
    add_soft(world, "low", ball, {0, 0, 0});
    add_soft(world, "high", ball, {0.3 * d, 0.9 * d, std::sqrt(1 - 0.09 - 0.81) * d});
    const Vector3 along =
        world.rest.middleCols(world.bodies[1].first_control, world.bodies[1].point_count).rowwise().mean();
    const Vector3 force = force_on(world, acting(world), 1);
    const double error = std::abs(force.norm() / exact - 1);
    EXPECT_LT(error, 0.5 * last) << resolution;
    EXPECT_LT((force.normalized() - along.normalized()).norm(), 0.05) << resolution;
    last = error;
  }
  EXPECT_LT(last, 0.025);
}

/// The force on a ball of radius r at height y over a torus, by a fine integration over the ball: by the divergence
/// theorem it is the integral of -grad p_ball where the ball's pressure is the smaller one. Pressures as fields of the
/// exact shapes; around the axis everything is alike.
double force_of_ball_in_torus(double r, double y, double major, double minor) {
  constexpr int n = 1500;
  double force = 0;
  for (int i = 0; i < n; ++i) {
    const double s = r * (i + 0.5) / n;  // distance from the ball's center
    for (int j = 0; j < n; ++j) {
      const double angle = pi * (j + 0.5) / n;  // from the axis
      const double rho = s * std::sin(angle), height = y + s * std::cos(angle);
      const double in_torus = minor - std::hypot(rho - major, height);
      if (in_torus <= 0) continue;
      const double of_torus = in_torus / minor, of_ball = 1 - s / r;
      if (of_ball >= of_torus) continue;
      // -grad p_ball points outward; the force on the ball is the opposite of the pressure's push on the torus.
      const double volume = 2 * pi * rho * s * (r / n) * (pi / n);
      force += -modulus / r * std::cos(angle) * volume;
    }
  }
  return force;
}

TEST(Hydroelastic, ABallInARingConvergesToTheIntegralOfItsPressure) {
  // Not convex: the ball lies in the hole, and is pressed all around it.
  const double r = 0.1, major = 0.1, minor = 0.05, y = 0.07;
  const double exact = force_of_ball_in_torus(r, y, major, minor);
  ASSERT_GT(exact, 0);
  double last = 1;
  for (const double resolution : {0.02, 0.01}) {
    World world;
    add_soft(world, "ring", solid_mesh(TorusShape{major, minor}, resolution), {0, 0, 0});
    add_soft(world, "ball", solid_mesh(SphereShape{r}, resolution), {0, y, 0});
    const Acting found = acting(world);
    const Vector3 force = force_on(world, found, 1);
    const double error = std::abs(force.y() / exact - 1);
    EXPECT_LT(std::hypot(force.x(), force.z()), 0.03 * exact);
    EXPECT_LT(error, 0.6 * last) << resolution << ": " << force.y() << " of " << exact;
    last = error;
  }
  EXPECT_LT(last, 0.06);
}

TEST(Hydroelastic, ABallOnAPlaneIsPressedByItsOwnPressure) {
  const double R = 0.1, depth = 0.03, h = R - depth;
  // The disc at the height h of the center, with the pressure (1 - s / R) of the ball.
  const auto antiderivative = [&](double s) { return R * s * s / 2 - s * s * s / 3; };
  const double exact = 2 * pi * modulus / R * (antiderivative(R) - antiderivative(h));
  World world;
  add_ground(world);
  const int ball = add_soft(world, "ball", solid_mesh(SphereShape{R}, 0.0125), {0, h, 0});
  const Vector3 force = force_on(world, acting(world), ball);
  EXPECT_NEAR(force.y(), exact, 0.03 * exact);
  EXPECT_LT(std::hypot(force.x(), force.z()), 1e-10 * exact);
}

/// Force between two balls of different sizes and moduli, over the surface of equal pressure: its part along the axis is
/// the pressure times the area seen along it.
double force_of_balls(double R1, double E1, double R2, double E2, double d) {
  constexpr int n = 20000;
  const double end = std::min(R1, R2);
  double force = 0;
  for (int i = 0; i < n; ++i) {
    const double rho = end * (i + 0.5) / n;
    const auto first = [&](double z) { return E1 * (1 - std::hypot(rho, z) / R1); };
    const auto second = [&](double z) { return E2 * (1 - std::hypot(rho, d - z) / R2); };
    double low = 0, high = d;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (first(middle) > second(middle) ? low : high) = middle;
    }
    force += std::max(0.0, first(low)) * 2 * pi * rho * end / n;
  }
  return force;
}

TEST(Hydroelastic, BallsOfDifferentSizeAndModulusMeetOnACurvedSurface) {
  EXPECT_NEAR(force_of_balls(0.1, modulus, 0.1, modulus, 0.15), force_of_equal_balls(0.1, 0.15), 1e-5);
  const double exact = force_of_balls(0.1, modulus, 0.07, 4 * modulus, 0.13);
  World world;
  add_soft(world, "large", solid_mesh(SphereShape{0.1}, 0.01), {0, 0, 0});
  add_soft(world, "hard", solid_mesh(SphereShape{0.07}, 0.01), {0.13, 0, 0});
  world.bodies[1].hydroelastic_modulus = 4 * modulus;
  const Vector3 force = force_on(world, acting(world), 1);
  EXPECT_NEAR(force.x(), exact, 0.04 * exact);
}

TEST(Hydroelastic, ForcesAreEqualAndOppositeAndBalanceTheirTorques) {
  World world;
  const TetMesh ball = solid_mesh(SphereShape{0.1}, 0.03);
  add_soft(world, "a", ball, {0, 0, 0});
  add_soft(world, "b", solid_mesh(TorusShape{0.12, 0.04}, 0.02), {0.02, 0.05, 0.01});
  add_affine(world, surface_mesh(BoxShape{{0.2, 0.2, 0.2}}), {}, at("box", {0.02, -0.15, 0.03}));
  const Acting found = acting(world);
  ASSERT_GT(found.contacts.size(), 20u);
  const double size = found.forces.cwiseAbs().sum();
  // Of the stiff body: p gets the force, the columns of A its moments about p.
  Vector3 force = Vector3::Zero(), torque = Vector3::Zero();
  for (int c = 0; c < world.control_count(); ++c) {
    torque += Vector3(world.state.position.col(c)).cross(Vector3(found.forces.col(c)));
    if (world.roles[c] == ControlRole::point) force += found.forces.col(c);
  }
  EXPECT_LT(force.norm(), 1e-12 * size);
  EXPECT_LT(torque.norm(), 1e-10 * size * 0.1);
  Vector3 sum = Vector3::Zero();
  for (const ContactForce& contact : found.contacts) {
    if (contact.body_a == 0) sum += contact.normal_force;
    if (contact.body_b == 0) sum -= contact.normal_force;
    EXPECT_GT(contact.area, 0);
    EXPECT_LT(contact.distance, 0);
  }
  EXPECT_LT((sum - force_on(world, found, 0)).norm(), 1e-10 * size);
}

/// A ball that is dropped on a block that stands on the ground, all of them overlapping where they touch.
World ball_on_block(bool soft) {
  World world;
  add_ground(world);
  add_obstacle(world, surface_mesh(BoxShape{{0.4, 0.1, 0.4}}), at("block", {0, 0.05, 0}));
  const Vector3 place(0, 0.2, 0);
  if (soft) {
    add_soft(world, "ball", solid_mesh(SphereShape{0.1}, 0.05), place);
  } else {
    add_affine(world, surface_mesh(SphereShape{0.1}, 0.05), {}, at("ball", place));
  }
  world.contact_model = ContactModelKind::hydroelastic;
  return world;
}

/// Polygons are those of a step's start.
TEST(Hydroelastic, ABallAtRestIsDrivenByNoIntegrator) {
  for (const char* integrator : {"bdf2", "newmark"}) {
    Settings settings = hydroelastic_settings();
    settings.time.integrator = integrator;
    settings.time.step = 2e-3;
    settings.solver.tolerance = 1e-5;
    Simulation simulation(ball_on_block(false), settings);
    const auto height = [&] { return rigid_motion(simulation.world(), 2).center.y(); };
    std::array<double, 2> swing{};
    for (double& s : swing) {
      double least = height(), most = least;
      for (int i = 0; i < 150; ++i) {
        simulation.step();
        least = std::min(least, height());
        most = std::max(most, height());
      }
      s = most - least;
    }
    EXPECT_LT(swing[1], 1.02 * swing[0]) << integrator;
  }
}

TEST(Hydroelastic, ABallComesToRestWithItsWeight) {
  for (const bool soft : {false, true}) {
    Settings settings = hydroelastic_settings();
    settings.contact.hydroelastic.dissipation = 5;
    settings.contact.friction = 0.5;
    settings.solver.tolerance = 1e-5;
    Simulation simulation(ball_on_block(soft), settings);
    for (int i = 0; i < 150; ++i) simulation.step();
    const double weight = 9.81 * mass_of(simulation.world(), simulation.world().bodies[2]);
    Vector3 force = Vector3::Zero();
    for (const ContactForce& contact : simulation.contacts()) {
      ASSERT_TRUE(contact.body_a == 2 || contact.body_b == 2);
      force += (contact.body_a == 2 ? 1 : -1) * (contact.normal_force + contact.friction_force);
    }
    EXPECT_NEAR(force.y(), weight, 1e-3 * weight) << (soft ? "soft" : "stiff");
    // Nothing damps a ball of flat faces that rocks about its lowest place.
    EXPECT_LT(std::abs(rigid_motion(simulation.world(), 2).velocity.y()), 1e-4);
    EXPECT_LT(rigid_motion(simulation.world(), 2).velocity.norm(), 1e-2);
    EXPECT_LT(rigid_motion(simulation.world(), 2).center.y(), 0.2);
  }
}

TEST(Hydroelastic, RenewedPatchesSettleInAFewSolves) {
  Settings settings = hydroelastic_settings();
  settings.contact.friction = 0.3;
  settings.contact.friction_iterations = 0;
  Simulation simulation(ball_on_block(true), settings);
  int most = 0, iterations = 0;
  for (int i = 0; i < 40; ++i) {
    const StepReport report = simulation.step();
    EXPECT_TRUE(report.friction_converged);
    EXPECT_EQ(report.substeps, 1);
    most = std::max(most, report.friction_updates);
    iterations = std::max(iterations, report.newton_iterations);
  }
  EXPECT_LT(most, 12);
  EXPECT_LT(iterations, 60);
}

TEST(Hydroelastic, FrictionHoldsABlockOnASlopeOrLetsItSlide) {
  // Under gravity that leans by 20 degrees: tan = 0.364.
  for (const double friction : {0.5, 0.2}) {
    World world;
    add_ground(world);
    add_soft(world, "block", solid_mesh(BoxShape{{0.3, 0.1, 0.3}}, 0.05), {0, 0.049, 0});
    world.contact_model = ContactModelKind::hydroelastic;
    Settings settings = hydroelastic_settings();
    settings.contact.friction = friction;
    settings.contact.hydroelastic.modulus = 1e6;
    settings.contact.hydroelastic.dissipation = 5;
    settings.gravity = 9.81 * Vector3(std::sin(pi / 9), -std::cos(pi / 9), 0);
    Simulation simulation(std::move(world), settings);
    for (int i = 0; i < 60; ++i) simulation.step();
    const double speed = rigid_motion(simulation.world(), 1).velocity.x();
    if (friction > 0.364) {
      EXPECT_LT(std::abs(speed), 1e-3);
    } else {
      const double a = 9.81 * (std::sin(pi / 9) - friction * std::cos(pi / 9));
      const double before = speed;
      for (int i = 0; i < 20; ++i) simulation.step();
      EXPECT_NEAR(rigid_motion(simulation.world(), 1).velocity.x() - before, a * 0.2, 0.05 * a * 0.2);
    }
  }
}

TEST(Hydroelastic, StaticsFindTheDepthThatCarriesTheWeight) {
  // On the plane a stiff box is carried by its pressure over its area: p = modulus * depth / (half its height).
  World world;
  add_ground(world);
  const int box = add_affine(world, surface_mesh(BoxShape{{0.2, 0.1, 0.2}}), {}, at("box", {0, 0.0499, 0}));
  hold_axes(world, box, {true, false, true}, {true, true, true});
  world.contact_model = ContactModelKind::hydroelastic;
  Settings settings = hydroelastic_settings();
  settings.time.integrator = "static";
  settings.time.steps = 1;  // the whole weight in the first
  settings.contact.hydroelastic.resolution = {0.02, false};
  Simulation simulation(std::move(world), settings);
  simulation.step();
  double force = 0;
  for (const ContactForce& contact : simulation.contacts()) force += contact.normal_force.y();
  const double weight = 9.81 * mass_of(simulation.world(), simulation.world().bodies[box]);
  EXPECT_NEAR(force, weight, 1e-3 * weight);
  const double depth = 0.05 - rigid_motion(simulation.world(), box).center.y();
  EXPECT_NEAR(depth, weight / (0.04 * modulus / 0.05), 0.2 * depth);
}

TEST(Hydroelastic, TheSameBitsOnAnyThreadsAndFromASavedState) {
  const auto run = [](int threads, int saved_at) {
    World world = ball_on_block(true);
    add_affine(world, surface_mesh(BoxShape{{0.1, 0.1, 0.1}}), {}, at("box", {0.05, 0.36, 0}));
    Settings settings = hydroelastic_settings(threads);
    settings.contact.friction = 0.3;
    settings.contact.friction_iterations = 2;
    auto simulation = std::make_unique<Simulation>(std::move(world), settings);
    for (int i = 0; i < 30; ++i) {
      if (i == saved_at) {
        World again = ball_on_block(true);
        add_affine(again, surface_mesh(BoxShape{{0.1, 0.1, 0.1}}), {}, at("box", {0.05, 0.36, 0}));
        const State state = simulation->world().state;
        simulation = std::make_unique<Simulation>(std::move(again), settings);
        simulation->restore(state);
      }
      simulation->step();
    }
    return simulation->world().state;
  };
  const State one = run(1, -1);
  for (const State& other : {run(2, -1), run(1, 17)}) {
    EXPECT_EQ(one.position, other.position);
    EXPECT_EQ(one.velocity, other.velocity);
  }
}

TEST(Hydroelastic, RemovingABodyLeavesTheOthersAlone) {
  const auto scene = [] {
    World world = ball_on_block(false);
    add_affine(world, surface_mesh(BoxShape{{0.1, 0.1, 0.1}}), {}, at("far", {5, 0.049, 0}));
    return world;
  };
  Simulation whole(scene(), hydroelastic_settings()), less(scene(), hydroelastic_settings());
  for (int i = 0; i < 10; ++i) {
    whole.step();
    less.step();
  }
  less.change([](World& world) { remove_body(world, 3); });
  for (int i = 0; i < 10; ++i) {
    whole.step();
    less.step();
  }
  EXPECT_LT((rigid_motion(whole.world(), 2).center - rigid_motion(less.world(), 2).center).norm(), 1e-6);
  EXPECT_FALSE(less.contacts().empty());
}

TEST(Hydroelastic, BodiesWithoutAnInsideStayUnderTheBarrier) {
  World world = ball_on_block(false);
  add_shell(world, surface_mesh(GridShape{{0.3, 0.3}, {2, 2}}), {}, at("cloth", {0, 1, 0}));
  add_rigid(world, round_surface(CapsuleShape{0.05, 0.3}), {}, at("round", {0, 2, 0}));
  add_obstacle(world, surface_mesh(GridShape{{0.3, 0.3}, {2, 2}}), at("sheet", {0, 3, 0}));
  update_contact_models(world);
  EXPECT_TRUE(world.collision.may_collide(1, 3));
  EXPECT_TRUE(world.collision.may_collide(2, 4));
  EXPECT_TRUE(world.collision.may_collide(2, 5));
  EXPECT_FALSE(world.collision.may_collide(1, 2));
  EXPECT_NE(model_refusal(world, 3, ContactModelKind::hydroelastic).find("no inside"), std::string::npos);
  EXPECT_NE(model_refusal(world, 4, ContactModelKind::hydroelastic).find("round"), std::string::npos);
  EXPECT_NE(model_refusal(world, 5, ContactModelKind::hydroelastic).find("not closed"), std::string::npos);
}

}  // namespace
}  // namespace bulwark
