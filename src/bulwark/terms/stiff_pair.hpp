// The contacts of one pair of stiff bodies, summed into the blocks of the two and those between them.
//
// All vertices of one side of a contact move with one body, so the side is a single material point of it:
// with the weights w_i of the side's vertices, sum w_i x_i = sum_a s_a e_a over the body's controls. A
// contact Hessian K (3x3) in the difference of the two points adds
//   s_a s_b K                                 to the block of controls a and b of affine bodies,
//   J^T K J,  J = s (I, -[r]),  s = +-1       to the center and the rotation of a rigid one, r = point - center.
// Per contact that is a handful of 3x3 blocks, where the general way through the vertices takes 136.
#pragma once

#include <bulwark/bodies/stiff_body.hpp>
#include <bulwark/collision/collision_mesh.hpp>
#include <bulwark/math/block_matrix.hpp>
#include <bulwark/stencils/stiff_pair_sum.hpp>

#include <array>
#include <vector>

namespace bulwark {

/// What contacts of stiff bodies are summed at.
struct StiffState {
  const CollisionMesh& mesh;
  const std::vector<StiffBody>& stiff;
  /// Per body of the mesh: its place in `stiff`, -1 for obstacles and what stands still, -2 for soft bodies.
  const std::vector<int>& stiff_of_body;
  const Vectors& q;
  const BlockMap& map;
};

/// The unknowns of a body in 3-vectors: four controls, or center and rotation.
inline int parts_of(const StiffBody& body) {
  return body.rigid ? 2 : 4;
}
/// Blocks of a body with itself: those on and above the diagonal.
inline std::size_t own_blocks(const StiffBody& body) {
  return body.rigid ? 3 : 10;
}

class StiffPair {
 public:
  /// Of the bodies a and b, a < b; b is -1 for an obstacle, and a where the body touches itself. The blocks of
  /// a, those of b and those between them follow each other at `blocks`; they begin at zero.
  StiffPair(const StiffState& state, int a, int b, Matrix3* blocks);
  static std::size_t block_count(const std::vector<StiffBody>& stiff, int a, int b);

  /// Adds K between the vertices with the given weights, whose sums are 1 on one side, -1 on the
  /// other. A side's point may be off that of its vertices by A times its lever.
  void add(const int* vertices, int count, const Eigen::Vector4d& weights, const Matrix3& K,
           const std::array<Vector3, 2>& levers = {Vector3::Zero(), Vector3::Zero()});
  /// Adds a Hessian in the vectors u = x1 - x0 and v = x3 - x2 along two edges of the bodies.
  void add_edges(const int* vertices, const Matrix3& uu, const Matrix3& uv, const Matrix3& vv);
  /// Adds a Hessian in the positions of the vertices (at most four).
  void add(const int* vertices, int count, const Eigen::Matrix<double, 12, 12>& H);
  /// Ends the sum: the blocks are whole.
  void end();

 private:
  struct Side {
    int stiff = -1;
    Eigen::Vector4d share = Eigen::Vector4d::Zero();  ///< s
    Matrix3 lever = Matrix3::Zero();                  ///< of a rigid body: -s [r], held axes taken out
  };
  int stiff_of(int vertex) const { return state_.stiff_of_body[state_.mesh.vertex_body[vertex]]; }
  void add_rigid_sum();
  void add_affine_sum();
  /// s of the combination of a stiff body's vertices.
  Eigen::Vector4d share_of(const int* vertices, const double* weights, int count) const;
  /// The vector sum_k s_k a_k in a stiff body, k = 1, 2, 3.
  Vector3 arm_of(int stiff, const Eigen::Vector4d& share) const {
    return state_.q.middleCols<3>(state_.stiff[stiff].first_control + 1) * share.tail<3>();
  }
  /// The point of the body of `vertices` that is the given combination of them, off by A times the lever.
  Side side_of(const int* vertices, const double* weights, int count,
               const Vector3& lever = Vector3::Zero()) const;
  void set_lever(Side& side) const;
  void add_sides(const std::array<Side, 2>& side, const Matrix3& K00, const Matrix3& K01, const Matrix3& K11);
  void add_own(const Side& p, const Matrix3& K, const Side& q);
  void add_mutual(const Side& a, const Side& b, const Matrix3& K);
  /// J_a^T K J_b for parts a and b of two sides.
  Matrix3 product(const Side& p, int a, const Matrix3& K, const Side& q, int b) const;

  const StiffState& state_;
  int a_, b_;
  Matrix3 *own_a_, *own_b_, *mutual_;
  /// Contacts of two rigid or two affine bodies are summed in a form of their own (stiff_pair_sum.hpp).
  enum class Form { general, rigid, affine } form_ = Form::general;
  RigidPairSum rigid_;
  AffinePairSum affine_;
};

}  // namespace bulwark
