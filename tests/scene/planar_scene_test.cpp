// Scene files of dimension 2: what they mean in space, and what is answered where something has no meaning in a plane.
#include <scene/scene_text.hpp>

#include <bulwark/scene/json_text.hpp>
#include <bulwark/sim/body_nodes.hpp>

#include <nlohmann/json.hpp>

namespace bulwark {
namespace {

using test::error_of;
using test::expect_parts;
using test::parse;

std::string planar(const std::string& body, const std::string& top = "") {
  return R"({ "bulwark": 1, "dimension": 2, "time": { "steps": 3 }, "bodies": [ { "name": "it", )" + body +
         " } ]" + top + " }";
}

std::string stiff(const std::string& keys, const std::string& kind = "rigid") {
  return planar(R"("kind": ")" + kind + R"(", "material": { "model": ")" + kind + R"(", "density": 100 }, )" +
                keys);
}

TEST(PlanarScene, VectorsHaveTwoNumbersAndTurnsOne) {
  const Scene scene = parse(stiff(R"("shape": { "rectangle": [2, 1] }, "position": [3, 4], "rotation": 90,
    "velocity": [5, 6], "angular_velocity_degrees": 180, "force": [1, 2], "torque": 3)"));
  const World& world = scene.world;
  EXPECT_EQ(world.thickness, 1);
  EXPECT_EQ(scene.settings.gravity, Vector3(0, -9.81, 0));
  const RigidMotion motion = rigid_motion(world, 0);
  EXPECT_LT((motion.center - Vector3(3, 4, 0)).norm(), 1e-14);
  EXPECT_LT((motion.velocity - Vector3(5, 6, 0)).norm(), 1e-14);
  EXPECT_LT((motion.angular_velocity - Vector3(0, 0, 3.14159265358979)).norm(), 1e-13);
  // Turned by 90 degrees it stands upright.
  const Vectors x = vertex_positions(world.collision, world.state.position);
  EXPECT_NEAR(x.row(1).maxCoeff() - x.row(1).minCoeff(), 2, 1e-14);
  EXPECT_TRUE(x.row(2).isZero(0));
}

TEST(PlanarScene, MassIsThatOfTheAreaTimesTheThickness) {
  const auto body = [](const std::string& keys, const std::string& top) {
    const std::string text = stiff(keys);
    return parse(text.substr(0, text.size() - 2) + top + " }").world.stiff[0];
  };
  const StiffBody box = body(R"("shape": { "rectangle": [2, 1] })", R"(, "thickness": 0.5)");
  EXPECT_NEAR(box.mass, 100, 1e-12);
  EXPECT_NEAR(box.second_moment(0, 0) + box.second_moment(1, 1), 100 * 5.0 / 12, 1e-12);
  const StiffBody disk = body(R"("shape": { "disk": 0.5 }, "scale": 2)", "");
  EXPECT_NEAR(disk.mass, 100 * 3.14159265358979, 1e-10);
  EXPECT_NEAR(disk.second_moment(0, 0) + disk.second_moment(1, 1), disk.mass / 2, 1e-10);
  const StiffBody given = body(
      R"("shape": { "polyline": [[0, 0], [1, 0]] }, "mass": { "mass": 3, "center": [0.5, 0], "inertia": 7 })",
      "");
  EXPECT_NEAR(given.mass, 3, 1e-14);
  EXPECT_NEAR(given.second_moment(0, 0) + given.second_moment(1, 1), 7, 1e-13);
  const StiffBody total = body(R"("shape": { "rectangle": [2, 1] }, "mass": 6)", R"(, "thickness": 0.1)");
  EXPECT_NEAR(total.mass, 6, 1e-13);
}

TEST(PlanarScene, WhatARunKeepsOfTheSceneIsPlanarToo) {
  const Scene scene = parse(
      stiff(R"("shape": { "disk": 1 }, "rotation": 30, "repeat": { "count": [2, 1], "spacing": [3, 0] })"));
  EXPECT_EQ(scene.world.bodies.size(), 2u);
  const Json kept = parse_json(scene.resolved_json, "kept");
  EXPECT_EQ(kept["gravity"].size(), 2u);
  EXPECT_EQ(kept["bodies"][0]["rotation"], 30);
  const Scene again = parse(scene.resolved_json);
  EXPECT_EQ(again.world.state.position, scene.world.state.position);
  EXPECT_EQ(again.resolved_json, scene.resolved_json);
}

TEST(PlanarScene, VectorsOfThreeNumbersAreAnswered) {
  expect_parts(error_of(stiff(R"("shape": { "disk": 1 }, "position": [0, 0, 0])")),
               {"/bodies/0/position", "expected 2 numbers, got a list of 3"});
  expect_parts(error_of(stiff(R"("shape": { "disk": 1 }, "rotation": { "axis": [0, 0, 1], "degrees": 3 })")),
               {"/bodies/0/rotation", "expected a number"});
  expect_parts(error_of(stiff(R"("shape": { "disk": 1 }, "angular_velocity_degrees": [0, 0, 1])")),
               {"/bodies/0/angular_velocity_degrees", "expected a number"});
  expect_parts(error_of(R"({ "bulwark": 1, "time": { "steps": 1 }, "bodies": [ { "kind": "obstacle",
    "shape": { "box": [1, 1, 1] }, "position": [0, 0] } ] })"),
               {"/bodies/0/position", "expected 3 numbers"});
  expect_parts(
      error_of(R"({ "bulwark": 1, "thickness": 1, "time": { "steps": 1 }, "bodies": [ { "kind": "obstacle",
    "shape": { "box": [1, 1, 1] } } ] })"),
      {"/thickness", "only a scene of dimension 2"});
  expect_parts(error_of(planar(R"("kind": "obstacle", "shape": { "disk": 1 })", R"(, "dimension": 4)")),
               {"dimension"});
}

TEST(PlanarScene, WhatHasNoMeaningInAPlaneIsAnswered) {
  expect_parts(error_of(planar(R"("kind": "shell", "shape": { "disk": 1 }, "material": "m")")),
               {"/bodies/0", "a shell object has no meaning in a scene of dimension 2"});
  expect_parts(error_of(stiff(R"("shape": { "box": [1, 1, 1] })")), {"/bodies/0/shape/box", "unknown key"});
  expect_parts(error_of(stiff(R"("shape": { "disk": 1 }, "spinning_resistance": 0.1)")),
               {"/bodies/0/spinning_resistance", "no meaning"});
  expect_parts(error_of(planar(R"("kind": "obstacle", "shape": { "disk": 1 })",
                               R"(, "contact": { "model": "hydroelastic" })")),
               {"/contact/model", "expected \"barrier\" or \"none\""});
  expect_parts(error_of(planar(R"("kind": "obstacle", "shape": { "disk": 1 })",
                               R"(, "contact": { "formulation": "area-weighted" })")),
               {"/contact/formulation", "\"ipc\""});
  expect_parts(error_of(planar(
                   R"("kind": "obstacle", "shape": { "disk": 1 })",
                   R"(, "joints": [ { "kind": "universal", "bodies": ["it", "world"], "point": [0, 0] } ])")),
               {"/joints/0", "no meaning"});
  expect_parts(
      error_of(planar(
          R"("kind": "obstacle", "shape": { "disk": 1 })",
          R"(, "joints": [ { "kind": "hinge", "bodies": ["it", "world"], "point": [0, 0], "axis": [0, 1] } ])")),
      {"/joints/0/axis", "no meaning"});
}

TEST(PlanarScene, BadOutlinesAreAnswered) {
  expect_parts(error_of(stiff(R"("shape": { "polygon": [[0, 0], [1, 1], [1, 0], [0, 1]] })")),
               {"/bodies/0/shape", "cross near (0.5, 0.5)", "shapes"});
  expect_parts(error_of(stiff(R"("shape": { "polygon": [[0, 0], [1, 0], [1, 0], [0, 1]] })")),
               {"points 1 and 2 are in the same place"});
  expect_parts(error_of(stiff(R"("shape": { "polyline": [[0, 0], [1, 0]] })")),
               {"bounds no area", "thickness"});
  expect_parts(
      error_of(stiff(R"("shape": { "outline": { "points": [[0, 0], [1, 0]], "segments": [[0, 2]] } })")),
      {"/bodies/0/shape/outline/segments/0", "there is no point 2"});
  expect_parts(error_of(stiff(R"("shape": { "capsule": { "radius": 1, "height": 2 } })")),
               {"/capsule/height"});
  expect_parts(error_of(stiff(R"("shape": { "half_plane": {} })")), {"only be obstacles"});
  expect_parts(error_of(stiff(R"("shape": { "disk": 1 }, "scale": [1, 2])")), {"is not round", "`round`"});
  expect_parts(error_of(stiff(R"("shape": { "regular_polygon": { "radius": 1, "corners": 2 } })")),
               {"corners"});
  expect_parts(error_of(stiff(R"("shape": { "disk": 1e-200 })")), {"/bodies/0"});
}

TEST(PlanarScene, SoftBodiesAreAnsweredWhereTheyHaveNoArea) {
  const auto soft = [](const std::string& keys, const std::string& model = "neo-hookean",
                       const std::string& more = "") {
    return planar(R"("kind": "deformable", "material": { "model": ")" + model +
                  R"(", "density": 1000, "young": 1e6, "poisson": 0.3)" + more + " }, " + keys);
  };
  EXPECT_EQ(error_of(soft(R"("shape": { "rectangle": [1, 1], "resolution": 0.5 }, "order": 4)")), "");
  expect_parts(error_of(soft(R"("shape": { "line": { "from": [0, 0], "to": [1, 0] } })")),
               {"bounds an area"});
  expect_parts(error_of(soft(R"("shape": { "rectangle": [1, 1] }, "elements": "hexahedra")")),
               {"/elements", "triangles"});
  expect_parts(error_of(soft(R"("shape": { "rectangle": [1, 1], "resolution": 1e-6 })")), {"resolution"});
  expect_parts(error_of(soft(R"("shape": { "rectangle": [1, 1] })", "neo-hookean", R"(, "plane": "stress")")),
               {"plane stress is not known", "svk"});
  EXPECT_EQ(error_of(soft(R"("shape": { "rectangle": [1, 1] })", "svk", R"(, "plane": "stress")")), "");
  expect_parts(error_of(test::box_scene("", R"(, "dimension": 3)")).insert(0, "ok"), {"ok"});
}

TEST(PlanarScene, SoftBodiesHaveTheMassOfTheirArea) {
  for (const std::string order : {"1", "2", "3", "4"}) {
    const Scene scene =
        parse(planar(R"("kind": "deformable", "shape": { "disk": 1, "resolution": 0.2 }, "order": )" + order +
                         R"(, "material": { "model": "svk", "density": 1000, "young": 1e6, "poisson": 0.3 })",
                     R"(, "thickness": 0.25)"));
    EXPECT_NEAR(scene.world.gravity_mass.sum(), 250 * 15 * std::sin(3.14159265358979 / 15), 1e-6) << order;
    EXPECT_EQ(scene.world.collision.triangles.size(), 0u);
  }
}

}  // namespace
}  // namespace bulwark
