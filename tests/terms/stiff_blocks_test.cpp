// Contact Hessians summed straight into the blocks of stiff bodies, against the general way: through the
// vertices to the controls, and from there to the unknowns.
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/math/rotation.hpp>
#include <bulwark/sim/world.hpp>
#include <bulwark/solve/coordinates.hpp>
#include <bulwark/stencils/friction.hpp>
#include <bulwark/terms/stiff_blocks.hpp>
#include <bulwark/terms/vertex_stencils.hpp>

#include <gtest/gtest.h>

#include <random>

namespace bulwark {
namespace {

/// A contact's Hessian K in the difference of two points, and the vertices that these are made of.
struct Stencil {
  std::array<int, 4> vertex;
  int count;
  Eigen::Vector4d weight;
  Matrix3 K;
  int second_side;
};

enum Bodies { affine_a, affine_b, rigid_a, rigid_b, obstacle, body_count };

class StiffBlocksTest : public testing::Test {
 protected:
  StiffBlocksTest() {
    const SurfaceMesh box = surface_mesh(BoxShape{{1, 0.5, 0.7}});
    for (int b = 0; b < body_count; ++b) {
      BodyOptions options;
      options.name = "body " + std::to_string(b);
      options.pose.position = 2 * vector();
      options.pose.rotation = rotation_matrix(vector());
      if (b == obstacle) {
        add_obstacle(world, box, options);
      } else if (b == rigid_a || b == rigid_b) {
        add_rigid(world, box, {}, options);
      } else {
        add_affine(world, box, {}, options);
      }
    }
    for (const StiffBody& body : world.stiff) {
      Matrix3 A = rotation_matrix(vector());
      if (!body.rigid) A += 0.1 * Matrix3::NullaryExpr([&] { return normal(random); });
      world.state.position.middleCols<3>(body.first_control + 1) = A;
      world.state.position.col(body.first_control) += vector();
    }
  }

  Vector3 vector() { return {normal(random), normal(random), normal(random)}; }

  int some_vertex(int body) {
    return world.bodies[body].first_vertex + static_cast<int>(random() % world.bodies[body].vertex_count);
  }

  /// Rank one, as of the barrier, or of rank two, as of friction.
  Matrix3 some_hessian(bool rank_one) {
    const Vector3 r = vector();
    if (rank_one) return r * r.transpose();
    FrictionPair pair;
    pair.strength = 3;
    pair.tangent = tangent_plane(r);
    return friction_hessian(pair, Vector2(normal(random), normal(random)), 0.7);
  }

  /// `first` vertices of body a against `second` of body b; each side's weights sum to +1 and -1.
  Stencil some_stencil(int a, int b, int first, int second, bool rank_one) {
    Stencil s{{-1, -1, -1, -1}, first + second, Eigen::Vector4d::Zero(), some_hessian(rank_one), -1};
    auto fill = [&](int begin, int count, int body, double sign) {
      double sum = 0;
      for (int i = 0; i < count; ++i) {
        s.vertex[begin + i] = some_vertex(body);
        s.weight[begin + i] = 0.1 + std::abs(normal(random));
        sum += s.weight[begin + i];
      }
      s.weight.segment(begin, count) *= sign / sum;
    };
    fill(0, first, a, 1);
    fill(first, second, b, -1);
    s.second_side = s.vertex[first];
    return s;
  }

  std::vector<Stencil> stencils_between(int a, int b, bool rank_one) {
    std::vector<Stencil> all;
    for (int round = 0; round < 3; ++round) {
      all.push_back(some_stencil(a, b, 1, 3, rank_one));
      all.push_back(some_stencil(b, a, 1, 3, rank_one));
      all.push_back(some_stencil(a, b, 2, 2, rank_one));
      all.push_back(some_stencil(b, a, 1, 2, rank_one));
      all.push_back(some_stencil(a, b, 1, 1, rank_one));
      // As of mollified edges, where the second one's end is closest.
      all.push_back(some_stencil(a, b, 2, 2, rank_one));
      all.back().weight *= -1;
    }
    return all;
  }

  static MatrixX dense(const BlockMatrix& matrix) {
    MatrixX result = MatrixX::Zero(3 * matrix.rows, 3 * matrix.rows);
    for (int i = 0; i < matrix.rows; ++i) {
      for (int k = matrix.row_start[i]; k < matrix.row_start[i + 1]; ++k) {
        const int j = matrix.column[k];
        result.block<3, 3>(3 * i, 3 * j) = matrix.value[k];
        if (i != j) result.block<3, 3>(3 * j, 3 * i) = matrix.value[k].transpose();
      }
    }
    return result;
  }

  Coordinates coordinates_at_state() const {
    Coordinates coordinates(world.lever, world.stiff);
    coordinates.set_held(world.held);
    coordinates.linearise(world.state.position);
    return coordinates;
  }

  MatrixX through_vertices(const std::vector<Stencil>& stencils, const Coordinates& coordinates) const {
    BlockList list;
    fill_vertex_blocks(
        world.collision, stencils.size(),
        [&](std::size_t k) {
          return std::pair<const int*, int>(stencils[k].vertex.data(), stencils[k].count);
        },
        [&](std::size_t k) {
          Eigen::Matrix<double, 12, 12> h;
          for (int i = 0; i < 4; ++i) {
            for (int j = 0; j < 4; ++j)
              h.block<3, 3>(3 * i, 3 * j) = stencils[k].weight[i] * stencils[k].weight[j] * stencils[k].K;
          }
          return h;
        },
        list);
    BlockAssembler assembler;
    const std::vector<BlockAssembler::Source> sources = {{&list, 1.0}};
    return dense(assembler.assemble(sources, coordinates.map()));
  }

  /// As a term does it; `blocks` and `list` may have served before.
  MatrixX straight(const std::vector<Stencil>& stencils, const Coordinates& coordinates, StiffBlocks& blocks,
                   BlockList& list) const {
    std::vector<std::array<int, 2>> bodies;
    for (const Stencil& s : stencils) {
      bodies.push_back(blocks.sides(s.vertex[0], s.second_side));
      EXPECT_TRUE(StiffBlocks::takes(bodies.back()));
    }
    blocks.sum(
        world.state.position, coordinates.map(), bodies,
        [&](std::size_t k, StiffPair& pair) {
          pair.add(stencils[k].vertex.data(), stencils[k].count, stencils[k].weight, stencils[k].K);
        },
        list);
    BlockAssembler assembler;
    const std::vector<BlockAssembler::Source> sources = {{&list, 1.0, true}};
    return dense(assembler.assemble(sources, coordinates.map()));
  }

  void expect_same(const std::vector<Stencil>& stencils, const std::string& what) const {
    const Coordinates coordinates = coordinates_at_state();
    const MatrixX expected = through_vertices(stencils, coordinates);
    StiffBlocks blocks(world.collision, world.stiff);
    BlockList list;
    const MatrixX found = straight(stencils, coordinates, blocks, list);
    EXPECT_GT(expected.norm(), 0.1) << what;
    EXPECT_LT((found - expected).norm(), 1e-13 * expected.norm()) << what;
  }

  World world;
  std::mt19937 random{11};
  std::normal_distribution<double> normal;
};

std::string pair_name(int a, int b, bool rank_one) {
  static const char* const names[] = {"affine a", "affine b", "rigid a", "rigid b", "obstacle"};
  return std::string(names[a]) + " - " + names[b] + (rank_one ? ", barrier" : ", friction");
}

TEST_F(StiffBlocksTest, EqualTheSumThroughTheVerticesForEveryPairOfKinds) {
  for (int a = 0; a < body_count; ++a) {
    for (int b = a + 1; b < body_count; ++b) {
      for (const bool rank_one : {true, false}) {
        expect_same(stencils_between(a, b, rank_one), pair_name(a, b, rank_one));
      }
    }
  }
}

TEST_F(StiffBlocksTest, EqualTheSumThroughTheVerticesWhereAxesAreHeld) {
  hold_axes(world, affine_a, {true, false, false}, {true, true, false});
  hold_axes(world, affine_b, {false, true, true}, {true, true, true});
  hold_axes(world, rigid_a, {false, true, false}, {true, false, false});
  hold_axes(world, rigid_b, {true, true, true}, {false, true, true});
  // The held columns of affine bodies must be where they were at the start.
  for (const int b : {affine_a, affine_b})
    world.state.position.middleCols<3>(world.bodies[b].first_control + 1).setIdentity();
  for (int a = 0; a < body_count; ++a) {
    for (int b = a + 1; b < body_count; ++b) {
      if (a == affine_b && b == obstacle) continue;  // nothing but x is left of it
      for (const bool rank_one : {true, false}) {
        expect_same(stencils_between(a, b, rank_one), pair_name(a, b, rank_one) + ", held");
      }
    }
  }
}

TEST_F(StiffBlocksTest, AScriptedBodyIsLeftOut) {
  hold(world, affine_a, SelectAll{});
  hold(world, rigid_a, SelectAll{});
  std::vector<Stencil> all;
  for (const auto& [a, b] : {std::pair(affine_a, rigid_b), std::pair(affine_b, rigid_a)}) {
    for (const Stencil& s : stencils_between(a, b, false)) all.push_back(s);
  }
  expect_same(all, "scripted");
}

TEST_F(StiffBlocksTest, PairsOfEarlierSumsKeepTheirPlacesAndAddNothing) {
  const Coordinates coordinates = coordinates_at_state();
  StiffBlocks blocks(world.collision, world.stiff);
  BlockList list;
  std::vector<std::uint64_t> last;
  const std::vector<std::pair<int, int>> order = {{affine_a, rigid_a},
                                                  {rigid_a, rigid_b},
                                                  {affine_a, rigid_a},
                                                  {rigid_b, obstacle},
                                                  {affine_b, affine_a}};
  for (const auto& [a, b] : order) {
    const std::vector<Stencil> stencils = stencils_between(a, b, true);
    const MatrixX expected = through_vertices(stencils, coordinates);
    const MatrixX found = straight(stencils, coordinates, blocks, list);
    EXPECT_LT((found - expected).norm(), 1e-13 * expected.norm()) << pair_name(a, b, true);
    EXPECT_GE(list.key.size(), last.size());
    last = list.key;
  }
  blocks.begin_step();
  const std::vector<Stencil> stencils = stencils_between(rigid_b, obstacle, true);
  straight(stencils, coordinates, blocks, list);
  EXPECT_LT(list.key.size(), last.size());
}

TEST_F(StiffBlocksTest, AHessianOfTwoEdgesEqualsTheOneOfTheirVertices) {
  hold_axes(world, rigid_a, {false, true, false}, {true, false, false});
  const Coordinates coordinates = coordinates_at_state();
  for (const auto& [a, b] :
       {std::pair(affine_a, rigid_a), std::pair(rigid_b, affine_b), std::pair(rigid_b, rigid_a),
        std::pair(rigid_a, rigid_b), std::pair(obstacle, rigid_a), std::pair(affine_b, affine_a)}) {
    // A contact of the two bodies comes first, as that of the mollified edges does.
    const Stencil contact = some_stencil(a, b, 2, 2, true);
    const std::array<int, 4> v = {some_vertex(a), some_vertex(a), some_vertex(b), some_vertex(b)};
    const Matrix3 uu = some_hessian(false), vv = some_hessian(false);
    const Matrix3 uv = Matrix3::NullaryExpr([&] { return normal(random); });
    Eigen::Matrix<double, 12, 12> whole;
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        const Matrix3 part = i < 2 ? (j < 2 ? uu : uv) : (j < 2 ? Matrix3(uv.transpose()) : vv);
        whole.block<3, 3>(3 * i, 3 * j) = (i % 2 == j % 2 ? 1 : -1) * part;
      }
    }
    std::array<MatrixX, 2> sum;
    for (const bool by_edges : {false, true}) {
      StiffBlocks blocks(world.collision, world.stiff);
      BlockList list;
      auto add = [&](std::size_t, StiffPair& pair) {
        pair.add(contact.vertex.data(), contact.count, contact.weight, contact.K);
        if (by_edges) {
          pair.add_edges(v.data(), uu, uv, vv);
        } else {
          pair.add(v.data(), 4, whole);
        }
      };
      blocks.sum(world.state.position, coordinates.map(), {blocks.sides(v[0], v[2])}, add, list);
      BlockAssembler assembler;
      const std::vector<BlockAssembler::Source> sources = {{&list, 1.0, true}};
      sum[by_edges] = dense(assembler.assemble(sources, coordinates.map()));
    }
    EXPECT_GT(sum[0].norm(), 0.1);
    EXPECT_LT((sum[1] - sum[0]).norm(), 1e-13 * sum[0].norm()) << pair_name(a, b, false);
  }
}

TEST_F(StiffBlocksTest, LeaveStencilsOfSoftBodiesToTheGeneralWay) {
  BodyOptions options;
  options.name = "soft";
  options.pose.position = {9, 0, 0};
  const int soft = add_deformable(world, solid_mesh(BoxShape{}), {}, options);
  const StiffBlocks blocks(world.collision, world.stiff);
  EXPECT_FALSE(StiffBlocks::takes(blocks.sides(some_vertex(rigid_a), some_vertex(soft))));
  EXPECT_TRUE(StiffBlocks::takes(blocks.sides(some_vertex(rigid_a), some_vertex(obstacle))));
}

}  // namespace
}  // namespace bulwark
