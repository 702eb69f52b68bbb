// Vertices that are attached to a soft body across a gap: they turn with it, hold, and take no angular momentum out of
// nothing. Surfaces under the barrier never touch, so that a gap is the usual case.
#include <bulwark/base/error.hpp>
#include <bulwark/geometry/hexahedral_box.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/stencils/joint_coordinate.hpp>

#include <gtest/gtest.h>

#include <sim/jointed_world.hpp>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace bulwark {
namespace {

enum class Carrier { tetrahedra, quadratic, cubic, quartic, hexahedra, beam, plate, cloth, rod };
constexpr Carrier all_carriers[] = {Carrier::tetrahedra, Carrier::quadratic, Carrier::cubic,
                                    Carrier::quartic,    Carrier::hexahedra, Carrier::beam,
                                    Carrier::plate,      Carrier::cloth,     Carrier::rod};
constexpr const char* carrier_names[] = {"tetrahedra", "T10",        "order 3", "order 4", "hexahedra",
                                         "ANCF beam",  "ANCF shell", "cloth",   "rod"};
constexpr double length = 0.4, width = 0.04, usual_gap = 0.002;

bool is_thin(Carrier carrier) {
  return carrier == Carrier::cloth || carrier == Carrier::rod;
}

ElasticMaterial plastic_of(double young) {
  ElasticMaterial m;
  m.model = ElasticModel::svk;
  m.young = young;
  m.poisson = 0.3;
  m.density = 1000;
  m.width = m.height = width;
  return m;
}

SurfaceMesh straight_line(int parts) {
  SurfaceMesh line;
  line.vertices.resize(3, parts + 1);
  for (int k = 0; k <= parts; ++k) line.vertices.col(k) << length * k / parts - 0.5 * length, 0, 0;
  for (int k = 0; k < parts; ++k) line.edges.push_back({k, k + 1});
  return line;
}

SolidMesh bar_of_order(int order) {
  const Vector3 counts(5, 1, 1);
  SolidMesh mesh = as_solid_mesh(solid_mesh(BoxShape{counts}, 1));
  if (order > 1) mesh = raised(mesh, order);
  mesh.vertices = Vector3(length, width, width).cwiseQuotient(counts).asDiagonal() * mesh.vertices;
  return mesh;
}

/// A soft bar, sheet or wire along x about the origin. Its upper side lies at y = `top`.
struct CarrierBody {
  int body = -1;
  double top = 0.5 * width;
};
CarrierBody add_carrier(World& world, Carrier kind) {
  const BodyOptions options = named("carrier", Vector3::Zero());
  const ElasticMaterial m = plastic_of(1e6);
  switch (kind) {
    case Carrier::tetrahedra:
      return {add_deformable(world, bar_of_order(1), m, options)};
    case Carrier::quadratic:
      return {add_deformable(world, bar_of_order(2), m, options)};
    case Carrier::cubic:
      return {add_deformable(world, bar_of_order(3), m, options)};
    case Carrier::quartic:
      return {add_deformable(world, bar_of_order(4), m, options)};
    case Carrier::hexahedra:
      return {add_deformable(world, hexahedral_box({length, width, width}, {5, 1, 1}, 2), m, options)};
    case Carrier::beam:
      return {add_ancf(world, ancf_beam_mesh(straight_line(4), Vector3::UnitZ(), "beam"), m, options)};
    case Carrier::plate:
      return {add_ancf(world, ancf_plate(length, width, 4, 1), m, options)};
    case Carrier::cloth: {
      ClothMaterial cloth;
      return {add_shell(world, surface_mesh(GridShape{{length, 0.1}, {8, 2}}), cloth, options), 0};
    }
    case Carrier::rod: {
      RodMaterial wire;
      wire.radius = 2e-3;
      return {add_rod(world, straight_line(8), wire, options), 0};
    }
  }
  return {};
}

/// A block that sits over a carrier, the vertices of its lower face attached across a gap.
struct Glued {
  World world;
  int carrier = 0, block = 0, joint = 0;
};
Glued glued(Carrier kind, double gap = usual_gap, const JointOptions& given = {}) {
  Glued g;
  const CarrierBody carrier = add_carrier(g.world, kind);
  g.carrier = carrier.body;
  const double bottom = carrier.top + (is_thin(kind) ? 2e-3 : 0) + gap;
  // Over a rod it has one row of vertices.
  const double z = kind == Carrier::rod ? 0.0165 : 0.002;
  g.block = add_deformable(g.world, solid_mesh(BoxShape{{0.06, 0.06, 0.03}}, 0.03), plastic_of(1e5),
                           named("block", {0.013, bottom + 0.03, z}));
  JointOptions options = given;
  options.name = "glue";
  options.kind = JointKind::attach;
  options.body_a = g.block;
  options.body_b = g.carrier;
  options.selection = SelectBox{{-1, -1, -1}, {1, bottom + 1e-6, kind == Carrier::rod ? 0.01 : 1}};
  g.joint = add_joint(g.world, options);
  return g;
}

/// How far equations are from holding at q (m).
double error_at(const World& world, const Vectors& q) {
  double worst = 0;
  for (const ConstraintRow& row : world.joint_rows) {
    double sum = -row.value;
    for (const auto& [scalar, weight] : row.entries) sum += weight * q(scalar % 3, scalar / 3);
    worst = std::max(worst, std::abs(sum));
  }
  for (const WorldDrive& drive : world.joint_drives) {
    const JointCoordinate& c = world.joint_coordinates[drive.drive.coordinate];
    worst = std::max(worst,
                     std::abs(joint_coordinate(c.measure, c.vectors(q), 0) - drive.drive.potential.target));
  }
  return worst;
}

Vectors turned_world(const World& world, const Matrix3& turn, const Vector3& shift) {
  Vectors q = world.state.position;
  for (Eigen::Index c = 0; c < q.cols(); ++c) {
    if (world.roles[c] == ControlRole::parameter) continue;
    q.col(c) = turn * q.col(c);
    if (world.roles[c] == ControlRole::point) q.col(c) += shift;
  }
  return q;
}

Vector3 angular_momentum_of(const World& world) {
  Vector3 sum = Vector3::Zero();
  const State& state = world.state;
  for (const Eigen::Triplet<double>& entry : world.mass_entries)
    sum += entry.value() *
           Vector3(state.position.col(entry.row())).cross(Vector3(state.velocity.col(entry.col())));
  return sum;
}

TEST(AttachAcrossAGap, VerticesTurnWithWhatCarriesThem) {
  for (const Carrier kind : all_carriers) {
    SCOPED_TRACE(carrier_names[static_cast<int>(kind)]);
    const Glued g = glued(kind);
    EXPECT_LT(error_at(g.world, g.world.state.position), 1e-15);
    for (const double degrees : {37.0, 90.0, 180.0}) {
      for (const Vector3& axis : {Vector3(0, 0, 1), Vector3(1, 0, 0), Vector3(1, 2, 3)}) {
        const Matrix3 turn = Eigen::AngleAxisd(degrees * M_PI / 180, axis.normalized()).toRotationMatrix();
        EXPECT_LT(error_at(g.world, turned_world(g.world, turn, {3, -2, 1})), 1e-9 * length);
      }
    }
  }
}

/// Lets both bodies turn about z as one.
void spin(World& world, double speed) {
  for (Eigen::Index c = 0; c < world.state.position.cols(); ++c) {
    if (world.roles[c] != ControlRole::parameter)
      world.state.velocity.col(c) = Vector3(0, 0, speed).cross(Vector3(world.state.position.col(c)));
  }
}

TEST(AttachAcrossAGap, TiedBodiesThatSpinFreelyKeepTheirAngularMomentum) {
  for (const Carrier kind :
       {Carrier::tetrahedra, Carrier::cubic, Carrier::beam, Carrier::cloth, Carrier::rod}) {
    SCOPED_TRACE(carrier_names[static_cast<int>(kind)]);
    Glued g = glued(kind);
    spin(g.world, 20);
    const Vector3 before = angular_momentum_of(g.world);
    Settings settings = without_contact(2e-3);
    settings.time.integrator = "newmark";
    settings.gravity = Vector3::Zero();
    Simulation simulation(std::move(g.world), settings);
    // Half a turn: over a whole one the torque of an offset that stays in the world cancels out.
    const double error = watched_run(simulation, 79).error;
    const Vector3 after = angular_momentum_of(simulation.world());
    EXPECT_LT((after - before).norm(), 5e-4 * before.norm());
    EXPECT_LT(error, is_thin(kind) ? 1.01e-8 * length : 1e-12);
  }
}

TEST(AttachAcrossAGap, HoldsWhileTheCarrierIsTurnedOver) {
  for (const Carrier kind : {Carrier::quadratic, Carrier::plate, Carrier::cloth, Carrier::rod}) {
    SCOPED_TRACE(carrier_names[static_cast<int>(kind)]);
    JointOptions options;
    options.tolerance = 1e-9 * length;
    Glued g = glued(kind, usual_gap, options);
    Motion over;
    over.angular_velocity = {0, 0, 2 * M_PI};
    over.pivot = {-0.5 * length, 0, 0};
    hold(g.world, g.carrier, SelectHalfSpace{{-0.5 * length + 1e-6, 0, 0}, {-1, 0, 0}}, over);
    const MaterialVector on_block = g.world.joints[g.joint].point_a, beside = g.world.joints[g.joint].point_b;
    const double apart = (on_block - beside).at(g.world.state.position).norm();
    Settings settings = without_contact(0.01);
    settings.gravity.setZero();
    Simulation simulation(std::move(g.world), settings);
    for (int step = 0; step < 50; ++step) {
      simulation.step();
      EXPECT_LT(simulation.joint_states()[g.joint].error, 1.01e-9 * length);
    }
    // The middle of the attached vertices is still as far from what carries it.
    const double now = (on_block - beside).at(simulation.world().state.position).norm();
    EXPECT_NEAR(now, apart, is_thin(kind) ? 1e-2 * apart : 1e-9 * length);
  }
}

TEST(AttachAcrossAGap, AnyGapIsTaken) {
  for (const Carrier kind : {Carrier::tetrahedra, Carrier::quartic, Carrier::cloth, Carrier::rod}) {
    SCOPED_TRACE(carrier_names[static_cast<int>(kind)]);
    // Less is inside of the solid: of thin bodies next to the middle surface or line.
    for (const double gap : {is_thin(kind) ? -2e-3 : -1e-3, is_thin(kind) ? -2e-3 + 1e-9 : 1e-9, 1e-5,
                             is_thin(kind) ? 1.5e-3 : 3.9e-3}) {
      SCOPED_TRACE("gap " + std::to_string(gap));
      Glued g = glued(kind, gap);
      spin(g.world, 20);
      Settings settings = without_contact(0.01);
      settings.gravity = Vector3::Zero();
      Simulation simulation(std::move(g.world), settings);
      EXPECT_LT(watched_run(simulation, 5).error, 1.01e-8 * length);
    }
  }
}

TEST(AttachAcrossAGap, WhatCanNotBeCarriedIsRefused) {
  const auto refusal = [](const std::function<void()>& add) -> std::string {
    try {
      add();
    } catch (const InputError& error) {
      return error.what();
    }
    return "was taken";
  };
  JointOptions eliminate;
  eliminate.method = JointMethod::eliminate;
  for (const Carrier kind : {Carrier::cloth, Carrier::rod})
    EXPECT_NE(refusal([&] { glued(kind, usual_gap, eliminate); }).find("not linear"), std::string::npos);
  EXPECT_NE(refusal([&] { glued(Carrier::cubic, 0.01); }).find("away from it"), std::string::npos);
  EXPECT_EQ(refusal([&] { glued(Carrier::cubic, usual_gap, eliminate); }), "was taken");
  // Points have no directions at all.
  EXPECT_NE(refusal([] {
              World world;
              SurfaceMesh points;
              points.vertices = Vectors::Random(3, 20);
              for (int k = 0; k < 20; ++k) points.points.push_back(k);
              const int swarm = add_particles(world, points, 1, {}, named("swarm", Vector3::Zero()));
              const Vector3 near = points.vertices.col(0) + Vector3(1e-3, 0, 0);
              SurfaceMesh line = straight_line(2);
              line.vertices.colwise() += near;
              JointOptions options =
                  joint("glue", JointKind::attach, add_rod(world, line, {}, named("rod", Vector3::Zero())),
                        swarm, near);
              options.selection = SelectNodes{{1}};
              add_joint(world, options);
            }).find("made of points"),
            std::string::npos);
}

/// A block that hangs on a cloth or a solid by glue as thick as the barrier's contact distance, and lands on the ground.
World falling_pair(Carrier kind) {
  Glued g = glued(kind, 5e-4);
  spin(g.world, 6);
  add_plane(g.world, {0, -0.08, 0}, {0.1, 1, 0}, named("ground", Vector3::Zero()));
  return std::move(g.world);
}

TEST(AttachAcrossAGap, SameBitsOnAnyNumberOfThreadsAndAfterAResumeInContact) {
  for (const Carrier kind : {Carrier::quadratic, Carrier::cloth, Carrier::rod}) {
    SCOPED_TRACE(carrier_names[static_cast<int>(kind)]);
    Settings settings;
    settings.contact.friction = 0.3;
    settings.solver.threads = 1;
    Simulation whole(falling_pair(kind), settings);
    State middle;
    int contacts = 0;
    for (int step = 0; step < 12; ++step) {
      contacts += whole.step().contacts;
      EXPECT_LT(whole.joint_states()[0].error, 1.01e-8 * length);
      if (step == 7) middle = whole.world().state;
    }
    EXPECT_GT(contacts, 0);
    settings.solver.threads = 3;
    Simulation resumed(falling_pair(kind), settings);
    resumed.restore(middle);
    while (resumed.world().state.step < 12) resumed.step();
    EXPECT_EQ(whole.world().state.position, resumed.world().state.position);
    EXPECT_EQ(whole.world().state.joint_multipliers, resumed.world().state.joint_multipliers);
  }
}

}  // namespace
}  // namespace bulwark
