// From the collision surface back to the controls: gradients by W^T g, Hessian blocks (k, l) by
// s_ka s_lb H_kl. Shared by all terms whose stencils are made of collision vertices.
#pragma once

#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/collision_mesh.hpp>
#include <bulwark/math/block_matrix.hpp>

#include <array>
#include <vector>

namespace bulwark {

/// gradient += scale * W^T (per-vertex gradient).
inline void add_vertex_gradient(const CollisionMesh& mesh, const Vectors& vertex_gradient, double scale,
                                Vectors& gradient) {
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (vertex_gradient.col(v).isZero(0)) continue;
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(mesh.weights, v); it; ++it) {
      gradient.col(it.col()) += scale * it.value() * vertex_gradient.col(v);
    }
  }
}

/// Marks the controls of some vertices.
inline void mark_controls(const CollisionMesh& mesh, const int* vertices, int count,
                          std::vector<char>& mark) {
  for (int i = 0; i < count; ++i) {
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(mesh.weights, vertices[i]); it; ++it)
      mark[it.col()] = 1;
  }
}

/// Per body of the mesh, whether any of its vertices has a control that moves.
inline std::vector<char> moving_bodies(const CollisionMesh& mesh, const BlockMap& map) {
  std::vector<char> moving(mesh.bodies.size(), 0);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (moving[mesh.vertex_body[v]]) continue;
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(mesh.weights, v); it; ++it) {
      if (map.row[it.col()] >= 0 || map.follows(static_cast<int>(it.col()))) moving[mesh.vertex_body[v]] = 1;
    }
  }
  return moving;
}

/// One control's part in a combination of controls.
struct ControlShare {
  int control;
  double weight;
};

/// Appends the shares of a combination of vertices.
inline void add_shares(const CollisionMesh& mesh, const int* vertices, int count, const double* weights,
                       std::vector<ControlShare>& shares) {
  for (int i = 0; i < count; ++i) {
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(mesh.weights, vertices[i]); it; ++it)
      shares.push_back({static_cast<int>(it.col()), weights[i] * it.value()});
  }
}

/// Fills `blocks` with the Hessians of `count` stencils that are functions of one combination of controls
/// each, in parallel.
///   shares_of(k, shares): appends the combination's shares, as many and in the same order at each call
///   hessian(k):           its 3x3 Hessian
template <class SharesOf, class HessianOf>
void fill_combination_blocks(std::size_t count, SharesOf&& shares_of, HessianOf&& hessian,
                             BlockList& blocks) {
  std::vector<std::size_t> start(count + 1, 0);
  std::vector<ControlShare> counted;
  for (std::size_t k = 0; k < count; ++k) {
    counted.clear();
    shares_of(k, counted);
    start[k + 1] = start[k] + counted.size() * (counted.size() + 1) / 2;
  }
  blocks.resize(start[count]);
  parallel_chunks(count, 32, [&](std::size_t begin, std::size_t end, std::size_t) {
    std::vector<ControlShare> shares;
    for (std::size_t k = begin; k < end; ++k) {
      shares.clear();
      shares_of(k, shares);
      const Matrix3 h = hessian(k);
      std::size_t out = start[k];
      for (std::size_t a = 0; a < shares.size(); ++a) {
        for (std::size_t b = a; b < shares.size(); ++b) {
          // Two shares of one control fall on one diagonal block, as does the mirror image.
          const double twice = a != b && shares[a].control == shares[b].control ? 2 : 1;
          blocks.set(out++, shares[a].control, shares[b].control,
                     twice * shares[a].weight * shares[b].weight * h);
        }
      }
    }
  });
}

/// Fills `blocks` with the Hessians of `count` stencils, in parallel.
///   vertices(k): std::pair<const int*, int>, the stencil's vertices and their number (at most 4)
///   hessian(k):  its 12x12 Hessian
template <class VerticesOf, class HessianOf>
void fill_vertex_blocks(const CollisionMesh& mesh, std::size_t count, VerticesOf&& vertices,
                        HessianOf&& hessian, BlockList& blocks) {
  struct VertexShare : ControlShare {
    int slot;  ///< which vertex of the stencil
  };
  const int* row_start = mesh.weights.outerIndexPtr();
  std::vector<std::size_t> start(count + 1, 0);
  for (std::size_t k = 0; k < count; ++k) {
    const auto [vertex, n] = vertices(k);
    std::size_t shares = 0;
    for (int i = 0; i < n; ++i) shares += row_start[vertex[i] + 1] - row_start[vertex[i]];
    start[k + 1] = start[k] + shares * (shares + 1) / 2;
  }
  blocks.resize(start[count]);
  parallel_chunks(count, 32, [&](std::size_t begin, std::size_t end, std::size_t) {
    std::vector<VertexShare> shares;
    for (std::size_t k = begin; k < end; ++k) {
      const auto [vertex, n] = vertices(k);
      shares.clear();
      for (int i = 0; i < n; ++i) {
        for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(mesh.weights, vertex[i]); it;
             ++it) {
          shares.push_back({{static_cast<int>(it.col()), it.value()}, i});
        }
      }
      const Eigen::Matrix<double, 12, 12> h = hessian(k);
      std::size_t out = start[k];
      for (std::size_t a = 0; a < shares.size(); ++a) {
        for (std::size_t b = a; b < shares.size(); ++b) {
          Matrix3 block =
              shares[a].weight * shares[b].weight * h.block<3, 3>(3 * shares[a].slot, 3 * shares[b].slot);
          // Two shares of one control fall on one diagonal block, as does the mirror image.
          if (a != b && shares[a].control == shares[b].control) block += block.transpose().eval();
          blocks.set(out++, shares[a].control, shares[b].control, block);
        }
      }
    }
  });
}

}  // namespace bulwark
