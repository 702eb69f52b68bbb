// The unknowns of a solve with rigid, affine, soft and partly held bodies: gradient and Hessian of the whole
// objective against finite differences along the paths that the unknowns describe.
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/math/rotation.hpp>
#include <bulwark/sim/world.hpp>
#include <bulwark/solve/objective.hpp>
#include <bulwark/terms/barrier_contact.hpp>
#include <bulwark/terms/constant_force.hpp>
#include <bulwark/terms/elasticity.hpp>
#include <bulwark/terms/orthogonality.hpp>

#include <gtest/gtest.h>

#include <random>

namespace bulwark {
namespace {

/// A smooth energy without symmetries, of all controls: sum_i cos(d_i . q_i + i) + 1/2 (c . q)^2.
class Wavy : public Term {
 public:
  explicit Wavy(int controls) : directions_(3, controls), coupling_(3, controls) {
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    for (int i = 0; i < directions_.size(); ++i) {
      flat(directions_)[i] = normal(random);
      flat(coupling_)[i] = 0.3 * normal(random);
    }
  }
  double energy(const Vectors& q) const override {
    double sum = 0;
    for (int i = 0; i < q.cols(); ++i) sum += std::cos(directions_.col(i).dot(q.col(i)) + i);
    const double c = coupling_.cwiseProduct(q).sum();
    return sum + 0.5 * c * c;
  }
  void add_gradient(const Vectors& q, Vectors& gradient) const override {
    for (int i = 0; i < q.cols(); ++i)
      gradient.col(i) -= std::sin(directions_.col(i).dot(q.col(i)) + i) * directions_.col(i);
    gradient += coupling_.cwiseProduct(q).sum() * coupling_;
  }
  void hessian(const Vectors& q, const HessianModel&, const BlockMap&, HessianBlocks& blocks) const override {
    const int n = static_cast<int>(q.cols());
    blocks.controls.resize(n * (n + 1) / 2);
    std::size_t k = 0;
    for (int i = 0; i < n; ++i) {
      for (int j = i; j < n; ++j) {
        Matrix3 block = coupling_.col(i) * coupling_.col(j).transpose();
        if (i == j) {
          block -= std::cos(directions_.col(i).dot(q.col(i)) + i) * directions_.col(i) *
                   directions_.col(i).transpose();
        }
        blocks.controls.set(k++, i, j, block);
      }
    }
  }

 private:
  Vectors directions_, coupling_;
};

class CoordinatesTest : public testing::Test {
 protected:
  CoordinatesTest() {
    const SurfaceMesh box = surface_mesh(BoxShape{{1, 0.5, 0.7}});
    soft = add_deformable(world, solid_mesh(BoxShape{}), {ElasticModel::neo_hookean, 1000, 1e3, 0.3},
                          at({0, 0, 0}));
    affine = add_affine(world, box, {1000, 1e3, 0}, at({3, 0, 0}));
    rigid = add_rigid(world, box, {}, at({0, 3, 0}));
    held_affine = add_affine(world, box, {1000, 1e3, 0}, at({0, 0, 3}));
    held_rigid = add_rigid(world, box, {}, at({3, 3, 0}));
    pivot = add_rigid(world, box, {}, at({3, 3, 3}));
    scripted = add_rigid(world, box, {}, at({-3, 3, 3}));
    hold(world, soft, SelectNodes{{0, 1}});
    hold_axes(world, held_affine, {true, false, true}, {true, false, true});
    hold_axes(world, held_rigid, {false, true, false}, {false, false, true});
    hold_axes(world, pivot, {true, true, true}, {true, false, true});
    hold(world, scripted, SelectAll{});
    for (const StiffBody& body : world.stiff) {
      const bool is_held = !body.turns_freely();
      if (body.rigid && !world.scripted[body.first_control]) {
        world.state.position.middleCols<3>(body.first_control + 1) = rotation_matrix(vector());
      } else if (!is_held && !world.scripted[body.first_control]) {
        world.state.position.middleCols<3>(body.first_control + 1) +=
            0.1 * Matrix3::NullaryExpr([&] { return normal(random); });
      }
    }
    mass.resize(world.control_count(), world.control_count());
    mass.setFromTriplets(world.mass_entries.begin(), world.mass_entries.end());
  }

  Vector3 vector() { return {normal(random), normal(random), normal(random)}; }

  static BodyOptions at(const Vector3& position) {
    BodyOptions options;
    options.name = "body";
    options.pose.position = position;
    return options;
  }

  Vectors nearby(double size) {
    return world.state.position +
           size * Vectors::NullaryExpr(3, world.control_count(), [&](auto...) { return normal(random); });
  }

  VectorX some_direction(int unknowns) {
    return VectorX::NullaryExpr(3 * unknowns, [&](auto...) { return normal(random); });
  }

  World world;
  int soft, affine, rigid, held_affine, held_rigid, pivot, scripted;
  Eigen::SparseMatrix<double> mass;
  Profile profile;
  std::mt19937 random{3};
  std::normal_distribution<double> normal;
};

TEST_F(CoordinatesTest, GradientAndHessianAreTheDerivativesAlongThePath) {
  Objective objective(mass, world.lever, world.stiff, profile);
  const auto elasticity_of_tetrahedra = make_elasticity(ElementType::tetrahedron, world.elements, world.rest);
  ElasticTerm& elasticity = *elasticity_of_tetrahedra;
  Orthogonality orthogonality(world.stiff);
  Wavy wavy(world.control_count());
  objective.set_terms({&elasticity, &orthogonality, &wavy});
  objective.begin_step(nearby(0.3), 0.7);
  objective.set_held(world.held);
  const Vectors q = world.state.position;
  objective.prepare(q);
  const VectorX gradient = objective.gradient(q);
  const BlockMatrix hessian = objective.hessian(q, HessianModel::exact());
  const Coordinates& coordinates = objective.coordinates();
  ASSERT_EQ(gradient.size(), 3 * coordinates.unknowns());
  for (int trial = 0; trial < 20; ++trial) {
    VectorX u = some_direction(coordinates.unknowns());
    // What is held has an unknown all the same where some of its axes are free; it must not matter.
    const ControlPath path = coordinates.path(q, u);
    const double e = 1e-5;
    const double slope = (objective.energy(path.at(e)) - objective.energy(path.at(-e))) / (2 * e);
    EXPECT_NEAR(gradient.dot(u), slope, 1e-6 * gradient.norm() * u.norm());

    // Held axes have 1 on the diagonal, so that the matrix has an inverse: leave those out of the comparison.
    for (int i = 0; i < u.size(); ++i) {
      VectorX unit = VectorX::Zero(u.size());
      unit[i] = 1;
      if (coordinates.path(q, unit).step.isZero(0)) u[i] = 0;
    }
    const ControlPath free_path = coordinates.path(q, u);
    const double s = 1e-4;
    const double curvature =
        (objective.energy(free_path.at(s)) - 2 * objective.energy(q) + objective.energy(free_path.at(-s))) /
        (s * s);
    VectorX product;
    hessian.multiply(u, product);
    EXPECT_NEAR(u.dot(product), curvature, 1e-5 * product.norm() * u.norm());
  }
}

TEST_F(CoordinatesTest, HeldAxesAreCoupledToNothing) {
  Objective objective(mass, world.lever, world.stiff, profile);
  Wavy wavy(world.control_count());
  objective.set_terms({&wavy});
  objective.begin_step(nearby(0.3), 1);
  objective.set_held(world.held);
  const Vectors q = world.state.position;
  const VectorX gradient = objective.gradient(q);
  const BlockMatrix hessian = objective.hessian(q, HessianModel::projected(Psd::clamp));
  int held = 0;
  for (int i = 0; i < gradient.size(); ++i) {
    VectorX unit = VectorX::Zero(gradient.size()), product;
    unit[i] = 1;
    if (!objective.coordinates().path(q, unit).step.isZero(0)) continue;
    ++held;
    EXPECT_EQ(gradient[i], 0);
    hessian.multiply(unit, product);
    EXPECT_EQ(product, unit);
  }
  // Held affine: x and z of its center, y of the columns x and z; the column y is no unknown at all. Held
  // rigid: y, and turns about z. Pivot: turns about x and z.
  EXPECT_EQ(held, 2 + 2 + 1 + 1 + 2);
}

TEST_F(CoordinatesTest, UnknownsAreThreePerFreeControlAndTwoPerRigidBody) {
  Coordinates coordinates(world.lever, world.stiff);
  coordinates.set_held(world.held);
  const int soft_free = world.bodies[soft].control_count - 2;
  EXPECT_EQ(coordinates.unknowns(), soft_free + 4 + 2 + 3 + 2 + 1);
  EXPECT_FALSE(coordinates.moves(world.bodies[scripted].first_control));
  EXPECT_TRUE(coordinates.moves(world.bodies[rigid].first_control + 3));
}

TEST_F(CoordinatesTest, RigidBodiesStayRigidAndHeldPartsStayOnThePath) {
  Coordinates coordinates(world.lever, world.stiff);
  coordinates.set_held(world.held);
  const Vectors q = world.state.position;
  coordinates.linearise(q);
  for (int trial = 0; trial < 10; ++trial) {
    const ControlPath path = coordinates.path(q, 3 * some_direction(coordinates.unknowns()));
    for (const double t : {0.1, 0.5, 1.0}) {
      const Vectors x = path.at(t);
      for (const StiffBody& body : world.stiff) {
        if (body.rigid) {
          EXPECT_LT(rigidity_error(deformation(body, x)), 1e-13);
        }
      }
      for (int i = 0; i < world.control_count(); ++i) {
        if (world.scripted[i]) {
          EXPECT_EQ(x.col(i), q.col(i));
        }
      }
      const int center = world.bodies[held_affine].first_control;
      EXPECT_EQ(x(0, center), q(0, center));
      EXPECT_EQ(x(2, center), q(2, center));
      EXPECT_EQ(x.col(center + 2), Vector3::UnitY());
      EXPECT_EQ(x(1, center + 1), 0);
      EXPECT_EQ(x(1, center + 3), 0);
      const int pivot_center = world.bodies[pivot].first_control;
      EXPECT_EQ(x.col(pivot_center), q.col(pivot_center));
      // About y alone: the columns keep their heights.
      EXPECT_LT((x.middleCols<3>(pivot_center + 1) - q.middleCols<3>(pivot_center + 1)).row(1).norm(), 1e-15);
    }
  }
}

TEST_F(CoordinatesTest, APartOfAPathIsItsBeginning) {
  Coordinates coordinates(world.lever, world.stiff);
  coordinates.set_held(world.held);
  coordinates.linearise(world.state.position);
  const ControlPath path = coordinates.path(world.state.position, some_direction(coordinates.unknowns()));
  EXPECT_LT((path.part(0.3).at(0.5) - path.at(0.15)).norm(), 1e-13);
  // To first order the path is its step; exactly, the turns of affine bodies leave the step's stretch.
  EXPECT_LT((path.at(1e-7) - path.from - 1e-7 * path.step).norm(), 1e-12);
}

TEST_F(CoordinatesTest, AnAffineBodysTurnIsARotationAlongThePath) {
  Coordinates coordinates(world.lever, world.stiff);
  coordinates.linearise(world.rest);
  const StiffBody& body = world.stiff[world.bodies[affine].stiff];
  const Matrix3 turn = cross_matrix(Vector3(0.5, -1, 0.7));
  VectorX u = VectorX::Zero(3 * coordinates.unknowns());
  for (int k = 0; k < 3; ++k)
    u.segment<3>(3 * coordinates.map().row[body.first_control + 1 + k]) = turn.col(k);
  const Vectors end = coordinates.path(world.rest, u).at(1);
  EXPECT_LT((deformation(body, end) - rotation_matrix(Vector3(0.5, -1, 0.7))).norm(), 1e-14);
}

TEST_F(CoordinatesTest, TheLargestMotionIsThatOfTheFarthestCorner) {
  Coordinates coordinates(world.lever, world.stiff);
  coordinates.set_held(world.held);
  const StiffBody& body = world.stiff[world.bodies[rigid].stiff];
  Vectors step = Vectors::Zero(3, world.control_count());
  const Matrix3 rate = cross_matrix(Vector3(0, 0, 0.1));
  step.middleCols<3>(body.first_control + 1) = rate * deformation(body, world.rest);
  step.col(body.first_control) = Vector3(1, 0, 0);
  // The corner at (+-0.5, -0.25, .): 0.1 * (0.25, +-0.5, 0) + (1, 0, 0).
  const Coordinates::Motion motion =
      coordinates.largest_motion(step, VectorX::Constant(world.control_count(), 0.5));
  EXPECT_NEAR(motion.part, 2 * motion.size, 1e-14);
  EXPECT_NEAR(motion.size, std::hypot(1.025, 0.05), 1e-14);
  EXPECT_EQ(motion.control, body.first_control);
}

TEST_F(CoordinatesTest, ContactOfSoftWithStiffBodiesHasItsWholeHessian) {
  // A soft box on a rigid and under an affine one, all within contact range.
  World pile;
  const SurfaceMesh box = surface_mesh(BoxShape{});
  BodyOptions options = at({0.1, -1.05, 0.2});
  add_rigid(pile, box, {}, options);
  add_deformable(pile, solid_mesh(BoxShape{}), {}, at({0, 0, 0}));
  options = at({-0.2, 1.06, 0.1});
  add_affine(pile, box, {}, options);
  const ContactScales scales = ContactScales::uniform(pile.collision, {0.12, 0.0}, 1e5);
  BarrierContact contact(pile.collision, pile.stiff,
                         StepFilter(pile.collision, make_bvh(), make_ccd("additive"), scales, profile),
                         scales, profile);
  Eigen::SparseMatrix<double> pile_mass(pile.control_count(), pile.control_count());
  pile_mass.setFromTriplets(pile.mass_entries.begin(), pile.mass_entries.end());
  Objective objective(pile_mass, pile.lever, pile.stiff, profile);
  objective.set_terms({&contact});
  Vectors q = pile.state.position;
  for (int i = 0; i < pile.bodies[1].control_count; ++i)
    q.col(pile.bodies[1].first_control + i) += 0.01 * vector();
  q.middleCols<3>(pile.stiff[0].first_control + 1) = rotation_matrix(Vector3(0.01, 0.02, -0.015));
  q.middleCols<3>(pile.stiff[1].first_control + 1) = rotation_matrix(Vector3(-0.01, 0.01, 0.02));
  objective.begin_step(q, 1);
  objective.set_held(pile.held);
  objective.prepare(q);
  ASSERT_GT(contact.contacts().size(), 8u);
  const VectorX gradient = objective.gradient(q);
  const BlockMatrix hessian = objective.hessian(q, HessianModel::exact());
  for (int trial = 0; trial < 10; ++trial) {
    const VectorX u = some_direction(objective.coordinates().unknowns());
    const ControlPath path = objective.coordinates().path(q, u);
    const double s = 2e-6;
    const double before = objective.energy(path.at(-s)), now = objective.energy(q),
                 after = objective.energy(path.at(s));
    VectorX product;
    hessian.multiply(u, product);
    EXPECT_NEAR(gradient.dot(u), (after - before) / (2 * s), 1e-5 * gradient.norm() * u.norm());
    EXPECT_NEAR(u.dot(product), (after - 2 * now + before) / (s * s), 2e-4 * product.norm() * u.norm());
  }
}

}  // namespace
}  // namespace bulwark
