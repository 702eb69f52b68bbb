// Hessians of contacts between stiff bodies, summed straight into blocks of bodies and body pairs.
//
// All vertices of one side of a contact move with one body, so the side is a single material point of it:
// with the weights w_i of the side's vertices, sum w_i x_i = sum_a s_a e_a over the body's controls. A
// contact Hessian K (3x3) in the difference of the two points adds
//   s_a s_b K                                 to the block of controls a and b of affine bodies,
//   J^T K J,  J = s (I, -[r]),  s = +-1       to the center and the rotation of a rigid one, r = point - center.
// Per contact that is a handful of 3x3 blocks, where the general way through the vertices takes 136. As the
// contacts of two bodies mostly follow each other, these are summed by themselves (stiff_pair_sum.hpp) and
// added when the next pair begins.
#pragma once

#include <bulwark/bodies/stiff_body.hpp>
#include <bulwark/collision/collision_mesh.hpp>
#include <bulwark/math/block_matrix.hpp>
#include <bulwark/stencils/stiff_pair_sum.hpp>

#include <array>
#include <vector>

namespace bulwark {

class StiffBlocks {
 public:
  StiffBlocks(const CollisionMesh& mesh, const std::vector<StiffBody>& stiff);

  /// The stiff bodies of a stencil's two sides, given a vertex of each; -1 for an obstacle, -2 for a soft
  /// body.
  std::array<int, 2> sides(int first, int second) const {
    return {stiff_of_body_[mesh_.vertex_body[first]], stiff_of_body_[mesh_.vertex_body[second]]};
  }
  /// Whether a stencil has only vertices of stiff bodies and obstacles.
  static bool takes(const std::array<int, 2>& sides) { return sides[0] > -2 && sides[1] > -2; }

  /// Forgets the pairs of earlier steps.
  void begin_step() { pairs_.clear(); }
  /// To be called before a sum: stiff bodies without a row in the map count as obstacles, and obstacles with
  /// one, which a script pulls, have unknowns of their own as soft bodies have.
  void see(const BlockMap& map);

  /// Begins a sum at the controls q. `bodies` has the two stiff bodies of each contact to come (once is
  /// enough), -1 for an obstacle; pairs that were met earlier in the step keep their places in the sum.
  void begin(const Vectors& q, const BlockMap& map, const std::vector<std::array<int, 2>>& bodies,
             BlockList& sum);
  /// Adds K between the vertices with the given weights, whose sums are 1 on one side, -1 on the
  /// other. A side's point may be off that of its vertices by A times its lever.
  void add(const int* vertices, int count, const Eigen::Vector4d& weights, const Matrix3& K,
           const std::array<Vector3, 2>& levers = {Vector3::Zero(), Vector3::Zero()});
  /// Adds a Hessian in the vectors u = x1 - x0 and v = x3 - x2 along two edges of two bodies.
  void add_edges(const int* vertices, const Matrix3& uu, const Matrix3& uv, const Matrix3& vv);
  /// Adds a Hessian in the positions of the vertices (at most four).
  void add(const int* vertices, int count, const Eigen::Matrix<double, 12, 12>& H);
  /// Ends the sum.
  void end() { end_pair(); }

 private:
  struct Side {
    int stiff = -1;
    Eigen::Vector4d share = Eigen::Vector4d::Zero();  ///< s
    Matrix3 lever = Matrix3::Zero();                  ///< of a rigid body: -s [r], held axes taken out
  };
  /// The two bodies whose contacts are being summed, a < b or b an obstacle.
  struct Run {
    int a = -1, b = -1;
    enum class Kind { none, rigid, affine } kind = Kind::none;
    RigidPairSum rigid;
    AffinePairSum affine;
  };
  /// Whether two sides can be summed in a run; begins one for them where there is another.
  bool begin_pair(int a, int b);
  void end_pair();
  void add_rigid_pair();
  void add_affine_pair();
  std::size_t pair_start(int a, int b) const;
  /// s of the combination of a stiff body's vertices.
  Eigen::Vector4d share_of(const int* vertices, const double* weights, int count) const;
  /// The vector sum_k s_k a_k in a stiff body, k = 1, 2, 3.
  Vector3 arm_of(int stiff, const Eigen::Vector4d& share) const {
    return q_->middleCols<3>(stiff_[stiff].first_control + 1) * share.tail<3>();
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
  int parts(int stiff) const { return stiff_[stiff].rigid ? 2 : 4; }

  const CollisionMesh& mesh_;
  const std::vector<StiffBody>& stiff_;
  /// Per body of the mesh: its place in stiff_, -1 for obstacles and what stands still, -2 for soft bodies.
  std::vector<int> stiff_of_body_;
  std::vector<std::uint64_t> pairs_;     ///< sorted
  std::vector<std::uint64_t> laid_out_;  ///< the pairs that keys and starts below belong to
  bool layout_holds_ = false;
  std::uint64_t seen_ = 0;                             ///< version of the last map seen
  std::vector<std::array<int, 2>> obstacle_controls_;  ///< body and control
  std::vector<std::size_t> own_start_, pair_start_;
  Run run_;
  const Vectors* q_ = nullptr;
  const BlockMap* map_ = nullptr;
  BlockList* sum_ = nullptr;
};

}  // namespace bulwark
