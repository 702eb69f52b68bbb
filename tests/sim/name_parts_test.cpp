// Reports name parts of bodies by the numbers of their own meshes.
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/name_parts.hpp>
#include <bulwark/sim/simulation.hpp>

#include <gtest/gtest.h>

namespace bulwark {
namespace {

World two_boxes_over_a_floor() {
  World world;
  BodyOptions options;
  for (const double height : {0.101, 0.301}) {
    options.name = height < 0.2 ? "lower" : "upper";
    options.pose.position = {0, height, 0};
    options.velocity = {0, -20, 0};
    add_deformable(world, solid_mesh(BoxShape{{0.2, 0.19, 0.2}}, 0.1), {}, options);
  }
  BodyOptions floor;
  floor.name = "floor";
  add_plane(world, {0, 0, 0}, {0, 1, 0}, floor);
  return world;
}

TEST(NameParts, NumbersBeginAtTheBody) {
  const World world = two_boxes_over_a_floor();
  const Body& upper = world.bodies[1];
  EXPECT_EQ(describe(part_of_control(world, upper.first_control + 3)), "node 3 of 'upper'");
  EXPECT_EQ(describe(part_of_element(world, upper.first_element + 5)), "tetrahedron 5 of 'upper'");
  EXPECT_EQ(describe(part_of_primitive(world, {PrimitiveKind::plane, 0})), "'floor'");
  const BodyPart vertex = part_of_primitive(world, {PrimitiveKind::vertex, upper.first_vertex});
  EXPECT_EQ(vertex.body, "upper");
  EXPECT_EQ(vertex.kind, BodyPart::Kind::node);
  EXPECT_LT(vertex.number, upper.control_count);
}

TEST(NameParts, AReportSaysWhichBodiesLimitedIt) {
  Simulation simulation(two_boxes_over_a_floor(), {});
  const StepReport report = simulation.step();
  ASSERT_LT(report.smallest_step, 1);
  EXPECT_EQ(report.limited_by.reason, LimitReason::contact);
  ASSERT_EQ(report.limited_by.parts.size(), 2u);
  for (const BodyPart& part : report.limited_by.parts) EXPECT_FALSE(part.body.empty());
  EXPECT_NE(describe(report.limited_by).find(" and "), std::string::npos);
  EXPECT_FALSE(report.worst_point.body.empty());
}

}  // namespace
}  // namespace bulwark
