// Newmark's method keeps the energy of bodies that bounce; neither it nor implicit Euler gains any.
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/body_state.hpp>
#include <bulwark/sim/simulation.hpp>
#include <sim/stiff_scene.hpp>

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <functional>
#include <random>

namespace bulwark {
namespace {

using test::at;

World with_ground() {
  World world;
  test::add_ground(world);
  return world;
}

Settings settings_of(const std::string& integrator, double step) {
  Settings settings;
  settings.time.integrator = integrator;
  settings.time.step = step;
  return settings;
}

/// How far the energy strays, in parts of what the fall turns over.
struct Course {
  int bounces = 0;
  double highest = 0, lowest = 0;
};

Course course_of(World world, const Settings& settings, int bounces, int most_steps) {
  Simulation simulation(std::move(world), settings);
  const int body = static_cast<int>(simulation.world().bodies.size()) - 1;
  auto motion = [&] { return rigid_motion(simulation.world(), body); };
  double first = 0, turned_over = 0, was = 0;
  Course course;
  for (int k = 0; k < most_steps && course.bounces < bounces; ++k) {
    const StepReport report = simulation.step();
    const double total = report.energies.total(), speed = motion().velocity.y();
    if (k == 0) {
      first = total;
      turned_over = total;  // the ground is at zero height
    }
    if (was < 0 && speed >= 0) ++course.bounces;
    was = speed;
    course.highest = std::max(course.highest, (total - first) / turned_over);
    course.lowest = std::min(course.lowest, (total - first) / turned_over);
  }
  return course;
}

struct Case {
  std::string name;
  double step;
  int bounces;
  std::function<World()> world;
};

BodyOptions tilted(const Vector3& position, const Vector3& spin) {
  BodyOptions options = at("body", position);
  options.pose.rotation = Eigen::AngleAxisd(0.5, Vector3(1, 0.3, 0.7).normalized()).toRotationMatrix();
  options.angular_velocity = spin;
  return options;
}

std::vector<Case> cases() {
  const SurfaceMesh box = surface_mesh(BoxShape{{0.2, 0.1, 0.15}});
  ElasticMaterial rubber;
  rubber.young = 5e5;
  auto stiff = [=](bool rigid, const BodyOptions& options) {
    World world = with_ground();
    if (rigid) {
      add_rigid(world, box, {}, options);
    } else {
      add_affine(world, box, {}, options);
    }
    return world;
  };
  auto soft = [=](const TetMesh& mesh, const BodyOptions& options) {
    World world = with_ground();
    add_deformable(world, mesh, rubber, options);
    return world;
  };
  return {
      {"affine_flat", 0.01, 1000, [=] { return stiff(false, at("body", {0, 0.4, 0})); }},
      {"affine_tilted", 0.01, 1000, [=] { return stiff(false, tilted({0, 0.4, 0}, {0, 0, 0})); }},
      {"affine_spinning", 0.005, 1000, [=] { return stiff(false, tilted({0, 0.4, 0}, {2, 5, -3})); }},
      {"rigid_tilted", 0.01, 1000, [=] { return stiff(true, tilted({0, 0.4, 0}, {1, 0, 2})); }},
      {"soft_box", 0.004, 1000,
       [=] { return soft(solid_mesh(BoxShape{{0.1, 0.1, 0.1}}, 0.1), at("body", {0, 0.3, 0})); }},
      {"soft_tilted", 0.004, 1000,
       [=] { return soft(solid_mesh(BoxShape{{0.1, 0.1, 0.1}}, 0.1), tilted({0, 0.3, 0}, {0, 1, 0})); }},
      // All of its energy ends in vibrations of the finest elements, which no step resolves.
      {"soft_ball", 0.002, 30,
       [=] { return soft(solid_mesh(SphereShape{0.05}, 0.04), at("body", {0, 0.3, 0})); }},
  };
}

class NewmarkEnergy : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Drops, NewmarkEnergy, testing::ValuesIn(cases()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(NewmarkEnergy, IsKeptInBounces) {
  const int bounces = GetParam().bounces;
  const Course course =
      course_of(GetParam().world(), settings_of("newmark", GetParam().step), bounces, 1'000'000);
  EXPECT_EQ(course.bounces, bounces);
  EXPECT_LT(course.highest, 0.01);
  EXPECT_GT(course.lowest, -0.01);
}

/// A body of random shape, size and kind that falls, turning, at a random speed.
World random_drop(std::mt19937& random) {
  auto between = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  const double size = std::pow(10.0, between(-1.5, 0));
  const Vector3 sides = size * Vector3(between(0.3, 1), between(0.3, 1), between(0.3, 1));
  BodyOptions options =
      tilted({0, between(1, 3) * size, 0}, {between(-3, 3), between(-3, 3), between(-3, 3)});
  options.velocity = Vector3(between(-1, 1), between(-4, 0), between(-1, 1));
  World world = with_ground();
  switch (random() % 3) {
    case 0: {
      ElasticMaterial rubber;
      rubber.young = std::pow(10.0, between(4.5, 7));
      add_deformable(world, solid_mesh(BoxShape{sides}, size), rubber, options);
      break;
    }
    case 1:
      add_affine(world, surface_mesh(BoxShape{sides}), {}, options);
      break;
    default:
      add_rigid(world, surface_mesh(BoxShape{sides}), {}, options);
  }
  return world;
}

TEST(RandomDrops, GainNoEnergy) {
  for (const std::string integrator : {"newmark", "implicit-euler", "bdf2"}) {
    for (unsigned seed = 1; seed <= 15; ++seed) {
      std::mt19937 random(seed);
      World world = random_drop(random);
      const double step = std::pow(10.0, std::uniform_real_distribution(-3.0, -1.7)(random));
      const Course course = course_of(std::move(world), settings_of(integrator, step), 8, 300);
      EXPECT_LT(course.highest, 0.01) << integrator << ", seed " << seed;
      if (integrator == "newmark") {
        EXPECT_GT(course.lowest, -0.01) << "seed " << seed;
      }
    }
  }
}

/// Where the end of a held bar is after a force along it has grown for 20 ms.
double pulled_end(int steps) {
  World world;
  ElasticMaterial rubber;
  rubber.model = ElasticModel::svk;
  rubber.young = 1e7;
  BodyOptions options;
  options.name = "bar";
  const int bar = add_deformable(world, solid_mesh(BoxShape{{1, 0.5, 0.5}}, 0.5), rubber, options);
  hold(world, bar, SelectHalfSpace{{-0.5, 0, 0}, {-1, 0, 0}});
  const double duration = 0.02;
  add_force(world, bar, SelectHalfSpace{{0.5, 0, 0}, {1, 0, 0}},
            Table{{0, duration}, {Vector3::Zero(), Vector3(5000, 0, 0)}});
  Settings settings = settings_of("newmark", duration / steps);
  settings.gravity.setZero();
  settings.solver.tolerance = 1e-5;
  Simulation simulation(std::move(world), settings);
  for (int k = 0; k < steps; ++k) simulation.step();
  return simulation.world().state.position.row(0).maxCoeff();
}

TEST(Newmark, FollowsALoadThatGrowsWithTheSquareOfTheStep) {
  const double coarse = pulled_end(40), middle = pulled_end(80), fine = pulled_end(160);
  // 5 where errors fall with the square, 3 where they fall with the step.
  EXPECT_NEAR((coarse - fine) / (middle - fine), 5, 0.5);
}

}  // namespace
}  // namespace bulwark
