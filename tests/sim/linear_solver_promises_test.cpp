// Conjugate gradients within the promises of a run: a state in the midst of contact goes on with the same bits on another
// number of threads, and the systems of joints whose bodies follow each other are solved as by factorisation.
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/solve/linear_solver.hpp>

#include <sim/jointed_world.hpp>

#include <gtest/gtest.h>

namespace bulwark {
namespace {

BodyOptions falling(const std::string& name, const Vector3& position) {
  BodyOptions options = named(name, position);
  options.velocity = {0.2, -1, 0};
  return options;
}

ElasticMaterial rubber() {
  ElasticMaterial m;
  m.young = 1e5;
  m.density = 1000;
  return m;
}

RodMaterial thick_rope(double radius) {
  RodMaterial m;
  m.radius = radius;
  m.young = 1e6;
  return m;
}

SurfaceMesh line(int parts, double length) {
  SurfaceMesh mesh;
  mesh.vertices.resize(3, parts + 1);
  for (int k = 0; k <= parts; ++k)
    mesh.vertices.col(k) << length * k / parts, 0, 0.1 * std::sin(0.7 * k) * length;
  for (int k = 0; k < parts; ++k) mesh.edges.push_back({k, k + 1});
  return mesh;
}

/// Soft and stiff bodies tied to each other and a thick rope, that fall on the ground as one heap.
World heap() {
  World world;
  add_plane(world, {0, 0, 0}, {0, 1, 0}, named("ground", {0, 0, 0}));
  const int soft = add_deformable(world, solid_mesh(BoxShape{{0.2, 0.1, 0.2}}, 0.05), rubber(),
                                  falling("soft", {0, 0.052, 0}));
  const int lid =
      add_affine(world, surface_mesh(BoxShape{{0.2, 0.04, 0.2}}), {}, falling("lid", {0, 0.1225, 0}));
  JointOptions glue = joint("glue", JointKind::attach, soft, lid, {0, 0, 0});
  glue.selection = SelectHalfSpace{{0, 0.1019, 0}, {0, 1, 0}};
  add_joint(world, glue);
  const int arm =
      add_affine(world, surface_mesh(BoxShape{{0.2, 0.04, 0.04}}), {}, falling("arm", {0.22, 0.1225, 0}));
  add_joint(world, joint("elbow", JointKind::hinge, arm, lid, {0.11, 0.1225, 0}));
  add_joint(world, joint("end", JointKind::point, arm, soft, {0.1, 0.1, 0}));
  add_rod(world, line(8, 0.4), thick_rope(0.03), falling("rope", {-0.2, 0.19, 0}));
  return world;
}

Settings settings_of(const std::string& linear, int threads) {
  Settings settings;
  settings.contact.friction = 0.4;
  settings.solver.linear = linear;
  settings.solver.threads = threads;
  return settings;
}

class LinearPromises : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Solvers, LinearPromises, testing::Values("cholesky", "cg"),
                         [](const auto& tested) { return tested.param; });

TEST_P(LinearPromises, AResumeInContactHasTheSameBitsOnOtherThreads) {
  Simulation whole(heap(), settings_of(GetParam(), 1));
  State middle;
  int contacts = 0;
  for (int step = 1; step <= 14; ++step) {
    contacts = whole.step().contacts;
    if (step == 9) {
      EXPECT_GT(contacts, 4);
      middle = whole.world().state;
    }
  }
  Simulation resumed(heap(), settings_of(GetParam(), 3));
  resumed.restore(middle);
  while (resumed.world().state.step < 14) resumed.step();
  EXPECT_EQ(whole.world().state.position, resumed.world().state.position);
  EXPECT_EQ(whole.world().state.velocity, resumed.world().state.velocity);
}

TEST(RecordedSystems, OfJointsWithFollowersAreSolvedAlikeByBothMethods) {
  Settings settings = settings_of("auto", 1);
  int systems = 0;
  settings.solver.record_system = [&](std::int64_t, const LinearSystem& system) {
    if (++systems % 4 != 1) return;
    // As their files would give them.
    const StoredSystem stored = system_of_bytes(bytes_of_system(system), "heap");
    VectorX direct, iterative;
    ASSERT_TRUE(make_cholesky()->solve(stored.view(), direct));
    LinearSystem tight = stored.view();
    tight.tolerance = 1e-10;
    ASSERT_TRUE(make_conjugate_gradient()->solve(tight, iterative));
    VectorX left;
    stored.matrix.multiply(iterative, left);
    EXPECT_LT((left - stored.rhs).norm(), 1e-8 * stored.rhs.norm());
    EXPECT_LT((direct - iterative).norm(), 1e-5 * direct.norm());
  };
  Simulation simulation(heap(), settings);
  for (int step = 0; step < 10; ++step) simulation.step();
  EXPECT_GT(systems, 20);
}

TEST(LargeRadii, RodsAsThickAsTheirSegmentsAreResumedOnOtherThreads) {
  const auto coil = [] {
    World world;
    add_plane(world, {0, 0, 0}, {0, 1, 0}, named("ground", {0, 0, 0}));
    SurfaceMesh lower = line(10, 0.5), upper = line(10, 0.5);
    upper.vertices.row(1).array() += 0.17;
    add_rod(world, lower, thick_rope(0.08), falling("lower", {0, 0.085, 0}));
    add_rod(world, upper, thick_rope(0.08), falling("upper", {0.03, 0.085, 0.01}));
    return world;
  };
  Simulation whole(coil(), settings_of("auto", 1));
  State middle;
  for (int step = 1; step <= 12; ++step) {
    const StepReport report = whole.step();
    if (step == 7) {
      EXPECT_GT(report.contacts, 4);
      middle = whole.world().state;
    }
  }
  Simulation resumed(coil(), settings_of("auto", 3));
  resumed.restore(middle);
  while (resumed.world().state.step < 12) resumed.step();
  EXPECT_EQ(whole.world().state.position, resumed.world().state.position);
}

}  // namespace
}  // namespace bulwark
