// Whole terms against finite differences: what stencils compute right must also be put together right.
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/world.hpp>
#include <bulwark/solve/coordinates.hpp>
#include <bulwark/stencils/contact_barrier.hpp>
#include <bulwark/terms/barrier_contact.hpp>
#include <bulwark/terms/elasticity.hpp>
#include <bulwark/terms/friction.hpp>
#include <bulwark/terms/script_pull.hpp>

#include <gtest/gtest.h>

#include <random>

namespace bulwark {
namespace {

/// Two boxes, one over the other, and a plane, all within contact range; displaced a little at random.
World two_boxes() {
  World world;
  BodyOptions lower, upper, ground;
  lower.name = "lower";
  upper.name = "upper";
  upper.pose.position = {0.13, 1.06, 0.21};
  ground.name = "ground";
  add_deformable(world, solid_mesh(BoxShape{}), {}, lower);
  add_deformable(world, solid_mesh(BoxShape{}), {}, upper);
  add_plane(world, {0, -0.57, 0}, {0.02, 1, 0.01}, ground);
  srand(7);
  world.state.position += 0.01 * Vectors::Random(3, world.control_count());
  return world;
}

MatrixX dense_hessian(const Term& term, const Vectors& q, const HessianModel& model) {
  const Coordinates coordinates(VectorX::Ones(q.cols()), {});
  HessianBlocks parts;
  term.hessian(q, model, coordinates.map(), parts);
  EXPECT_TRUE(parts.unknowns.key.empty());  // those are for stiff bodies
  const BlockList& blocks = parts.controls;
  MatrixX h = MatrixX::Zero(q.size(), q.size());
  for (std::size_t k = 0; k < blocks.key.size(); ++k) {
    const int row = static_cast<int>(blocks.key[k] >> 32),
              column = static_cast<int>(blocks.key[k] & 0xffffffffu);
    h.block<3, 3>(3 * row, 3 * column) += blocks.value[k];
    if (row != column) h.block<3, 3>(3 * column, 3 * row) += blocks.value[k].transpose();
  }
  return h;
}

void check_derivatives(Term& term, const Vectors& q, double step) {
  auto gradient_at = [&](const Vectors& x) {
    term.prepare(x);
    Vectors g = Vectors::Zero(3, x.cols());
    term.add_gradient(x, g);
    return g;
  };
  const Vectors gradient = gradient_at(q);
  const MatrixX hessian = dense_hessian(term, q, HessianModel::exact());
  Vectors fd_gradient(3, q.cols());
  MatrixX fd_hessian(q.size(), q.size());
  for (int i = 0; i < q.size(); ++i) {
    Vectors up = q, down = q;
    flat(up)[i] += step;
    flat(down)[i] -= step;
    flat(fd_gradient)[i] = (term.energy(up) - term.energy(down)) / (2 * step);
    const Vectors difference = (gradient_at(up) - gradient_at(down)) / (2 * step);
    fd_hessian.col(i) = flat(difference);
  }
  EXPECT_GT(gradient.norm(), 0);
  EXPECT_LT((gradient - fd_gradient).norm(), 1e-5 * gradient.norm());
  EXPECT_LT((hessian - fd_hessian).norm(), 1e-4 * hessian.norm());
}

struct ContactWorld {
  explicit ContactWorld(double stiffness_given, bool by_area = false, World bodies = two_boxes())
      : stiffness(stiffness_given), per_area(by_area), world(std::move(bodies)) {}

  double stiffness;
  bool per_area;
  World world;
  Profile profile;
  BarrierRange range = {0.12, 0.005};
  ContactScales scales = ContactScales::uniform(world.collision, range, stiffness, 1.0, per_area);
  BarrierContact contact{world.collision, world.stiff,
                         StepFilter(world.collision, make_bvh(), make_ccd("additive"), scales, profile),
                         scales, profile};
};

TEST(ElasticityTerm, DerivativesMatchFiniteDifferences) {
  const World world = two_boxes();
  const auto term_of_tetrahedra = make_elasticity(ElementType::tetrahedron, world.elements, world.rest);
  ElasticTerm& term = *term_of_tetrahedra;
  check_derivatives(term, world.state.position, 1e-6);
}

TEST(BarrierContactTerm, DerivativesMatchFiniteDifferences) {
  ContactWorld w{1e6};
  w.contact.prepare(w.world.state.position);
  EXPECT_GT(w.contact.contacts().size(), 8u);
  check_derivatives(w.contact, w.world.state.position, 1e-7);
}

TEST(BarrierContactTerm, DerivativesMatchFiniteDifferencesWhereItIsAreaWeighted) {
  ContactWorld w{1e3, true};
  w.contact.prepare(w.world.state.position);
  EXPECT_GT(w.contact.contacts().size(), 8u);
  check_derivatives(w.contact, w.world.state.position, 1e-7);
}

/// A particle in a valley of two triangles, within reach of both and of the edge between them.
World in_a_valley() {
  World world;
  BodyOptions above, below;
  above.name = "above";
  below.name = "below";
  SurfaceMesh particle;
  particle.vertices = Vector3(0.01, 0.045, 0.02);
  particle.points = {0};
  add_particles(world, particle, 1, {}, above);
  SurfaceMesh valley;
  valley.vertices.resize(3, 4);
  valley.vertices << 0, 0, 1, -1, 0, 0, 0.8, 0.7, -1, 1, 0.1, -0.1;
  valley.triangles = {{0, 1, 2}, {1, 0, 3}};
  add_shell(world, valley, {}, below);
  return world;
}

TEST(BarrierContactTerm, WhatIsTakenOffInAValleyIsPartOfTheDerivatives) {
  ContactWorld w{1e3, true, in_a_valley()};
  w.contact.prepare(w.world.state.position);
  const auto& contacts = w.contact.contacts();
  EXPECT_TRUE(
      std::any_of(contacts.begin(), contacts.end(), [](const ContactPair& c) { return c.multiplicity < 0; }));
  EXPECT_GT(w.contact.energy(w.world.state.position), 0);
  check_derivatives(w.contact, w.world.state.position, 1e-7);
  const MatrixX model = dense_hessian(w.contact, w.world.state.position, HessianModel::quick(Psd::clamp));
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<MatrixX>(model).eigenvalues()[0], -1e-9 * model.norm());
}

TEST(BarrierContactTerm, DuplicatePairsCountAsOftenAsTheyOccur) {
  ContactWorld w{1};
  w.contact.prepare(w.world.state.position);
  double merged = 0;
  for (const ContactPair& pair : w.contact.contacts()) {
    const ClosestPoints c = closest_points(pair, w.contact.vertex_positions());
    std::array<Vector3, 4> x;
    for (int i = 0; i < pair.vertices(); ++i) x[i] = w.contact.vertex_positions().col(pair.vertex[i]);
    const double mollifier = pair.mollified ? edge_mollifier(x.data(), pair.mollifier_threshold) : 1;
    merged += contact_energy(normal_barrier(c.squared_distance(), w.range), pair.multiplicity * mollifier);
  }
  EXPECT_NEAR(w.contact.energy(w.world.state.position), merged, 1e-12 * merged);
}

TEST(BarrierContactTerm, ForcesOnAnIsolatedPairOfBodiesCancel) {
  ContactWorld w{1e6};
  w.contact.prepare(w.world.state.position);
  Vectors force = Vectors::Zero(3, w.world.control_count());
  w.contact.add_gradient(w.world.state.position, force);
  EXPECT_LT(force.rowwise().sum().norm(), 1e-10 * force.norm());
}

TEST(BarrierContactTerm, StepLimitKeepsEveryPairApart) {
  ContactWorld w{1};
  Vectors dq = Vectors::Zero(3, w.world.control_count());
  const Body& upper = w.world.bodies[1];
  dq.middleCols(upper.first_control, upper.control_count).row(1).setConstant(-3);
  const StepLimit limit = w.contact.largest_step({w.world.state.position, dq, {}});
  EXPECT_LT(limit.step, 0.05);
  EXPECT_EQ(limit.cause.reason, LimitReason::contact);
  EXPECT_GE(limit.cause.pair[0].number, 0);
  EXPECT_TRUE(std::isfinite(w.contact.energy(w.world.state.position + limit.step * dq)));
}

TEST(FrictionTerm, DerivativesMatchFiniteDifferencesInBothRegimes) {
  ContactWorld w{1e6};
  w.contact.prepare(w.world.state.position);
  Friction friction(w.world.collision, w.world.stiff, [](int, int) { return 0.4; });
  for (double slip : {1e-4, 1e-1}) {
    friction.begin_step(w.world.state.position, {}, 0.01);
    friction.lag(w.contact);
    EXPECT_TRUE(friction.active());
    srand(3);
    const Vectors q = w.world.state.position + slip * Vectors::Random(3, w.world.control_count());
    check_derivatives(friction, q, 1e-6);
  }
}

TEST(FrictionTerm, TheSecantsParaboloidTouchesTheEnergyAndIsNowhereBelowIt) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const double eps = 0.1;
  FrictionPair pair;
  pair.strength = 2;
  pair.weight = {1, 0, 0, 0};
  pair.tangent = tangent_plane(Vector3(0.3, -0.4, 0.8));
  for (int trial = 0; trial < 2000; ++trial) {
    const double scale = trial % 2 == 0 ? 1 : 2 * eps;
    const Vector2 u = scale * Vector2(uniform(random), uniform(random)), z(uniform(random), uniform(random));
    const Vector3 way = pair.tangent * (z - u);
    const double paraboloid = friction_energy(pair, u, eps) + friction_gradient(pair, u, eps).dot(way) +
                              0.5 * way.dot(friction_hessian(pair, u, eps, 1) * way);
    EXPECT_GE(paraboloid, friction_energy(pair, z, eps) - 1e-12);
  }
}

TEST(ScriptPullTerm, DerivativesMatchFiniteDifferencesAndProgressIsMeasured) {
  Vectors start = Vectors::Zero(3, 4), target = Vectors::Ones(3, 4);
  ScriptPull pull;
  pull.begin({1, 3}, VectorX::Constant(4, 2.0), start, target, Eigen::Vector2d(5, 7));
  EXPECT_DOUBLE_EQ(pull.progress(start), 0);
  EXPECT_DOUBLE_EQ(pull.progress(target), 1);
  const Vectors q = 0.3 * Vectors::Ones(3, 4);
  pull.update_multipliers(q);
  check_derivatives(pull, q, 1e-6);
}

}  // namespace
}  // namespace bulwark
