// The damping term against its definition: a quadratic form of the velocity with the wrapped term's Hessian.
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/world.hpp>
#include <bulwark/terms/barrier_contact.hpp>
#include <bulwark/terms/elasticity.hpp>
#include <bulwark/terms/rayleigh_damping.hpp>

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

namespace bulwark {
namespace {

constexpr double coefficient = 3e-3, rate = 150;

MatrixX dense(const BlockList& blocks, Eigen::Index size) {
  MatrixX h = MatrixX::Zero(size, size);
  for (std::size_t k = 0; k < blocks.key.size(); ++k) {
    const int row = static_cast<int>(blocks.key[k] >> 32),
              column = static_cast<int>(blocks.key[k] & 0xffffffffu);
    h.block<3, 3>(3 * row, 3 * column) += blocks.value[k];
    if (row != column) h.block<3, 3>(3 * column, 3 * row) += blocks.value[k].transpose();
  }
  return h;
}

MatrixX damped_hessian(Term& term, const Vectors& q) {
  term.prepare(q);
  BlockList blocks;
  term.damped_hessian(q, blocks);
  return dense(blocks, q.size());
}

/// Two soft boxes, an affine and a rigid one, one above the other on a plane, all within contact range.
struct Stack {
  World world;
  Profile profile;
  BarrierRange range = {0.12, 0.005};
  std::unique_ptr<ContactScales> scales;
  std::unique_ptr<BarrierContact> contact;

  Stack() {
    auto at = [](const std::string& name, const Vector3& position) {
      BodyOptions options;
      options.name = name;
      options.pose.position = position;
      return options;
    };
    add_deformable(world, solid_mesh(BoxShape{}), {}, at("lower", {0, 0, 0}));
    add_deformable(world, solid_mesh(BoxShape{}), {}, at("upper", {0.13, 1.06, 0.21}));
    add_affine(world, surface_mesh(BoxShape{}), {}, at("affine", {0.02, 2.13, 0.1}));
    add_rigid(world, surface_mesh(BoxShape{}), {}, at("rigid", {0.2, 3.2, 0.05}));
    add_plane(world, {0, -0.57, 0}, {0.02, 1, 0.01}, at("ground", {0, 0, 0}));
    srand(7);
    world.state.position += 0.004 * Vectors::Random(3, world.control_count());
    scales = std::make_unique<ContactScales>(ContactScales::uniform(world.collision, range, 1e6));
    contact = std::make_unique<BarrierContact>(
        world.collision, world.stiff,
        StepFilter(world.collision, make_bvh(), make_ccd("additive"), *scales, profile), *scales, profile);
    contact->prepare(world.state.position);
  }
  std::unique_ptr<ElasticTerm> elasticity() const {
    return make_elasticity(ElementType::tetrahedron, world.elements, world.rest);
  }
};

/// Energy, gradient and Hessian at some q of the damping of `term`, lagged at `start`.
void check(Term& term, const Vectors& start) {
  const MatrixX H = damped_hessian(term, start);
  ASSERT_GT(H.norm(), 0);
  RayleighDamping damping(term, coefficient);
  srand(5);
  const Vectors reference = start + 1e-3 * Vectors::Random(3, start.cols());
  damping.begin_step(start, reference, rate);
  const Vectors q = start + 1e-2 * Vectors::Random(3, start.cols());
  const Vectors velocity = rate * (q - reference);
  const VectorX v = flat(velocity);

  EXPECT_NEAR(damping.energy(q), 0.5 * coefficient / rate * v.dot(H * v), 1e-12 * damping.energy(q));
  Vectors gradient = Vectors::Zero(3, q.cols());
  damping.add_gradient(q, gradient);
  EXPECT_LT((flat(gradient) - coefficient * H * v).norm(), 1e-12 * gradient.norm());
  HessianBlocks blocks;
  damping.hessian(q, HessianModel::projected(Psd::clamp), BlockMap{}, blocks);
  EXPECT_TRUE(blocks.unknowns.key.empty());
  const MatrixX hessian = dense(blocks.controls, q.size());
  EXPECT_LT((hessian - coefficient * rate * H).norm(), 1e-12 * hessian.norm());

  // By finite differences; the form is quadratic, so they are exact but for rounding.
  const double step = 1e-3;
  for (int i = 0; i < q.size(); i += 5) {
    Vectors up = q, down = q;
    flat(up)[i] += step;
    flat(down)[i] -= step;
    EXPECT_NEAR((damping.energy(up) - damping.energy(down)) / (2 * step), flat(gradient)[i],
                1e-8 * gradient.norm());
    Vectors gradient_up = Vectors::Zero(3, q.cols()), gradient_down = gradient_up;
    damping.add_gradient(up, gradient_up);
    damping.add_gradient(down, gradient_down);
    const Vectors column = (gradient_up - gradient_down) / (2 * step);
    EXPECT_LT((flat(column) - hessian.col(i)).norm(), 1e-9 * hessian.norm());
  }

  // It only takes energy, never gives any: the form is semi-definite.
  const Eigen::SelfAdjointEigenSolver<MatrixX> eigen(H);
  EXPECT_GT(eigen.eigenvalues().minCoeff(), -1e-12 * eigen.eigenvalues().maxCoeff());

  // Nothing is damped before the Hessian of a step is known.
  damping.begin_step();
  EXPECT_EQ(damping.energy(q), 0);
  damping.hessian(q, HessianModel::projected(Psd::clamp), BlockMap{}, blocks);
  EXPECT_TRUE(blocks.controls.key.empty());
}

TEST(RayleighDampingTerm, IsTheQuadraticFormOfElasticity) {
  Stack stack;
  const auto of_tetrahedra = stack.elasticity();
  ElasticTerm& elasticity = *of_tetrahedra;
  check(elasticity, stack.world.state.position);
}

TEST(RayleighDampingTerm, IsTheQuadraticFormOfContactsOfAllBodyKinds) {
  Stack stack;
  EXPECT_GT(stack.contact->contacts().size(), 12u);
  check(*stack.contact, stack.world.state.position);
}

TEST(RayleighDampingTerm, ContactsAreDampedAlongTheirNormalsOnly) {
  Stack stack;
  const MatrixX H = damped_hessian(*stack.contact, stack.world.state.position);
  const World& world = stack.world;
  // A body that moves as a whole: the rate of work is sum of k (n . v)^2 over its contacts.
  const Body& body = world.bodies[3];
  for (const int axis : {0, 1}) {
    const Vector3 v = Vector3::Unit(axis);
    Vectors velocity = Vectors::Zero(3, world.control_count());
    velocity.col(body.first_control) = v;
    double expected = 0;
    for (const ContactPair& c : stack.contact->contacts()) {
      if (world.collision.vertex_body[c.vertex[0]] != 3 && world.collision.vertex_body[c.second_side()] != 3)
        continue;
      if (c.mollified) continue;
      const ClosestPoints closest = closest_points(c, stack.contact->vertex_positions());
      const double d = std::sqrt(closest.squared_distance());
      auto force = [&](double x) {
        return c.multiplicity * 1e6 * 2 * x *
               barrier_first_derivative(stack.range.argument(x * x), stack.range.end());
      };
      const double curvature = (force(d + 1e-6) - force(d - 1e-6)) / 2e-6;
      expected += curvature * std::pow(closest.r.dot(v) / d, 2);
    }
    const VectorX flat_velocity = flat(velocity);
    const double work = flat_velocity.dot(H * flat_velocity);
    // Mollified pairs of nearly parallel edges add little.
    EXPECT_NEAR(work, expected, 0.02 * H.norm()) << v.transpose();
    EXPECT_GT(work, axis == 1 ? 0.1 * H.norm() : -1);
  }
}

TEST(RayleighDampingTerm, KeepsMomentum) {
  Stack stack;
  const auto of_tetrahedra = stack.elasticity();
  ElasticTerm& elasticity = *of_tetrahedra;
  // Not of the ground, which takes up what it gets.
  for (Term* term : {static_cast<Term*>(&elasticity), static_cast<Term*>(stack.contact.get())}) {
    RayleighDamping damping(*term, coefficient);
    const Vectors& start = stack.world.state.position;
    damping.begin_step(start, start, rate);
    srand(11);
    const Vectors q = start + 1e-2 * Vectors::Random(3, start.cols());
    Vectors force = Vectors::Zero(3, q.cols());
    damping.add_gradient(q, force);
    // The centers of stiff bodies carry their whole force; columns of A carry torques and stretches.
    Vector3 sum = Vector3::Zero();
    for (const Body& body : stack.world.bodies) {
      const int count = body.stiff >= 0 ? 1 : body.control_count;
      sum += force.middleCols(body.first_control, count).rowwise().sum();
    }
    EXPECT_LT(sum.norm(), 1e-11 * force.norm());
  }
}

}  // namespace
}  // namespace bulwark
