// Where joints are and what they measure: angles of universal joints, and joints that are added between
// bodies which have moved since the start.
#include <bulwark/base/error.hpp>
#include <bulwark/math/rotation.hpp>
#include <bulwark/stencils/joint_coordinate.hpp>

#include <gtest/gtest.h>
#include <sim/jointed_world.hpp>

#include <cmath>

namespace bulwark {
namespace {

int spinning_box(World& world, const std::string& name, const Vector3& position,
                 const Vector3& spin = Vector3::Zero(), const Vector3& velocity = Vector3::Zero()) {
  BodyOptions options;
  options.name = name;
  options.pose.position = position;
  options.angular_velocity = spin;
  options.velocity = velocity;
  return add_affine(world, surface_mesh(BoxShape{{0.4, 0.2, 0.1}}), {}, options);
}

TEST(UniversalJoint, MeasuresTheTurnAboutEachOfItsAxes) {
  World world;
  const int shaft = spinning_box(world, "shaft", Vector3::Zero());
  JointOptions options =
      joint("joint", JointKind::universal, shaft, world_body, Vector3::Zero(), Vector3::UnitX());
  options.second_axis = Vector3::UnitY();
  add_joint(world, options);
  ASSERT_EQ(world.joints[0].coordinates.size(), 2U);
  // The cross turns about the world's y first, the shaft about the cross' x then.
  for (const auto& [about_x, about_y] : {std::pair{0.7, -0.3}, {-2.1, 1.2}, {0.0, 0.5}}) {
    const Matrix3 turn =
        (Eigen::AngleAxisd(about_y, Vector3::UnitY()) * Eigen::AngleAxisd(about_x, Vector3::UnitX()))
            .toRotationMatrix();
    Vectors q = world.state.position;
    q.middleCols<3>(1) = turn;
    const auto value = [&](int k) {
      const JointCoordinate& c = world.joint_coordinates[world.joints[0].coordinates[k]];
      return joint_coordinate(c.measure, c.vectors(q), 0);
    };
    EXPECT_NEAR(value(0), about_x, 1e-12);
    EXPECT_NEAR(value(1), about_y, 1e-12);
  }
}

TEST(UniversalJoint, HasNothingThatAMotorCouldDrive) {
  World world;
  const int shaft = spinning_box(world, "shaft", Vector3::Zero());
  JointOptions options =
      joint("joint", JointKind::universal, shaft, world_body, Vector3::Zero(), Vector3::UnitX());
  options.second_axis = Vector3::UnitY();
  add_joint(world, options);
  JointOptions motor = joint("joint", JointKind::motor, shaft, world_body, Vector3::Zero());
  motor.driven_joint = 0;
  EXPECT_THROW(add_joint(world, motor), InputError);
}

/// Two boxes that have tumbled and drifted for a while.
Simulation tumbled() {
  World world;
  spinning_box(world, "a", {0, 1, 0}, {3, 1, -2}, {0.5, 1, 0});
  spinning_box(world, "b", {0.6, 1, 0}, {-1, 2, 4}, {0.2, 1, 0.3});
  Simulation simulation(std::move(world), without_contact(0.005));
  for (int i = 0; i < 60; ++i) simulation.step();
  return simulation;
}

TEST(JointsBetweenSteps, AHingeHoldsWhereItsBodiesAreNow) {
  Simulation simulation = tumbled();
  const Vectors before = simulation.world().state.position;
  const Vector3 point = 0.5 * (before.col(0) + before.col(4)), axis = Vector3(1, 2, -1).normalized();
  simulation.change(
      [&](World& world) { add_joint(world, joint("joint", JointKind::hinge, 0, 1, point, axis)); });
  EXPECT_EQ(simulation.world().state.position, before);
  const Joint& hinge = simulation.world().joints[0];
  EXPECT_LT((hinge.point_a.at(before) - point).norm(), 1e-12);
  EXPECT_LT((hinge.axis_b.at(before) - axis).norm(), 1e-9);
  EXPECT_NEAR(simulation.world().state.joint_coordinates[0], 0, 1e-12);
  double turned = 0;
  for (int i = 0; i < 100; ++i) {
    simulation.step();
    EXPECT_LT(simulation.joint_states()[0].error, 1e-12);
    turned = std::max(turned, std::abs(simulation.joint_states()[0].coordinate));
  }
  EXPECT_GT(turned, 0.1);  // it does turn about its axis
  const Vectors& q = simulation.world().state.position;
  EXPECT_LT((hinge.axis_a.at(q) - hinge.axis_b.at(q)).norm(), 1e-12);
}

TEST(JointsBetweenSteps, AWeldMakesOneBodyOfTwoThatTumble) {
  Simulation simulation = tumbled();
  const Vectors start = simulation.world().state.position;
  simulation.change([&](World& world) {
    JointOptions weld = joint("joint", JointKind::weld, 0, 1, world.state.position.col(0));
    add_joint(world, weld);
  });
  const auto between = [](const Vectors& q) -> Vector3 {
    return q.middleCols<3>(1).inverse() * (q.col(4) - q.col(0));
  };
  for (int i = 0; i < 60; ++i) simulation.step();
  EXPECT_LT((between(simulation.world().state.position) - between(start)).norm(), 1e-6);
}

TEST(JointsBetweenSteps, APointOfASoftBodyIsFoundWhereItIsNow) {
  World world;
  BodyOptions options;
  options.name = "soft";
  options.pose.position = {0, 1, 0};
  options.velocity = {1, 0, 0};
  options.angular_velocity = {0, 2, 0};
  add_deformable(world, solid_mesh(BoxShape{{0.4, 0.4, 0.4}}, 0.4), {}, options);
  Simulation simulation(std::move(world), without_contact(0.005));
  for (int i = 0; i < 40; ++i) simulation.step();
  const Vectors q = simulation.world().state.position;
  const Vector3 corner = q.col(0);
  simulation.change([&](World& w) { add_joint(w, joint("joint", JointKind::point, 0, world_body, corner)); });
  for (int i = 0; i < 20; ++i) simulation.step();
  EXPECT_LT((simulation.world().state.position.col(0) - corner).norm(), 1e-12);
  EXPECT_THROW(simulation.change([&](World& w) {
    JointOptions far = joint("joint", JointKind::point, 0, world_body, {9, 9, 9});
    far.name = "far";
    add_joint(w, far);
  }),
               InputError);
}

}  // namespace
}  // namespace bulwark
