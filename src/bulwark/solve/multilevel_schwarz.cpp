#include <bulwark/base/parallel.hpp>
#include <bulwark/math/rotation.hpp>
#include <bulwark/solve/multilevel_schwarz.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>

namespace bulwark {
namespace {

/// Rows of a cluster on the first level, and nodes of one on the others: 48 and 96 unknowns.
constexpr int fine_cluster = 16, coarse_cluster = 16;
/// Nodes of a level up to which it may be the last one, and multiplications for each row of the finest one that its
/// factorisation may take.
constexpr int most_last_nodes = 4000;
constexpr double last_operations_per_row = 3000;
/// Clusters that one task works on.
constexpr std::size_t clusters_together = 16;
/// Nodes, likewise.
constexpr std::size_t nodes_together = 256;
/// Part of its diagonal that is added to a cluster's matrix: motions that move nothing leave it singular.
constexpr double added_diagonal = 1e-7;

/// The diagonal number of a matrix that is to be factorised.
double raised(double diagonal) {
  return diagonal == 0 ? 1 : diagonal * (1 + added_diagonal);
}

constexpr int lanes = 8;
using Lanes [[gnu::vector_size(lanes * sizeof(float))]] = float;

Lanes load(const float* p) {
  Lanes v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
void store(float* p, Lanes v) {
  __builtin_memcpy(p, &v, sizeof v);
}

int whole_vectors(int count) {
  return (count + lanes - 1) / lanes * lanes;
}

/// The size of a triangle whose columns begin and end with whole vectors.
std::size_t packed_size(int size) {
  const int end = whole_vectors(size);
  std::size_t sum = 0;
  for (int j = 0; j < size; ++j) sum += end - j / lanes * lanes;
  return sum;
}

/// L of the lower triangle of A = L L^T in A's place, by columns. False when a pivot is not positive.
bool factorise(double* A, int size, int stride) {
  for (int j = 0; j < size; ++j) {
    double* const __restrict column = A + static_cast<std::ptrdiff_t>(j) * stride;
    if (!(column[j] > 0)) return false;
    const double scale = 1 / std::sqrt(column[j]);
    for (int i = j; i < size; ++i) column[i] *= scale;
    for (int k = j + 1; k < size; ++k) {
      double* const __restrict other = A + static_cast<std::ptrdiff_t>(k) * stride;
      const double factor = column[k];
      for (int i = k; i < size; ++i) other[i] -= column[i] * factor;
    }
  }
  return true;
}

/// W = L^-1, packed.
void invert(const double* __restrict L, int size, int stride, double* __restrict column, float* packed) {
  const int end = whole_vectors(size);
  for (int j = 0; j < size; ++j) {
    std::fill(column, column + end, 0.0);
    column[j] = 1;
    for (int k = j; k < size; ++k) {
      const double* const l = L + static_cast<std::ptrdiff_t>(k) * stride;
      const double x = column[k] /= l[k];
      for (int i = k + 1; i < size; ++i) column[i] -= l[i] * x;
    }
    for (int i = j / lanes * lanes; i < end; ++i) *packed++ = static_cast<float>(column[i]);
  }
}

/// z = W^T W r; y is room for whole vectors.
void apply_packed(const float* packed, const float* r, int size, float* y, float* z) {
  const int end = whole_vectors(size);
  std::fill(y, y + end, 0.0F);
  const float* W = packed;
  for (int j = 0; j < size; ++j) {
    for (int i = j / lanes * lanes; i < end; i += lanes, W += lanes)
      store(y + i, load(y + i) + load(W) * r[j]);
  }
  W = packed;
  for (int j = 0; j < size; ++j) {
    Lanes sum{};
    for (int i = j / lanes * lanes; i < end; i += lanes, W += lanes) sum += load(W) * load(y + i);
    z[j] = ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
  }
}

/// Where a cluster of nodes is, and how far they lie around it.
struct Middle {
  Vector3 place = Vector3::Zero();
  double radius = 0;
};

template <class PlaceOf>
Middle middle_of(const std::vector<int>& nodes, int begin, int end, PlaceOf&& place_of) {
  Middle middle;
  double weight = 0;
  for (int k = begin; k < end; ++k) {
    const auto [place, counts] = place_of(nodes[k]);
    middle.place += counts * place;
    weight += counts;
  }
  if (weight > 0) middle.place /= weight;
  double squares = 0;
  for (int k = begin; k < end; ++k) {
    const auto [place, counts] = place_of(nodes[k]);
    squares += (counts > 0 ? Vector3(place - middle.place) : place).squaredNorm();
  }
  middle.radius = std::sqrt(squares / (end - begin));
  if (!(middle.radius > 0)) middle.radius = 1;
  return middle;
}

template <int N>
RowGraph graph_of(const BlockRows<N>& A) {
  RowGraph graph = {A.start, A.column, std::vector<float>(A.column.size())};
  std::vector<double> weight(A.rows(), 0);
  parallel_for(A.rows(), [&](std::size_t i) {
    for (int e = A.start[i]; e < A.start[i + 1]; ++e) {
      if (A.column[e] == static_cast<int>(i)) weight[i] = 1 / std::max(A.block(e).trace(), 1e-300);
    }
  });
  parallel_for(A.rows(), [&](std::size_t i) {
    for (int e = A.start[i]; e < A.start[i + 1]; ++e) {
      const double strength = A.block(e).squaredNorm() * weight[i] * weight[A.column[e]];
      // Never quite zero: what is connected at all can be put together.
      graph.strength[e] = static_cast<float>(std::sqrt(strength)) + 1e-20F;
    }
  });
  return graph;
}

/// The matrix with two rows of 3x3 blocks for each node, without values.
BlockMatrix halved(const BlockRows<6>& A) {
  BlockMatrix matrix;
  matrix.rows = 2 * A.rows();
  matrix.row_start.push_back(0);
  for (int i = 0; i < A.rows(); ++i) {
    for (int half = 0; half < 2; ++half) {
      for (int e = A.start[i]; e < A.start[i + 1]; ++e) {
        for (int other = 0; other < 2; ++other) {
          if (2 * A.column[e] + other >= 2 * i + half) matrix.column.push_back(2 * A.column[e] + other);
        }
      }
      matrix.row_start.push_back(static_cast<int>(matrix.column.size()));
    }
  }
  matrix.value.resize(matrix.column.size());
  return matrix;
}

void copy_halves(const BlockRows<6>& A, BlockMatrix& matrix) {
  std::size_t k = 0;
  for (int i = 0; i < A.rows(); ++i) {
    for (int half = 0; half < 2; ++half) {
      for (int e = A.start[i]; e < A.start[i + 1]; ++e) {
        for (int other = 0; other < 2; ++other) {
          if (2 * A.column[e] + other >= 2 * i + half)
            matrix.value[k++] = A.block(e).block<3, 3>(3 * half, 3 * other);
        }
      }
      for (double& diagonal : matrix.value[matrix.row_start[2 * i + half]].diagonal())
        diagonal = raised(diagonal);
    }
  }
}

}  // namespace

template <int N>
void SchwarzLevel<N>::place(const BlockRows<N>& A, RowClusters clusters) {
  clusters_ = std::move(clusters);
  const int count = clusters_.count();
  cluster_of_.resize(A.rows());
  place_of_.resize(A.rows());
  offset_.assign(1, 0);
  for (int c = 0; c < count; ++c) {
    for (int k = clusters_.start[c]; k < clusters_.start[c + 1]; ++k) {
      cluster_of_[clusters_.order[k]] = c;
      place_of_[clusters_.order[k]] = k - clusters_.start[c];
    }
    offset_.push_back(offset_.back() + packed_size(N * (clusters_.start[c + 1] - clusters_.start[c])));
  }
  factors_.resize(offset_.back());

  // The neighbours of each cluster, itself among them.
  std::vector<std::vector<int>> neighbours(count);
  auto for_entries = [&](std::size_t c, auto&& visit) {
    for (int k = clusters_.start[c]; k < clusters_.start[c + 1]; ++k) {
      const int i = clusters_.order[k];
      for (int e = A.start[i]; e < A.start[i + 1]; ++e) visit(e, cluster_of_[A.column[e]]);
    }
  };
  parallel_chunks(count, clusters_together, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t c = begin; c < end; ++c) {
      std::vector<int>& own = neighbours[c];
      for_entries(c, [&](int, int other) {
        if (own.empty() || own.back() != other) own.push_back(other);
      });
      std::sort(own.begin(), own.end());
      own.erase(std::unique(own.begin(), own.end()), own.end());
    }
  });
  coarse_.start.assign(1, 0);
  for (const std::vector<int>& own : neighbours)
    coarse_.start.push_back(coarse_.start.back() + static_cast<int>(own.size()));
  coarse_.column.resize(coarse_.start.back());
  coarse_entry_.resize(A.column.size());
  parallel_chunks(count, clusters_together, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t c = begin; c < end; ++c) {
      const std::vector<int>& own = neighbours[c];
      std::copy(own.begin(), own.end(), coarse_.column.begin() + coarse_.start[c]);
      for_entries(c, [&](int e, int other) {
        coarse_entry_[e] =
            other < static_cast<int>(c)
                ? -1
                : coarse_.start[c] +
                      static_cast<int>(std::lower_bound(own.begin(), own.end(), other) - own.begin());
      });
    }
  });
  coarse_.make_room();
  mirror_.resize(coarse_.column.size());
  std::vector<int> next(coarse_.start.begin(), coarse_.start.end() - 1);
  for (int c = 0; c < count; ++c) {
    for (int e = coarse_.start[c]; e < coarse_.start[c + 1]; ++e) mirror_[e] = next[coarse_.column[e]]++;
  }
}

template <int N>
bool SchwarzLevel<N>::renew_factor(const BlockRows<N>& A, int cluster) {
  const int begin = clusters_.start[cluster], end = clusters_.start[cluster + 1];
  const int size = N * (end - begin), stride = whole_vectors(size);
  thread_local std::vector<double> dense, column;
  dense.assign(static_cast<std::size_t>(stride) * size, 0.0);
  column.resize(stride);
  for (int k = begin; k < end; ++k) {
    const int i = clusters_.order[k];
    for (int e = A.start[i]; e < A.start[i + 1]; ++e) {
      const int j = A.column[e];
      if (cluster_of_[j] != cluster || place_of_[j] > k - begin) continue;
      Eigen::Map<Eigen::MatrixXd>(dense.data(), stride, size).block(N * (k - begin), N * place_of_[j], N, N) =
          A.block(e);
    }
  }
  for (int i = 0; i < size; ++i) {
    double& diagonal = dense[static_cast<std::size_t>(i) * (stride + 1)];
    diagonal = raised(diagonal);
  }
  if (!factorise(dense.data(), size, stride)) return false;
  invert(dense.data(), size, stride, column.data(), factors_.data() + offset_[cluster]);
  return true;
}

template <int N>
void SchwarzLevel<N>::renew_coarse_row(const BlockRows<N>& A, int cluster) {
  for (int e = coarse_.start[cluster]; e < coarse_.start[cluster + 1]; ++e) {
    if (coarse_.column[e] >= cluster) coarse_.block(e).setZero();
  }
  for (int k = clusters_.start[cluster]; k < clusters_.start[cluster + 1]; ++k) {
    const int i = clusters_.order[k];
    for (int e = A.start[i]; e < A.start[i + 1]; ++e) {
      if (coarse_entry_[e] < 0) continue;
      const Basis moved = A.block(e) * basis_[A.column[e]];
      coarse_.block(coarse_entry_[e]).noalias() += basis_[i].transpose() * moved;
    }
  }
  for (int e = coarse_.start[cluster]; e < coarse_.start[cluster + 1]; ++e) {
    if (coarse_.column[e] > cluster) coarse_.block(mirror_[e]) = coarse_.block(e).transpose();
  }
}

template <int N>
bool SchwarzLevel<N>::renew(const BlockRows<N>& A, std::vector<Basis> basis) {
  basis_ = std::move(basis);
  std::atomic<bool> positive = true;
  parallel_chunks(clusters_.count(), clusters_together, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t c = begin; c < end; ++c) {
      if (!renew_factor(A, static_cast<int>(c))) positive = false;
      renew_coarse_row(A, static_cast<int>(c));
    }
  });
  return positive;
}

template <int N>
void SchwarzLevel<N>::smooth(const VectorX& r, VectorX& z, VectorX& coarse_r, RangeFunction before) const {
  coarse_r.resize(6 * static_cast<Eigen::Index>(clusters_.count()));
  parallel_chunks(
      clusters_.count(), clusters_together, [&](std::size_t first, std::size_t last, std::size_t) {
        thread_local std::vector<float> room;
        before(static_cast<std::size_t>(clusters_.start[first]),
               static_cast<std::size_t>(clusters_.start[last]));
        for (std::size_t c = first; c < last; ++c) {
          const int begin = clusters_.start[c], end = clusters_.start[c + 1];
          const int size = N * (end - begin), stride = whole_vectors(size);
          room.resize(3 * static_cast<std::size_t>(stride));
          float *const from = room.data(), *const between = from + stride, *const to = between + stride;
          Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
          for (int k = begin; k < end; ++k) {
            const int i = clusters_.order[k];
            const Eigen::Matrix<double, N, 1> own = r.segment<N>(static_cast<Eigen::Index>(N) * i);
            sum.noalias() += basis_[i].transpose() * own;
            for (int axis = 0; axis < N; ++axis) from[N * (k - begin) + axis] = static_cast<float>(own[axis]);
          }
          coarse_r.segment<6>(6 * static_cast<Eigen::Index>(c)) = sum;
          apply_packed(factors_.data() + offset_[c], from, size, between, to);
          for (int k = begin; k < end; ++k) {
            for (int axis = 0; axis < N; ++axis)
              z[static_cast<Eigen::Index>(N) * clusters_.order[k] + axis] = to[N * (k - begin) + axis];
          }
        }
      });
}

template <int N>
double SchwarzLevel<N>::add_motions(const VectorX& coarse_z, const VectorX& r, VectorX& z) const {
  std::vector<double> sums((basis_.size() + nodes_together - 1) / nodes_together);
  parallel_chunks(basis_.size(), nodes_together, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const auto at = static_cast<Eigen::Index>(N * i);
      z.segment<N>(at) += basis_[i] * coarse_z.segment<6>(6 * static_cast<Eigen::Index>(cluster_of_[i]));
      sum += r.segment<N>(at).dot(z.segment<N>(at));
    }
    sums[chunk] = sum;
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

RowClusters MultilevelSchwarz::clusters_of(const BlockRows<3>& A) {
  return cluster_rows(graph_of(A), fine_cluster);
}

bool MultilevelSchwarz::update(const BlockRows<3>& A, const RowClusters& clusters,
                               std::span<const RigidMode> modes, New what) {
  if (what != New::values) {
    RowClusters in_order = clusters;
    for (std::size_t k = 0; k < in_order.order.size(); ++k) in_order.order[k] = static_cast<int>(k);
    finest_.place(A, std::move(in_order));
  }
  if (what == New::rows) coarse_.clear();
  auto place_of = [&](int row) { return std::pair<Vector3, double>(modes[row].arm, modes[row].translation); };
  std::vector<Middle> middles(finest_.clusters().count());
  std::vector<SchwarzLevel<3>::Basis> fine_basis(A.rows());
  parallel_for(middles.size(), [&](std::size_t c) {
    const int begin = finest_.clusters().start[c], end = finest_.clusters().start[c + 1];
    middles[c] = middle_of(finest_.clusters().order, begin, end, place_of);
    const Middle& middle = middles[c];
    for (int i = begin; i < end; ++i) {
      const RigidMode& mode = modes[i];
      const Vector3 arm = mode.arm - mode.translation * middle.place;
      fine_basis[i].leftCols<3>() = mode.translation * Matrix3::Identity();
      fine_basis[i].rightCols<3>() =
          (mode.rotation * Matrix3::Identity() - cross_matrix(arm)) / middle.radius;
    }
  });
  if (!finest_.renew(A, std::move(fine_basis))) return false;
  const BlockRows<6>* matrix = &finest_.coarse();
  for (std::size_t l = 0;; ++l) {
    if (what == New::rows ? may_be_last(*matrix, A.rows()) : l == coarse_.size()) {
      if (what == New::pattern) prepare_last(*matrix, std::numeric_limits<double>::infinity());
      copy_halves(*matrix, last_matrix_);
      return last_.factorise(last_matrix_);
    }
    if (what == New::rows) {
      coarse_.emplace_back();
      coarse_[l].level.place(*matrix, cluster_rows(graph_of(*matrix), coarse_cluster));
      coarse_[l].r.resize(6 * matrix->rows());
      coarse_[l].z.resize(6 * matrix->rows());
    } else if (what == New::pattern) {
      coarse_[l].level.place(*matrix, coarse_[l].level.clusters());
    }
    SchwarzLevel<6>& level = coarse_[l].level;
    const RowClusters& own = level.clusters();
    std::vector<Middle> next(own.count());
    std::vector<SchwarzLevel<6>::Basis> basis(matrix->rows());
    for (int c = 0; c < own.count(); ++c) {
      next[c] = middle_of(own.order, own.start[c], own.start[c + 1],
                          [&](int node) { return std::pair<Vector3, double>(middles[node].place, 1.0); });
      for (int k = own.start[c]; k < own.start[c + 1]; ++k) {
        const int node = own.order[k];
        basis[node].setZero();
        basis[node].topLeftCorner<3, 3>() = Matrix3::Identity();
        basis[node].topRightCorner<3, 3>() =
            -cross_matrix(middles[node].place - next[c].place) / next[c].radius;
        basis[node].bottomRightCorner<3, 3>() = middles[node].radius / next[c].radius * Matrix3::Identity();
      }
    }
    if (!level.renew(*matrix, std::move(basis))) return false;
    middles = std::move(next);
    matrix = &level.coarse();
  }
}

bool MultilevelSchwarz::prepare_last(const BlockRows<6>& A, double most) {
  const std::uint64_t version = last_matrix_.pattern_version + 1;
  last_matrix_ = halved(A);
  last_matrix_.pattern_version = version;
  return last_.analyse(last_matrix_, most);
}

bool MultilevelSchwarz::may_be_last(const BlockRows<6>& A, int finest_rows) {
  // Where no node has neighbours, further levels would be the same again.
  if (A.column.size() == static_cast<std::size_t>(A.rows()))
    return prepare_last(A, std::numeric_limits<double>::infinity());
  // A few nodes are always worth it.
  constexpr double few_operations = 1e6;
  return A.rows() <= most_last_nodes &&
         prepare_last(A, std::max(few_operations, last_operations_per_row * finest_rows));
}

double MultilevelSchwarz::apply(const VectorX& r, VectorX& z, RangeFunction before) {
  const std::size_t levels = coarse_.size();
  auto nothing = [](std::size_t, std::size_t) {};
  finest_.smooth(r, z, levels > 0 ? coarse_[0].r : last_r_, before);
  for (std::size_t l = 0; l < levels; ++l)
    coarse_[l].level.smooth(coarse_[l].r, coarse_[l].z, l + 1 < levels ? coarse_[l + 1].r : last_r_, nothing);
  last_.substitute(last_r_, last_z_);
  for (std::size_t l = levels; l > 0; --l) {
    Coarse& above = coarse_[l - 1];
    above.level.add_motions(l < levels ? coarse_[l].z : last_z_, above.r, above.z);
  }
  return finest_.add_motions(levels > 0 ? coarse_[0].z : last_z_, r, z);
}

template class SchwarzLevel<3>;
template class SchwarzLevel<6>;

}  // namespace bulwark
