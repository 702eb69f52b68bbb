#include <bulwark/output/writing/csv_tables.hpp>

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <numbers>
#include <sstream>

namespace bulwark {
namespace {

World two_bodies() {
  World world;
  world.state.step = 7;
  world.state.time = 0.1 + 0.2;
  world.bodies.resize(2);
  world.bodies[0].name = "brick[0,1]";
  world.bodies[1].name = "floor";
  return world;
}

/// Rows of the world as it is.
struct Rows {
  explicit Rows(const World& of) : world(of), names(table_names(of)) {}
  const World world;
  const TableNames names;
  RowStep at() const { return {world.state.step, world.state.time, names}; }
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(CsvTables, QuoteOnlyWhatNeedsIt) {
  EXPECT_EQ(csv_field("ball"), "ball");
  EXPECT_EQ(csv_field("brick[0,1]"), "\"brick[0,1]\"");
  EXPECT_EQ(csv_field("a \"b\""), "\"a \"\"b\"\"\"");
}

TEST(CsvTables, NumbersReadBackToTheSameBits) {
  std::vector<RigidMotion> motions(2);
  motions[0].center = {1.0 / 3, 1e-300, -0.1};
  const std::string row = lines_of(bodies_rows(Rows(two_bodies()).at(), motions))[0];
  EXPECT_TRUE(row.starts_with("7,0.30000000000000004,\"brick[0,1]\",0.3333333333333333,1e-300,-0.1,1,0,0,0,"))
      << row;
}

TEST(CsvTables, OrientationsHaveAPositiveRealPart) {
  std::vector<RigidMotion> motions(2);
  motions[1].rotation = Eigen::AngleAxisd(3.5, Vector3(1, 2, 3).normalized()).toRotationMatrix();
  std::istringstream row(lines_of(bodies_rows(Rows(two_bodies()).at(), motions))[1]);
  std::string field;
  for (int i = 0; i < 7; ++i) std::getline(row, field, ',');
  EXPECT_NEAR(std::stod(field), std::abs(std::cos(3.5 / 2)), 1e-12);
}

TEST(CsvTables, WrenchesOfTwoBodiesBalanceAboutOnePoint) {
  std::vector<RigidMotion> motions(2);
  ContactForce contact;
  contact.body_a = 0;
  contact.body_b = 1;
  contact.position = {1, 0, 0};
  contact.normal_force = {0, 3, 0};
  contact.friction_force = {0, 0, 0.5};
  motions[1].center = {0, -2, 0};
  const std::vector<std::string> rows =
      lines_of(wrenches_rows(Rows(two_bodies()).at(), motions, {contact}, {}));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_TRUE(rows[0].ends_with("\",contact,0,0,0,0,3,0.5,0,-0.5,3")) << rows[0];
  EXPECT_TRUE(rows[1].ends_with("floor,contact,0,-2,0,0,-3,-0.5,-1,0.5,-3")) << rows[1];
}

TEST(CsvTables, HeldPartsHaveRowsOfTheirOwn) {
  const std::vector<RigidMotion> motions(2);
  Wrench wrench;
  wrench.point = {1, 2, 3};
  wrench.force = {4, 5, 6};
  wrench.torque = {7, 8, 9};
  std::vector<Reaction> reactions = {{0, 0, 4, wrench}, {0, 1, 4, wrench}, {1, 0, 1, wrench}};
  const std::vector<std::string> rows =
      lines_of(wrenches_rows(Rows(two_bodies()).at(), motions, {}, reactions));
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_TRUE(rows[2].ends_with("\"brick[0,1]\",held[0],1,2,3,4,5,6,7,8,9")) << rows[2];
  EXPECT_TRUE(rows[3].ends_with("\"brick[0,1]\",held[1],1,2,3,4,5,6,7,8,9")) << rows[3];
  EXPECT_TRUE(rows[4].ends_with("floor,held,1,2,3,4,5,6,7,8,9")) << rows[4];
}

TEST(CsvTables, JointsHaveAsManyCoordinatesAsTheyHave) {
  World world = two_bodies();
  world.state.joint_coordinates.resize(4);
  world.state.joint_coordinates << std::numbers::pi, 0.25, std::numbers::pi / 2, -std::numbers::pi;
  world.joints.resize(3);
  world.joints[0].name = "ball";
  world.joints[1].name = "slide";
  world.joints[1].coordinates = {1};
  world.joints[2].name = "shoulder";
  world.joints[2].coordinates = {0, 2, 3};
  world.joints[2].angular = true;
  const std::vector<std::string> rows =
      lines_of(joints_rows(Rows(world).at(), world.state.joint_coordinates, std::vector<JointState>(3)));
  EXPECT_TRUE(rows[0].starts_with("7,0.30000000000000004,ball,,,,,0,")) << rows[0];
  EXPECT_TRUE(rows[1].starts_with("7,0.30000000000000004,slide,,,,0.25,0,")) << rows[1];
  EXPECT_TRUE(rows[2].starts_with("7,0.30000000000000004,shoulder,180,90,-180,,0,")) << rows[2];
}

TEST(CsvTables, RowsHaveAsManyFieldsAsTheirHeader) {
  const auto fields = [](const std::string& line) { return std::count(line.begin(), line.end(), ','); };
  World world = two_bodies();
  world.bodies[0].name = "brick";
  const std::vector<RigidMotion> motions(2);
  EXPECT_EQ(fields(steps_row({})), fields(steps_header()));
  EXPECT_EQ(fields(solves_row({})), fields(solves_header()));
  EXPECT_EQ(fields(bodies_rows(Rows(world).at(), motions)), 2 * fields(bodies_header()));
  EXPECT_EQ(fields(wrenches_rows(Rows(world).at(), motions, {}, {Reaction{}})),
            3 * fields(wrenches_header()));
  ContactForce contact;
  contact.position = contact.normal_force = contact.friction_force = Vector3::Zero();
  EXPECT_EQ(fields(contacts_rows(Rows(world).at(), {contact})), fields(contacts_header()));
  contact.body_b = 1;
  EXPECT_EQ(fields(contact_pairs_rows(Rows(world).at(), {contact})), fields(contact_pairs_header()));
  world.joints.resize(1);
  EXPECT_EQ(fields(joints_rows(Rows(world).at(), VectorX(), std::vector<JointState>(1))),
            fields(joints_header()));
}

}  // namespace
}  // namespace bulwark
