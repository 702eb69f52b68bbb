// One rule for the units of joints, in scenes, tables and programs: names that end in `degrees` are in
// degrees, all others in SI units. Over all kinds of joints that have a coordinate.
#include <bulwark/output/reading/csv_table.hpp>
#include <bulwark/output/reading/table_by_step.hpp>
#include <bulwark/output/writing/csv_tables.hpp>
#include <bulwark/sim/steered_joint.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <scene/scene_text.hpp>

#include <map>
#include <numbers>
#include <sstream>

namespace bulwark {
namespace {

constexpr double degree = std::numbers::pi / 180;

/// A body that spins or moves, with a joint of each kind on it. Nothing brakes them: after one step of 0.01 s
/// an angle has grown by 0.9 degrees, a place by 0.01 m.
std::string scene_of_all_kinds() {
  struct Kind {
    const char *name, *keys;
    bool turns;
  };
  const Kind kinds[] = {
      {"hinge", R"("kind": "hinge", "axis": [1, 0, 0], "start_degrees": 30, "limits_degrees": [-10, 60])",
       true},
      {"slider", R"("kind": "slider", "axis": [1, 0, 0], "start": 0.2, "limits": [-0.1, 0.5])", false},
      {"cylindrical", R"("kind": "cylindrical", "axis": [1, 0, 0])", false},
      {"universal", R"("kind": "universal", "axes": [[1, 0, 0], [0, 1, 0]])", true},
      {"cone",
       R"("kind": "cone-twist", "frame": { "x": [1, 0, 0], "y": [0, 1, 0] }, "twist_degrees": [-20, 40])",
       true},
      {"torsion", R"("kind": "spring", "axis": [1, 0, 0], "stiffness": 0, "rest_degrees": 90)", true},
      {"coil", R"("kind": "spring", "stiffness": 0, "rest_length": 0.7)", false},
      {"rope", R"("kind": "distance", "limits": [0.5, 3])", false}};
  std::string bodies, joints;
  int k = 0;
  for (const Kind& kind : kinds) {
    const std::string place = fmt::format("[0, {}, 0]", k++);
    bodies += fmt::format(
        R"({}{{ "name": "b-{}", "kind": "affine", "shape": {{ "box": [0.2, 0.1, 0.1] }}, "material": "steel",
                                "position": {}, "{}": [{}, 0, 0] }})",
        bodies.empty() ? "" : ",", kind.name, place, kind.turns ? "angular_velocity_degrees" : "velocity",
        kind.turns ? 90 : 1);
    const bool two_points = std::string(kind.name) == "coil" || std::string(kind.name) == "rope";
    joints += fmt::format(R"({}{{ "name": "{}", "bodies": ["b-{}", "world"], {}, {} }})",
                          joints.empty() ? "" : ",", kind.name, kind.name, kind.keys,
                          two_points ? fmt::format(R"("points": [{}, [-1, {}, 0]])", place, k - 1)
                                     : fmt::format(R"("point": {})", place));
  }
  return fmt::format(
      R"({{ "bulwark": 1, "time": {{ "step": 0.01, "steps": 1 }}, "gravity": [0, 0, 0], "solver": {{ "tolerance": 1e-6 }}, "materials": {{ "steel": {{ "model": "affine", "density": 1000 }} }},
      "bodies": [{}], "joints": [{}, {{ "name": "motor", "kind": "motor", "joint": "hinge", "torque": 0 }}] }})",
      bodies, joints);
}

/// The rows of joints.csv by joint and column.
std::map<std::string, std::map<std::string, std::string>> rows_by_joint(const Simulation& simulation) {
  std::map<std::string, std::map<std::string, std::string>> result;
  std::string header = joints_header();
  header.pop_back();
  const std::vector<std::string> columns = csv_fields(header);
  const World& world = simulation.world();
  const TableNames names = table_names(world);
  std::istringstream rows(joints_rows({world.state.step, world.state.time, names},
                                      world.state.joint_coordinates, simulation.joint_states()));
  for (std::string line; std::getline(rows, line);) {
    const std::vector<std::string> fields = csv_fields(line);
    for (std::size_t k = 0; k < columns.size(); ++k) result[fields[2]][columns[k]] = fields[k];
  }
  return result;
}

TEST(JointUnits, NamesSayTheUnitInScenesTablesAndPrograms) {
  const Scene scene = test::parse(scene_of_all_kinds());
  Simulation simulation(scene.world, scene.settings);
  simulation.step();
  const auto rows = rows_by_joint(simulation);
  // What the scene gives in degrees or m comes back so in the table.
  const std::map<std::string, double> expected = {{"hinge", 30.9},       {"motor", 30.9},    {"slider", 0.21},
                                                  {"cylindrical", 0.01}, {"universal", 0.9}, {"cone", 0.9},
                                                  {"torsion", 0.9},      {"coil", 1.01},     {"rope", 1.01}};
  for (const Joint& joint : simulation.world().joints) {
    SCOPED_TRACE(joint.name);
    SteeredJoint handle = simulation.joint(joint.name);
    const auto& row = rows.at(joint.name);
    const std::vector<double> values = handle.coordinates();
    const double wanted = expected.at(joint.name);
    if (handle.angular()) {
      EXPECT_NEAR(*handle.coordinate(), wanted * degree, 1e-4 * degree) << "radians in programs";
      const char* columns[] = {"angle_degrees", "angle_2_degrees", "angle_3_degrees"};
      for (std::size_t k = 0; k < 3; ++k) {
        if (k < values.size()) {
          EXPECT_NEAR(std::stod(row.at(columns[k])) * degree, values[k], 1e-14);
        } else {
          EXPECT_EQ(row.at(columns[k]), "");
        }
      }
      EXPECT_EQ(row.at("position"), "");
      EXPECT_NEAR(std::stod(row.at("angle_degrees")), wanted, 1e-4);
    } else {
      EXPECT_NEAR(*handle.coordinate(), wanted, 1e-6);
      EXPECT_EQ(std::stod(row.at("position")), values[0]);
      EXPECT_EQ(row.at("angle_degrees"), "");
    }
    EXPECT_NEAR(*handle.rate(), handle.angular() ? 90 * degree : 1, 1e-3);
  }
  // Limits and rests of the scene, in the units of programs.
  const std::map<std::string, double> highest = {
      {"hinge", 60 * degree}, {"cone", 40 * degree}, {"slider", 0.5}, {"rope", 3}};
  std::size_t ranges = 0;
  for (const WorldDrive& drive : simulation.world().joint_drives) {
    if (drive.drive.law != DriveLaw::range) continue;
    const std::string& name = simulation.world().joints[drive.joint].name;
    EXPECT_NEAR(drive.drive.potential.high, highest.at(name), 1e-15) << name;
    ++ranges;
  }
  EXPECT_EQ(ranges, highest.size());
  EXPECT_NEAR(*simulation.joint("torsion").target(), 90 * degree, 1e-15);
  EXPECT_EQ(*simulation.joint("coil").target(), 0.7);
}

TEST(JointUnits, MotorsAndLimitsCountFromTheSameZero) {
  // From 30 degrees to 50, and from 0.2 m to 0.3: the bodies move by the difference.
  const Scene scene = test::parse(
      R"({ "bulwark": 1, "time": { "step": 0.01, "steps": 100 }, "gravity": [0, 0, 0], "materials": { "steel": { "model": "affine", "density": 1000 } },
      "bodies": [
        { "name": "turns", "kind": "affine", "shape": { "box": [0.2, 0.1, 0.1] }, "material": "steel" },
        { "name": "slides", "kind": "affine", "shape": { "box": [0.2, 0.1, 0.1] }, "material": "steel", "position": [0, 1, 0] }],
      "joints": [
        { "name": "hinge", "kind": "hinge", "bodies": ["turns", "world"], "point": [0, 0, 0], "axis": [0, 0, 1],
          "start_degrees": 30, "limits_degrees": [20, 60] },
        { "name": "slider", "kind": "slider", "bodies": ["slides", "world"], "point": [0, 1, 0], "axis": [1, 0, 0],
          "start": 0.2, "limits": [0.15, 0.4] },
        { "kind": "motor", "joint": "hinge", "angle_degrees": { "times": [0, 0.5], "values": [30, 50] } },
        { "kind": "motor", "joint": "slider", "position": { "times": [0, 0.5], "values": [0.2, 0.3] } }] })");
  Simulation simulation(scene.world, scene.settings);
  for (int i = 0; i < 100; ++i) simulation.step();
  EXPECT_NEAR(*simulation.joint("hinge").coordinate(), 50 * degree, 1e-3 * degree);
  EXPECT_NEAR(*simulation.joint("slider").coordinate(), 0.3, 1e-5);
  const Vector3 turned = rigid_motion(simulation.world(), 0).rotation.col(0);
  EXPECT_NEAR(std::atan2(turned.y(), turned.x()), 20 * degree, 1e-3 * degree);
  EXPECT_NEAR(rigid_motion(simulation.world(), 1).center.x(), 0.1, 1e-5);
}

}  // namespace
}  // namespace bulwark
