#include <bulwark/collision/exact_intersection.hpp>
#include <bulwark/math/jacobi_eigen.hpp>
#include <bulwark/scene/import_rigid_ipc.hpp>
#include <bulwark/scene/json_text.hpp>
#include <output/temporary_folder.hpp>
#include <scene/rigid_ipc_fixtures.hpp>
#include <scene/scene_text.hpp>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numbers>

namespace bulwark {
namespace {

using test::expect_parts;

constexpr const char* cube =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
    "f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 3 4 8\nf 3 8 7\nf 1 5 8\nf 1 8 4\nf 2 3 7\nf 2 "
    "7 6\n";
constexpr const char* square = "v 0 0 0\nv 2 0 0\nv 2 0 2\nv 0 0 2\nf 1 3 2\nf 1 4 3\n";
constexpr const char* two_triangles =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 0 0\nv 6 0 0\nv 5 1 0\nf 1 2 3\nf 4 5 6\n";

class ImportRigidIpc : public testing::Test {
 protected:
  ImportRigidIpc() {
    write("meshes/cube.obj", cube);
    write("meshes/flat/square.obj", square);
    write("meshes/pair.obj", two_triangles);
    std::filesystem::create_directories(folder_ / "fixtures/deep");
    options_.file = folder_.path() / "fixtures" / "deep" / "given.json";
    options_.scene = folder_.path() / "out" / "made.json";
  }

  void write(const std::string& name, const std::string& text) {
    std::filesystem::create_directories((folder_ / name).parent_path());
    write_all(folder_ / name, text);
  }

  ImportedScene import(const std::string& text) const { return import_rigid_ipc(text, options_); }

  void import_to_file(const std::string& text) const {
    const ImportedScene made = import(text);
    std::filesystem::create_directories(options_.scene.parent_path());
    write_all(options_.scene, made.scene);
  }

  /// A file of the given bodies, with further keys of `rigid_body_problem` and of the file.
  static std::string file_of(const std::string& bodies, const std::string& problem = "",
                             const std::string& top = "") {
    return R"({ "scene_type": "distance_barrier_rb_problem", "timestep": 0.01, "max_time": 2,
      "rigid_body_problem": { "rigid_bodies": [)" +
           bodies + "]" + problem + "}" + top + "}";
  }

  Json scene_of(const std::string& text) const { return parse_json(import(text).scene, "made.json"); }
  Json body_of(const std::string& body) const { return scene_of(file_of(body))["bodies"][0]; }

  std::string error_of(const std::string& text) const {
    try {
      import(text);
    } catch (const InputError& error) {
      EXPECT_EQ(error.exit_code(), 2);
      return error.what();
    }
    return "";
  }

  std::string warnings_of(const std::string& text) const {
    std::string all;
    for (const std::string& warning : import(text).warnings) all += warning + "\n";
    return all;
  }

  TemporaryFolder folder_;
  RigidIpcOptions options_;
};

TEST_F(ImportRigidIpc, DefaultsAreThoseOfRigidIpc) {
  const Json scene = scene_of(R"({ "rigid_body_problem": { "rigid_bodies": [ { "mesh": "cube.obj" } ] } })");
  EXPECT_EQ(scene["title"], "given");
  EXPECT_EQ(scene["time"], Json::parse(R"({ "step": 0.01, "steps": 1000 })"));
  EXPECT_EQ(scene["gravity"], Json::parse("[0.0, 0.0, 0.0]"));
  EXPECT_EQ(scene["contact"]["distance"], 1e-3);
  EXPECT_EQ(scene["contact"]["static_speed"], 1e-3);
  EXPECT_EQ(scene["contact"]["friction_iterations"], 1);
  EXPECT_EQ(scene["solver"]["tolerance"], 1e-2);
  const Json body = scene["bodies"][0];
  EXPECT_EQ(body["kind"], "affine");
  EXPECT_EQ(body["mesh"], "../meshes/cube.obj");
  const Json material = scene["materials"][body["material"].get<std::string>()];
  EXPECT_EQ(material["model"], "affine");
  EXPECT_EQ(material["density"], 1000);
  EXPECT_FALSE(material.contains("thickness")) << "a closed surface has a volume";
}

TEST_F(ImportRigidIpc, SettingsAreCarriedOver) {
  const Json scene = scene_of(
      file_of(R"({ "mesh": "cube.obj" })",
              R"(, "gravity": [1, 2, 3], "coefficient_friction": 0.4, "time_stepper": "implicit_newmark")",
              R"(, "distance_barrier_constraint": { "initial_barrier_activation_distance": 1e-4,
                   "minimum_separation_distance": 1e-5 },
                 "friction_constraints": { "static_friction_speed_bound": 1e-5, "iterations": -1 },
                 "newton_solver": { "velocity_conv_tol": 0.5, "max_iterations": 77 },
                 "ipc_solver": { "velocity_conv_tol": 1e-3 })"));
  EXPECT_EQ(scene["time"]["duration"], 2);
  EXPECT_EQ(scene["time"]["integrator"], "newmark");
  EXPECT_EQ(scene["gravity"][2], 3);
  EXPECT_EQ(scene["contact"]["distance"], 1e-4);
  EXPECT_EQ(scene["contact"]["minimum_distance"], 1e-5);
  EXPECT_EQ(scene["contact"]["friction"], 0.4);
  EXPECT_EQ(scene["contact"]["static_speed"], 1e-5);
  EXPECT_EQ(scene["contact"]["friction_iterations"], 0) << "until converged";
  EXPECT_EQ(scene["solver"]["tolerance"], 1e-3);
  EXPECT_EQ(scene["solver"]["max_iterations"], 77);
}

TEST_F(ImportRigidIpc, AnAbsoluteToleranceIsDividedByTheLengthOfWhatMoves) {
  const Json scene = scene_of(
      file_of(R"({ "mesh": "cube.obj", "scale": 2 }, { "mesh": "cube.obj", "scale": 100, "type": "static" })",
              "", R"(, "ipc_solver": { "velocity_conv_tol": 0.5, "is_velocity_conv_tol_abs": true })"));
  EXPECT_NEAR(scene["solver"]["tolerance"].get<double>(), 0.5 / std::sqrt(12.0), 1e-15);
}

TEST_F(ImportRigidIpc, BodiesKeepTheirPoseVelocityAndLoads) {
  const Json body = body_of(R"({ "mesh": "cube.obj", "position": [1, 2, 3], "rotation": [10, 20, 30],
    "scale": [1, 2, 3], "linear_velocity": [4, 5, 6], "angular_velocity": [7, 8, 9], "force": [1, 0, 0],
    "torque": [0, 180, 0], "density": 50, "group_id": 3 })");
  EXPECT_EQ(body["position"], Json::parse("[1.0, 2.0, 3.0]"));
  EXPECT_EQ(body["rotation"], Json::parse(R"({ "euler_degrees": [10.0, 20.0, 30.0] })"));
  EXPECT_EQ(body["scale"], Json::parse("[1.0, 2.0, 3.0]"));
  EXPECT_EQ(body["velocity"], Json::parse("[4.0, 5.0, 6.0]"));
  EXPECT_EQ(body["angular_velocity_degrees"], Json::parse("[7.0, 8.0, 9.0]"));
  EXPECT_EQ(body["force"], Json::parse("[1.0, 0.0, 0.0]"));
  EXPECT_NEAR(body["torque"][1].get<double>(), std::numbers::pi, 1e-15) << "torques count in degrees";
  EXPECT_EQ(body["group"], 3);
}

TEST_F(ImportRigidIpc, RigidBodiesByFlag) {
  options_.rigid = true;
  const Json scene = scene_of(file_of(R"({ "mesh": "cube.obj" })"));
  EXPECT_EQ(scene["bodies"][0]["kind"], "rigid");
  EXPECT_EQ(scene["materials"]["density 1000"], Json::parse(R"({ "model": "rigid", "density": 1000.0 })"));
}

TEST_F(ImportRigidIpc, DimensionsBecomeAScale) {
  const Json body = body_of(R"({ "mesh": "flat/square.obj", "dimensions": [1, 0, 8] })");
  EXPECT_EQ(body["scale"], Json::parse("[0.5, 1.0, 4.0]"));
  expect_parts(error_of(file_of(R"({ "mesh": "cube.obj", "dimensions": [1, 0, 8] })")),
               {"given.json:2: /rigid_body_problem/rigid_bodies/0/dimensions/1", "above 0"});
}

/// Sheets have 1 m, wires 1 m^2, points 1 m^3 there.
TEST_F(ImportRigidIpc, ThinBodiesHaveTheMassThatRigidIpcGivesThem) {
  write("meshes/wire.obj", "v 0 0 0\nv 3 0 0\nl 1 2\n");
  write("meshes/points.obj", "v 0 0 0\nv 3 0 0\n");
  import_to_file(file_of(R"({ "mesh": "flat/square.obj", "rotation": [10, 20, 30] },
    { "mesh": "wire.obj" }, { "mesh": "points.obj" })"));
  const World world = load_scene(options_.scene).world;
  ASSERT_EQ(world.stiff.size(), 3u);
  EXPECT_NEAR(world.stiff[0].mass, 4000, 1e-8);
  EXPECT_NEAR(world.stiff[1].mass, 3000, 1e-8);
  EXPECT_NEAR(world.stiff[2].mass, 2000, 1e-8);
  const SymmetricEigen<3> moments = sorted_eigen<3>(world.stiff[0].second_moment);
  EXPECT_LT(moments.values[0], 1e-3 * moments.values[1]) << "thin enough to be a plane";
}

TEST_F(ImportRigidIpc, WhatIsWhollyFixedIsAnObstacle) {
  for (const char* fixed : {R"("is_dof_fixed": true)", R"("type": "static", "linear_velocity": [1, 0, 0])",
                            R"("is_dof_fixed": [true, true, true, true, true, true])"}) {
    const Json body = body_of(std::string(R"({ "mesh": "cube.obj", )") + fixed + "}");
    EXPECT_EQ(body["kind"], "obstacle") << fixed;
    EXPECT_FALSE(body.contains("motion") || body.contains("material") || body.contains("velocity")) << fixed;
  }
}

TEST_F(ImportRigidIpc, PartlyFixedBodiesLoseVelocitiesAndLoadsOfWhatIsFixed) {
  const Json body = body_of(R"({ "mesh": "cube.obj", "linear_velocity": [1, 2, 3], "force": [4, 5, 6],
    "angular_velocity": [7, 8, 9], "is_dof_fixed": [true, false, true, true, true, false] })");
  EXPECT_EQ(body["fixed"],
            Json::parse(R"({ "translation": [true, false, true], "rotation": [true, true, false] })"));
  EXPECT_EQ(body["velocity"], Json::parse("[0.0, 2.0, 0.0]"));
  EXPECT_EQ(body["force"], Json::parse("[0.0, 5.0, 0.0]"));
  EXPECT_EQ(body["angular_velocity_degrees"], Json::parse("[0.0, 0.0, 9.0]"));
}

TEST_F(ImportRigidIpc, ASingleFixedRotationIsKeptByRigidBodiesOnly) {
  const std::string text =
      file_of(R"({ "mesh": "cube.obj", "is_dof_fixed": [false, false, false, true, false, false] })");
  expect_parts(warnings_of(text), {"/is_dof_fixed: affine bodies", "--rigid"});
  EXPECT_FALSE(scene_of(text)["bodies"][0].contains("fixed"));
  options_.rigid = true;
  expect_parts(warnings_of(text), {"about the world's axis"});
  EXPECT_EQ(scene_of(text)["bodies"][0]["fixed"]["rotation"], Json::parse("[true, false, false]"));
}

TEST_F(ImportRigidIpc, KinematicBodiesTurnAboutTheirCenterOfMass) {
  const Json body = body_of(R"({ "mesh": "cube.obj", "type": "kinematic", "position": [10, 0, 0],
    "scale": 2, "linear_velocity": [1, 0, 0], "angular_velocity": [0, 90, 0] })");
  EXPECT_EQ(body["kind"], "obstacle");
  EXPECT_EQ(body["motion"]["linear"], Json::parse("[1.0, 0.0, 0.0]"));
  EXPECT_EQ(body["motion"]["angular_degrees"], Json::parse("[0.0, 90.0, 0.0]"));
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(body["motion"]["pivot"][axis].get<double>(), axis == 0 ? 11 : 1, 1e-12);
  }
}

TEST_F(ImportRigidIpc, KinematicPosesPlaceTheCenterStepByStepAndThenTheVelocityTakesOver) {
  const Json keys = body_of(R"({ "mesh": "cube.obj", "type": "kinematic", "position": [-0.5, -0.5, -0.5],
    "kinematic_poses": [ { "position": [0, 1, 0] }, { "position": [0, 2, 0] } ],
    "angular_velocity": [0, 0, 360], "linear_velocity": [0, 1, 0], "kinematic_max_time": 1.02 })")["motion"];
  ASSERT_GE(keys.size(), 3u);
  EXPECT_EQ(keys[0]["time"], 0.01);
  EXPECT_NEAR(keys[0]["position"][1].get<double>(), 1, 1e-12);
  EXPECT_EQ(keys[1]["time"], 0.02);
  EXPECT_NEAR(keys[1]["position"][1].get<double>(), 2, 1e-12);
  EXPECT_NEAR(keys.back()["time"].get<double>(), 1.02, 1e-12);
  EXPECT_NEAR(keys.back()["rotation"]["degrees"].get<double>(), 360, 1e-9);
  EXPECT_NEAR(keys.back()["position"][1].get<double>(), 3, 1e-12) << "after a whole turn";
}

TEST_F(ImportRigidIpc, AKinematicBodyStopsAtItsTime) {
  const Json keys = body_of(R"({ "mesh": "cube.obj", "type": "kinematic", "linear_velocity": [2, 0, 0],
    "kinematic_max_time": 0.25 })")["motion"];
  ASSERT_EQ(keys.size(), 1u);
  EXPECT_EQ(keys[0]["time"], 0.25);
  EXPECT_EQ(keys[0]["position"][0], 0.5);
}

TEST_F(ImportRigidIpc, AGroupWithAStaticBodyHoldsAllStaticBodies) {
  const Json bodies = scene_of(file_of(R"(
    { "mesh": "cube.obj", "type": "static", "group_id": 4 }, { "mesh": "cube.obj", "type": "static" },
    { "mesh": "cube.obj", "group_id": 4 }, { "mesh": "cube.obj", "group_id": 5 }, { "mesh": "cube.obj" })"))
      ["bodies"];
  EXPECT_EQ(bodies[0]["group"], 4);
  EXPECT_EQ(bodies[1]["group"], 4);
  EXPECT_EQ(bodies[2]["group"], 4);
  EXPECT_EQ(bodies[3]["group"], 5);
  EXPECT_FALSE(bodies[4].contains("group"));
}

TEST_F(ImportRigidIpc, BodiesGetUniqueNames) {
  const Json bodies = scene_of(
      file_of(R"({ "mesh": "cube.obj" }, { "mesh": "cube.obj" }, { "mesh": "cube.obj" })"))["bodies"];
  EXPECT_EQ(bodies[0]["name"], "cube");
  EXPECT_EQ(bodies[1]["name"], "cube-2");
  EXPECT_EQ(bodies[2]["name"], "cube-3");
}

TEST_F(ImportRigidIpc, DisabledBodiesAndCommentsAreLeftOut) {
  const std::string text =
      file_of(R"({ "mesh": "missing.obj", "enabled": false }, { "mesh": "cube.obj", "#position": "any" })",
              "", R"(, "#max_time": 3)");
  EXPECT_EQ(scene_of(text)["bodies"].size(), 1u);
  EXPECT_EQ(warnings_of(text), "");
}

TEST_F(ImportRigidIpc, ComponentsAreSplitIntoMeshesOfTheirOwn) {
  const ImportedScene made = import(file_of(R"({ "mesh": "pair.obj", "split_components": true })"));
  const Json bodies = parse_json(made.scene, "made.json")["bodies"];
  ASSERT_EQ(bodies.size(), 2u);
  ASSERT_EQ(made.files.size(), 2u);
  EXPECT_EQ(bodies[1]["mesh"], "made_meshes/pair-part001.obj");
  EXPECT_EQ(made.files[1].path, folder_.path() / "out/made_meshes/pair-part001.obj");
  EXPECT_EQ(made.files[1].text, "v 5 0 0\nv 6 0 0\nv 5 1 0\nf 1 2 3\n");
}

TEST_F(ImportRigidIpc, ANegativeScaleMirrorsTheMesh) {
  const ImportedScene made = import(file_of(R"({ "mesh": "pair.obj", "scale": [-2, 1, 1] })"));
  const Json body = parse_json(made.scene, "made.json")["bodies"][0];
  EXPECT_EQ(body["scale"], Json::parse("[2.0, 1.0, 1.0]"));
  EXPECT_EQ(body["mesh"], "made_meshes/pair-mirrored-x.obj");
  ASSERT_EQ(made.files.size(), 1u);
  EXPECT_NE(made.files[0].text.find("v -6 0 0"), std::string::npos);
  EXPECT_NE(made.files[0].text.find("f 1 3 2"), std::string::npos) << "so that normals keep their side";
}

TEST_F(ImportRigidIpc, MeshesAreCopiedOnRequest) {
  options_.copy_meshes = true;
  const ImportedScene made = import(file_of(
      R"({ "mesh": "flat/square.obj" }, { "mesh": "cube.obj" }, { "mesh": "../../meshes/cube.obj" })"));
  const Json bodies = parse_json(made.scene, "made.json")["bodies"];
  EXPECT_EQ(bodies[0]["mesh"], "made_meshes/flat/square.obj");
  EXPECT_EQ(bodies[1]["mesh"], "made_meshes/cube.obj");
  EXPECT_EQ(bodies[2]["mesh"], "made_meshes/cube-2.obj") << "it may be another file of that name";
  ASSERT_EQ(made.files.size(), 3u);
  EXPECT_EQ(made.files[0].source, folder_.path() / "meshes/flat/square.obj");
  EXPECT_EQ(made.files[0].path, folder_.path() / "out/made_meshes/flat/square.obj");
}

TEST_F(ImportRigidIpc, AGivenFolderOfMeshesComesFirst) {
  write("other/cube.obj", cube);
  options_.mesh_folder = folder_.path() / "other";
  EXPECT_EQ(body_of(R"({ "mesh": "cube.obj" })")["mesh"], "../other/cube.obj");
}

TEST_F(ImportRigidIpc, WhatIsNotCarriedOverIsNamed) {
  const std::string warnings =
      warnings_of(file_of(R"({ "mesh": "cube.obj", "colour": 1 }, { "mesh": "cube.obj", "colour": 2 })",
                          R"(, "coefficient_restitution": 0.5, "gravty": [0, 0, 0])",
                          R"(, "distance_barrier_constraints": {}, "ncp_solver": {}, "solver": "qp_solver",
          "ipc_solver": { "energy_conv_tol": 1 })"));
  expect_parts(
      warnings,
      {"given.json:2: /rigid_body_problem/rigid_bodies/0/colour: unknown key `colour`", "(at 2 places)",
       "`coefficient_restitution` is not carried over", "unknown key `gravty`", "did you mean `gravity`",
       "did you mean `distance_barrier_constraint`", "`ncp_solver`", "`solver`", "`energy_conv_tol`"});
  EXPECT_EQ(warnings_of(file_of(R"({ "mesh": "cube.obj" })", R"(, "coefficient_restitution": -1)")), "")
      << "-1 asks for no restitution";
}

TEST_F(ImportRigidIpc, ErrorsNameFilePlaceAndRemedy) {
  expect_parts(error_of("{"), {"given.json:1:", "not valid JSON"});
  expect_parts(error_of("[]"), {"given.json:1: /: expected an object"});
  expect_parts(error_of("{}"), {"there is no `rigid_body_problem`"});
  expect_parts(error_of(R"({ "rigid_body_problem": {} })"), {"/rigid_bodies: expected a list"});
  expect_parts(error_of(file_of("")), {"at least one"});
  expect_parts(error_of(file_of("3")), {"/rigid_bodies/0: expected an object, found 3"});
  expect_parts(error_of(file_of("{}")), {"/rigid_bodies/0: this body has no `mesh`", "name a mesh file"});
  expect_parts(error_of(file_of(R"({ "vertices": [[0, 0, 0]] })")), {"/vertices", "can't be imported"});
  expect_parts(error_of(file_of(R"({ "vertices": [[0, 0]] })")), {"/edges", "expected a list of edges"});
  expect_parts(error_of(file_of(R"({ "mesh": "nowhere.obj" })")),
               {"/rigid_bodies/0/mesh: nowhere.obj", "--meshes"});
  const std::string message = error_of(file_of(R"({ "mesh": "cube.obj", "position": [1, "x", 2] },
    { "mesh": "cube.obj", "position": [1, 2] }, { "mesh": "cube.obj", "density": 0 },
    { "mesh": "cube.obj", "is_dof_fixed": [true, true, true] }, { "mesh": "cube.obj", "type": "dynamik" },
    { "mesh": "cube.obj", "group_id": 1.5 }, { "mesh": "cube.obj", "enabled": 1 })"));
  expect_parts(message, {"/rigid_bodies/0/position/1: expected a number, found \"x\"",
                         "/rigid_bodies/1/position: expected 3 numbers, found a list of 2", "3 numbers",
                         "/rigid_bodies/2/density: expected a number above 0", "/rigid_bodies/3/is_dof_fixed",
                         "did you mean \"dynamic\"", "/rigid_bodies/5/group_id: expected a whole number",
                         "/rigid_bodies/6/enabled: expected true or false"});
}

/// The scene with every body as an obstacle: their meshes are placed by the loader, whatever their kinds.
Scene placed_scene(const ImportedScene& made, const std::filesystem::path& scene_file) {
  Json scene = parse_json(made.scene, "made.json");
  std::vector<bool> moves;
  for (Json& body : scene["bodies"]) {
    moves.push_back(body["kind"] != "obstacle");
    body["kind"] = "obstacle";
    for (const char* key :
         {"material", "velocity", "angular_velocity_degrees", "force", "torque", "fixed", "motion"}) {
      body.erase(key);
    }
  }
  scene["materials"] = Json::object();
  LoadOptions options;
  options.base_folder = scene_file.parent_path();
  Scene placed = parse_scene(scene.dump(), scene_file.string(), options);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    placed.world.collision.bodies[i].obstacle = !moves[i];
    placed.world.collision.bodies[i].self = false;
  }
  return placed;
}

/// The conventions for poses are right if no scene starts with bodies inside each other: links of chains go
/// through each other, stones of an arch and cards of a house stand close.
TEST(ImportRigidIpcFixtures, EveryOneStartsFreeOfIntersection) {
  const std::vector<std::filesystem::path> files = test::rigid_ipc_fixtures();
  if (files.empty()) GTEST_SKIP() << "no rigid-ipc scenes at " << test::rigid_ipc_folder();
  for (const std::filesystem::path& file : files) {
    SCOPED_TRACE(file);
    TemporaryFolder folder;
    const std::filesystem::path scene_file = folder.path() / "scene.json";
    const ImportedScene made = test::import_fixture(file, scene_file);
    const Scene scene = placed_scene(made, scene_file);
    const CollisionMesh& mesh = scene.world.collision;
    const Vectors positions = vertex_positions(mesh, scene.world.state.position);
    for (const Intersection& found : find_intersections(mesh, positions, 3)) {
      ADD_FAILURE() << describe(mesh, positions, found);
    }
  }
}

TEST(ImportRigidIpcFixtures, ThoseInThePlaneStartFreeOfIntersectionWithTheMassOfTheirLines) {
  const std::vector<std::filesystem::path> files = test::rigid_ipc_fixtures("2D");
  if (files.empty()) GTEST_SKIP() << "no rigid-ipc scenes at " << test::rigid_ipc_folder();
  for (const std::filesystem::path& file : files) {
    SCOPED_TRACE(file);
    TemporaryFolder folder;
    const std::filesystem::path scene_file = folder.path() / "scene.json";
    test::import_fixture(file, scene_file);
    const Scene scene = load_scene(scene_file);
    EXPECT_TRUE(scene.world.thickness);
    const Vectors positions = vertex_positions(scene.world.collision, scene.world.state.position);
    for (const Intersection& found : find_intersections(scene.world.collision, positions, 3)) {
      ADD_FAILURE() << describe(scene.world.collision, positions, found);
    }
  }
}

TEST_F(ImportRigidIpc, ASceneInThePlaneBecomesOneOfDimensionTwo) {
  const std::string text = R"({ "rigid_body_problem": { "gravity": [0, -9.81], "rigid_bodies": [
    { "vertices": [[0, 0], [2, 0], [2, 1]], "edges": [[0, 1], [1, 2]], "position": [1, 1], "rotation": [90],
      "linear_velocity": [3, 0], "angular_velocity": [180], "density": 10, "is_dof_fixed": [true, false, false] },
    { "vertices": [[0, 0], [2, 0]], "edges": [[0, 1]], "is_dof_fixed": true },
    { "vertices": [[0, 5], [2, 5]], "edges": [[0, 1]], "type": "kinematic", "angular_velocity": 90, "kinematic_max_time": 0.5 } ] } })";
  const Scene scene = parse_scene(import(text).scene, "scene.json");
  ASSERT_EQ(scene.world.bodies.size(), 3u);
  // 30 kg: 10 kg at either end of the long edge, and 5 kg of the short one.
  const StiffBody& body = scene.world.stiff[0];
  EXPECT_NEAR(body.mass, 30, 1e-12);
  const Vector3 center = scene.world.state.position.col(0);
  EXPECT_LT((center - Vector3(1 - 1.0 / 6, 1 + 4.0 / 3, 0)).norm(), 1e-12);
  const double polar = 10 * (16.0 / 9 + 1.0 / 36) + 15 * (4.0 / 9 + 1.0 / 36) + 5 * (4.0 / 9 + 25.0 / 36);
  EXPECT_NEAR(body.second_moment(0, 0) + body.second_moment(1, 1), polar, 1e-12);
  const RigidMotion motion = rigid_motion(scene.world, 0);
  EXPECT_EQ(motion.velocity.x(), 0) << "its x is fixed";
  EXPECT_NEAR(motion.angular_velocity.z(), std::numbers::pi, 1e-12);
  EXPECT_TRUE(scene.world.bodies[1].is_obstacle());
  EXPECT_TRUE(scene.world.bodies[2].is_obstacle());
  ASSERT_EQ(scene.world.scripts.size(), 2u);
}

TEST_F(ImportRigidIpc, VerticesOfAPlanarBodyInTheSamePlaceBecomeOne) {
  const std::string text = R"({ "rigid_body_problem": { "gravity": [0, -9.81], "rigid_bodies": [
    { "vertices": [[0, 0], [1, 0], [1, 0], [0, 1]], "edges": [[0, 1], [1, 2], [2, 3], [3, 0]] } ] } })";
  const Scene scene = parse_scene(import(text).scene, "scene.json");
  EXPECT_EQ(scene.world.collision.vertex_count(), 3);
  EXPECT_NEAR(scene.world.stiff[0].mass, 1000 * (2 + std::sqrt(2.0)), 1e-9);
}

TEST_F(ImportRigidIpc, BadValuesOfASceneInThePlaneAreAnswered) {
  const auto error = [&](const std::string& body) {
    return error_of(R"({ "rigid_body_problem": { "gravity": [0, -9.81], "rigid_bodies": [ )" + body +
                    " ] } }");
  };
  expect_parts(error(R"({ "vertices": [[0, 0], [1, 0, 0]], "edges": [[0, 1]] })"),
               {"/vertices/1", "expected 2 numbers"});
  expect_parts(error(R"({ "vertices": [[0, 0], [1, 0]], "edges": [[0, 2]] })"),
               {"/edges/0", "numbers of two vertices"});
  expect_parts(error(R"({ "vertices": [[0, 0], [1, 0]], "edges": [[0, -1]] })"), {"/edges/0"});
  expect_parts(error(R"({ "vertices": [[0, 0], [0, 0]], "edges": [[0, 1]] })"), {"no mass"});
  expect_parts(error(R"({ "vertices": [[0, 0], [1, 0]], "edges": [[0, 1]], "rotation": [1, 2] })"),
               {"/rotation"});
  expect_parts(error(R"({ "vertices": [[0, 0], [1, 0]], "edges": [[0, 1]], "is_dof_fixed": [true] })"),
               {"/is_dof_fixed"});
  expect_parts(error(R"({ "vertices": [[0, 0], [1, 0]], "edges": [[0, 1]], "type": "dynamik" })"),
               {"did you mean"});
  expect_parts(error("{}"), {"neither `vertices` nor a `mesh`"});
}

}  // namespace
}  // namespace bulwark
