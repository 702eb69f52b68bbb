// Robots from URDF: kinematics and masses against closed forms, what is refused and how, and runs that stay
// clean.
#include <bulwark/collision/exact_intersection.hpp>
#include <bulwark/geometry/mass_moments.hpp>
#include <bulwark/scene/import_urdf.hpp>
#include <bulwark/scene/urdf_kinematics.hpp>
#include <bulwark/sim/simulation.hpp>
#include <output/temporary_folder.hpp>
#include <scene/scene_text.hpp>

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numbers>

namespace bulwark {
namespace {

using test::expect_parts;
constexpr double pi = std::numbers::pi;

const std::string robots = BULWARK_SOURCE_DIR "/scenes/multibody/";

ImportedScene import(const std::string& text, const UrdfOptions& given = {}) {
  UrdfOptions options = given;
  if (options.file.empty()) options.file = "robot.urdf";
  if (options.scene.empty()) options.scene = "robot.json";
  return import_urdf(text, options);
}

Json scene_json(const ImportedScene& made) {
  return parse_json(made.scene, "made.json");
}

std::string import_error(const std::string& text, const UrdfOptions& options = {}) {
  try {
    import(text, options);
  } catch (const InputError& error) {
    EXPECT_EQ(error.exit_code(), 2);
    return error.what();
  }
  return "";
}

std::string all_of(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  return all;
}

const std::string heavy_box =
    "<inertial><mass value='2'/><inertia ixx='0.1' iyy='0.1' izz='0.1'/></inertial>"
    "<collision><geometry><box size='0.1 0.1 0.1'/></geometry></collision>";

std::string link(const std::string& name, const std::string& content = heavy_box) {
  return fmt::format("<link name='{}'>{}</link>\n", name, content);
}

std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child, const std::string& content = "") {
  return fmt::format("<joint name='{}' type='{}'><parent link='{}'/><child link='{}'/>{}</joint>\n", name,
                     type, parent, child, content);
}

std::string robot(const std::string& content) {
  return "<robot name='test'>\n" + content + "</robot>\n";
}

const std::string limit = "<limit lower='-1' upper='1' effort='10' velocity='1'/>";

TEST(ImportUrdf, ForwardKinematicsOfAPlanarArm) {
  const std::string at = "<origin xyz='0.5 0 0'/><axis xyz='0 0 1'/>";
  const UrdfRobot arm =
      read_urdf(robot(link("a") + link("b") + link("c") + joint("first", "continuous", "a", "b", at) +
                      joint("second", "continuous", "b", "c", at)),
                "arm.urdf");
  std::vector<std::string> notes;
  const double q1 = 0.7, q2 = -1.9;
  const auto frames = link_frames(arm, start_values(arm, {{"first", q1}, {"second", q2}}, notes));
  const Vector3 expected(0.5 + 0.5 * std::cos(q1), 0.5 * std::sin(q1), 0);
  EXPECT_LT((frames[2].translation() - expected).norm(), 1e-15);
  EXPECT_LT((frames[2].linear() - Eigen::AngleAxisd(q1 + q2, Vector3::UnitZ()).toRotationMatrix()).norm(),
            1e-15);
}

TEST(ImportUrdf, RollPitchYawTurnAboutFixedAxesInThisOrder) {
  const UrdfRobot arm =
      read_urdf(robot(link("a") + link("b") +
                      joint("j", "prismatic", "a", "b",
                            "<origin xyz='1 2 3' rpy='0.3 -0.4 0.5'/><axis xyz='0 0 2'/>" + limit)),
                "arm.urdf");
  std::vector<std::string> notes;
  const auto frames = link_frames(arm, start_values(arm, {{"j", 0.25}}, notes));
  const double cr = std::cos(0.3), sr = std::sin(0.3), cp = std::cos(-0.4), sp = std::sin(-0.4),
               cy = std::cos(0.5), sy = std::sin(0.5);
  Matrix3 R;
  R << cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,  //
      sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,   //
      -sp, cp * sr, cp * cr;
  EXPECT_LT((frames[1].linear() - R).norm(), 1e-15);
  EXPECT_LT((frames[1].translation() - (Vector3(1, 2, 3) + 0.25 * R.col(2))).norm(), 1e-15);
}

TEST(ImportUrdf, MassAndInertiaAreAsGiven) {
  const std::string content =
      "<inertial><origin xyz='0.1 0.2 0.3' rpy='0.5 0.6 0.7'/><mass value='3'/>"
      "<inertia ixx='0.02' iyy='0.03' izz='0.04' ixy='0.001' ixz='-0.002' iyz='0.003'/></inertial>"
      "<collision><origin xyz='1 0 0'/><geometry><sphere radius='0.1'/></geometry></collision>";
  UrdfOptions options;
  options.free_base = true;
  const Scene scene = test::parse(import(robot(link("body", content)), options).scene);
  const StiffBody& body = scene.world.stiff[0];
  EXPECT_EQ(body.mass, 3);
  // z becomes y, y becomes -z.
  EXPECT_LT((center(body, scene.world.rest) - Vector3(0.1, 0.3, -0.2)).norm(), 1e-15);
  Matrix3 J, up;
  J << 0.02, 0.001, -0.002, 0.001, 0.03, 0.003, -0.002, 0.003, 0.04;
  up << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  const Matrix3 R = up * (Eigen::AngleAxisd(0.7, Vector3::UnitZ()) *
                          Eigen::AngleAxisd(0.6, Vector3::UnitY()) * Eigen::AngleAxisd(0.5, Vector3::UnitX()))
                             .toRotationMatrix();
  EXPECT_LT((inertia_tensor(body.second_moment) - R * J * R.transpose()).norm(), 1e-15);
}

TEST(ImportUrdf, APendulumOfGivenInertiaSwingsWithItsPeriod) {
  // Its shape is small and elsewhere: only the given mass can give this period.
  const double m = 2, J = 0.09, d = 0.4, start = 0.1;
  const std::string rod = fmt::format(
      "<inertial><origin xyz='0 0 {}'/><mass value='{}'/><inertia ixx='{}' iyy='{}' izz='0.05'/></inertial>"
      "<collision><geometry><box size='0.02 0.02 0.02'/></geometry></collision>",
      -d, m, J, J);
  UrdfOptions options;
  options.joint_values = {{"pivot", start}};
  const ImportedScene made =
      import(robot("<link name='world'/>" + link("rod", rod) +
                   joint("pivot", "continuous", "world", "rod", "<axis xyz='0 1 0'/>")),
             options);
  const Scene scene =
      test::parse(made.scene, {"/time/step=0.002", "/solver/tolerance=1e-6", "/time/integrator=\"bdf2\""});
  Simulation simulation(scene.world, scene.settings);
  const double period = 2 * pi * std::sqrt((J + m * d * d) / (m * 9.81 * d)) * (1 + start * start / 16);
  std::vector<double> crossings;
  double before = start;
  for (int step = 1; step <= 1700; ++step) {
    simulation.step();
    const double angle = simulation.joint_states()[0].coordinate;
    if (before > 0 && angle <= 0) crossings.push_back((step - angle / (angle - before)) * 0.002);
    before = angle;
  }
  ASSERT_GE(crossings.size(), 2u);
  EXPECT_NEAR(crossings[1] - crossings[0], period, 2e-3 * period);
}

TEST(ImportUrdf, ASpinningBodyHasTheAngularMomentumOfItsGivenInertia) {
  const Scene scene =
      test::parse(R"({ "bulwark": 1, "time": { "step": 0.01, "steps": 20 }, "gravity": [0, 0, 0],
    "bodies": [ { "kind": "affine", "shape": { "box": [1, 1, 1] }, "material": { "model": "affine", "density": 1000 },
      "mass": { "mass": 5, "center": [0.1, 0, 0], "inertia": [0.3, 0.2, 0.25, 0.01, 0, 0] },
      "rotation": { "axis": [1, 2, 3], "degrees": 40 }, "angular_velocity_degrees": [100, 50, -30] } ] })");
  Simulation simulation(scene.world, scene.settings);
  Matrix3 J;
  J << 0.3, 0.01, 0, 0.01, 0.2, 0, 0, 0, 0.25;
  const Matrix3 R = Eigen::AngleAxisd(40 * pi / 180, Vector3(1, 2, 3).normalized()).toRotationMatrix();
  const Vector3 momentum = R * J * R.transpose() * (Vector3(100, 50, -30) * pi / 180);
  for (int step = 0; step < 20; ++step) simulation.step();
  const RigidMotion motion = rigid_motion(simulation.world(), 0);
  const Matrix3 now = motion.rotation * R;
  EXPECT_LT((now * J * now.transpose() * motion.angular_velocity - momentum).norm(), 2e-3 * momentum.norm());
}

TEST(ImportUrdf, TheZeroOfTheRobotStaysTheZero) {
  UrdfOptions options;
  options.hold = true;
  options.joint_values = {{"turn", 0.5}, {"slide", -0.25}, {"spin", 4}};
  const ImportedScene made = import(
      robot(link("a") + link("b") + link("c") + link("d") + joint("turn", "revolute", "a", "b", limit) +
            joint("slide", "prismatic", "b", "c", "<origin xyz='1 0 0'/>" + limit) +
            joint("spin", "continuous", "c", "d")),
      options);
  const Json scene = scene_json(made);
  EXPECT_NEAR(scene["joints"][0]["limits_degrees"][0].get<double>(), -180 / pi, 1e-12);
  EXPECT_NEAR(scene["joints"][0]["limits_degrees"][1].get<double>(), 180 / pi, 1e-12);
  EXPECT_NEAR(scene["joints"][0]["start_degrees"].get<double>(), 0.5 * 180 / pi, 1e-12);
  EXPECT_EQ(scene["joints"][1]["start"], -0.25);
  EXPECT_EQ(scene["joints"][1]["limits"], Json::array({-1.0, 1.0}));
  EXPECT_FALSE(scene["joints"][2].contains("limits_degrees"));
  EXPECT_EQ(scene["joints"][0]["bodies"], Json::array({"b", "a"}));
  EXPECT_EQ(scene["joints"][0]["contact"], false);
  EXPECT_EQ(scene["bodies"][0]["fixed"], true);
  EXPECT_FALSE(scene["bodies"][1].contains("fixed"));

  const Scene loaded = test::parse(made.scene);
  Simulation simulation(loaded.world, loaded.settings);
  const auto expect_places = [&](double tolerance) {
    const VectorX& c = simulation.world().state.joint_coordinates;
    const std::vector<Joint>& joints = simulation.world().joints;
    EXPECT_NEAR(c[joints[0].coordinate], 0.5, tolerance);
    EXPECT_NEAR(c[joints[1].coordinate], -0.25, tolerance);
    EXPECT_NEAR(c[joints[2].coordinate], 4, tolerance) << "beyond half a turn";
  };
  expect_places(1e-12);
  for (int step = 0; step < 5; ++step) simulation.step();
  expect_places(1e-3);  // the motors hold them there
}

TEST(ImportUrdf, AJointThatCanNotBeAtZeroStartsInsideItsLimits) {
  const std::string high = "<limit lower='0.5' upper='1' effort='1' velocity='1'/>";
  const ImportedScene made = import(robot(link("a") + link("b") + joint("turn", "revolute", "a", "b", high)));
  expect_parts(all_of(made.notes), {"joint 'turn' starts at 0.525 rad"});
  test::parse(made.scene);
  UrdfOptions options;
  options.joint_values = {{"turn", 0.5}};
  expect_parts(
      import_error(robot(link("a") + link("b") + joint("turn", "revolute", "a", "b", high)), options),
      {"--joint turn=0.5", "0.5 and 1 rad", "between them"});
  options.joint_values = {{"tunr", 0.7}};
  expect_parts(
      import_error(robot(link("a") + link("b") + joint("turn", "revolute", "a", "b", high)), options),
      {"--joint tunr", "turn"});
}

TEST(ImportUrdf, LinksWithoutMassOrShapeFindTheirPlace) {
  const std::string only_mass =
      "<inertial><mass value='1'/><inertia ixx='0.1' iyy='0.1' izz='0.1'/></inertial>";
  const std::string only_shape = "<collision><geometry><sphere radius='0.1'/></geometry></collision>";
  const ImportedScene made =
      import(robot("<link name='root'/>" + link("trunk") + link("ballast", only_mass) +
                   link("foot", only_shape) + link("ghost", only_mass) + "<link name='virtual'/>" +
                   link("tip") + joint("j1", "fixed", "root", "trunk") +
                   joint("j2", "fixed", "trunk", "ballast", "<origin xyz='1 0 0'/>") +
                   joint("j3", "fixed", "trunk", "foot", "<origin xyz='0 0 -1'/>") +
                   joint("j4", "continuous", "trunk", "ghost", "<origin xyz='2 0 0'/>") +
                   joint("j5", "continuous", "ghost", "virtual") +
                   joint("j6", "continuous", "virtual", "tip", "<origin xyz='1 0 0'/><axis xyz='0 1 0'/>")));
  const Json scene = scene_json(made);
  ASSERT_EQ(scene["bodies"].size(), 4u);
  EXPECT_EQ(scene["bodies"][0]["name"], "trunk");
  EXPECT_EQ(scene["bodies"][0]["shapes"].size(), 2u);
  EXPECT_EQ(scene["bodies"][0]["mass"]["mass"], 3.0);
  // Two parts of 2 and 1 kg, 1 m apart: the reduced mass 2/3 kg adds about the axes across.
  EXPECT_NEAR(scene["bodies"][0]["mass"]["center"][0].get<double>(), 1.0 / 3, 1e-15);
  EXPECT_NEAR(scene["bodies"][0]["mass"]["inertia"][0].get<double>(), 0.2, 1e-15);
  EXPECT_NEAR(scene["bodies"][0]["mass"]["inertia"][1].get<double>(), 0.2 + 2.0 / 3, 1e-15);
  EXPECT_EQ(scene["bodies"][1]["collides"], false);
  EXPECT_EQ(scene["bodies"][2]["name"], "virtual");
  EXPECT_EQ(scene["joints"].size(), 3u);
  expect_parts(all_of(made.notes),
               {"'root', 'ballast', 'foot'", "'ghost' has no collision shape", "'virtual' has neither"});
  Scene loaded = test::parse(made.scene);
  Simulation simulation(std::move(loaded.world), loaded.settings);
  for (int step = 0; step < 3; ++step) simulation.step();
}

TEST(ImportUrdf, AFixedLinkOfItsOwnIsWelded) {
  const Json scene = scene_json(
      import(robot(link("a") + link("b") + joint("j", "fixed", "a", "b", "<origin xyz='1 0 0'/>"))));
  EXPECT_EQ(scene["joints"][0]["kind"], "weld");
}

TEST(ImportUrdf, LinksThatOverlapAtTheStartDoNotCollide) {
  const ImportedScene made = import(
      robot(link("a") + link("b") + link("c") + joint("j1", "continuous", "a", "b", "<origin xyz='1 0 0'/>") +
            joint("j2", "continuous", "a", "c", "<origin xyz='1.05 0.03 0.02'/>")));
  const Json scene = scene_json(made);
  EXPECT_EQ(scene["contact"]["pairs"], Json::parse(R"([{"between": ["b", "c"], "contact": false}])"));
  expect_parts(all_of(made.notes), {"overlap at the start", "'b' and 'c'"});
  const Scene loaded = test::parse(made.scene);
  EXPECT_FALSE(loaded.world.collision.may_collide(1, 2));
  EXPECT_FALSE(loaded.world.collision.may_collide(0, 1));
  Simulation simulation(loaded.world, loaded.settings);  // the start is checked
}

TEST(ImportUrdf, WhatIsNotCarriedOverIsSaid) {
  const ImportedScene made = import(
      robot(link("a") + link("b") + link("c") + link("d") + "<gazebo/><gazebo/><transmission/>" +
            joint("lead", "revolute", "a", "b", limit + "<dynamics damping='2' friction='1'/>") +
            joint("follow", "revolute", "a", "c",
                  "<origin xyz='1 0 0'/><mimic joint='lead' offset='0.3'/>" + limit) +
            joint("stuck", "revolute", "a", "d", "<origin xyz='2 0 0'/><limit effort='1' velocity='1'/>")));
  expect_parts(
      all_of(made.warnings),
      {"gazebo: not carried over (2 of them)", "transmission: not carried over", "joint 'lead': its friction",
       "joint 'follow': it starts as <mimic> of 'lead' says", "joint 'stuck': both of its limits are 0",
       "speed limits are not carried over: lead, follow"});
  const Json scene = scene_json(made);
  EXPECT_EQ(scene["joints"][0]["damping"], 2.0);
  EXPECT_NEAR(scene["joints"][1]["limits_degrees"][0].get<double>(), -180 / pi, 1e-12);
  EXPECT_NEAR(scene["joints"][1]["start_degrees"].get<double>(), 0.3 * 180 / pi, 1e-12);
}

TEST(ImportUrdf, InertiaThatNoBodyHasIsRepairedAndSaid) {
  const auto with = [](const std::string& inertia) {
    return robot(
        link("a", "<inertial><mass value='1'/>" + inertia +
                      "</inertial><collision><geometry><box size='0.1 0.1 0.1'/></geometry></collision>"));
  };
  UrdfOptions options;
  options.free_base = true;
  const ImportedScene flat = import(with("<inertia ixx='0.1' iyy='0.1' izz='0.2'/>"), options);
  expect_parts(all_of(flat.warnings), {"robot.urdf:2: link 'a'", "principal moments"});
  test::parse(flat.scene);
  const ImportedScene none = import(with(""), options);
  expect_parts(all_of(none.warnings), {"has no inertia"});
  const double side = scene_json(none)["bodies"][0]["mass"]["inertia"][0];
  EXPECT_NEAR(side, 0.01 / 6, 1e-15);
  expect_parts(import_error(with("<inertia ixx='-0.1' iyy='0.1' izz='0.2'/>")),
               {"robot.urdf:2", "link 'a'", "negative"});
}

TEST(ImportUrdf, GivenMassOfASceneMustBeThatOfABody) {
  const auto body = [](const std::string& mass) {
    return R"({ "bulwark": 1, "time": { "steps": 1 }, "bodies": [ { "name": "a", "kind": "affine",
      "shape": { "box": [1, 1, 1] }, "material": { "model": "affine", "density": 1000 }, "mass": )" +
           mass + " } ] }";
  };
  EXPECT_EQ(test::error_of(body(R"({ "mass": 1, "inertia": [1, 1, 1.9, 0, 0, 0] })")), "");
  expect_parts(test::error_of(body(R"({ "mass": 1, "inertia": [1, 1, 2.1, 0, 0, 0] })")),
               {"/bodies/0", "principal moments 1, 1 and 2.1", "less than the sum"});
  expect_parts(test::error_of(body(R"({ "mass": -1, "inertia": [1, 1, 1, 0, 0, 0] })")),
               {"/bodies/0/mass/mass"});
  expect_parts(test::error_of(body(R"({ "mass": 1 })")), {"inertia"});
}

TEST(ImportUrdf, BadFilesAreAnsweredWithPlaceAndRemedy) {
  const std::string two = link("a") + link("b");
  expect_parts(import_error("<robot><link name='a'></robot>"), {"robot.urdf:1", "closes <link>"});
  expect_parts(import_error("<sdf/>"), {"robot.urdf:1", "<sdf>", "convert"});
  expect_parts(import_error(robot("")), {"has no link"});
  expect_parts(import_error(robot(two + joint("j", "continuous", "base", "b"))),
               {"robot.urdf:4: joint 'j'", "parent link 'base' does not exist"});
  expect_parts(import_error(robot(two)), {"robot.urdf:3: link 'b'", "2 pieces"});
  expect_parts(
      import_error(robot(two + joint("j", "continuous", "a", "b") + joint("k", "continuous", "b", "a"))),
      {"no link is the root"});
  expect_parts(
      import_error(robot(two + link("c") + joint("j", "fixed", "b", "c") + joint("k", "fixed", "c", "b"))),
      {"robot.urdf:3: link 'b'", "close a loop"});
  expect_parts(import_error(robot(two + joint("j", "fixed", "a", "b") + joint("k", "fixed", "a", "b"))),
               {"robot.urdf:5: joint 'k'", "already the child of joint 'j'"});
  expect_parts(import_error(robot(two + joint("j", "ball", "a", "b"))),
               {"joint 'j'", "\"ball\"", "revolute"});
  expect_parts(import_error(robot(two + joint("j", "revolute", "a", "b"))),
               {"joint 'j'", "no <limit>", "continuous"});
  expect_parts(import_error(robot(two + joint("j", "continuous", "a", "b", "<axis xyz='0 0 0'/>"))),
               {"joint 'j'", "no length"});
  expect_parts(import_error(robot(link("a", "<inertial><mass value='-1'/></inertial>"))),
               {"robot.urdf:2: link 'a'", "mass is -1 kg"});
  expect_parts(import_error(robot(link("a", "<inertial><mass value='1,5'/></inertial>"))),
               {"robot.urdf:2: <mass>", "\"1,5\", which is not a number"});
  expect_parts(
      import_error(robot(link("a", "<collision><geometry><box size='1 1'/></geometry></collision>"))),
      {"robot.urdf:2: <box>", "2 numbers"});
  expect_parts(import_error(robot(link("a", "<collision><geometry><prism/></geometry></collision>"))),
               {"<prism>"});
  expect_parts(import_error(robot(link("a") + link("a"))), {"robot.urdf:3: link 'a'", "another link"});
  expect_parts(import_error("<robot xmlns:xacro='x'><xacro:macro/></robot>"),
               {"xacro", "expand the file first"});
  expect_parts(import_error(robot(link("a", "<inertial><mass value='${m}'/></inertial>"))),
               {"xacro FILE > robot.urdf"});
}

TEST(ImportUrdf, MeshesAreFoundByPackageAndMayBeMirrored) {
  const TemporaryFolder folder;
  const std::string tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  std::filesystem::create_directories(folder / "arm_description/meshes");
  std::filesystem::create_directories(folder / "arm_description/urdf");
  write_all(folder / "arm_description/meshes/part.obj", tetrahedron);
  write_all(folder / "arm_description/meshes/other.dae", "");
  UrdfOptions options;
  options.file = folder / "arm_description/urdf/arm.urdf";
  options.scene = folder / "made.json";
  const auto with = [&](const std::string& mesh) {
    return robot(link("a", "<collision><geometry><mesh filename='package://arm_description/meshes/" + mesh +
                               "'/></geometry></collision>"));
  };
  const Json scene = scene_json(import(with("part.obj' scale='0.1 0.1 0.1"), options));
  EXPECT_EQ(scene["bodies"][0]["shapes"][0]["mesh"], "arm_description/meshes/part.obj");
  EXPECT_EQ(scene["bodies"][0]["shapes"][0]["scale"], Json::array({0.1, 0.1, 0.1}));
  const ImportedScene mirrored = import(with("part.obj' scale='1 -1 1"), options);
  ASSERT_EQ(mirrored.files.size(), 1u);
  EXPECT_EQ(mirrored.files[0].path, folder / "made_meshes/part_mirrored.obj");
  expect_parts(import_error(with("none.stl"), options),
               {"arm.urdf:2: <mesh>", "there is no file", "--package-path"});
  expect_parts(import_error(with("other.dae"), options), {"other.dae", "can't be read", "convert it"});
  write_all(folder / "arm_description/meshes/other.obj", tetrahedron);
  EXPECT_EQ(import_error(with("other.dae"), options), "");
  options.file = folder / "elsewhere.urdf";
  options.package_paths = {folder / "arm_description"};
  EXPECT_EQ(import_error(with("part.obj"), options), "");
}

/// Runs an imported robot: no two surfaces that may collide meet, and no joint leaves its limits.
void expect_clean_run(const Scene& scene, int steps) {
  Simulation simulation(scene.world, scene.settings);
  for (int step = 0; step < steps; ++step) {
    simulation.step();
    const World& world = simulation.world();
    for (const WorldDrive& drive : world.joint_drives) {
      if (drive.drive.law != JointDrive::Law::range) continue;
      const double value = world.state.joint_coordinates[drive.drive.coordinate];
      EXPECT_GT(value, drive.drive.potential.low) << world.joints[drive.joint].name;
      EXPECT_LT(value, drive.drive.potential.high) << world.joints[drive.joint].name;
    }
    const Vectors x = vertex_positions(world.collision, world.state.position);
    EXPECT_TRUE(find_intersections(world.collision, x, 1).empty()) << "step " << step;
  }
}

ImportedScene import_robot(const std::string& name, UrdfOptions options) {
  options.file = robots + name;
  options.scene = robots + "made.json";
  return import(read_all(options.file), options);
}

TEST(ImportUrdf, AnArmFallsWithinItsLimits) {
  UrdfOptions options;
  options.ground = true;
  options.joint_values = {{"shoulder_lift", 0.6}, {"elbow", 0.5}};
  const ImportedScene made = import_robot("six_axis_arm.urdf", options);
  expect_parts(all_of(made.notes),
               {"'left_finger' starts at 0.002 m", "'hand' and what is fixed to it", "'tool'"});
  const Scene scene = test::parse(made.scene, {"/time/step=0.01"});
  expect_clean_run(scene, 60);
}

TEST(ImportUrdf, AQuadrupedStandsOnTheGround) {
  UrdfOptions options;
  options.free_base = options.ground = options.hold = true;
  for (const char* leg : {"front_left", "front_right", "rear_left", "rear_right"}) {
    options.joint_values[std::string(leg) + "_thigh"] = 0.7;
    options.joint_values[std::string(leg) + "_knee"] = -1.4;
  }
  const ImportedScene made = import_robot("quadruped.urdf", options);
  Scene scene = test::parse(made.scene, {"/time/step=0.01"});
  ASSERT_EQ(scene.world.bodies.size(), 14u);
  Simulation simulation(scene.world, scene.settings);
  const double start = rigid_motion(simulation.world(), 0).center.y();
  for (int step = 0; step < 50; ++step) simulation.step();
  const RigidMotion trunk = rigid_motion(simulation.world(), 0);
  EXPECT_NEAR(trunk.center.y(), start, 0.02);
  EXPECT_GT(trunk.rotation(1, 1), 0.99);
  const Vectors x = vertex_positions(simulation.world().collision, simulation.world().state.position);
  EXPECT_TRUE(find_intersections(simulation.world().collision, x, 1).empty());
}

}  // namespace
}  // namespace bulwark
