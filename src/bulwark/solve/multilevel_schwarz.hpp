// Multilevel additive Schwarz: a preconditioner of elastic systems with contacts.
//
// The rows of the matrix A_0 form clusters of some 16 (row_clusters.hpp), each of which is solved for itself. Each is a
// node of the next level, moved by its six rigid motions: A_(l+1) = P_l^T A_l P_l, whose nodes form clusters again, until
// a level is small enough to be factorised. All levels add up:
//   M^-1 = sum over levels l of   P_0 .. P_(l-1)  [ sum over clusters c of  R_c^T (R_c A_l R_c^T)^-1 R_c ]  (P_0 .. P_(l-1))^T
// with one cluster of everything on the last. A cluster keeps W = L^-1, of its matrix L L^T, in single precision: W^T W is
// positive definite whatever was rounded.
#pragma once

#include <bulwark/base/parallel.hpp>
#include <bulwark/solve/block_cholesky.hpp>
#include <bulwark/solve/block_rows.hpp>
#include <bulwark/solve/rigid_mode.hpp>
#include <bulwark/solve/row_clusters.hpp>

#include <deque>
#include <span>
#include <vector>

namespace bulwark {

/// One level: nodes of N unknowns.
template <int N>
class SchwarzLevel {
 public:
  using Basis = Eigen::Matrix<double, N, 6>;  ///< how a cluster's motions move a node

  /// Goes by these clusters of A's rows from now on.
  void place(const BlockRows<N>& A, RowClusters clusters);
  /// Takes over A's values. False when a cluster's matrix is not positive definite.
  bool renew(const BlockRows<N>& A, std::vector<Basis> basis);

  /// The clusters' solutions for the residual r, and what it is on the next level. `before(k, l)` is called for places
  /// [k, l) of the clusters' order before their residuals are read.
  void smooth(const VectorX& r, VectorX& z, VectorX& coarse_r, RangeFunction before) const;
  /// Adds the motions of clusters to those of nodes. Returns r . z.
  double add_motions(const VectorX& coarse_z, const VectorX& r, VectorX& z) const;

  const RowClusters& clusters() const { return clusters_; }
  const BlockRows<6>& coarse() const { return coarse_; }

 private:
  bool renew_factor(const BlockRows<N>& A, int cluster);
  void renew_coarse_row(const BlockRows<N>& A, int cluster);

  RowClusters clusters_;
  std::vector<int> cluster_of_, place_of_;  ///< of each node: its cluster, and its place there
  std::vector<Basis> basis_;                ///< of each node
  std::vector<int> coarse_entry_;    ///< of each entry of A: where it adds to, or -1 in the lower triangle
  std::vector<int> mirror_;          ///< of each entry of the coarse matrix: where its transposed is
  std::vector<std::size_t> offset_;  ///< of each cluster's W
  std::vector<float> factors_;
  BlockRows<6> coarse_;
};

class MultilevelSchwarz {
 public:
  /// Clusters for the rows of a system's matrix.
  static RowClusters clusters_of(const BlockRows<3>& A);

  /// What differs from the last matrix. Clusters of all levels are found for new rows, and stay for a new pattern.
  enum class New { rows, pattern, values };
  /// Takes over a matrix whose rows come in the order of `clusters`. False when a cluster's matrix is not positive
  /// definite.
  bool update(const BlockRows<3>& A, const RowClusters& clusters, std::span<const RigidMode> modes, New what);
  /// z = M^-1 r; returns r . z. `before(i, j)` is called for rows [i, j) before they are read: the place to bring r up
  /// to date while it is at hand.
  double apply(const VectorX& r, VectorX& z, RangeFunction before);

 private:
  /// Prepares for factorising a level. False when that takes more multiplications than `most`.
  bool prepare_last(const BlockRows<6>& A, double most);
  /// Whether a level is worth being factorised; prepares for it then.
  bool may_be_last(const BlockRows<6>& A, int finest_rows);

  struct Coarse {
    SchwarzLevel<6> level;
    VectorX r, z;
  };
  SchwarzLevel<3> finest_;
  std::deque<Coarse> coarse_;
  /// The last level, which is factorised.
  BlockMatrix last_matrix_;
  BlockCholesky last_;
  VectorX last_r_, last_z_;
};

}  // namespace bulwark
