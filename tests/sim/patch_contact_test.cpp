// Patch-penalty contact against theory: Hertz's force, restitution, oblique impacts, a brick on a slope, stacks, rolling.
#include <bulwark/sim/body_nodes.hpp>
#include <bulwark/sim/patch_law.hpp>

#include <gtest/gtest.h>

#include <sim/patch_world.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace bulwark {
namespace {

using test::ball_radius;
constexpr double pi = std::numbers::pi;

/// Speed with which a ball that falls at `speed` comes back up, over that speed.
double bounce(const Settings& settings, double speed, double side = 0.02) {
  World world = test::empty_patch_world();
  test::add_floor(world);
  const int ball = test::add_ball(world, "ball", {0, ball_radius + 1e-3, 0}, side, {0, -speed, 0});
  Simulation simulation = test::started(std::move(world), settings);
  // Until it has touched and left.
  bool touched = false;
  constexpr int most_steps = 5000;
  for (int step = 0; step < most_steps && !(touched && simulation.contacts().empty()); ++step) {
    simulation.step();
    touched = touched || !simulation.contacts().empty();
  }
  EXPECT_TRUE(touched && simulation.contacts().empty());
  return rigid_motion(simulation.world(), ball).velocity.y() / speed;
}

TEST(PatchLaw, DampingGivesTheRestitutionAskedFor) {
  for (const double e : {0.02, 0.1, 0.5, 0.9, 0.99, 1.0})
    EXPECT_NEAR(restitution_of_damping(damping_of_restitution(e)), e, 1e-12);
  EXPECT_NEAR(restitution_of_damping(damping_of_restitution(0)), 0.01, 1e-9) << "the least";
  for (double zeta = 0; zeta < 6; zeta += 0.01)
    EXPECT_LT(restitution_of_damping(zeta + 0.01), restitution_of_damping(zeta));
}

TEST(PatchContact, PushesSpheresApartAsHertzSays) {
  // Meshes with the pole in the contact, so fine that faces lie within a hundredth of the depth.
  const double R = 1, young = 1e7, poisson = 0.3;
  const SurfaceMesh ball = surface_mesh(SphereShape{R}, 0.035);
  for (const bool on_plane : {true, false}) {
    for (const double depth : {0.01, 0.02, 0.04}) {
      CollisionMesh mesh;
      Vectors positions(3, 0);
      const auto add = [&](const SurfaceMesh& surface, const Vector3& center) {
        const int offset = static_cast<int>(positions.cols()),
                  count = static_cast<int>(surface.vertices.cols());
        for (const Triangle& t : surface.triangles)
          mesh.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
        mesh.vertex_body.resize(offset + count, static_cast<int>(mesh.bodies.size()));
        mesh.bodies.emplace_back();
        positions.conservativeResize(3, offset + count);
        positions.rightCols(count) = surface.vertices.colwise() + center;
      };
      add(ball, {0, R - depth, 0});
      if (on_plane) {
        mesh.planes.push_back({static_cast<int>(positions.cols()), Vector3::UnitY(), 1});
        mesh.vertex_body.push_back(1);
        mesh.bodies.emplace_back();
        positions.conservativeResize(3, positions.cols() + 1);
        positions.rightCols(1).setZero();
      } else {
        add(ball, {0, -R, 0});
      }
      const OverlapSearch search(mesh, {{0, 1}});
      const ContactPatches found =
          contact_patches(mesh, positions, search.find(positions, {0.1, 0.1}), {0.5, 0.5});
      ASSERT_EQ(found.patches.size(), 1u);
      PatchPenaltySettings settings;
      settings.young = young;
      settings.poisson = poisson;
      const PatchLaw law = patch_law(settings, on_plane ? 1 : 2);
      const double together = young / (1 - poisson * poisson) / (on_plane ? 1 : 2);
      const double radius = on_plane ? R : R / 2;
      const double hertz = 4.0 / 3 * together * std::sqrt(radius) * std::pow(depth, 1.5);
      std::printf("[ depth %.3g: %.5g of Hertz ]\n", depth, law.force(found.patches[0]) / hertz);
      EXPECT_NEAR(law.force(found.patches[0]) / hertz, 1, 0.03);
      // dF/dd = 2 E* a.
      EXPECT_NEAR(law.tangent(found.patches[0]) / (2 * together * std::sqrt(radius * depth)), 1, 0.05);
    }
  }
}

TEST(PatchContact, ABallSinksInByItsWeightAsHertzSays) {
  World world = test::empty_patch_world();
  test::add_floor(world);
  const int ball = test::add_ball(world, "ball", {0, ball_radius, 0}, 0.006);
  Settings settings = test::patch_settings(2e-3);
  settings.gravity = {0, -9.81, 0};
  settings.contact.patch_penalty.young = 1e5;
  settings.contact.patch_penalty.restitution = 0.1;
  Simulation simulation = test::started(std::move(world), settings);
  for (int step = 0; step < 150; ++step) simulation.step();
  const double weight = 9.81 * mass_of(simulation.world(), simulation.world().bodies[ball]);
  const double depth = std::pow(3 * weight / (4 * 1e5 / (1 - 0.09) * std::sqrt(ball_radius)), 2.0 / 3);
  ASSERT_EQ(simulation.contacts().size(), 1u);
  const ContactForce force = simulation.contacts()[0];
  EXPECT_NEAR(force.normal_force.norm(), weight, 1e-3 * weight);
  EXPECT_NEAR(-force.distance, depth, 0.03 * depth);
  EXPECT_NEAR(force.area, 2 * pi * ball_radius * depth, 0.04 * 2 * pi * ball_radius * depth);
  EXPECT_LT(simulation.world().state.velocity.norm(), 1e-3);
  const int control = simulation.world().bodies[ball].first_control;
  EXPECT_NEAR(simulation.contact_forces()(1, control), weight, 1e-3 * weight);
}

TEST(PatchContact, BouncesWithTheRestitutionAskedFor) {
  for (const double e : {1.0, 0.9, 0.5, 0.2}) {
    for (const double speed : {0.3, 3.0}) {
      Settings settings = test::patch_settings(1e-4);
      settings.contact.patch_penalty.restitution = e;
      EXPECT_NEAR(bounce(settings, speed), e, 0.015) << e << " at " << speed;
    }
  }
}

TEST(PatchContact, BouncesAlikeWithEachIntegrator) {
  for (const std::string integrator : {"implicit-euler", "newmark", "bdf2"}) {
    for (const double e : {1.0, 0.6}) {
      Settings settings = test::patch_settings(1e-4);
      settings.time.integrator = integrator;
      settings.contact.patch_penalty.restitution = e;
      EXPECT_NEAR(bounce(settings, 1), e, 0.02) << integrator;
    }
  }
}

TEST(PatchContact, StepsThatAreTooLongThrowNothingBackFasterThanItCame) {
  for (const double h : {1e-3, 3e-3, 1e-2, 2e-2}) {
    for (const double e : {1.0, 0.5}) {
      Settings settings = test::patch_settings(h);
      settings.contact.patch_penalty.restitution = e;
      const double back = bounce(settings, 1);
      EXPECT_LT(back, 1.05) << h;
      EXPECT_GT(back, 0) << h;
    }
  }
}

/// What an impact at an angle (degrees from the normal) makes of the tangential speed and of the spin.
struct Oblique {
  double tangential, spin;  ///< e_t and |w'| R / v
};
Oblique oblique(double degrees, double mu, double e, double side, double h) {
  World world = test::empty_patch_world();
  test::add_floor(world);
  const double angle = degrees * pi / 180, normal = std::cos(angle), along = std::sin(angle);
  const int ball = test::add_ball(world, "ball", {0, ball_radius + 1e-3, 0}, side, {along, -normal, 0});
  Settings settings = test::patch_settings(h);
  settings.contact.friction = mu;
  settings.contact.patch_penalty.restitution = e;
  Simulation simulation = test::started(std::move(world), settings);
  const double time = 4e-3 / normal + 0.012 * std::pow(normal, -0.2);
  for (int step = 0; step * h < time; ++step) simulation.step();
  EXPECT_TRUE(simulation.contacts().empty());
  const RigidMotion motion = rigid_motion(simulation.world(), ball);
  EXPECT_NEAR(motion.velocity.y() / normal, e, 0.03);
  return {motion.velocity.x() / along, motion.angular_velocity.norm() * ball_radius};
}

void expect_theory(double degrees, double mu, double e, double side, double h) {
  const double angle = degrees * pi / 180;
  const Oblique found = oblique(degrees, mu, e, side, h);
  const double tangential = 1 - mu * (1 + e) / std::tan(angle), spin = 2.5 * mu * (1 + e) * std::cos(angle);
  std::printf("[ %g degrees: e_t %.4f (theory %.4f), spin %.4f (theory %.4f) ]\n", degrees, found.tangential,
              tangential, found.spin, spin);
  EXPECT_NEAR(found.tangential, tangential, 0.03 * tangential) << degrees;
  EXPECT_NEAR(found.spin, spin, 0.03 * spin) << degrees;
}

TEST(PatchContact, ObliqueImpactsAboveTheCriticalAngleSlideAsTheorySays) {
  for (const double degrees : {68.0, 76.0}) expect_theory(degrees, 0.35, 0.9, 0.01, 1e-4);
  expect_theory(70, 0.3, 1, 0.01, 1e-4);
}

TEST(SlowPatchContact, ObliqueImpactsOfTheWholeSweep) {
  for (double degrees = 66; degrees <= 87; degrees += 3) expect_theory(degrees, 0.3, 1, 0.008, 5e-5);
  for (double degrees = 68; degrees <= 87; degrees += 3) expect_theory(degrees, 0.35, 0.9, 0.008, 5e-5);
}

/// A brick of 0.2 x 0.05 x 0.1 m on a slope: how far it slides down (m), and how fast it is (m/s), after each step.
struct Slide {
  std::vector<double> way, speed;
};
Slide slide(double angle, double time, double h) {
  World world = test::empty_patch_world();
  const Vector3 normal(std::sin(angle), std::cos(angle), 0), down(std::cos(angle), -std::sin(angle), 0);
  add_plane(world, {0, 0, 0}, normal, named("slope", {0, 0, 0}));
  // As deep as it rests, so that it does not begin in free fall.
  const double depth = 9.81 * std::cos(angle) / (1e8 * 0.2 * 0.1);
  const Vector3 start = (0.025 - depth) * normal;
  BodyOptions options = named("brick", start);
  options.pose.rotation = Eigen::AngleAxisd(-angle, Vector3::UnitZ()).toRotationMatrix();
  StiffMaterial material;
  material.density = 1000;
  const int brick = add_rigid(world, surface_mesh(BoxShape{{0.2, 0.05, 0.1}}), material, options);
  Settings settings = test::patch_settings(h);
  settings.gravity = {0, -9.81, 0};
  settings.contact.friction = 0.2;
  settings.contact.patch_penalty = {};
  settings.contact.patch_penalty.area_stiffness = 1e8;
  settings.contact.patch_penalty.static_friction = 0.25;
  settings.contact.patch_penalty.restitution = 0;
  Simulation simulation = test::started(std::move(world), settings);
  Slide found;
  for (int step = 0; step * h < time; ++step) {
    simulation.step();
    const RigidMotion motion = rigid_motion(simulation.world(), brick);
    found.way.push_back(down.dot(motion.center - start));
    found.speed.push_back(down.dot(motion.velocity));
  }
  return found;
}

TEST(PatchContact, ABrickOnASlopeSticksUpToStaticFrictionAndSlidesAboveIt) {
  const double h = 5e-4, time = 0.5;
  for (const double angle : {0.18, std::atan(0.2), 0.2449}) {
    const Slide found = slide(angle, time, h);
    EXPECT_LT(found.way.back(), 1e-4) << angle;
    EXPECT_LT(std::abs(found.speed.back()), 1e-4) << angle;
    // It does not creep: springs hold it.
    EXPECT_LT(std::abs(found.way.back() - found.way[found.way.size() / 2]), 2e-6) << angle;
  }
  const Slide slides = slide(0.25, time, h);
  const double wanted = 9.81 * (std::sin(0.25) - 0.2 * std::cos(0.25));
  EXPECT_NEAR(wanted, 0.526, 0.001);
  const std::size_t first = slides.speed.size() / 3, last = slides.speed.size() - 1;
  const double acceleration =
      (slides.speed[last] - slides.speed[first]) / (h * static_cast<double>(last - first));
  std::printf("[ acceleration %.4f m/s^2 (theory %.4f) ]\n", acceleration, wanted);
  EXPECT_NEAR(acceleration, wanted, 0.01 * wanted);
}

/// Three balls on the ground that touch, and one on top of them; how far any has moved after a time.
double stack(double mu, double resistance, double time) {
  World world = test::empty_patch_world();
  test::add_floor(world);
  const double apart = 2 * ball_radius / std::sqrt(3.0);
  std::vector<int> balls;
  std::vector<Vector3> places;
  for (int k = 0; k < 3; ++k) {
    const double angle = 2 * pi * k / 3;
    places.push_back({apart * std::cos(angle), ball_radius, apart * std::sin(angle)});
  }
  places.push_back({0, ball_radius + std::sqrt(4 * ball_radius * ball_radius - apart * apart), 0});
  for (const Vector3& place : places)
    balls.push_back(
        test::add_ball(world, "ball " + std::to_string(balls.size()), place, 0.03, {0, 0, 0}, resistance));
  Settings settings = test::patch_settings(5e-4);
  settings.gravity = {0, -9.81, 0};
  settings.contact.friction = mu;
  settings.contact.patch_penalty.restitution = 0.2;
  Simulation simulation = test::started(std::move(world), settings);
  for (int step = 0; step * settings.time.step < time; ++step) simulation.step();
  double moved = 0;
  for (std::size_t k = 0; k < balls.size(); ++k)
    moved = std::max(moved, (rigid_motion(simulation.world(), balls[k]).center - places[k]).norm());
  return moved;
}

TEST(PatchContact, AStackOfSpheresStandsWithFrictionAndFallsWithout) {
  EXPECT_LT(stack(0.6, 1e-3, 0.2), 0.005);
  EXPECT_GT(stack(0.05, 0, 0.2), 0.02);
}

TEST(PatchContact, RollingResistanceStopsABall) {
  const double speed = 0.4, coefficient = 0.01;
  std::array<double, 2> end{};
  for (const bool resists : {false, true}) {
    World world = test::empty_patch_world();
    test::add_floor(world);
    const int ball =
        test::add_ball(world, "ball", {0, ball_radius, 0}, 0.01, {speed, 0, 0}, resists ? coefficient : 0);
    Settings settings = test::patch_settings(5e-4);
    settings.gravity = {0, -9.81, 0};
    settings.contact.friction = 0.6;
    settings.contact.patch_penalty.restitution = 0.2;
    Simulation simulation = test::started(std::move(world), settings);
    // It slides and rolls; from then on resistance slows it by c g / (7/5 R).
    const int first = 200, rolls = 400;
    std::array<double, 2> at{};
    for (int step = 0; step < first + rolls; ++step) {
      if (step == first) at[0] = rigid_motion(simulation.world(), ball).velocity.x();
      simulation.step();
    }
    at[1] = rigid_motion(simulation.world(), ball).velocity.x();
    if (resists) {
      const double slows = coefficient * 9.81 / (1.4 * ball_radius);
      EXPECT_NEAR((at[0] - at[1]) / (rolls * settings.time.step), slows, 0.1 * slows);
      for (int step = 0; step < 1000; ++step) simulation.step();
      EXPECT_LT(rigid_motion(simulation.world(), ball).velocity.norm(), 0.01);
    }
    end[resists] = at[1];
  }
  EXPECT_GT(end[0], 0.9 * 5.0 / 7 * speed) << "without it the ball rolls on";
  EXPECT_LT(end[1], end[0]);
}

}  // namespace
}  // namespace bulwark
