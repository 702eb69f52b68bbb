// The planar scenes that are shipped, and closed forms and promises in the plane.
#include <scenes/scene_run.hpp>

#include <cmath>
#include <numbers>

namespace bulwark {
namespace {

constexpr double pi = std::numbers::pi, g = 9.81;

Scene planar_scene(const std::string& keys) {
  return parse_scene(R"({ "bulwark": 1, "dimension": 2, )" + keys + " }", "planar.json");
}

void expect_in_plane(const SceneRun& run) {
  const Vectors x = vertex_positions(run.world().collision, run.world().state.position);
  EXPECT_TRUE(x.row(2).isZero(0)) << "everything stays at z = 0 to the last bit";
}

TEST(PlanarScenes, ABlockSlidesDownASlopeAndAStackOnItStays) {
  SceneRun run("planar/slope.json");
  const Vector3 start = run.motion("sledge").center;
  std::vector<Vector3> at_start;
  for (const char* name : {"low", "middle", "top"}) at_start.push_back(run.motion(name).center);
  run.run();
  const double angle = std::atan(0.5);
  const double way = 0.5 * g * (std::sin(angle) - 0.2 * std::cos(angle));
  EXPECT_NEAR((run.motion("sledge").center - start).norm(), way, 0.02 * way);
  std::size_t k = 0;
  for (const char* name : {"low", "middle", "top"})
    EXPECT_LT((run.motion(name).center - at_start[k++]).norm(), 3e-3) << name;
  expect_in_plane(run);
}

TEST(PlanarScenes, ASqueezedBlockBulgesAndPushesTheDiskAway) {
  SceneRun run("planar/squeezed_block.json");
  run.run();
  const Vectors block = run.positions("block");
  EXPECT_LT(block.row(1).maxCoeff(), 0.703);
  EXPECT_LT(block.row(0).minCoeff(), -0.55);
  EXPECT_GT(run.motion("disk").center.x(), 0.72);
  expect_in_plane(run);
}

TEST(PlanarScenes, TheLastDiskOfNewtonsPendulumLeavesAsTheFirstOneCame) {
  SceneRun run("planar/newtons_pendulum.json");
  // A body is the point that holds it and its disk.
  double highest = 0, left = 0, others = 0;
  run.each_step([&](const SceneRun& at) {
    highest = std::max(highest, at.positions("last")(1, 1));
    const double speed = at.velocities("last").col(1).norm();
    if (speed <= left) return;
    left = speed;
    others = 0;
    for (const char* name : {"first", "row[0,0,0]", "row[1,0,0]", "row[2,0,0]"})
      others = std::max(others, std::abs(at.velocities(name)(0, 1)));
  });
  run.check_every(10);
  run.run();
  EXPECT_NEAR(left, std::sqrt(g), 0.01 * std::sqrt(g));
  EXPECT_LT(others, 0.01 * std::sqrt(g)) << "one by one they stop";
  EXPECT_NEAR(highest, 0.5, 5e-3);
  expect_in_plane(run);
}

TEST(PlanarScenes, AMotorTurnsTheSliderCrankByItsClosedForm) {
  SceneRun run("planar/slider_crank.json");
  double largest = 0;
  run.each_step([&](const SceneRun& at) {
    const Matrix3 turn = at.motion("crank").rotation;
    const double angle = std::atan2(turn(1, 0), turn(0, 0));
    const double expected = 0.5 * std::cos(angle) + std::sqrt(2.25 - 0.25 * std::pow(std::sin(angle), 2));
    largest = std::max(largest, std::abs(at.motion("piston").center.x() - expected));
  });
  run.run();
  EXPECT_LT(largest, 1e-6);
  expect_in_plane(run);
}

TEST(Planar, APendulumSwingsAsItsPhysicsSay) {
  // A uniform bar of length l about its end: period 2 pi sqrt(2 l / (3 g)) for small angles.
  SceneRun run(planar_scene(R"("time": { "step": 0.002, "duration": 1.7, "integrator": "newmark" },
    "bodies": [ { "name": "bar", "kind": "rigid", "shape": { "rectangle": [0.001, 1] }, "material": { "model": "rigid", "density": 1000 },
      "position": [0.0249974, -0.4993750], "rotation": 2.866 } ],
    "joints": [ { "kind": "hinge", "bodies": ["world", "bar"], "point": [0, 0] } ], "solver": { "tolerance": 1e-6 })"));
  double before = run.motion("bar").center.x(), crossing = 0;
  int crossings = 0;
  run.each_step([&](const SceneRun& at) {
    const double x = at.motion("bar").center.x();
    if (before > 0 && x <= 0 && ++crossings == 1) crossing = at.world().state.time;
    before = x;
  });
  run.run();
  EXPECT_NEAR(crossing, 0.25 * 2 * pi * std::sqrt(2 / (3 * g)), 4e-3);
}

TEST(Planar, ADiskRollsDownASlopeWithTwoThirdsOfItsPull) {
  for (const std::string kind : {"rigid", "affine"}) {
    SceneRun run(planar_scene(
        R"("time": { "step": 0.01, "duration": 1 }, "contact": { "friction": 0.8, "friction_iterations": 0 },
      "solver": { "tolerance": 1e-6 }, "bodies": [
      { "kind": "obstacle", "shape": { "half_plane": { "normal": [-0.5, 1] } } },
      { "name": "disk", "kind": ")" +
        kind + R"(", "shape": { "disk": 0.5 }, "material": { "model": ")" + kind + R"(", "density": 1000 },
        "position": [-0.22405, 0.4481] } ])"));
    const Vector3 start = run.motion("disk").center;
    run.run();
    const double way = 0.5 * 2.0 / 3 * g * std::sin(std::atan(0.5));
    EXPECT_NEAR((run.motion("disk").center - start).norm(), way, 0.02 * way) << kind;
  }
}

TEST(Planar, NothingPassesAtEightyMetresPerSecondWhateverItIsMadeOf) {
  for (const std::string kind : {"rigid", "affine"}) {
    for (const std::string shape : {R"({ "rectangle": [0.1, 0.1] })", R"({ "disk": 0.05 })",
                                    R"({ "polyline": [[0, -0.05], [0.01, 0.05]] })"}) {
      SceneRun run(planar_scene(
          R"("time": { "step": 0.01, "steps": 15 }, "gravity": [0, 0], "bodies": [
        { "name": "shot", "kind": ")" +
          kind + R"(", "shape": )" + shape + R"(, "material": { "model": ")" + kind +
          R"(", "density": 1000, "thickness": 0.01 }, "position": [-1, 0.03], "velocity": [80, 0], "angular_velocity_degrees": 7000 },
        { "name": "wall", "kind": "obstacle", "shape": { "line": { "from": [0, -5], "to": [0, 5] } } } ])"));
      run.run();
      EXPECT_LT(run.motion("shot").center.x(), 0) << kind << " " << shape;
      expect_in_plane(run);
    }
  }
}

std::string pile(const std::string& keys) {
  return R"("time": { "step": 0.01, "steps": 25 }, "contact": { "friction": 0.3 }, "bodies": [
    { "kind": "obstacle", "shape": { "polygon": [[-1, -1], [1, -1], [1, -0.9], [-1, -0.8]] } },
    { "kind": "rigid", "shape": { "rectangle": [0.3, 0.2] }, "material": { "model": "rigid", "density": 500 }, "position": [0, -0.6], "rotation": 20 },
    { "kind": "affine", "shape": { "regular_polygon": { "radius": 0.15, "corners": 5 } }, "material": { "model": "affine", "density": 500 }, "position": [0.1, -0.3], "angular_velocity_degrees": 300 },
    { "kind": "deformable", "shape": { "disk": 0.2, "resolution": 0.08 }, "order": 2, "material": { "model": "neo-hookean", "density": 500, "young": 1e5, "poisson": 0.4 }, "position": [-0.2, -0.1], "velocity": [0, -3] },
    { "kind": "deformable", "shape": { "polygon": [[0, 0], [0.4, 0], [0.4, 0.1], [0.1, 0.1], [0.1, 0.3], [0, 0.3]], "resolution": 0.1 }, "material": { "model": "fixed-corotational", "density": 500, "young": 1e5, "poisson": 0.4 }, "position": [0.2, 0.1], "velocity": [0, -3] },
    { "kind": "particles", "shape": { "points": [[0, 0.6], [0.2, 0.6]] }, "radius": 0.03, "mass": 0.5, "velocity": [0, -4] }
  ])" + keys;
}

TEST(Planar, APileOfEverythingHasTheSameBitsOnAnyNumberOfThreadsAndResumed) {
  State middle;
  std::vector<State> ends;
  const auto run_on = [&](int threads, bool resume) {
    Scene scene = planar_scene(pile(""));
    scene.settings.solver.threads = threads;
    Simulation simulation(std::move(scene.world), scene.settings);
    if (resume) simulation.restore(middle);
    int contacts = 0;
    while (simulation.world().state.step < scene.settings.time.steps) {
      contacts += simulation.step().contacts;
      if (simulation.world().state.step == 12) middle = simulation.world().state;
    }
    EXPECT_GT(contacts, 0);
    const World& world = simulation.world();
    EXPECT_TRUE(vertex_positions(world.collision, world.state.position).row(2).isZero(0));
    ends.push_back(world.state);
  };
  for (const int threads : {1, 2, 5}) run_on(threads, false);
  run_on(2, true);
  for (std::size_t k = 1; k < ends.size(); ++k) {
    EXPECT_EQ(ends[0].position, ends[k].position) << k;
    EXPECT_EQ(ends[0].velocity, ends[k].velocity) << k;
    EXPECT_EQ(ends[0].contact_history, ends[k].contact_history) << k;
  }
}

TEST(Planar, AHingeSaysNothingOfTheEquationsThatThePlaneHolds) {
  const std::string one =
      R"({ "kind": "hinge", "name": "one", "bodies": ["world", "bar"], "point": [0, 0] })";
  const auto warnings_of = [&](const std::string& joints) {
    std::vector<std::string> warnings;
    set_log_sink([&](LogLevel, const std::string& message) { warnings.push_back(message); });
    const SceneRun run(planar_scene(
        R"("time": { "steps": 1 }, "bodies": [ { "name": "bar", "kind": "affine", "shape": { "rectangle": [0.1, 1] },
      "material": { "model": "affine", "density": 1000 }, "position": [0, -0.5] } ], "joints": [ )" +
        joints + " ]"));
    set_log_sink({});
    return warnings;
  };
  EXPECT_EQ(warnings_of(one).size(), 0U);
  // The same hinge again: of its two equations in the plane none is new.
  const std::vector<std::string> twice = warnings_of(
      one + R"(, { "kind": "hinge", "name": "two", "bodies": ["world", "bar"], "point": [0, 0] })");
  ASSERT_EQ(twice.size(), 1U);
  EXPECT_NE(twice[0].find("'two': 2 of its 2 equations"), std::string::npos) << twice[0];
}

TEST(Planar, ABlockedScriptPushesInThePlaneAndPassesNothing) {
  SceneRun run(planar_scene(R"("time": { "step": 0.01, "steps": 30 }, "bodies": [
    { "kind": "obstacle", "shape": { "line": { "from": [-1, 0], "to": [1, 0] } } },
    { "name": "block", "kind": "deformable", "shape": { "rectangle": [0.4, 0.2], "resolution": 0.1 }, "position": [0, 0.101],
      "material": { "model": "neo-hookean", "density": 1000, "young": 1e5, "poisson": 0.3 } },
    { "name": "press", "kind": "obstacle", "shape": { "rectangle": [1, 0.1] }, "position": [0, 0.3], "motion": { "linear": [0, -1], "angular_degrees": 10 } } ])"));
  run.run();
  expect_in_plane(run);
}

TEST(Planar, AStackOfSquaresTakesAsManyUnknownsAsAPlaneHas) {
  SceneRun run(planar_scene(R"("time": { "steps": 5 }, "bodies": [
    { "kind": "obstacle", "shape": { "half_plane": {} } },
    { "name": "box", "kind": "affine", "shape": { "rectangle": [1, 1] }, "material": { "model": "affine", "density": 1000 },
      "position": [0, 0.5005], "repeat": { "count": [1, 5], "spacing": [0, 1.0005] } } ])"));
  run.run();
  for (int k = 0; k < 5; ++k)
    EXPECT_NEAR(run.motion("box[0," + std::to_string(k) + ",0]").center.y(), 0.5 + k, 6e-3);
  expect_in_plane(run);
}

}  // namespace
}  // namespace bulwark
