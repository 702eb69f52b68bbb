// Joints of soft bodies, with each other and with stiff ones: what they let move, how well they hold, what they carry.
#include <bulwark/base/error.hpp>
#include <bulwark/geometry/hexahedral_box.hpp>
#include <bulwark/geometry/shapes.hpp>

#include <gtest/gtest.h>

#include <sim/jointed_world.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace bulwark {
namespace {

enum class Bar { rigid, affine, quadratic, hexahedra, beam, plate };
constexpr Bar all_bars[] = {Bar::rigid, Bar::affine, Bar::quadratic, Bar::hexahedra, Bar::beam, Bar::plate};
constexpr const char* bar_names[] = {"rigid", "affine", "T10", "hexahedra", "ANCF beam", "ANCF shell"};
constexpr double bar_length = 0.4, bar_width = 0.04, bar_mass = bar_length * bar_width * bar_width * 1000;

ElasticMaterial plastic() {
  ElasticMaterial m;
  m.model = ElasticModel::svk;
  m.young = 1e9;
  m.poisson = 0.3;
  m.density = 1000;
  m.shear_viscosity = m.bulk_viscosity = 1e4;
  m.width = m.height = bar_width;
  return m;
}

SolidMesh t10_bar(const Vector3& sides, const std::array<int, 3>& cells) {
  const Vector3 counts(cells[0], cells[1], cells[2]);
  SolidMesh mesh = raised(as_solid_mesh(solid_mesh(BoxShape{counts}, 1)), 2);
  mesh.vertices = sides.cwiseQuotient(counts).asDiagonal() * mesh.vertices;
  return mesh;
}

/// A bar along x that begins at `start`.
int add_bar(World& world, Bar kind, const std::string& name, const Vector3& start) {
  const Vector3 sides(bar_length, bar_width, bar_width), middle = start + Vector3(0.5 * bar_length, 0, 0);
  switch (kind) {
    case Bar::rigid:
      return add_stiff(world, BodyKind::rigid, sides, named(name, middle));
    case Bar::affine:
      return add_stiff(world, BodyKind::affine, sides, named(name, middle));
    case Bar::quadratic:
      return add_deformable(world, t10_bar(sides, {5, 1, 1}), plastic(), named(name, middle));
    case Bar::hexahedra:
      return add_deformable(world, hexahedral_box(sides, {5, 1, 1}, 2), plastic(), named(name, middle));
    case Bar::beam: {
      SurfaceMesh line;
      constexpr int elements = 4;
      line.vertices.resize(3, elements + 1);
      for (int k = 0; k <= elements; ++k) line.vertices.col(k) << bar_length * k / elements, 0, 0;
      for (int k = 0; k < elements; ++k) line.edges.push_back({k, k + 1});
      return add_ancf(world, ancf_beam_mesh(line, Vector3::UnitZ(), name), plastic(), named(name, start));
    }
    case Bar::plate:
      return add_ancf(world, ancf_plate(bar_length, bar_width, 4, 1), plastic(), named(name, middle));
  }
  return -1;
}

/// Two bars, the first from the origin to the right, the second to the left and held at its end; what joins them is
/// between them.
struct TwoBars {
  World world;
  int first = 0, second = 0, joined = 0;
};
TwoBars two_bars(Bar first, Bar second, JointOptions options) {
  TwoBars bars;
  bars.first = add_bar(bars.world, first, "first", Vector3::Zero());
  bars.second = add_bar(bars.world, second, "second", {-bar_length, 0, 0});
  const Vector3 end(-bar_length, 0, 0);
  if (bars.world.bodies[bars.second].is_stiff()) {
    add_joint(bars.world, joint("clamp", JointKind::weld, bars.second, world_body, end));
  } else {
    hold(bars.world, bars.second, SelectHalfSpace{{-bar_length + 1e-6, 0, 0}, {-1, 0, 0}});
  }
  options.body_a = bars.first;
  options.body_b = bars.second;
  bars.joined = add_joint(bars.world, options);
  return bars;
}

Settings fine_settings(double h) {
  Settings s = without_contact(h);
  s.solver.tolerance = 1e-5;
  return s;
}

JointOptions between(JointKind kind, const Vector3& axis = Vector3::UnitZ()) {
  return joint("joint", kind, 0, 1, Vector3::Zero(), axis);
}

/// How far the free end has come down.
double fallen(const Simulation& simulation, const TwoBars& bars) {
  const MaterialVector tip = material_point(bars.world, bars.first, {bar_length, 0, 0});
  return -tip.at(simulation.world().state.position).y();
}

struct Fall {
  double error = 0, tip = 0, angle = 0;
  JointState last;
};
Fall fall_of(Bar first, Bar second, const JointOptions& options, int steps = 20, double h = 5e-3) {
  const TwoBars bars = two_bars(first, second, options);
  Simulation simulation(bars.world, fine_settings(h));
  Fall fall;
  for (int step = 0; step < steps; ++step) {
    simulation.step();
    fall.last = simulation.joint_states()[bars.joined];
    fall.error = std::max(fall.error, fall.last.error);
  }
  fall.tip = fallen(simulation, bars);
  fall.angle = fall.last.coordinate;
  return fall;
}

TEST(SoftJoints, EveryKindHoldsBetweenEveryPairOfBodies) {
  JointOptions universal = between(JointKind::universal, Vector3::UnitZ());
  universal.second_axis = Vector3::UnitY();
  JointOptions cylindrical = between(JointKind::slider, Vector3::UnitX());
  cylindrical.turning = Turning::about_axis;
  const JointOptions prismatic = between(JointKind::slider, Vector3::UnitX());
  for (const Bar first : all_bars) {
    for (const Bar second : all_bars) {
      SCOPED_TRACE(std::string(bar_names[static_cast<int>(first)]) + " on " +
                   bar_names[static_cast<int>(second)]);
      const Fall ball = fall_of(first, second, between(JointKind::point)),
                 hinge = fall_of(first, second, between(JointKind::hinge)),
                 weld = fall_of(first, second, between(JointKind::weld));
      for (const Fall& fall : {ball, hinge, weld, fall_of(first, second, universal),
                               fall_of(first, second, cylindrical), fall_of(first, second, prismatic)})
        EXPECT_LT(fall.error, 1.01e-8);
      // In 0.1 s a free bar turns by some 0.18 rad; a welded one only bends.
      EXPECT_GT(ball.tip, 0.05);
      EXPECT_NEAR(hinge.tip, ball.tip, 0.05 * ball.tip);
      EXPECT_NEAR(hinge.angle, -std::asin(hinge.tip / bar_length), 0.03);
      EXPECT_LT(weld.tip, 0.1 * ball.tip);
    }
  }
}

TEST(SoftJoints, HingeAcrossTheWeightCarriesItsMoment) {
  // About y a hinge does not let the bar fall: its moment is that of the bar's weight.
  for (const Bar first : all_bars) {
    SCOPED_TRACE(bar_names[static_cast<int>(first)]);
    World world;
    const int bar = add_bar(world, first, "bar", Vector3::Zero());
    JointOptions options =
        joint("hinge", JointKind::hinge, bar, world_body, Vector3::Zero(), Vector3::UnitY());
    const int hinge = add_joint(world, options);
    Settings settings = fine_settings(2e-2);
    settings.gravity = {0, -1, 0};
    Simulation simulation(std::move(world), settings);
    for (int step = 0; step < 200; ++step) simulation.step();
    const JointState& state = simulation.joint_states()[hinge];
    EXPECT_NEAR(state.force.y(), bar_mass, 1e-4 * bar_mass);
    EXPECT_NEAR(state.torque.z(), 0.5 * bar_length * bar_mass, 5e-3 * bar_length * bar_mass);
    EXPECT_NEAR(state.torque.y(), 0, 1e-6 * bar_mass);
    EXPECT_LT(state.error, 1.01e-8);
  }
}

TEST(SoftJoints, MethodsAgree) {
  // Elimination ties whole vectors, and with them how the fibres stretch; springs yield a little.
  for (const Bar first : {Bar::affine, Bar::quadratic, Bar::beam}) {
    for (const JointKind kind : {JointKind::point, JointKind::hinge, JointKind::weld}) {
      SCOPED_TRACE(std::string(bar_names[static_cast<int>(first)]) + " by a " +
                   std::string(joint_kind_name(kind)));
      std::vector<Fall> falls;
      for (const JointMethod method : {JointMethod::automatic, JointMethod::eliminate,
                                       JointMethod::augmented_lagrangian, JointMethod::penalty}) {
        JointOptions options = between(kind);
        options.method = method;
        falls.push_back(fall_of(first, Bar::quadratic, options));
      }
      EXPECT_LT(falls[1].error, 1e-12);
      EXPECT_LT(falls[2].error, 1.01e-8);
      EXPECT_GT(falls[3].error, falls[2].error);
      for (std::size_t method = 0; method < falls.size(); ++method) {
        SCOPED_TRACE("method " + std::to_string(method));
        const Fall& fall = falls[method];
        // Whose section can't contract is stiffer along a whole element of a beam.
        const bool tied = method == 1 && first == Bar::beam && kind == JointKind::weld;
        EXPECT_NEAR(fall.tip, falls[0].tip, (tied ? 0.06 : 0.02) * falls[0].tip);
        EXPECT_NEAR(fall.last.force.y(), falls[0].last.force.y(), 0.02 * falls[0].last.force.norm());
      }
    }
  }
}

TEST(SoftJoints, SliderOnASoftBodyStaysOnItsLine) {
  TwoBars bars;
  World& world = bars.world;
  const int rail = add_bar(world, Bar::quadratic, "rail", Vector3::Zero());
  hold(world, rail, SelectHalfSpace{{1e-6, 0, 0}, {-1, 0, 0}});
  const int bead = box(world, "bead", {0.02, 0.02, 0.02}, {0.1, 0.1, 0});
  JointOptions slider = joint("slider", JointKind::slider, bead, rail, {0.1, 0, 0}, Vector3::UnitX());
  add_joint(world, slider);
  Settings settings = fine_settings(5e-3);
  settings.gravity = {5, -1, 0};
  Simulation simulation(world, settings);
  const WatchedRun run = watched_run(simulation, 40);
  EXPECT_LT(run.error, 1.01e-8);
  EXPECT_NEAR(run.highest(0), 0.5 * 5 * 0.2 * 0.2, 0.02);
}

TEST(SoftJoints, AGripSpreadsAJointOverItsNodes) {
  World world;
  const int bar = add_bar(world, Bar::quadratic, "bar", Vector3::Zero());
  JointOptions options = joint("hinge", JointKind::hinge, bar, world_body, {-0.01, 0, 0});
  EXPECT_THROW(add_joint(world, options), InputError);  // there is no material
  options.grip = 0.06;
  const int hinge = add_joint(world, options);
  EXPECT_GT(world.joints[hinge].point_a.weights.size(), 12u);
  EXPECT_LT((world.joints[hinge].point_a.at(world.state.position) - options.point).norm(), 1e-12);
  Settings settings = fine_settings(5e-3);
  Simulation simulation(std::move(world), settings);
  const WatchedRun run = watched_run(simulation, 20);
  EXPECT_LT(run.error, 1.01e-8);
  EXPECT_LT(run.coordinates[hinge].back(), -0.15);
  options.grip = 1e-3;
  World other;
  options.body_a = add_bar(other, Bar::quadratic, "bar", Vector3::Zero());
  EXPECT_THROW(add_joint(other, options), InputError);
}

TEST(SoftJoints, ClothAndRodsHaveTheDirectionsThatLieInThem) {
  World world;
  ClothMaterial cloth;
  const int flag =
      add_shell(world, surface_mesh(GridShape{{0.4, 0.4}, {4, 4}}), cloth, named("flag", {0.2, 0, 0}));
  // It lies in xz: about x it may turn; along y, its normal, it has no direction.
  add_joint(world, joint("hinge", JointKind::hinge, flag, world_body, {0.2, 0, 0}, Vector3::UnitX()));
  EXPECT_THROW(add_joint(world, joint("up", JointKind::weld, flag, world_body, {0.2, 0, 0})), InputError);
  Settings settings = fine_settings(5e-3);
  Simulation simulation(std::move(world), settings);
  EXPECT_LT(watched_run(simulation, 20).error, 1.01e-8);

  World second;
  SurfaceMesh line;
  line.vertices.resize(3, 5);
  for (int k = 0; k < 5; ++k) line.vertices.col(k) << 0.1 * k, 0, 0;
  for (int k = 0; k < 4; ++k) line.edges.push_back({k, k + 1});
  RodMaterial wire;
  wire.radius = 5e-3;
  const int rod = add_rod(second, line, wire, named("rod", {0, 0, 0}));
  const int stone = box(second, "stone", {0.1, 0.1, 0.1}, {-0.2, 0, 0});
  // The rod may turn about itself in the stone, and leaves it in one direction.
  add_joint(second, joint("socket", JointKind::hinge, rod, stone, {0, 0, 0}, Vector3::UnitX()));
  add_joint(second, joint("clamp", JointKind::weld, stone, world_body, {-0.2, 0, 0}));
  EXPECT_THROW(add_joint(second, joint("across", JointKind::hinge, rod, stone, {0, 0, 0}, Vector3::UnitY())),
               InputError);
  Simulation bending(std::move(second), settings);
  EXPECT_LT(watched_run(bending, 20).error, 1.01e-8);
  // The first segment stays along x, up to the angle of its follower.
  const Vectors& q = bending.world().state.position;
  EXPECT_LT(std::abs(q(1, 1) - q(1, 0)), 1e-6);
  EXPECT_LT(q(1, 4), -1e-4);
}

/// A hanging T10 bar below another one, pulled down by a force: what the joints carry.
TEST(SoftJoints, ReactionsOfAPulledDoublePendulumAreThoseOfStatics) {
  for (const JointKind kind : {JointKind::point, JointKind::hinge}) {
    SCOPED_TRACE(std::string(joint_kind_name(kind)));
    World world;
    const double length = 0.5, side = 0.04, mass = 1200 * length * side * side, pull = 40;
    ElasticMaterial m = plastic();
    m.young = 1e7;
    m.density = 1200;
    std::vector<int> beams;
    for (int k = 0; k < 2; ++k)
      beams.push_back(add_deformable(world, t10_bar({side, side, length}, {1, 1, 6}), m,
                                     named("beam" + std::to_string(k), {0, 0, 0.7 - length * (k + 0.5)})));
    const int upper =
        add_joint(world, joint("upper", kind, beams[0], world_body, {0, 0, 0.7}, Vector3::UnitY()));
    const int lower =
        add_joint(world, joint("lower", kind, beams[1], beams[0], {0, 0, 0.2}, Vector3::UnitY()));
    add_force(world, beams[1], SelectHalfSpace{{0, 0, -0.299}, {0, 0, -1}},
              Table{{0, 0.1}, {Vector3::Zero(), Vector3(0, 0, -pull)}});
    Settings settings = fine_settings(2e-3);
    settings.gravity = {0, 0, -9.81};
    Simulation simulation(std::move(world), settings);
    const WatchedRun run = watched_run(simulation, 250);
    EXPECT_LT(run.error, 1.01e-8);
    const double on_lower = mass * 9.81 + pull, on_upper = 2 * mass * 9.81 + pull;
    const std::vector<JointState>& states = simulation.joint_states();
    EXPECT_NEAR(states[lower].force.z(), on_lower, 1e-3 * on_lower);
    EXPECT_NEAR(states[upper].force.z(), on_upper, 1e-3 * on_upper);
    EXPECT_LT(states[upper].force.head<2>().norm(), 1e-3 * on_upper);
    EXPECT_LT(states[upper].torque.norm(), 1e-3 * on_upper * side);
  }
}

TEST(SoftJoints, RestartGoesOnBitByBitOnAnyNumberOfThreads) {
  const auto make = [] { return two_bars(Bar::quadratic, Bar::beam, between(JointKind::hinge)).world; };
  Settings settings = fine_settings(5e-3);
  settings.solver.threads = 1;
  Simulation whole(make(), settings);
  watched_run(whole, 5);
  const State middle = whole.world().state;
  watched_run(whole, 5);
  settings.solver.threads = 3;
  Simulation resumed(make(), settings);
  resumed.restore(middle);
  watched_run(resumed, 5);
  EXPECT_EQ(whole.world().state.position, resumed.world().state.position);
  EXPECT_EQ(whole.world().state.joint_multipliers, resumed.world().state.joint_multipliers);
}

TEST(SoftJoints, BodiesThatDoNotMeetAreRefused) {
  World world;
  ElasticMaterial rubber;
  rubber.young = 1e5;
  const TetMesh cube = solid_mesh(BoxShape{{0.4, 0.4, 0.4}}, 0.2);
  const int first = add_deformable(world, cube, rubber, named("first", {0, 0, 0}));
  const int second = add_deformable(world, cube, rubber, named("second", {0.404, 0, 0}));
  try {
    add_joint(world, joint("gap", JointKind::point, first, second, {0.202, 0, 0}));
    ADD_FAILURE() << "was taken";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("do not meet"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace bulwark
