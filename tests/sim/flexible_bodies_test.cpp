// Bodies of elements of higher order and of ANCF elements: statics against beam and plate theory, motion, contact.
#include <bulwark/collision/exact_intersection.hpp>
#include <bulwark/geometry/hexahedral_box.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/body_nodes.hpp>
#include <bulwark/sim/simulation.hpp>

#include <gtest/gtest.h>

#include <sim/at_rest.hpp>
#include <sim/jointed_world.hpp>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace bulwark {
namespace {

constexpr double pi = std::numbers::pi;

SelectHalfSpace left_of(double x) {
  return {{x, 0, 0}, {-1, 0, 0}};
}
SelectHalfSpace right_of(double x) {
  return {{x, 0, 0}, {1, 0, 0}};
}

ElasticMaterial svk(double young, double poisson) {
  ElasticMaterial m;
  m.model = ElasticModel::svk;
  m.young = young;
  m.poisson = poisson;
  return m;
}

AncfMesh straight_beam(double length, int elements) {
  SurfaceMesh line;
  line.vertices.resize(3, elements + 1);
  for (int k = 0; k <= elements; ++k) line.vertices.col(k) << length * k / elements, 0, 0;
  for (int k = 0; k < elements; ++k) line.edges.push_back({k, k + 1});
  return ancf_beam_mesh(line, Vector3::UnitZ(), "beam");
}

TEST(FlexibleBodies, ASteelCantileverOfTwoQuadraticElementsAcrossBendsAsItShould) {
  // 1 x 0.05 x 0.05 m, 1 kN: P L^3 / (3 E I) and the shear's share. The held face may contract, as beam theory has it:
  // held altogether, the beam bends 0.6 % less.
  World world;
  ElasticMaterial steel = svk(210e9, 0.3);
  steel.density = 7850;
  const SolidMesh mesh = hexahedral_box({1, 0.05, 0.05}, {20, 2, 2}, 2);
  const int beam = add_deformable(world, mesh, steel, named("beam", {0.5, 0, 0}));
  for (int k = 0; k < world.bodies[beam].point_count; ++k) {
    const Vector3 x = world.rest.col(k);
    if (x[0] > 1e-9) continue;
    world.held[k] |= 1;
    if (std::abs(x[1]) < 1e-9) world.held[k] |= 2;
    if (std::abs(x[2]) < 1e-9) world.held[k] |= 4;
  }
  add_traction(world, beam, right_of(1), Table::constant({0, -1000 / 0.0025, 0}));
  Settings settings = test::at_rest();
  settings.solver.tolerance = 1e-4;
  Simulation simulation(std::move(world), settings);
  simulation.step();
  const double I = std::pow(0.05, 4) / 12, shear = 210e9 / 2.6 * 0.0025 * 5 / 6;
  const double expected = 1000 / (3 * 210e9 * I) + 1000 / shear;
  const double tip = -(simulation.world().state.position - simulation.world().rest).row(1).minCoeff();
  EXPECT_NEAR(tip, expected, 5e-3 * expected);
}

TEST(FlexibleBodies, AHeldFaceOfQuadraticElementsAnswersTheLoad) {
  World world;
  const int beam = add_deformable(world, hexahedral_box({1, 0.1, 0.1}, {8, 1, 1}, 2), svk(1e9, 0.3),
                                  named("beam", {0.5, 0, 0}));
  hold(world, beam, left_of(0));
  add_traction(world, beam, right_of(1), Table::constant({0, -100 / 0.01, 0}));
  Simulation simulation(std::move(world), test::at_rest());
  simulation.step();
  const Wrench held = simulation.reactions()[0].wrench;
  EXPECT_NEAR(held.force.y(), 100, 1e-3);
  EXPECT_NEAR(held.torque.z() + held.point.x() * 100, 100, 0.5);
}

TEST(FlexibleBodies, AnAncfCantileverBendsAsABeam) {
  for (const double poisson : {0.0, 0.3}) {
    World world;
    ElasticMaterial m = svk(1e7, poisson);
    m.width = 0.1;
    m.height = 0.05;
    const int beam = add_ancf(world, straight_beam(2, 10), m, named("beam", {0, 0, 0}));
    hold(world, beam, left_of(0));
    add_force(world, beam, right_of(2), Table::constant({0, 0.01, 0}));
    Simulation simulation(std::move(world), test::at_rest());
    simulation.step();
    // Width along z, height along y (u x v = x x z = -y).
    const double I = 0.1 * std::pow(0.05, 3) / 12, expected = 0.01 * 8 / (3 * 1e7 * I);
    const Vectors& q = simulation.world().state.position;
    EXPECT_NEAR(q(1, 10), expected, 1e-2 * expected) << poisson;
    // The moment at the clamp comes from the slopes.
    const Wrench clamp = simulation.reactions()[0].wrench;
    EXPECT_NEAR(clamp.torque.z(), -0.02, 2e-4);
    EXPECT_NEAR(clamp.force.y(), -0.01, 1e-6);
  }
}

TEST(FlexibleBodies, AnAncfBeamRollsIntoACircle) {
  // Both ends clamped where a full circle has them: the energy of bending is that of the closed form.
  const double L = 1, young = 1e9;
  const int elements = 32;
  World world;
  ElasticMaterial m = svk(young, 0.3);
  m.width = 0.02;
  m.height = 0.01;
  const AncfMesh straight = straight_beam(L, elements);
  const int beam = add_ancf(world, straight, m, named("beam", {0, 0, 0}));
  // On the circle, with slopes that turn along it.
  const double radius = L / (2 * pi);
  Vectors& q = world.state.position;
  for (int k = 0; k <= elements; ++k) {
    const double angle = 2 * pi * k / elements;
    const Matrix3 turn = Eigen::AngleAxisd(angle, Vector3::UnitZ()).toRotationMatrix();
    q.col(k) << radius * std::sin(angle), radius * (1 - std::cos(angle)), 0.03 * k / elements;
    for (int s = 0; s < 3; ++s) q.col(elements + 1 + 3 * k + s) = turn * straight.slopes.col(3 * k + s);
  }
  hold(world, beam, SelectNodes{{0, elements}});  // where they are now
  Simulation simulation(std::move(world), test::at_rest());
  const StepReport report = simulation.step();
  const double I = 0.02 * std::pow(0.01, 3) / 12, expected = young * I * 2 * pi * pi / L;
  EXPECT_NEAR(report.energies.elastic, expected, 1e-2 * expected);
}

TEST(FlexibleBodies, APlateUnderPressureBendsAsAPlate) {
  // Square, clamped at its rim: w = 0.00126 p a^4 / D at the middle.
  const double a = 1, thickness = 0.01, young = 1e9, poisson = 0.3, pressure = 20;
  World world;
  ElasticMaterial m = svk(young, poisson);
  m.height = thickness;
  const int cells = 28;
  const AncfMesh mesh = ancf_plate(a, a, cells, cells);
  const int plate = add_ancf(world, mesh, m, named("plate", {0, 0, 0}));
  SelectNodes rim;
  for (int k = 0; k < static_cast<int>(mesh.nodes.cols()); ++k) {
    if (std::max(std::abs(mesh.nodes(0, k)), std::abs(mesh.nodes(2, k))) > a / 2 - 1e-9)
      rim.nodes.push_back(k);
  }
  hold(world, plate, rim);
  EXPECT_EQ(add_traction(world, plate, SelectAll{}, Table::constant({0, -pressure, 0})), cells * cells);
  Settings settings = test::at_rest();
  settings.solver.tolerance = 1e-4;
  Simulation simulation(std::move(world), settings);
  simulation.step();
  const double D = young * std::pow(thickness, 3) / (12 * (1 - poisson * poisson));
  const double expected = 0.00126532 * pressure * std::pow(a, 4) / D;
  const double middle = -simulation.world().state.position(1, (cells / 2) * (cells + 1) + cells / 2);
  EXPECT_NEAR(middle, expected, 1e-2 * expected);
}

/// Mirror symmetry at the plane of an axis: nodes stay in it, slopes along the axis stay along it, others at a right
/// angle to it.
void mirror(World& world, const Body& body, int node, int axis) {
  world.held[body.first_control + node] |= static_cast<HeldAxes>(1 << axis);
  for (int d = 0; d < body.directions_per_node; ++d) {
    const int control = body.first_control + body.point_count + body.directions_per_node * node + d;
    const bool along = std::abs(world.rest(axis, control)) > 0.99;
    world.held[control] |= static_cast<HeldAxes>(along ? all_axes & ~(1 << axis) : 1 << axis);
  }
}

/// A quarter of a cylinder whose cells are smallest at angle 0 and at its lower end.
AncfMesh graded_quarter(double radius, double length, int cells, double grading) {
  AncfMesh mesh = ancf_cylinder(radius, length, pi / 2, cells, cells);
  const auto graded = [&](int k) { return std::expm1(grading * k / cells) / std::expm1(grading); };
  for (int k = 0; k < static_cast<int>(mesh.nodes.cols()); ++k) {
    const double angle = pi / 2 * graded(k % (cells + 1)), c = std::cos(angle), s = std::sin(angle);
    mesh.nodes.col(k) << radius * c, length * (graded(k / (cells + 1)) - 0.5), -radius * s;
    mesh.slopes.middleCols<3>(3 * k) << -s, 0, c,  //
        0, 1, 0,                                   //
        -c, 0, -s;
  }
  return mesh;
}

/// What a force of 1000 moves the shell by, over the published value. R 300, L 600, t 3, E 3e6, nu 0.3, ends on rigid
/// diaphragms, two opposite forces: 1.8248e-5 per unit of force by a theory without shear across.
double pinched_cylinder(const AncfMesh& mesh, double shear_stiffness) {
  const double R = 300, L = 600, force = 1000, young = 3e6, poisson = 0.3,
               shear = young / (2 * (1 + poisson));
  World world;
  ElasticMaterial m = svk(young, poisson);
  m.model = ElasticModel::orthotropic;
  m.youngs = {young, young, young};
  m.poissons = {poisson, poisson, poisson};
  m.shears = {shear_stiffness * shear, shear_stiffness * shear, shear};
  m.height = 3;
  m.density = 1e-3;
  const int shell = add_ancf(world, mesh, m, named("octant", {0, 0, 0}));
  const Body& body = world.bodies[shell];
  for (int k = 0; k < body.point_count; ++k) {
    const Vector3 x = world.rest.col(k);
    if (std::abs(x[2]) < 1e-6) mirror(world, body, k, 2);
    if (std::abs(x[0]) < 1e-6) mirror(world, body, k, 0);
    if (std::abs(x[1] + L / 4) < 1e-6) mirror(world, body, k, 1);
    if (std::abs(x[1] - L / 4) < 1e-6) world.held[k] |= 1 | 4;  // the diaphragm
  }
  add_force(world, shell, SelectNodes{{0}}, Table::constant({-force / 4, 0, 0}));
  Settings settings = test::at_rest();
  settings.solver.tolerance = 1e-5;
  Simulation simulation(std::move(world), settings);
  simulation.step();
  const double moved = R - simulation.world().state.position(0, 0);
  return moved / (1.8248e-5 * force);
}

TEST(FlexibleBodies, APinchedCylinderGivesWayAsPublished) {
  const double thin = pinched_cylinder(graded_quarter(300, 300, 20, 2), 100);
  const double even = pinched_cylinder(ancf_cylinder(300, 300, pi / 2, 8, 8), 1);
  std::printf("[ pinched cylinder over the published value: %.4f, of 8 x 8 even cells with shear %.4f ]\n",
              thin, even);
  EXPECT_NEAR(thin, 1, 1e-2);
  EXPECT_NEAR(even, 1.016, 3e-2);  // 1.016: where fine meshes with the shear of the material end
}

/// Bodies of many kinds that fall onto each other.
World mixed_drop() {
  World world;
  add_plane(world, {0, 0, 0}, {0, 1, 0}, named("floor", {0, 0, 0}));
  ElasticMaterial rubber;
  rubber.young = 2e5;
  rubber.poisson = 0.4;
  ElasticMaterial mooney = rubber;
  mooney.model = ElasticModel::mooney_rivlin;
  mooney.c10 = 2e4;
  mooney.c01 = 1e4;
  mooney.bulk = 3e5;
  ElasticMaterial thin = svk(1e7, 0.3);
  thin.height = 0.02;
  thin.width = 0.04;
  add_deformable(world, hexahedral_box({0.4, 0.2, 0.4}, {2, 1, 2}, 2), rubber,
                 named("hexahedra", {0, 0.13, 0}));
  add_deformable(world, raised(as_solid_mesh(solid_mesh(SphereShape{0.15}, 0.15)), 2), mooney,
                 named("quadratic", {0, 0.45, 0}), MassKind::consistent, {3, {}});
  add_ancf(world, ancf_plate(0.5, 0.5, 3, 3), thin, named("plate", {0, 0.68, 0}));
  BodyOptions beam = named("beam", {-0.2, 0.8, 0});
  add_ancf(world, straight_beam(0.5, 4), thin, beam);
  add_deformable(world, raised(as_solid_mesh(solid_mesh(BoxShape{{0.15, 0.15, 0.15}}, 0.15)), 3), rubber,
                 named("cubic", {0.05, 0.95, 0.02}));
  add_affine(world, surface_mesh(BoxShape{{0.1, 0.1, 0.1}}, 0), StiffMaterial(),
             named("affine", {0, 1.12, 0}));
  return world;
}

TEST(FlexibleBodies, OfAllKindsCollideWithoutIntersection) {
  Settings settings;
  settings.time.step = 0.01;
  settings.contact.friction = 0.3;
  Simulation simulation(mixed_drop(), settings);
  for (int step = 0; step < 40; ++step) {
    simulation.step();
    const CollisionMesh& mesh = simulation.world().collision;
    ASSERT_TRUE(find_intersections(mesh, vertex_positions(mesh, simulation.world().state.position)).empty())
        << "step " << step;
  }
}

TEST(FlexibleBodies, KeepMomentumInFlight) {
  Settings settings;
  settings.gravity.setZero();
  settings.time.step = 0.01;
  World world;
  ElasticMaterial soft = svk(1e5, 0.3);
  soft.height = 0.02;
  BodyOptions solid = named("solid", {0, 0, 0}), shell = named("shell", {0, 2, 0});
  solid.velocity = shell.velocity = {1, 2, 3};
  solid.angular_velocity = shell.angular_velocity = {0, 3, 1};
  add_deformable(world, raised(as_solid_mesh(solid_mesh(BoxShape{{0.4, 0.3, 0.2}}, 0.2)), 2), soft, solid);
  add_ancf(world, ancf_plate(0.4, 0.4, 2, 2), soft, shell);
  const Vector3 before = world.state.velocity * world.gravity_mass;
  Simulation simulation(std::move(world), settings);
  for (int step = 0; step < 20; ++step) simulation.step();
  const Vector3 after = simulation.world().state.velocity * simulation.world().gravity_mass;
  EXPECT_LT((after - before).norm(), 1e-6 * before.norm());
}

TEST(FlexibleBodies, HaveTheSameBitsOnAnyNumberOfThreads) {
  Settings settings;
  settings.time.step = 0.01;
  settings.contact.friction = 0.3;
  std::vector<Vectors> ends;
  for (const int threads : {1, 2, 3}) {
    settings.solver.threads = threads;
    Simulation simulation(mixed_drop(), settings);
    for (int step = 0; step < 12; ++step) simulation.step();
    ends.push_back(simulation.world().state.position);
  }
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_EQ(ends[0], ends[2]);
}

TEST(FlexibleBodies, GoOnFromASavedStateWithTheSameBits) {
  Settings settings;
  settings.time.step = 0.01;
  settings.contact.friction = 0.3;
  Simulation whole(mixed_drop(), settings);
  State saved;
  for (int step = 0; step < 10; ++step) {
    whole.step();
    if (step == 4) saved = whole.world().state;
  }
  Simulation rest(mixed_drop(), settings);
  rest.restore(saved);
  for (int step = 5; step < 10; ++step) rest.step();
  EXPECT_EQ(rest.world().state.position, whole.world().state.position);
  EXPECT_EQ(rest.world().state.velocity, whole.world().state.velocity);
}

}  // namespace
}  // namespace bulwark
