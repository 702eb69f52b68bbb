// Newton iterations of a part of the bodies: which part, and that what is left out of the terms is a
// constant.
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/world.hpp>
#include <bulwark/solve/focus.hpp>
#include <bulwark/solve/objective.hpp>
#include <bulwark/terms/barrier_contact.hpp>
#include <bulwark/terms/friction.hpp>
#include <bulwark/terms/orthogonality.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace bulwark {
namespace {

/// A wall of boxes, affine and rigid ones, closer to each other than the contact distance.
World wall(int side) {
  World world;
  const SurfaceMesh box = surface_mesh(BoxShape{});
  for (int k = 0; k < side * side; ++k) {
    BodyOptions options;
    options.name = "box " + std::to_string(k);
    options.pose.position = Vector3(1.03 * (k % side), 0.54 + 1.04 * (k / side), 0.05 * (k % 2));
    if (k % 2 == 0) {
      add_affine(world, box, {}, options);
    } else {
      add_rigid(world, box, {}, options);
    }
  }
  BodyOptions ground;
  ground.name = "ground";
  add_plane(world, {0, 0, 0}, {0, 1, 0}, ground);
  return world;
}

class FocusTest : public testing::Test {
 protected:
  FocusTest() {
    mass.resize(world.control_count(), world.control_count());
    mass.setFromTriplets(world.mass_entries.begin(), world.mass_entries.end());
    objective = std::make_unique<Objective>(mass, world.lever, world.stiff, profile);
    objective->set_terms({&orthogonality, &contact, &friction});
    objective->set_held(world.held);
    objective->begin_step(world.state.position, 1e-3);
    q = world.state.position;
    contact.prepare(q);
    friction.begin_step(q, std::vector<ExpectedTurn>(world.stiff.size()), 1e-2);
    friction.lag(contact);
    // Off the start of the step, so that friction acts too.
    for (const StiffBody& body : world.stiff) q.col(body.first_control) += small();
    objective->prepare(q);
  }
  Vector3 small() { return 2e-3 * Vector3(spread(random), spread(random), spread(random)); }

  World world = wall(4);
  Eigen::SparseMatrix<double> mass;
  Profile profile;
  ContactScales scales = ContactScales::uniform(world.collision, {0.1, 0}, 1e5, 1e-2);
  BarrierContact contact{
      world.collision, world.stiff,
      StepFilter(world.collision, make_broad_phase("auto"), make_ccd("additive"), scales, profile), scales,
      profile};
  Friction friction{world.collision, world.stiff, [](int, int) { return 0.5; }};
  Orthogonality orthogonality{world.stiff};
  std::unique_ptr<Objective> objective;
  Vectors q;
  std::mt19937 random{5};
  std::uniform_real_distribution<double> spread{-1, 1};
};

/// The diagonal blocks of a body with its neighbours', in a chain of bodies.
TEST(Focus, HasWhatMovesAndTheNeighboursOfWhatMovesMuch) {
  World world;
  for (int k = 0; k < 6; ++k) {
    BodyOptions options;
    options.name = "box " + std::to_string(k);
    options.pose.position = Vector3(2.0 * k, 0, 0);
    add_rigid(world, surface_mesh(BoxShape{}), {}, options);
  }
  Coordinates coordinates(world.lever, world.stiff);
  BlockMatrix chain;
  chain.rows = 12;
  chain.row_start.push_back(0);
  for (int row = 0; row < 12; ++row) {
    chain.column.push_back(row);
    if (row + 2 < 12) chain.column.push_back(row + 2);
    chain.row_start.push_back(static_cast<int>(chain.column.size()));
  }
  Focus focus;
  focus.set_neighbours(world.stiff, chain, coordinates.map());
  EXPECT_EQ(focus.choose({0, 0.01, 0, 0, 0, 0}), std::vector<char>({0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(focus.choose({0, 0.5, 0, 0, 0, 0}), std::vector<char>({0, 1, 0, 0, 0, 0}));
  EXPECT_EQ(focus.choose({0, 3, 0, 0, 0, 0.5}), std::vector<char>({1, 1, 1, 0, 0, 1}));
}

TEST_F(FocusTest, ContactsHaveOneOrder) {
  const auto& contacts = contact.contacts();
  ASSERT_GT(contacts.size(), 100u);
  EXPECT_TRUE(std::any_of(contacts.begin(), contacts.end(),
                          [](const ContactPair& c) { return c.kind == PairKind::point_plane; }));
  for (std::size_t k = 1; k < contacts.size(); ++k)
    ASSERT_TRUE(is_before(world.collision, contacts[k - 1], contacts[k])) << k;
}

TEST_F(FocusTest, WhatIsLeftOutIsConstant) {
  std::vector<char> moving(world.stiff.size(), 0);
  moving[5] = moving[6] = moving[9] = 1;
  Vectors there = q;
  for (std::size_t b = 0; b < moving.size(); ++b) {
    if (moving[b]) there.col(world.stiff[b].first_control) += small();
  }
  const double whole_change = objective->energy(there) - objective->energy(q);
  const VectorX whole_gradient = objective->gradient(q);
  const BlockMatrix whole = objective->hessian(q, HessianModel::quick(Psd::clamp));
  const std::vector<int> whole_row = objective->coordinates().map().row;
  const double least_distance = contact.min_distance();

  objective->focus(moving);
  EXPECT_TRUE(objective->focused());
  EXPECT_EQ(contact.min_distance(), least_distance);
  objective->prepare(q);
  EXPECT_NEAR(objective->energy(there) - objective->energy(q), whole_change, 1e-9 * std::abs(whole_change));
  const VectorX gradient = objective->gradient(q);
  const BlockMatrix part = objective->hessian(q, HessianModel::quick(Psd::clamp));
  const std::vector<int>& row = objective->coordinates().map().row;
  EXPECT_EQ(part.rows, 4 + 2 + 2);  // two rigid bodies and an affine one
  auto block = [](const BlockMatrix& matrix, int i, int j) -> Matrix3 {
    for (int k = matrix.row_start[i]; k < matrix.row_start[i + 1]; ++k) {
      if (matrix.column[k] == j) return matrix.value[k];
    }
    return Matrix3::Zero();
  };
  for (int a = 0; a < world.control_count(); ++a) {
    if (row[a] < 0) continue;
    EXPECT_NEAR((gradient.segment<3>(3 * row[a]) - whole_gradient.segment<3>(3 * whole_row[a])).norm(), 0,
                1e-9 * whole_gradient.norm());
    for (int b = 0; b < world.control_count(); ++b) {
      if (row[b] < row[a]) continue;
      const Matrix3 expected = block(whole, whole_row[a], whole_row[b]);
      EXPECT_LT((block(part, row[a], row[b]) - expected).norm(), 1e-9 * (1 + expected.norm()))
          << a << " " << b;
    }
  }
}

TEST_F(FocusTest, ContactsAreWholeAgainAfterwards) {
  std::vector<char> moving(world.stiff.size(), 0);
  moving[5] = moving[6] = 1;
  const std::size_t all = contact.contacts().size();
  objective->focus(moving);
  EXPECT_LT(contact.contacts().size(), all / 2);
  for (const int b : {5, 6}) q.col(world.stiff[b].first_control) += small();
  objective->prepare(q);
  moving[6] = 0;
  moving[10] = 1;
  objective->focus(moving);
  for (const int b : {5, 10}) q.col(world.stiff[b].first_control) += small();
  objective->prepare(q);
  objective->focus({});
  objective->prepare(q);
  BarrierContact fresh(
      world.collision, world.stiff,
      StepFilter(world.collision, make_broad_phase("auto"), make_ccd("additive"), scales, profile), scales,
      profile);
  fresh.prepare(q);
  ASSERT_EQ(contact.contacts().size(), fresh.contacts().size());
  for (std::size_t k = 0; k < fresh.contacts().size(); ++k) {
    EXPECT_EQ(contact.contacts()[k].vertex, fresh.contacts()[k].vertex) << k;
    EXPECT_EQ(contact.contacts()[k].kind, fresh.contacts()[k].kind) << k;
    EXPECT_EQ(contact.contacts()[k].multiplicity, fresh.contacts()[k].multiplicity) << k;
  }
  EXPECT_EQ(contact.energy(q), fresh.energy(q));
  EXPECT_EQ(contact.min_distance(), fresh.min_distance());
}

}  // namespace
}  // namespace bulwark
