// AdamW and Newton's method find the same steps: soft, thin, stiff bodies, contact with friction, joints of all methods. And AdamW
// keeps the promises: the same bits on any number of threads and when continued, a step that fails leaves the world as it was.
#include "jointed_world.hpp"

#include <bulwark/base/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace bulwark {
namespace {

ElasticMaterial rubber(double young) {
  ElasticMaterial material;
  material.young = young;
  return material;
}

int add_ground(World& world) {
  return add_plane(world, {0, 0, 0}, {0, 1, 0}, named("ground", {0, 0, 0}));
}

World sagging_beam() {
  World world;
  const SolidMesh mesh = raised(as_solid_mesh(solid_mesh(BoxShape{{0.6, 0.1, 0.1}}, 0.1)), 2);
  const int beam = add_deformable(world, mesh, rubber(2e5), named("beam", {0, 0, 0}), MassKind::consistent);
  hold(world, beam, SelectBox{{-1, -1, -1}, {-0.29, 1, 1}});
  return world;
}

World ball_on_mat() {
  World world;
  add_deformable(world, solid_mesh(BoxShape{{0.4, 0.1, 0.4}}, 0.1), rubber(1e5), named("mat", {0, 0.051, 0}));
  BodyOptions ball = named("ball", {0.02, 0.17, 0});
  ball.velocity = {0.5, -1, 0};
  add_deformable(world, solid_mesh(SphereShape{0.06}, 0.05), rubber(5e4), ball);
  add_ground(world);
  return world;
}

World stiff_boxes() {
  World world;
  StiffMaterial soft_affine;
  soft_affine.stiffness = 1e6;
  const SurfaceMesh mesh = surface_mesh(BoxShape{{0.2, 0.1, 0.2}});
  BodyOptions spun = named("rigid", {0.05, 0.151, 0});
  spun.velocity = {0, -0.5, 0};
  spun.angular_velocity = {0, 2, 0};
  add_affine(world, mesh, soft_affine, named("affine", {0, 0.0503, 0}));
  add_rigid(world, mesh, {}, spun);
  add_ground(world);
  return world;
}

/// A hinge by elimination, a ball joint by multipliers on rigid bodies, both in motion.
World jointed() {
  World world;
  StiffMaterial soft_affine;
  soft_affine.stiffness = 1e6;
  const SurfaceMesh mesh = surface_mesh(BoxShape{{0.1, 0.5, 0.1}});
  const int first = add_affine(world, mesh, soft_affine, named("first", {0, -0.25, 0}));
  const int second = add_rigid(world, mesh, {}, named("second", {1, -0.25, 0}));
  const int third = add_rigid(world, mesh, {}, named("third", {1.3, -0.8, 0}));
  add_joint(world, joint("hinge", JointKind::hinge, first, -1, {0, 0, 0}));
  add_joint(world, joint("ball", JointKind::point, second, -1, {1, 0, 0}, {0, 0, 0}));
  add_joint(world, joint("between", JointKind::point, third, second, {1.1, -0.5, 0}, {0, 0, 0}));
  return world;
}

/// A cloth that falls over a ball.
World draped() {
  World world;
  ClothMaterial cotton;
  cotton.young = 2e4;
  BodyOptions options = named("cloth", {0, 0.1065, 0});
  options.velocity = {0, -1, 0};
  add_shell(world, surface_mesh(GridShape{{0.3, 0.3}, {6, 6}}), cotton, options);
  add_obstacle(world, surface_mesh(SphereShape{0.1}, 0.05), named("ball", {0, 0, 0}));
  return world;
}

World ancf_cantilever() {
  World world;
  ElasticMaterial material = rubber(1e5);
  material.model = ElasticModel::svk;
  material.width = material.height = 0.02;
  const int beam = add_ancf(world, ancf_plate(0.6, 0.05, 4, 1), material, named("plate", {0, 0, 0}));
  hold(world, beam, SelectBox{{-1, -1, -1}, {-0.299, 1, 1}});
  return world;
}

/// A ball that is pressed into another one, of contact without a barrier.
World overlapping(ContactModelKind model) {
  World world;
  add_ground(world);
  add_deformable(world, solid_mesh(SphereShape{0.1}, 0.05), rubber(1e5), named("ball", {0, 0.095, 0}));
  StiffMaterial soft_affine;
  soft_affine.stiffness = 1e6;
  add_affine(world, surface_mesh(BoxShape{{0.1, 0.1, 0.1}}), soft_affine, named("box", {0.01, 0.235, 0}));
  world.contact_model = model;
  return world;
}
World hydroelastic() {
  return overlapping(ContactModelKind::hydroelastic);
}
World patches() {
  return overlapping(ContactModelKind::patch_penalty);
}

Settings settings_for(const std::string& minimiser, double h, double tolerance, int threads = 1) {
  Settings settings;
  settings.time.step = h;
  settings.contact.friction = 0.3;
  settings.solver.minimiser = minimiser;
  settings.solver.tolerance = tolerance;
  settings.solver.threads = threads;
  return settings;
}

/// The positions after some steps; expects that the minimiser did the work.
Vectors end_of(World world, const Settings& settings, int steps) {
  Simulation simulation(std::move(world), settings);
  int newton = 0, adamw = 0;
  for (int k = 0; k < steps; ++k) {
    const StepReport report = simulation.step();
    newton += report.newton_iterations;
    adamw += report.adamw_iterations;
    EXPECT_EQ(report.substeps, 1);
  }
  EXPECT_EQ(newton > 0, settings.solver.minimiser == "newton");
  EXPECT_EQ(adamw > 0, settings.solver.minimiser == "adamw");
  return simulation.world().state.position;
}

struct Agreement {
  const char* name;
  World (*world)();
  double h;
  int steps;
};

void PrintTo(const Agreement& agreement, std::ostream* out) {
  *out << agreement.name;
}

class MinimisersAgree : public testing::TestWithParam<Agreement> {};

/// Each step from the same state: the first touch of a contact may come a step later by a difference in the last digits.
TEST_P(MinimisersAgree, OnEveryStep) {
  const Agreement& agreed = GetParam();
  const double tolerance = 1e-4;  // of AdamW
  Settings precise = settings_for("adamw", agreed.h, tolerance),
           reference = settings_for("newton", agreed.h, 1e-7);
  precise.contact.model = reference.contact.model = agreed.world().contact_model;
  precise.contact.patch_penalty.young = reference.contact.patch_penalty.young = 1e5;
  Simulation newton(agreed.world(), reference), adamw(agreed.world(), precise);
  const Vectors start = newton.world().state.position;
  double length = 0;  // of the largest body
  for (const BodyDerived& body : newton.derived().bodies) {
    if (std::isfinite(body.length)) length = std::max(length, body.length);
  }
  int iterations = 0;
  for (int step = 0; step < agreed.steps; ++step) {
    adamw.restore(newton.world().state);
    newton.step();
    iterations += adamw.step().adamw_iterations;
    const Vectors difference = newton.world().state.position - adamw.world().state.position;
    const double largest =
        difference.colwise().norm().transpose().cwiseProduct(newton.world().lever).maxCoeff();
    // Joints hold to 1e-8 of a body's size, with other remainders.
    // AdamW goes by the diagonal of the mass matrix, above whose least eigenvalue it may be.
    EXPECT_LT(largest, length * (2 * tolerance * agreed.h + 5e-8)) << "step " << step;
  }
  EXPECT_GT(iterations, 50);
  EXPECT_GT((newton.world().state.position - start).colwise().norm().maxCoeff(), 1e-3 * length);
}

INSTANTIATE_TEST_SUITE_P(
    Worlds, MinimisersAgree,
    testing::Values(Agreement{"beam", sagging_beam, 0.01, 5}, Agreement{"contact", ball_on_mat, 2e-3, 12},
                    Agreement{"stiff", stiff_boxes, 2e-3, 12}, Agreement{"joints", jointed, 5e-3, 10},
                    Agreement{"cloth", draped, 2e-3, 10}, Agreement{"ancf", ancf_cantilever, 2e-3, 5},
                    Agreement{"hydroelastic", hydroelastic, 2e-3, 8}, Agreement{"patches", patches, 2e-3, 8}),
    [](const auto& one) { return one.param.name; });

TEST(Residual, IsWhatEndsASolveWhereARuleAsksForIt) {
  for (World (*world)() : {sagging_beam, ball_on_mat, stiff_boxes, jointed}) {
    Settings by_rule = settings_for("newton", 2e-3, 1e-12);
    by_rule.solver.newton.gradient_tolerance = 1e-3;
    Simulation newton(world(), by_rule);
    Settings same = settings_for("adamw", 2e-3, 1e-12);
    same.solver.adamw.gradient_tolerance = 1e-3;
    same.solver.adamw.check_interval = 1;
    Simulation adamw(world(), same);
    for (int step = 0; step < 6; ++step) {
      adamw.restore(newton.world().state);
      const StepReport by_newton = newton.step(), by_adamw = adamw.step();
      EXPECT_LE(by_newton.residual, 1.0001e-3);
      EXPECT_LE(by_adamw.residual, 1.0001e-3);
      EXPECT_GT(by_newton.newton_iterations, 0);
    }
  }
}

TEST(Residual, FallsByThePartThatIsAskedFor) {
  Settings settings = settings_for("newton", 0.01, 1e-12);
  settings.solver.newton.relative_tolerance = 0.5;
  Simulation half(sagging_beam(), settings);
  settings.solver.newton.relative_tolerance = 1e-8;
  Simulation whole(sagging_beam(), settings);
  const StepReport rough = half.step(), fine = whole.step();
  EXPECT_LT(rough.newton_iterations, fine.newton_iterations);
  EXPECT_GT(rough.residual, 10 * fine.residual);
}

/// Of a body in free fall under a force that is balanced by inertia nothing is left over.
TEST(Residual, IsNothingInFreeFall) {
  World world;
  add_rigid(world, surface_mesh(BoxShape{{0.2, 0.1, 0.2}}), {}, named("box", {0, 0, 0}));
  Simulation simulation(std::move(world), settings_for("newton", 0.01, 1e-2));
  const double weight = 1000 * 0.2 * 0.1 * 0.2 * 9.81;
  EXPECT_LT(simulation.step().residual, 1e-9 * weight);
}

TEST(Adamw, GivesTheSameBitsOnAnyNumberOfThreads) {
  for (World (*world)() : {ball_on_mat, stiff_boxes, jointed}) {
    const Vectors one = end_of(world(), settings_for("adamw", 2e-3, 1e-2, 1), 6);
    const Vectors two = end_of(world(), settings_for("adamw", 2e-3, 1e-2, 2), 6);
    EXPECT_EQ(one, two);
  }
}

TEST(Adamw, GoesOnFromASavedStateExactly) {
  for (World (*world)() : {ball_on_mat, stiff_boxes, jointed}) {
    const Settings settings = settings_for("adamw", 2e-3, 1e-2);
    Simulation whole(world(), settings);
    for (int k = 0; k < 4; ++k) whole.step();
    const State middle = whole.world().state;
    for (int k = 0; k < 4; ++k) whole.step();
    Simulation again(world(), settings);
    again.restore(middle);
    for (int k = 0; k < 4; ++k) again.step();
    EXPECT_EQ(again.world().state.position, whole.world().state.position);
    EXPECT_EQ(again.world().state.velocity, whole.world().state.velocity);
  }
}

/// Parameters as far from sense as the schema lets them be: steps are solved, or fail and leave the world alone.
TEST(Adamw, HostileParametersLeaveGoodStates) {
  struct Hostile {
    void (*change)(AdamwRule&);
    bool fails;
  };
  const Hostile cases[] = {{[](AdamwRule& r) { r.rate = 1e9; }, false},
                           {[](AdamwRule& r) { r.beta1 = r.beta2 = 0; }, false},
                           {[](AdamwRule& r) { r.epsilon = 0, r.check_interval = 1; }, false},
                           {[](AdamwRule& r) { r.rate = 1e-300, r.rate_growth = 1; }, true},
                           {[](AdamwRule& r) { r.max_iterations = 1; }, true},
                           {[](AdamwRule& r) { r.max_step_iterations = 7; }, true}};
  for (const Hostile& hostile : cases) {
    Settings settings = settings_for("adamw", 5e-3, 1e-2);
    settings.solver.adamw.max_iterations = 3000;
    settings.solver.max_halvings = 1;
    hostile.change(settings.solver.adamw);
    SCOPED_TRACE(&hostile - cases);
    Simulation simulation(ball_on_mat(), settings);
    const Vectors before = simulation.world().state.position;
    try {
      const StepReport report = simulation.step();
      EXPECT_FALSE(hostile.fails);
      EXPECT_EQ(report.outcome, Outcome::converged);
    } catch (const StepFailure& failure) {
      EXPECT_TRUE(hostile.fails);
      EXPECT_EQ(simulation.world().state.position, before);
      EXPECT_GT(failure.report().adamw_iterations, 0);
    }
  }
}

TEST(Adamw, LeavesBlockedScriptsToNewtonsMethod) {
  World world;
  add_deformable(world, solid_mesh(BoxShape{{0.2, 0.2, 0.2}}, 0.1), rubber(1e5),
                 named("block", {0, 0.101, 0}));
  const int press =
      add_rigid(world, surface_mesh(BoxShape{{0.4, 0.1, 0.4}}), {}, named("press", {0, 0.253, 0}));
  Motion down;
  down.linear_velocity = {0, -0.5, 0};
  hold(world, press, SelectAll{}, down);
  add_ground(world);
  Simulation simulation(std::move(world), settings_for("adamw", 5e-3, 1e-2));
  int newton = 0, adamw = 0;
  for (int k = 0; k < 4; ++k) {
    const StepReport report = simulation.step();
    newton += report.newton_iterations;
    adamw += report.adamw_iterations;
  }
  EXPECT_GT(newton, 0);
  EXPECT_GT(adamw, 0);
  EXPECT_NEAR(simulation.world().state.position(1, simulation.world().bodies[press].first_control),
              0.253 - 0.01, 1e-5);
}

TEST(Adamw, IsRefusedForStatics) {
  Settings settings = settings_for("adamw", 1, 1e-2);
  settings.time.integrator = "static";
  try {
    Simulation simulation(sagging_beam(), settings);
    ADD_FAILURE() << "was taken";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("/solver/minimiser"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("use \"newton\""), std::string::npos) << error.what();
  }
  settings.time.integrator = "implicit-euler";
  settings.solver.minimiser = "adam";
  EXPECT_THROW(Simulation(sagging_beam(), settings), InputError);
}

}  // namespace
}  // namespace bulwark
