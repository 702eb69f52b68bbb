// Scripts that drive bodies into no space end in a failed step, after a bounded amount of work.
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/simulation.hpp>
#include <sim/stiff_scene.hpp>

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <functional>

namespace bulwark {
namespace {

using test::at;

Motion moving(const Vector3& velocity) {
  Motion motion;
  motion.linear_velocity = velocity;
  return motion;
}

/// Two plates that close on what lies between them, and go on.
World press() {
  World world;
  const SurfaceMesh plate = surface_mesh(BoxShape{{0.5, 0.1, 0.5}});
  add_obstacle(world, plate, at("lower", {0, -0.11, 0}), moving({0, 0.5, 0}));
  add_obstacle(world, plate, at("upper", {0, 0.11, 0}), moving({0, -0.5, 0}));
  return world;
}

World ram_against_wall() {
  World world;
  add_obstacle(world, surface_mesh(BoxShape{{0.1, 1, 1}}), at("wall", {0.5, 0, 0}));
  add_obstacle(world, surface_mesh(BoxShape{{0.1, 0.2, 0.2}}), at("ram", {0, 0, 0}), moving({2, 0, 0}));
  return world;
}

struct Case {
  std::string name;
  std::function<World()> world;
};

std::vector<Case> cases() {
  const SurfaceMesh box = surface_mesh(BoxShape{{0.1, 0.1, 0.1}});
  ElasticMaterial rubber;
  rubber.young = 1e6;
  return {{"cloth",
           [] {
             World world = press();
             add_shell(world, surface_mesh(GridShape{{0.3, 0.3}, {4, 4}}), {}, at("cloth", {0, 0, 0}));
             return world;
           }},
          {"soft",
           [=] {
             World world = press();
             add_deformable(world, solid_mesh(BoxShape{{0.1, 0.1, 0.1}}, 0.1), rubber, at("box", {0, 0, 0}));
             return world;
           }},
          {"rigid",
           [=] {
             World world = press();
             add_rigid(world, box, {}, at("box", {0, 0, 0}));
             return world;
           }},
          {"rigid_tilted",
           [=] {
             World world = press();
             BodyOptions tilted = at("box", {0, 0, 0});
             tilted.pose.rotation = Eigen::AngleAxisd(0.1, Vector3(1, 0, 1).normalized()).toRotationMatrix();
             add_rigid(world, box, {}, tilted);
             return world;
           }},
          {"held_soft_body", [=] {
             World world;
             add_obstacle(world, surface_mesh(BoxShape{{0.1, 0.2, 0.2}}), at("ram", {0, 0, 0}),
                          moving({2, 0, 0}));
             const int body = add_deformable(world, solid_mesh(BoxShape{{0.1, 0.1, 0.1}}, 0.1), rubber,
                                             at("box", {0.3, 0, 0}));
             hold(world, body, SelectAll{});
             add_affine(world, box, {}, at("another", {0.12, 0, 0}));
             return world;
           }}};
}

class ImpossibleScript : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Cases, ImpossibleScript, testing::ValuesIn(cases()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(ImpossibleScript, EndsWithinItsBoundOfWork) {
  Settings settings;
  settings.gravity.setZero();
  Simulation simulation(GetParam().world(), settings);
  Vectors before;
  try {
    for (int k = 0; k < 100; ++k) {
      before = simulation.world().state.position;
      const StepReport report = simulation.step();
      EXPECT_LE(report.newton_iterations, settings.solver.max_step_iterations);
    }
    FAIL() << "it got through";
  } catch (const StepFailure& failure) {
    EXPECT_EQ(failure.exit_code(), 3);
    const StepReport& report = failure.report();
    EXPECT_LE(report.newton_iterations, settings.solver.max_step_iterations);
    EXPECT_TRUE(report.outcome == Outcome::script_blocked || report.outcome == Outcome::work_limit)
        << outcome_name(report.outcome);
    RecordProperty("iterations", report.newton_iterations);
  }
  EXPECT_EQ(simulation.world().state.position, before);
}

/// What can slip away is not stuck: it gets out, by the work of the script alone, or the run ends as above.
std::vector<Case> slippery_cases() {
  const SurfaceMesh box = surface_mesh(BoxShape{{0.1, 0.1, 0.1}});
  return {{"affine",
           [=] {
             World world = press();
             add_affine(world, box, {}, at("box", {0, 0, 0}));
             return world;
           }},
          {"affine_at_a_wall",
           [=] {
             World world = ram_against_wall();
             add_affine(world, box, {}, at("box", {0.2, 0, 0}));
             return world;
           }},
          {"rigid_row_at_a_wall", [=] {
             World world = ram_against_wall();
             for (int k = 0; k < 3; ++k)
               add_rigid(world, box, {}, at("box " + std::to_string(k), {0.11 + 0.11 * k, 0, 0}));
             return world;
           }}};
}

class SlipperyScript : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Cases, SlipperyScript, testing::ValuesIn(slippery_cases()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(SlipperyScript, GivesNoEnergyButItsWork) {
  Settings settings;
  settings.gravity.setZero();
  Simulation simulation(GetParam().world(), settings);
  try {
    for (int k = 0; k < 30; ++k) {
      const StepReport report = simulation.step();
      EXPECT_EQ(report.energy_gain, 0) << "step " << report.step;
      EXPECT_EQ(report.passed_bodies, 0) << "step " << report.step;
    }
  } catch (const StepFailure& failure) {
    EXPECT_EQ(failure.exit_code(), 3);
    EXPECT_LE(failure.report().newton_iterations, settings.solver.max_step_iterations);
  }
}

TEST(MaxStepIterations, BoundAllPartsOfAStepTogether) {
  for (const int most : {1, 7, 60}) {
    Settings settings;
    settings.gravity.setZero();
    settings.solver.max_step_iterations = most;
    Simulation simulation(cases().front().world(), settings);
    try {
      for (int k = 0; k < 100; ++k) EXPECT_LE(simulation.step().newton_iterations, most);
      FAIL() << "it got through";
    } catch (const StepFailure& failure) {
      EXPECT_EQ(failure.report().newton_iterations, most);
      EXPECT_EQ(failure.report().outcome, Outcome::work_limit);
      EXPECT_NE(std::string(failure.what()).find("work-limit"), std::string::npos) << failure.what();
    }
  }
}

TEST(AFailedStep, LeavesJointsAndReactionsAsTheLastGoodOneSaidThem) {
  World world = press();
  const SurfaceMesh box = surface_mesh(BoxShape{{0.1, 0.1, 0.1}});
  add_rigid(world, box, {}, at("pressed", {0, 0, 0}));
  BodyOptions moving_up = at("spinner", {10.5, 0, 0});
  moving_up.velocity = {0, 2.5, 0};
  moving_up.angular_velocity = {0, 0, 5};
  JointOptions hinge;
  hinge.name = "hinge";
  hinge.kind = JointKind::hinge;
  hinge.body_a = add_affine(world, box, {}, moving_up);
  hinge.point = {10, 0, 0};
  hinge.axis = {0, 0, 1};
  add_joint(world, hinge);
  ElasticMaterial rubber;
  rubber.young = 1e6;
  BodyOptions swinging = at("held", {20, 0, 0});
  swinging.velocity = {1, 0, 0};
  const int held = add_deformable(world, solid_mesh(BoxShape{{0.1, 0.1, 0.1}}, 0.1), rubber, swinging);
  hold(world, held, SelectHalfSpace{{20, -0.049, 0}, {0, -1, 0}});
  Settings settings;
  settings.gravity.setZero();
  settings.solver.max_step_iterations = 60;
  Simulation simulation(std::move(world), settings);
  std::vector<JointState> joints;
  std::vector<Reaction> reactions;
  try {
    for (int k = 0; k < 100; ++k) {
      simulation.step();
      joints = simulation.joint_states();
      reactions = simulation.reactions();
    }
    FAIL() << "it got through";
  } catch (const StepFailure&) {
  }
  ASSERT_EQ(joints.size(), 1u);
  ASSERT_EQ(reactions.size(), 1u);
  EXPECT_GT(joints[0].force.norm(), 1);
  EXPECT_GT(reactions[0].wrench.force.norm(), 1e-3);
  ASSERT_EQ(simulation.joint_states().size(), 1u);
  EXPECT_EQ(simulation.joint_states()[0].force, joints[0].force);
  ASSERT_EQ(simulation.reactions().size(), 1u);
  EXPECT_EQ(simulation.reactions()[0].wrench.force, reactions[0].wrench.force);
}

}  // namespace
}  // namespace bulwark
