// Shells and rods in scene files: what is read, and what is refused.
#include <bulwark/scene/load.hpp>
#include <scene/scene_text.hpp>

#include <gtest/gtest.h>

namespace bulwark {
namespace {

using test::error_of;
using test::expect_parts;

std::string thin_scene(const std::string& body) {
  return R"({ "bulwark": 1, "time": { "steps": 1 }, "materials": {
    "cotton": { "model": "cloth", "density": 300, "thickness": 1e-3, "young": 1e5, "poisson": 0.3, "bending_young": 1e4,
                "strain_limit": 1.1, "friction": 0.7 },
    "wire": { "model": "rod", "density": 1000, "radius": 1e-3, "young": 1e8, "bending_young": 2e8, "twisting_shear": 3e8 } },
  "bodies": [ { )" +
         body + " } ] }";
}

TEST(ThinScene, ShellHasItsMaterialAndMass) {
  const Scene scene = test::parse(thin_scene(
      R"("kind": "shell", "shape": { "tube": { "radius": 0.1, "height": 0.5 }, "resolution": 0.03 }, "material": "cotton",
         "fixed": { "plane": [[0, 0.249, 0], [0, 1, 0]] }, "traction": [1, 0, 0])"));
  const World& world = scene.world;
  ASSERT_EQ(world.elements.materials.size(), 1u);
  EXPECT_EQ(world.bodies[0].kind, BodyKind::shell);
  EXPECT_EQ(world.bodies[0].friction, 0.7);
  EXPECT_EQ(std::get<ClothMaterial>(world.elements.materials[0]).strain_limit, 1.1);
  EXPECT_NEAR(world.gravity_mass.sum(), 300 * 1e-3 * 2 * 3.14159 * 0.1 * 0.5, 1e-3);
  // A tube has two open ends: Euler's characteristic is 0.
  EXPECT_EQ(world.collision.vertex_count() - static_cast<int>(world.collision.edges.size()) +
                static_cast<int>(world.collision.triangles.size()),
            0);
  EXPECT_EQ(world.loads.size(), 1u);
}

TEST(ThinScene, RodHasItsMaterialAndClampedEnd) {
  const Scene scene = test::parse(thin_scene(
      R"("kind": "rod", "shape": { "line": { "from": [0, 0, 0], "to": [1, 0, 0], "segments": 10 } }, "material": "wire",
         "fixed": { "nodes": [0, 1] }, "repeat": { "count": [1, 2, 1], "spacing": [0, 0.1, 0] })"));
  const World& world = scene.world;
  EXPECT_EQ(world.bodies[1].kind, BodyKind::rod);
  ASSERT_EQ(world.elements.size(), 20);
  EXPECT_EQ(std::get<RodMaterial>(world.elements.materials[0]).twisting_shear, 3e8);
  ASSERT_EQ(world.scripts.size(), 2u);
  EXPECT_EQ(world.scripts[0].turned, std::vector<int>{0});
  EXPECT_EQ(world.scripts[1].turned, std::vector<int>{10});
  // Segments, and the points at their ends.
  EXPECT_EQ(world.collision.edges.size(), 20u + 22u);
  EXPECT_EQ(world.collision.vertex_count(), 22);
}

TEST(BadThinScene, SaysWhatAShellAndARodAreMadeOf) {
  expect_parts(error_of(thin_scene(R"("kind": "rod", "shape": { "sphere": 1 }, "material": "wire")")),
               {"/bodies/0/shape: ", "a rod is made of edges alone", "`line` or `circle`"});
  expect_parts(error_of(thin_scene(
                   R"("kind": "shell", "shape": { "circle": { "radius": 1 } }, "material": "cotton")")),
               {"/bodies/0/shape: ", "a shell is made of triangles alone", "`grid`"});
  expect_parts(error_of(thin_scene(R"("kind": "shell", "shape": { "plane": {} }, "material": "cotton")")),
               {"/bodies/0/shape", "planes can only be obstacles"});
  expect_parts(error_of(thin_scene(R"("kind": "shell", "shape": { "sphere": 1 }, "material": "wire")")),
               {"/bodies/0/material: ", "\"shell\" can't have the material \"wire\"", "\"cloth\""});
  expect_parts(
      error_of(thin_scene(R"("kind": "rod", "shape": { "circle": { "radius": 1 } }, "material": "cotton")")),
      {"/bodies/0/material: ", "\"rod\""});
}

TEST(BadThinScene, RefusesASolidAsAShell) {
  const std::string mesh = BULWARK_SOURCE_DIR "/scenes/ipc/meshes/box_with_pit.msh";
  expect_parts(error_of(thin_scene(R"("kind": "shell", "mesh": ")" + mesh + R"(", "material": "cotton")")),
               {"/bodies/0/mesh: ", "this is a solid, not a shell", "give its surface"});
  expect_parts(error_of(thin_scene(R"("kind": "rod", "mesh": ")" + mesh + R"(", "material": "wire")")),
               {"/bodies/0/mesh: ", "not a rod"});
}

TEST(BadThinScene, RefusesAStrainLimitThatLeavesNoRoom) {
  expect_parts(error_of(thin_scene(R"("kind": "shell", "shape": { "sphere": 1 }, "material": "cotton")"),
                        {"/materials/cotton/strain_limit=1"}),
               {"/materials/cotton/strain_limit", "> 1"});
}

TEST(ParticleScene, HasItsMassesAndSprings) {
  const Scene scene = test::parse(thin_scene(
      R"("kind": "particles", "shape": { "points": [[0, 0, 0], [1, 0, 0], [2, 0, 0]] }, "mass": 0.5,
         "material": { "model": "spring", "stiffness": 20, "damping": { "kind": "rayleigh", "stiffness": 0.1 } },
         "springs": [[0, 1], [2, 1]], "fixed": { "nodes": [0] })"));
  const World& world = scene.world;
  EXPECT_EQ(world.bodies[0].kind, BodyKind::particles);
  EXPECT_EQ(world.gravity_mass.head(3), Vector3(0.5, 0.5, 0.5));
  EXPECT_EQ(world.elements.count_of(ElementType::spring), 2);
  EXPECT_EQ(std::get<SpringMaterial>(world.elements.materials[0]).stiffness, 20);
  EXPECT_EQ(std::get<SpringMaterial>(world.elements.materials[0]).rayleigh_damping, 0.1);
  EXPECT_EQ(world.collision.points.size(), 3u);
  EXPECT_EQ(world.collision.edges, (std::vector<Edge>{{0, 0}, {1, 1}, {2, 2}}));  // lone points
}

TEST(ParticleScene, HostileSpringsAreRefusedOrRead) {
  const auto with = [](const std::string& springs) {
    return thin_scene(
        R"("kind": "particles", "shape": { "points": [[0, 0, 0], [1, 0, 0], [1, 0, 0]] }, "mass": 1,
                         "material": { "model": "spring", "stiffness": 1 }, "springs": )" +
        springs);
  };
  // Numbers that are negative, or that would be 0, 1 or -1 in 32 or 64 bits.
  for (const std::string number :
       {"3", "2147483647", "2147483648", "4294967295", "4294967296", "4294967297", "9223372036854775807",
        "9223372036854775808", "18446744073709551615", "1e10", "4294967296.0", "1e29"}) {
    expect_parts(error_of(with("[[0, 1], [" + number + ", 1]]")),
                 {"/bodies/0/springs/1", "there is no particle"});
    expect_parts(error_of(with("[[1, " + number + "]]")), {"/bodies/0/springs/0", "there is no particle"});
  }
  for (const std::string bad : {"[[-1, 0]]", "[[0.5, 1]]", "[[0]]", "[[0, 1, 2]]", "[0, 1]", "[[\"a\", 1]]",
                                "[[]]", "[[null, 1]]", "{}", "3"})
    expect_parts(error_of(with(bad)), {"/bodies/0/springs", "expected"});
  expect_parts(error_of(with("[[1, 1]]")), {"/bodies/0"});            // with itself
  expect_parts(error_of(with("[[1, 2]]")), {"/bodies/0", "length"});  // between two in one place
  expect_parts(error_of(with("[[0, 1], [1, 0]]")), {"/bodies/0"});    // twice
  EXPECT_EQ(error_of(with("[[0, 1.0]]")), "");
  std::string many = "[[0, 1]";
  for (int k = 0; k < 200'000; ++k) many += ",[0,1]";
  expect_parts(error_of(with(many + "]")), {"/bodies/0"});
}

TEST(ParticleScene, IsRefusedWhereSpringsAreWrong) {
  const std::string points = R"("kind": "particles", "shape": { "points": [[0, 0, 0], [1, 0, 0]] })";
  expect_parts(error_of(thin_scene(points)), {"/bodies/0", "mass"});
  expect_parts(error_of(thin_scene(points + R"(, "mass": 1, "springs": [[0, 1]])")),
               {"/bodies/0: its edges are springs", "\"model\": \"spring\""});
  expect_parts(error_of(thin_scene(points + R"(, "mass": 1, "material": { "model": "spring", "stiffness": 1 },
                                             "springs": [[0, 2]])")),
               {"/bodies/0/springs/0: there is no particle 2", "from 0 to 1"});
  expect_parts(error_of(thin_scene(points + R"(, "mass": 1, "material": "wire")")),
               {"/bodies/0/material", "a material of model \"spring\""});
  expect_parts(error_of(thin_scene(R"("kind": "particles", "shape": { "box": [1, 1, 1] }, "mass": 1)")),
               {"/bodies/0/shape", "points and edges alone"});
}

}  // namespace
}  // namespace bulwark
