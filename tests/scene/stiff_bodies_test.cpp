// Affine and rigid bodies in a scene file: what their keys do, and how mistakes in them are answered.
#include <bulwark/geometry/append_surface.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/simulation.hpp>
#include <output/temporary_folder.hpp>
#include <scene/scene_text.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

namespace bulwark {
namespace {

using test::error_of;
using test::expect_parts;
using test::parse;

constexpr double degree = std::numbers::pi / 180;

/// A scene of one stiff box of the given kind, with keys added to the box (beginning with a comma) and to its
/// material.
std::string stiff_scene(const std::string& kind, const std::string& body = "",
                        const std::string& material = "") {
  return R"({ "bulwark": 1, "time": { "steps": 10 },
  "materials": {
    "steel": { "model": ")" +
         kind + R"(", "density": 7800)" + material + R"( },
    "rubber": { "model": "neo-hookean", "density": 1000, "young": 1e6, "poisson": 0.4 } },
  "bodies": [ { "name": "block", "kind": ")" +
         kind + R"(", "shape": { "box": [1, 2, 3] }, "material": "steel")" + body + " } ] }";
}

TEST(StiffScene, ABodyHasTheMassPoseAndVelocitiesOfItsKeys) {
  for (const std::string kind : {"affine", "rigid"}) {
    const Scene scene = parse(stiff_scene(
        kind,
        R"(, "position": [1, 2, 3], "rotation": { "axis": [0, 0, 1], "degrees": 90 }, "velocity": [4, 5, 6],
                  "angular_velocity_degrees": [0, 90, 0], "friction": 0.7)"));
    const World& world = scene.world;
    ASSERT_EQ(world.stiff.size(), 1u);
    EXPECT_EQ(body_kind_name(world.bodies[0].kind), kind);
    EXPECT_EQ(world.bodies[0].friction, 0.7);
    const StiffBody& body = world.stiff[0];
    EXPECT_EQ(body.rigid, kind == "rigid");
    EXPECT_NEAR(body.mass, 7800 * 6, 1e-8);
    // Turned about z: the box is 2 x 1 x 3 in the world.
    EXPECT_NEAR(body.second_moment(0, 0), 7800 * 6 * 4.0 / 12, 1e-6);
    EXPECT_NEAR(body.second_moment(1, 1), 7800 * 6 * 1.0 / 12, 1e-6);
    const RigidMotion motion = rigid_motion(world, 0);
    EXPECT_LT((motion.center - Vector3(1, 2, 3)).norm(), 1e-12);
    EXPECT_EQ(motion.velocity, Vector3(4, 5, 6));
    EXPECT_LT((motion.angular_velocity - Vector3(0, 90 * degree, 0)).norm(), 1e-12);
  }
}

TEST(StiffScene, StiffnessHasADefaultAndIsTimesTheVolume) {
  EXPECT_NEAR(parse(stiff_scene("affine")).world.stiff[0].stiffness, 6e12, 1);
  EXPECT_NEAR(parse(stiff_scene("affine", "", R"(, "stiffness": 1e9)")).world.stiff[0].stiffness, 6e9, 1);
  expect_parts(error_of(stiff_scene("rigid", "", R"(, "stiffness": 1e9)")),
               {"/materials/steel/stiffness: unknown key"});
  expect_parts(error_of(stiff_scene("affine", "", R"(, "stiffness": 0)")),
               {"/materials/steel/stiffness: expected a number > 0, got 0"});
}

TEST(StiffScene, MaterialsMayBeInline) {
  const Scene scene = parse(stiff_scene("rigid"), {R"(/bodies/0/material={"model": "rigid", "density": 2})"});
  EXPECT_NEAR(scene.world.stiff[0].mass, 12, 1e-12);
}

TEST(StiffScene, SheetsWiresAndPointsNeedAThickness) {
  for (const std::string kind : {"affine", "rigid"}) {
    for (const char* shape : {R"({"grid": {"size": [1, 1], "cells": [2, 2]}})", R"({"points": [[0, 0, 0]]})",
                              R"({"line": {"from": [0, 0, 0], "to": [1, 0, 0]}})"}) {
      const std::string set = std::string("/bodies/0/shape=") + shape;
      expect_parts(error_of(stiff_scene(kind), {set}), {"/bodies/0", "'block'", "not closed", "`thickness`"});
      EXPECT_EQ(error_of(stiff_scene(kind, "", R"(, "thickness": 0.01)"), {set}), "") << shape;
    }
    expect_parts(error_of(stiff_scene(kind, "", R"(, "thickness": 0)")),
                 {"/materials/steel/thickness: expected a number > 0, got 0"});
    expect_parts(error_of(stiff_scene(kind), {R"(/bodies/0/shape={"plane": {}})"}),
                 {"/bodies/0/shape", "plane"});
  }
  const Scene sheet = parse(stiff_scene("rigid", "", R"(, "thickness": 0.01)"),
                            {R"(/bodies/0/shape={"grid": {"size": [2, 3], "cells": [2, 2]}})"});
  EXPECT_NEAR(sheet.world.stiff[0].mass, 7800 * 2 * 3 * 0.01, 1e-9);
}

TEST(StiffScene, TheMaterialMustBeOfTheBodysModel) {
  for (const std::string kind : {"affine", "rigid"}) {
    expect_parts(error_of(stiff_scene(kind), {"/bodies/0/material=rubber"}),
                 {"/bodies/0/material", "a body of kind \"" + kind + "\" can't have the material \"rubber\"",
                  "use a material of model \"" + kind + "\""});
    expect_parts(error_of(stiff_scene(kind), {"/bodies/0/material=steal"}),
                 {"/bodies/0/material", "there is no material \"steal\"", "did you mean \"steel\"?"});
  }
  expect_parts(error_of(stiff_scene("affine"), {"/bodies/0/kind=rigid"}),
               {"a body of kind \"rigid\" can't have the material \"steel\" of model \"affine\""});
  expect_parts(error_of(test::box_scene(), {R"(/materials/rubber={"model": "affine", "density": 1})"}),
               {"/bodies/0/material", "can't have the material", "elastic model"});
  EXPECT_NE(error_of(stiff_scene("rigid"), {R"(/bodies/0/material={"model": "affine", "density": 1})"}), "");
}

TEST(StiffScene, AxesAreHeld) {
  for (const std::string kind : {"affine", "rigid"}) {
    const Scene scene =
        parse(stiff_scene(kind, R"(, "velocity": [1, 1, 1], "angular_velocity_degrees": [90, 90, 90],
                  "fixed": { "translation": [false, true, false], "rotation": [true, true, false] })"));
    EXPECT_EQ(scene.world.held[0], 2);
    const RigidMotion motion = rigid_motion(scene.world, 0);
    EXPECT_EQ(motion.velocity, Vector3(1, 0, 1));
    EXPECT_LT((motion.angular_velocity - Vector3(0, 0, 90 * degree)).norm(), 1e-12);
    EXPECT_TRUE(scene.world.scripts.empty());
  }
}

TEST(StiffScene, AnAffineBodyCannotBeHeldAboutOneAxisAlone) {
  const std::string one = R"(, "fixed": { "rotation": [true, false, false] })";
  expect_parts(error_of(stiff_scene("affine", one)),
               {"/bodies/0/fixed", "'block'", "about one axis alone", "rigid"});
  EXPECT_EQ(error_of(stiff_scene("rigid", one)), "");
}

TEST(StiffScene, HoldingIsOfTheWholeBodyOrOfAxes) {
  expect_parts(error_of(stiff_scene("affine", R"(, "fixed": { "box": [[0, 0, 0], [1, 1, 1]] })")),
               {"/bodies/0/fixed/box: unknown key"});
  expect_parts(error_of(stiff_scene("rigid", R"(, "fixed": { "translation": [true, true] })")),
               {"/bodies/0/fixed/translation: expected 3 booleans, got a list of 2"});
  expect_parts(
      error_of(stiff_scene("rigid", R"(, "fixed": { "translation": [true, true, true] }, "motion": {})")),
      {"/bodies/0/motion", "held by axes", "set `fixed` to true"});
  expect_parts(error_of(stiff_scene("rigid", R"(, "motion": { "linear": [1, 0, 0] })")),
               {"/bodies/0/motion: \"motion\" needs \"fixed\""});
  const Scene scene = parse(stiff_scene("rigid", R"(, "fixed": true, "motion": { "linear": [1, 0, 0] })"));
  ASSERT_EQ(scene.world.scripts.size(), 1u);
  EXPECT_EQ(scene.world.scripts[0].controls.size(), 4u);
}

TEST(StiffScene, LoadsAreForcesAndTorques) {
  for (const std::string kind : {"affine", "rigid"}) {
    const Scene scene = parse(stiff_scene(
        kind, R"(, "force": [{ "value": [1, 0, 0] }, { "value": [0, 1, 0], "selection": { "nodes": [0] } }],
                  "torque": { "times": [0, 1], "values": [[0, 0, 0], [0, 0, 2]] })"));
    ASSERT_EQ(scene.world.loads.size(), 2u);
    EXPECT_EQ(scene.world.loads[0].controls, std::vector<int>{scene.world.stiff[0].first_control});
    EXPECT_EQ(scene.world.loads[0].shares, std::vector<double>{1});
    const Vector3 corner(scene.world.loads[1].shares[1], scene.world.loads[1].shares[2],
                         scene.world.loads[1].shares[3]);
    EXPECT_LT((corner.cwiseAbs() - Vector3(0.5, 1, 1.5)).norm(), 1e-12);
    ASSERT_EQ(scene.world.torques.size(), 1u);
    EXPECT_EQ(scene.world.torques[0].value.at(0.5), Vector3(0, 0, 1));
    expect_parts(error_of(stiff_scene(kind, R"(, "traction": [1, 0, 0])")),
                 {"/bodies/0/traction: unknown key"});
    expect_parts(
        error_of(stiff_scene(kind, R"(, "torque": { "value": [1, 0, 0], "selection": { "nodes": [0] } })")),
        {"/bodies/0/torque/selection", "a torque acts on the whole body"});
    expect_parts(
        error_of(stiff_scene(
            kind, R"(, "force": { "value": [1, 0, 0], "selection": { "sphere": [[9, 9, 9], 1] } })")),
        {"/bodies/0/force: the selection has no point of body \"block\"",
         "the body reaches from [-0.5, -1, -1.5] to [0.5, 1, 1.5]"});
    expect_parts(
        error_of(stiff_scene(kind, R"(, "force": { "value": [1, 0, 0], "selection": { "nodes": [999] } })")),
        {"/bodies/0/force: there is no node 999"});
  }
}

TEST(StiffScene, KeysOfSoftBodiesAreUnknown) {
  expect_parts(error_of(stiff_scene("rigid", R"(, "order": 1)")), {"/bodies/0/order: unknown key"});
  expect_parts(error_of(stiff_scene("affine", R"(, "mass": "lumped")")),
               {"/bodies/0/mass: expected a number > 0 or a given mass"});
}

TEST(StiffScene, AMassAloneIsEnough) {
  for (const std::string kind : {"affine", "rigid"}) {
    const auto scene = [&](const std::string& keys) {
      return R"({ "bulwark": 1, "time": { "steps": 1 }, "bodies": [ { "kind": ")" + kind +
             R"(", "shape": { "box": [1, 2, 3] }, "scale": 2, )" + keys + " } ] }";
    };
    for (const std::string& keys :
         {std::string(R"("mass": 5)"), R"("mass": 5, "material": { "model": ")" + kind + R"(" })",
          R"("mass": 5, "material": { "model": ")" + kind + R"(", "density": 7800 })"}) {
      const World world = parse(scene(keys)).world;
      EXPECT_NEAR(world.stiff[0].mass, 5, 1e-12);
      EXPECT_LT((world.stiff[0].second_moment.diagonal() - 5 * Vector3(4, 16, 36) / 12).norm(), 1e-12);
      if (kind == "affine") {
        EXPECT_NEAR(world.stiff[0].stiffness, 48e12, 1);
      }
    }
    expect_parts(error_of(scene(R"("name": "block")")),
                 {"/bodies/0: missing key \"material\"", "\"mass\" in kg"});
    expect_parts(error_of(scene(R"("material": { "model": ")" + kind + R"(" })")),
                 {"/bodies/0/material: missing key \"density\"", "\"mass\" in kg"});
    expect_parts(error_of(scene(R"("mass": 0)")), {"/bodies/0/mass: expected a number > 0"});
    expect_parts(error_of(scene(R"("mass": { "mass": 5 })")),
                 {"/bodies/0/mass: missing key \"inertia\"", "give a number for the whole `mass`"});
  }
}

TEST(StiffScene, RoundShapesHaveTheMassOfWhatTheyStandFor) {
  constexpr double pi = std::numbers::pi;
  const auto stiff = [](const std::string& shape, const std::string& more = "") {
    return parse(R"({ "bulwark": 1, "time": { "steps": 1 }, "bodies": [ { "kind": "rigid", )" + shape + more +
                 R"(, "position": [1, 2, 3], "material": { "model": "rigid", "density": 1000 } } ] })")
        .world;
  };
  const World ball = stiff(R"("shape": { "sphere": 0.1 })");
  EXPECT_NEAR(ball.stiff[0].mass, 4000 * pi / 3 * 1e-3, 1e-12);
  EXPECT_NEAR(ball.stiff[0].second_moment(0, 0), ball.stiff[0].mass * 0.01 / 5, 1e-15);
  EXPECT_NEAR(ball.stiff[0].second_moment(0, 1), 0, 1e-15);
  EXPECT_LT((rigid_motion(ball, 0).center - Vector3(1, 2, 3)).norm(), 1e-12);
  // The resolution changes the surface, not the mass; a scale makes an ellipsoid.
  EXPECT_EQ(stiff(R"("shape": { "sphere": 0.1, "resolution": 0.02 })").stiff[0].mass, ball.stiff[0].mass);
  const World ellipsoid = stiff(R"("shape": { "sphere": 0.1 })", R"(, "scale": [1, 2, 3])");
  EXPECT_NEAR(ellipsoid.stiff[0].mass, 6 * ball.stiff[0].mass, 1e-12);
  EXPECT_NEAR(ellipsoid.stiff[0].second_moment(2, 2), 9 * 6 * ball.stiff[0].second_moment(2, 2), 1e-12);
  // A cone's center of mass is a quarter up.
  const World cone = stiff(R"("shape": { "cone": { "radius": 1, "height": 2 } })");
  EXPECT_NEAR(cone.stiff[0].mass, 1000 * 2 * pi / 3, 1e-9);
  EXPECT_LT((rigid_motion(cone, 0).center - Vector3(1, 1.5, 3)).norm(), 1e-12);
  // A dumbbell of two balls and a rod.
  const World dumbbell = stiff(R"("shapes": [ { "shape": { "sphere": 0.1 }, "position": [0, 0.5, 0] },
    { "shape": { "sphere": 0.1 }, "position": [0, -0.5, 0] }, { "shape": { "box": [0.02, 0.7, 0.02] } } ])");
  EXPECT_NEAR(dumbbell.stiff[0].mass, 2 * ball.stiff[0].mass + 1000 * 0.02 * 0.02 * 0.7, 1e-12);
  EXPECT_NEAR(dumbbell.stiff[0].second_moment(1, 1),
              2 * (ball.stiff[0].second_moment(1, 1) + ball.stiff[0].mass * 0.25) + 0.28 * 0.49 / 12, 1e-12);
  // Where nothing is round, the mesh is what counts.
  EXPECT_NEAR(stiff(R"("shape": { "box": [1, 2, 3] })").stiff[0].mass, 6000, 1e-8);
}

/// A scene beside a mesh file, and what it is answered with.
std::string error_with_mesh(const std::string& obj, const std::string& keys = "") {
  const TemporaryFolder folder;
  write_all(folder / "part.obj", obj);
  const std::string text =
      R"({ "bulwark": 1, "time": { "steps": 1 }, "bodies": [ { "kind": "rigid", "mesh": "part.obj",
        "material": { "model": "rigid", "density": 1000)" +
      std::string(keys.starts_with("thick") ? R"(, "thickness": 0.01)" : "") + " }" +
      (keys.starts_with(",") ? keys : "") + " } ] }";
  write_all(folder / "scene.json", text);
  try {
    load_scene(folder / "scene.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string as_obj(const SurfaceMesh& mesh) {
  std::string text;
  for (Eigen::Index v = 0; v < mesh.vertices.cols(); ++v)
    text += fmt::format("v {} {} {}\n", mesh.vertices(0, v), mesh.vertices(1, v), mesh.vertices(2, v));
  for (const Triangle& t : mesh.triangles) text += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  return text;
}

TEST(StiffScene, AFlippedTriangleOfAMeshIsCalledThat) {
  SurfaceMesh box = surface_mesh(BoxShape{});
  EXPECT_EQ(error_with_mesh(as_obj(box)), "");
  std::swap(box.triangles[7][0], box.triangles[7][1]);
  for (const char* keys : {"", "thickness"}) {
    const std::string message = error_with_mesh(as_obj(box), keys);
    expect_parts(message, {"/bodies/0/mesh", "part.obj", "triangle 7 ", "is flipped"});
    EXPECT_EQ(message.find("not closed"), std::string::npos) << message;
  }
}

TEST(StiffScene, AnOpenMeshWithoutThicknessNamesItsOpenEdges) {
  SurfaceMesh box = surface_mesh(BoxShape{});
  box.triangles.pop_back();
  expect_parts(error_with_mesh(as_obj(box)),
               {"/bodies/0/mesh", "not closed", "3 open edges", "belongs to triangle", "`thickness`"});
  EXPECT_EQ(error_with_mesh(as_obj(box), "thickness"), "");
}

TEST(StiffScene, AMeshThatCrossesItselfIsRefusedUnlessItsMassIsGiven) {
  SurfaceMesh two = surface_mesh(BoxShape{}), other = two;
  other.vertices.colwise() += Vector3(0.5, 0.5, 0.5);
  append_surface(two, other);
  expect_parts(error_with_mesh(as_obj(two)),
               {"/bodies/0/mesh", "passes through itself", "triangles ", " cross at (", "`shapes`"});
  expect_parts(error_with_mesh(as_obj(two), R"(, "mass": 5)"), {"passes through itself"});
  EXPECT_EQ(error_with_mesh(as_obj(two), R"(, "mass": { "mass": 5, "inertia": [1, 1, 1, 0, 0, 0] })"), "");
}

TEST(StiffScene, MoveByAllIntegrators) {
  for (const std::string kind : {"affine", "rigid"}) {
    for (const std::string integrator : {"implicit-euler", "bdf2", "newmark"}) {
      const Scene scene = parse(stiff_scene(kind), {"/time/integrator=" + integrator});
      Simulation simulation(scene.world, scene.settings);
      EXPECT_NO_THROW(simulation.step()) << kind << " " << integrator;
    }
  }
}

TEST(StiffScene, RepeatMakesBodiesOfTheirOwn) {
  const Scene scene =
      parse(stiff_scene("rigid", R"(, "repeat": { "count": [2, 1, 2], "spacing": [3, 0, 4] })"));
  ASSERT_EQ(scene.world.stiff.size(), 4u);
  EXPECT_EQ(scene.world.bodies[3].name, "block[1,0,1]");
  EXPECT_LT((rigid_motion(scene.world, 3).center - Vector3(3, 0, 4)).norm(), 1e-12);
}

}  // namespace
}  // namespace bulwark
