#include <bulwark/base/log.hpp>
#include <bulwark/scene/load.hpp>
#include <bulwark/scene/read_shape.hpp>
#include <bulwark/scene/schema.hpp>
#include <scene/scene_text.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

namespace bulwark {
namespace {

using test::box_scene;
using test::error_of;
using test::obstacle_scene;
using test::parse;

constexpr double pi = std::numbers::pi;

/// Controls of a body, at rest.
Vectors points_of(const World& world, int body) {
  return world.rest.middleCols(world.bodies[body].first_control, world.bodies[body].control_count);
}

Vector3 lower_corner(const World& world, int body) {
  return points_of(world, body).rowwise().minCoeff();
}

Vector3 upper_corner(const World& world, int body) {
  return points_of(world, body).rowwise().maxCoeff();
}

bool near(const Vector3& a, const Vector3& b) {
  return (a - b).norm() < 1e-12;
}

/// The script that moves any control of the body.
const Script& script_of(const World& world, int body) {
  const int control = world.bodies[body].first_control;
  for (const Script& script : world.scripts) {
    if (std::find(script.controls.begin(), script.controls.end(), control) != script.controls.end())
      return script;
  }
  throw std::runtime_error("no script");
}

TEST(Load, TheExampleOfTheFormatIsRead) {
  const Scene scene = parse(R"({
    "bulwark": 1,
    "title": "Ball on a tray",
    "time": { "step": 0.01, "duration": 2.0, "integrator": "bdf2" },   // seconds
    "gravity": [0, -9.81, 0],
    "materials": { "rubber": { "model": "neo-hookean", "density": 1000, "young": 1e6, "poisson": 0.45 } },
    "bodies": [
      { "name": "floor", "kind": "obstacle", "shape": { "box": [4, 0.2, 4] }, "position": [0, -0.1, 0] },
      { "name": "ball",  "kind": "deformable", "order": 1, "shape": { "sphere": 0.3, "resolution": 0.1 },
        "material": "rubber", "position": [0, 1, 0], "velocity": [0, -2, 0] }
    ],
    "contact": { "distance": 1e-3, "friction": 0.3 },
    "solver": { "tolerance": 1e-3 },
    "output": { "every": 2 }
  })");
  EXPECT_EQ(scene.settings.title, "Ball on a tray");
  EXPECT_EQ(scene.settings.time.steps, 200);
  EXPECT_EQ(scene.settings.time.integrator, "bdf2");
  EXPECT_EQ(scene.settings.contact.distance.value, 1e-3);
  EXPECT_FALSE(scene.settings.contact.distance.relative);
  EXPECT_EQ(scene.settings.contact.friction, 0.3);
  EXPECT_EQ(scene.settings.solver.tolerance, 1e-3);
  EXPECT_EQ(scene.settings.output.every, 2);
  ASSERT_EQ(scene.world.bodies.size(), 2u);
  EXPECT_EQ(scene.world.bodies[0].kind, BodyKind::obstacle);
  EXPECT_EQ(scene.world.bodies[1].name, "ball");
  EXPECT_TRUE(near(upper_corner(scene.world, 0), {2, 0, 2}));
  EXPECT_NEAR(upper_corner(scene.world, 1).y(), 1.3, 1e-12);
  EXPECT_EQ(std::get<ElasticMaterial>(scene.world.elements.materials.at(0)).poisson, 0.45);
  EXPECT_TRUE(near(scene.world.state.velocity.col(scene.world.bodies[1].first_control), {0, -2, 0}));
}

TEST(Load, DefaultsAreThoseOfSettings) {
  const Settings from_file = parse(box_scene()).settings;
  const Settings own;
  EXPECT_EQ(from_file.title, own.title);
  EXPECT_EQ(from_file.time.step, own.time.step);
  EXPECT_EQ(from_file.time.integrator, own.time.integrator);
  EXPECT_EQ(from_file.gravity, own.gravity);
  EXPECT_EQ(from_file.contact.enabled, own.contact.enabled);
  EXPECT_EQ(from_file.contact.distance.value, own.contact.distance.value);
  EXPECT_EQ(from_file.contact.distance.relative, own.contact.distance.relative);
  EXPECT_EQ(from_file.contact.minimum_distance, own.contact.minimum_distance);
  EXPECT_EQ(from_file.contact.stiffness, own.contact.stiffness);
  EXPECT_EQ(from_file.contact.friction, own.contact.friction);
  EXPECT_EQ(from_file.contact.static_speed.value, own.contact.static_speed.value);
  EXPECT_EQ(from_file.contact.static_speed.relative, own.contact.static_speed.relative);
  EXPECT_EQ(from_file.contact.friction_iterations, own.contact.friction_iterations);
  EXPECT_EQ(from_file.contact.ccd, own.contact.ccd);
  EXPECT_EQ(from_file.contact.broad_phase, own.contact.broad_phase);
  EXPECT_EQ(from_file.contact.self, own.contact.self);
  EXPECT_EQ(from_file.solver.tolerance, own.solver.tolerance);
  EXPECT_EQ(from_file.solver.max_iterations, own.solver.max_iterations);
  EXPECT_EQ(from_file.solver.linear, own.solver.linear);
  EXPECT_EQ(from_file.solver.psd, own.solver.psd);
  EXPECT_EQ(from_file.solver.threads, own.solver.threads);
  EXPECT_EQ(from_file.solver.max_halvings, own.solver.max_halvings);
  EXPECT_EQ(from_file.solver.max_step_iterations, own.solver.max_step_iterations);
  EXPECT_EQ(from_file.output.every, own.output.every);
  EXPECT_EQ(from_file.output.checkpoint_every_seconds, own.output.checkpoint_every_seconds);
  EXPECT_EQ(from_file.output.velocity, own.output.velocity);
  EXPECT_EQ(from_file.output.stress, own.output.stress);
  EXPECT_EQ(from_file.output.contact_force, own.output.contact_force);
  EXPECT_EQ(from_file.output.bodies_csv, own.output.bodies_csv);
}

TEST(Load, SettingsAreTakenFromTheFile) {
  const Settings settings = parse(box_scene("", R"(,
    "gravity": [1, 2, 3],
    "contact": { "model": "none", "distance": { "relative": 0.01 }, "minimum_distance": 0.5, "stiffness": 7,
      "static_speed": 0.25, "friction_iterations": 0, "broad_phase": "bvh", "self": false },
    "solver": { "max_iterations": 5, "linear": "cg", "psd": "abs", "threads": 2, "max_halvings": 1, "max_step_iterations": 77 },
    "output": { "checkpoint_every_seconds": 3, "fields": ["stress"], "bodies_csv": false })"))
                                .settings;
  EXPECT_EQ(settings.gravity, Vector3(1, 2, 3));
  EXPECT_FALSE(settings.contact.enabled);
  EXPECT_EQ(settings.contact.distance.value, 0.01);
  EXPECT_TRUE(settings.contact.distance.relative);
  EXPECT_EQ(settings.contact.minimum_distance, 0.5);
  EXPECT_EQ(settings.contact.stiffness, 7.0);
  EXPECT_EQ(settings.contact.static_speed.value, 0.25);
  EXPECT_FALSE(settings.contact.static_speed.relative);
  EXPECT_EQ(settings.contact.friction_iterations, 0);
  EXPECT_EQ(settings.contact.broad_phase, "bvh");
  EXPECT_FALSE(settings.contact.self);
  EXPECT_EQ(settings.solver.max_iterations, 5);
  EXPECT_EQ(settings.solver.linear, "cg");
  EXPECT_EQ(settings.solver.psd, "abs");
  EXPECT_EQ(settings.solver.threads, 2);
  EXPECT_EQ(settings.solver.max_halvings, 1);
  EXPECT_EQ(settings.solver.max_step_iterations, 77);
  EXPECT_EQ(settings.output.checkpoint_every_seconds, 3);
  EXPECT_FALSE(settings.output.velocity);
  EXPECT_TRUE(settings.output.stress);
  EXPECT_FALSE(settings.output.contact_force);
  EXPECT_FALSE(settings.output.bodies_csv);
}

TEST(Load, ADurationIsRoundedUpToWholeSteps) {
  const auto steps = [&](const std::string& duration, const std::string& step) {
    return parse(box_scene(), {"/time/steps=null", "/time/duration=" + duration, "/time/step=" + step})
        .settings.time.steps;
  };
  EXPECT_EQ(steps("2.0", "0.01"), 200);
  EXPECT_EQ(steps("0.3", "0.1"), 3);
  EXPECT_EQ(steps("0.35", "0.1"), 4);
  EXPECT_EQ(steps("1e-20", "0.1"), 1);
}

TEST(Load, OverridesAreAppliedAndShownInTheResolvedScene) {
  const Scene scene =
      parse(box_scene(), {"/time/step=0.005", "/bodies/0/position=[1,2,3]", "/contact/friction=0.5"});
  EXPECT_EQ(scene.settings.time.step, 0.005);
  EXPECT_EQ(scene.settings.contact.friction, 0.5);
  const Json resolved = parse_json(scene.resolved_json, "resolved");
  EXPECT_EQ(resolved["time"]["step"], 0.005);
  EXPECT_EQ(resolved["bodies"][0]["position"][2], 3);
  EXPECT_EQ(resolved["solver"]["psd"], "clamp") << "defaults are filled in";
  const Scene again = parse(scene.resolved_json);
  EXPECT_EQ(again.resolved_json, scene.resolved_json);
}

TEST(Load, StaticsHasARampOfItsLoads) {
  EXPECT_FALSE(parse(box_scene(), {"/time/integrator=static"}).settings.time.ramp);
  EXPECT_EQ(parse(box_scene(), {"/time/integrator=static", "/time/ramp=0"}).settings.time.ramp, 0);
}

TEST(Load, ThePoseScalesThenTurnsThenMoves) {
  const World axis = parse(box_scene(R"(, "position": [10, 0, 0], "scale": 2,
    "rotation": { "axis": [0, 0, 5], "degrees": 90 })"))
                         .world;
  EXPECT_TRUE(near(lower_corner(axis, 0), {8, -1, -3}));
  EXPECT_TRUE(near(upper_corner(axis, 0), {12, 1, 3}));
  const World quaternion =
      parse(box_scene(R"(, "scale": [1, 2, 1], "rotation": { "quaternion": [2, 0, 0, 2] })")).world;
  EXPECT_TRUE(near(upper_corner(quaternion, 0), {2, 0.5, 1.5}));
  // x first, then y: the long z side goes to y by the first turn and stays there.
  const World euler = parse(box_scene(R"(, "rotation": { "euler_degrees": [90, 90, 0] })")).world;
  EXPECT_TRUE(near(upper_corner(euler, 0), {1, 1.5, 0.5}));
}

TEST(Load, BodiesWithoutANameAreNamedByKindAndIndex) {
  const World world = parse(R"({ "bulwark": 1, "time": { "steps": 1 }, "bodies": [
    { "kind": "obstacle", "shape": { "tetrahedron": 1 } }, { "kind": "obstacle", "shape": { "sphere": 1 } } ] })")
                          .world;
  EXPECT_EQ(world.bodies[0].name, "obstacle-0");
  EXPECT_EQ(world.bodies[1].name, "obstacle-1");
}

TEST(Load, EveryShapeCanBeAnObstacle) {
  for (const char* shape :
       {R"("box": [1, 1, 1])", R"("sphere": 1)", R"("cylinder": { "radius": 1, "height": 1 })",
        R"("capsule": { "radius": 1, "height": 3 })", R"("cone": { "radius": 1, "height": 1 })",
        R"("torus": { "major": 1, "minor": 0.2 })", R"("ring": { "major": 1, "minor": 0.2, "length": 1 })",
        R"("gear": { "teeth": 12, "module": 0.1, "thickness": 0.2 })", R"("tetrahedron": 1)",
        R"("bolt": { "radius": 0.5, "length": 2, "pitch": 0.25, "head_radius": 0.9, "head_height": 0.5 })",
        R"("nut": { "radius": 0.5, "pitch": 0.25, "height": 0.5, "outer_radius": 0.9, "clearance": 0.025 })",
        R"("grid": { "size": [1, 2], "cells": [2, 3] })",
        R"("height_field": { "size": [1, 1], "heights": [[0, 1], [1, 0]] })",
        R"("line": { "from": [0, 0, 0], "to": [1, 0, 0], "segments": 3 })",
        R"("points": [[0, 0, 0], [1, 1, 1]])", R"("plane": { "normal": [0, 2, 0] })"}) {
    const World world = parse(obstacle_scene(std::string(R"("shape": { )") + shape + " }")).world;
    EXPECT_EQ(world.bodies.size(), 1u) << shape;
    EXPECT_GT(world.control_count(), 0) << shape;
  }
}

TEST(Load, TheEstimateOfAMeshIsNotFarFromIt) {
  for (const Shape& shape :
       std::vector<Shape>{BoxShape{{1, 2, 0.3}}, SphereShape{1}, CylinderShape{0.5, 3}, CylinderShape{2, 0.1},
                          CapsuleShape{0.3, 2}, ConeShape{1, 1}, TorusShape{1, 0.2}, RingShape{1, 0.2, 3},
                          TetrahedronShape{1}, GearShape{20, 0.1, 0.2, 0.5}, BoltShape{}, NutShape{},
                          GridShape{{1, 1}, {7, 9}}}) {
    for (const double resolution : {0.0, 0.2, 0.1, 0.05}) {
      const double vertices = is_solid(shape) ? solid_mesh(shape, resolution).vertices.cols()
                                              : surface_mesh(shape, resolution).vertices.cols();
      const double estimate = estimated_vertices(shape, resolution);
      EXPECT_GT(estimate, vertices / 5) << shape_name(shape) << " at " << resolution;
      EXPECT_LT(estimate, vertices * 15) << shape_name(shape) << " at " << resolution;
    }
  }
}

TEST(Load, ThePoseMovesAndTurnsAPlane) {
  const World world =
      parse(obstacle_scene(R"("shape": { "plane": { "point": [1, 0, 0], "normal": [3, 0, 0] } },
    "position": [0, 5, 0], "rotation": { "axis": [0, 0, 1], "degrees": 90 })"))
          .world;
  ASSERT_EQ(world.collision.planes.size(), 1u);
  EXPECT_TRUE(near(world.collision.planes[0].normal, {0, 1, 0}));
  EXPECT_TRUE(near(world.rest.col(0), {0, 6, 0}));
}

TEST(Load, RepeatMakesAGridOfNamedCopies) {
  const Scene scene = parse(box_scene(R"(, "repeat": { "count": [2, 1, 3], "spacing": [2, 0, 4] },
    "fixed": { "plane": [[0, 1, 0], [0, 1, 0]] }, "motion": { "angular_degrees": [0, 90, 0] })"));
  const World& world = scene.world;
  ASSERT_EQ(world.bodies.size(), 6u);
  EXPECT_EQ(world.bodies[0].name, "block[0,0,0]");
  EXPECT_EQ(world.bodies[5].name, "block[1,0,2]");
  EXPECT_TRUE(near(lower_corner(world, 5), {1.5, -1, 6.5}));
  ASSERT_EQ(world.scripts.size(), 6u);
  EXPECT_TRUE(near(world.scripts[5].motion.pivot, {2, 0, 8})) << "each copy turns about itself";
}

TEST(Load, SelectionsHoldTheirPoints) {
  const auto held = [](const std::string& selection) {
    const World world = parse(box_scene(R"(, "position": [0, 1, 0], "fixed": )" + selection)).world;
    return std::count(world.scripted.begin(), world.scripted.end(), char(1));
  };
  // A box of 1 by 2 by 3 cells: 2 x 3 x 4 nodes, from y = 0 to y = 2.
  EXPECT_EQ(held("true"), 24);
  EXPECT_EQ(held("false"), 0);
  EXPECT_EQ(held(R"({ "box": [[-9, 0, -9], [9, 0, 9]] })"), 8);
  EXPECT_EQ(held(R"({ "plane": [[0, 1.5, 0], [0, 1, 0]] })"), 8);
  EXPECT_EQ(held(R"({ "sphere": [[0.5, 0, 1.5], 0.1] })"), 1);
  EXPECT_EQ(held(R"({ "nodes": [3, 4, 3] })"), 2);
}

TEST(Load, TheTwoEndsOfABodyCanMoveDifferently) {
  const World world = parse(box_scene(R"(, "fixed": [
    { "selection": { "plane": [[0, 0, 1.5], [0, 0, 1]] }, "motion": { "angular_degrees": [0, 0, 180], "pivot": [1, 0, 0] } },
    { "selection": { "plane": [[0, 0, -1.5], [0, 0, -1]] }, "motion": [{ "time": 2, "position": [0, 0, -4] }] } ])"))
                          .world;
  ASSERT_EQ(world.scripts.size(), 2u);
  EXPECT_TRUE(near(world.scripts[0].motion.at(1, {2, 0, 0}), {0, 0, 0}));
  EXPECT_TRUE(near(world.scripts[1].motion.at(1, {0, 0, 0}), {0, 0, -2})) << "from the start pose at time 0";
  EXPECT_TRUE(near(world.scripts[1].motion.at(9, {0, 0, 0}), {0, 0, -4})) << "still after the last key";
}

TEST(Load, KeyframesMayTurnMoreThanOnce) {
  const World world =
      parse(obstacle_scene(R"("shape": { "tetrahedron": 1 }, "position": [1, 0, 0], "motion": [
    { "time": 0 }, { "time": 1, "rotation": { "axis": [0, 1, 0], "degrees": 720 }, "position": [0, 2, 0] } ])"))
          .world;
  const Motion& motion = script_of(world, 0).motion;
  EXPECT_NEAR(motion.keyframes.at(1).rotation.y(), 4 * pi, 1e-12);
  EXPECT_TRUE(near(motion.at(0.25, {2, 0, 0}), {0, 0.5, 0})) << "half a turn about the body's position";
}

TEST(Load, LoadsAreConstantOrTabled) {
  const World world = parse(box_scene(R"(, "force": [1, 0, 0], "traction": [
    { "value": [0, 1, 0], "selection": { "plane": [[0, 1, 0], [0, 1, 0]] } },
    { "times": [0, 2], "values": [[0, 0, 0], [0, 0, 4]] } ])"))
                          .world;
  ASSERT_EQ(world.loads.size(), 3u);
  EXPECT_TRUE(near(world.loads[0].value.at(5), {1, 0, 0}));
  EXPECT_TRUE(near(world.loads[1].value.at(5), {0, 1, 0}));
  EXPECT_TRUE(near(world.loads[2].value.at(1), {0, 0, 2}));
}

TEST(Load, FrictionComesFromTheBodyThenItsMaterial) {
  const std::string material =
      R"("material": { "model": "svk", "density": 1, "young": 1, "poisson": 0, "friction": 0.2 })";
  const auto body = [&](const std::string& keys) {
    return R"({ "kind": "deformable", "shape": { "box": [1, 1, 1] }, )" + material + keys + " }";
  };
  const World world = parse(R"({ "bulwark": 1, "time": { "steps": 1 }, "bodies": [)" + body("") + "," +
                            body(R"(, "friction": 0.7, "collides": false, "group": 3)") + "] }")
                          .world;
  EXPECT_EQ(world.bodies[0].friction, 0.2);
  EXPECT_EQ(world.bodies[1].friction, 0.7);
  EXPECT_TRUE(world.collision.bodies[0].collides);
  EXPECT_FALSE(world.collision.bodies[1].collides);
  EXPECT_EQ(world.collision.bodies[0].group, -1);
  EXPECT_EQ(world.collision.bodies[1].group, 3);
  EXPECT_EQ(std::get<ElasticMaterial>(world.elements.materials[0]).model, ElasticModel::svk);
}

TEST(Load, AFrictionPairMayNameARepeatedBodyOrOneCopy) {
  const World world = parse(R"({ "bulwark": 1, "time": { "steps": 1 }, "bodies": [
    { "name": "floor", "kind": "obstacle", "shape": { "plane": {} } },
    { "name": "post", "kind": "obstacle", "shape": { "tetrahedron": 1 }, "repeat": { "count": [2, 1, 1], "spacing": [2, 0, 0] } } ],
    "contact": { "pairs": [ { "between": ["post", "floor"], "friction": 0.1 },
      { "between": ["post[1,0,0]", "floor"], "friction": 0.9 }, { "between": ["post", "post"], "friction": 0.5 } ] } })")
                          .world;
  EXPECT_EQ(world.friction_pairs.at({0, 1}), 0.1);
  EXPECT_EQ(world.friction_pairs.at({0, 2}), 0.9);
  EXPECT_EQ(world.friction_pairs.at({1, 2}), 0.5);
}

TEST(Load, APairOfBodiesMayHaveAModelOfItsOwn) {
  const auto scene = [](const std::string& contact) {
    return parse(R"({ "bulwark": 1, "time": { "steps": 1 },
      "materials": { "steel": { "model": "rigid", "density": 1000 } }, "bodies": [
      { "name": "floor", "kind": "obstacle", "shape": { "plane": {} } },
      { "name": "box", "kind": "rigid", "shape": { "box": [1, 1, 1] }, "material": "steel", "position": [0, 1, 0],
        "repeat": { "count": [2, 1, 1], "spacing": [2, 0, 0] } } ], "contact": {)" +
                 contact + "} }");
  };
  const Scene one = scene(R"("pairs": [ { "between": ["box[1,0,0]", "floor"], "model": "none" } ])");
  EXPECT_TRUE(one.settings.contact.enabled);
  EXPECT_EQ(one.world.collision.unguarded_pairs, (std::vector<std::array<int, 2>>{{0, 2}}));
  const Scene most = scene(
      R"("model": "none", "pairs": [ { "between": ["box", "floor"], "model": "none" },
         { "between": ["box[0,0,0]", "floor"], "model": "barrier" },
         { "between": ["box[0,0,0]", "floor"], "friction": 0.5 } ])");
  EXPECT_TRUE(most.settings.contact.enabled);
  EXPECT_EQ(most.world.collision.unguarded_pairs, (std::vector<std::array<int, 2>>{{0, 2}, {1, 2}}));
  EXPECT_EQ(most.world.friction_pairs.at({0, 1}), 0.5);
  EXPECT_FALSE(most.world.collision.bodies[1].self);
  const Scene none = scene(R"("model": "none")");
  EXPECT_FALSE(none.settings.contact.enabled);
  EXPECT_EQ(error_of(R"({ "bulwark": 1, "time": { "steps": 1 }, "bodies": [
    { "name": "a", "kind": "obstacle", "shape": { "sphere": 1 } } ],
    "contact": { "pairs": [ { "between": ["a", "a"], "model": "none" } ] } })")
                    .find("/contact/pairs/0/between: the pair is one body twice") == std::string::npos,
            false);
}

TEST(Load, PatchPenaltyHasValuesOfTheSceneAndOfPairs) {
  const Scene scene = parse(R"({ "bulwark": 1, "time": { "steps": 1 },
    "materials": { "steel": { "model": "rigid", "density": 1000 } }, "bodies": [
    { "name": "floor", "kind": "obstacle", "shape": { "plane": {} } },
    { "name": "box", "kind": "rigid", "shape": { "box": [1, 1, 1] }, "material": "steel", "position": [0, 1, 0] } ],
    "contact": { "model": "patch-penalty",
      "patch_penalty": { "young": 1e7, "static_friction": 0.3, "detection_ahead": 4 },
      "pairs": [ { "between": ["box", "floor"], "model": "patch-penalty",
                   "patch_penalty": { "area_stiffness": 1e8, "restitution": 0.1 } } ] } })");
  EXPECT_EQ(scene.world.collision.unguarded_pairs, (std::vector<std::array<int, 2>>{{0, 1}}));
  const PatchPenaltySettings& of_scene = scene.settings.contact.patch_penalty;
  EXPECT_EQ(of_scene.young, 1e7);
  EXPECT_EQ(of_scene.poisson, 0.3);
  EXPECT_EQ(of_scene.restitution, 0.5);
  EXPECT_EQ(of_scene.detection_ahead, 4);
  EXPECT_FALSE(of_scene.stiffness);
  const PatchPenaltySettings of_pair = scene.world.patch_pairs.at({0, 1}).over(of_scene);
  EXPECT_EQ(of_pair.area_stiffness, 1e8);
  EXPECT_FALSE(of_pair.young) << "one stiffness replaces the other";
  EXPECT_EQ(of_pair.restitution, 0.1);
  EXPECT_EQ(of_pair.static_friction, 0.3);
}

class LoadFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("bulwark_scene_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  static std::string load_error(const std::filesystem::path& file) {
    try {
      load_scene(file);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path folder_;
};

/// A tetrahedron with its corner at the origin.
constexpr const char* tetrahedron_obj =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

std::string mesh_scene(const std::string& kind, const std::string& mesh) {
  const std::string material = R"(, "material": { "model": "svk", "density": 1, "young": 1, "poisson": 0 })";
  return R"({ "bulwark": 1, "time": { "steps": 1 }, "bodies": [ { "kind": ")" + kind + R"(", "mesh": ")" +
         mesh + "\"" + (kind == "deformable" ? material : "") + " } ] }";
}

TEST_F(LoadFile, MeshFilesAreRelativeToTheScene) {
  write("tetrahedron.obj", tetrahedron_obj);
  const Scene scene =
      load_scene(write("scene.json", mesh_scene("obstacle", "tetrahedron.obj")), {"/time/steps=5"});
  EXPECT_EQ(scene.world.control_count(), 4);
  EXPECT_EQ(scene.settings.time.steps, 5);
}

TEST_F(LoadFile, AClosedSurfaceIsFilledForADeformableBody) {
  write("tetrahedron.obj", tetrahedron_obj);
  const Scene scene = load_scene(write("scene.json", mesh_scene("deformable", "tetrahedron.obj")));
  EXPECT_GE(scene.world.control_count(), 4);
  EXPECT_GE(scene.world.elements.size(), 1);
}

TEST_F(LoadFile, AnOpenSurfaceMayBeAnObstacleButNoSolid) {
  write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  EXPECT_EQ(load_scene(write("scene.json", mesh_scene("obstacle", "open.obj"))).world.control_count(), 3);
  test::expect_parts(load_error(write("soft.json", mesh_scene("deformable", "open.obj"))),
                     {"soft.json:1: /bodies/0/mesh: ", "open.obj", "does not enclose a volume"});
}

TEST_F(LoadFile, ABadMeshFileIsNamedWithThePlaceThatAsksForIt) {
  test::expect_parts(load_error(write("a.json", mesh_scene("obstacle", "missing.obj"))),
                     {"a.json:1: /bodies/0/mesh: ", "missing.obj", "there is no such file"});
  test::expect_parts(load_error(write("b.json", mesh_scene("obstacle", "."))),
                     {"/bodies/0/mesh: ", "not a file"});
  write("empty.obj", "");
  test::expect_parts(load_error(write("c.json", mesh_scene("obstacle", "empty.obj"))),
                     {"/bodies/0/mesh: ", "empty.obj"});
  write("nan.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  test::expect_parts(load_error(write("d.json", mesh_scene("obstacle", "nan.obj"))),
                     {"/bodies/0/mesh: ", "nan.obj"});
  write("mesh.xyz", "1 2 3\n");
  test::expect_parts(load_error(write("e.json", mesh_scene("obstacle", "mesh.xyz"))),
                     {"/bodies/0/mesh: ", "xyz"});
}

TEST_F(LoadFile, InvertedTetrahedraAreNamed) {
  write("inverted.msh",
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
        "$Elements\n1\n1 4 2 0 0 1 3 2 4\n$EndElements\n");
  test::expect_parts(load_error(write("scene.json", mesh_scene("deformable", "inverted.msh"))),
                     {"/bodies/0/mesh: ", "inverted"});
}

TEST_F(LoadFile, AMissingSceneIsAnswered) {
  test::expect_parts(load_error(folder_ / "none.json"), {"none.json: there is no such scene file"});
  test::expect_parts(load_error(folder_), {"this is a folder"});
}

TEST(Load, BroadPhasesThatAreGoneAreReadAsAutoWithAWarning) {
  std::vector<std::string> warnings;
  set_log_sink([&](LogLevel, const std::string& message) { warnings.push_back(message); });
  for (const char* name : {"hash-grid", "sweep"}) {
    const Scene scene =
        parse(box_scene("", R"(, "contact": { "broad_phase": ")" + std::string(name) + "\" }"));
    EXPECT_EQ(scene.settings.contact.broad_phase, "auto");
    ASSERT_EQ(warnings.size(), 1u);
    test::expect_parts(warnings.back(), {"/contact/broad_phase", name, "auto"});
    warnings.clear();
  }
  for (const char* name : {"auto", "bvh", "body-boxes"}) {
    const Scene scene =
        parse(box_scene("", R"(, "contact": { "broad_phase": ")" + std::string(name) + "\" }"));
    EXPECT_EQ(scene.settings.contact.broad_phase, name);
  }
  EXPECT_TRUE(warnings.empty());
  set_log_sink({});
}

}  // namespace
}  // namespace bulwark
