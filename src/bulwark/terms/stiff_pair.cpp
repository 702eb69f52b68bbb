#include <bulwark/math/rotation.hpp>
#include <bulwark/terms/stiff_pair.hpp>

#include <algorithm>

namespace bulwark {

std::size_t StiffPair::block_count(const std::vector<StiffBody>& stiff, int a, int b) {
  if (b < 0 || b == a) return own_blocks(stiff[a]);
  return own_blocks(stiff[a]) + own_blocks(stiff[b]) +
         static_cast<std::size_t>(parts_of(stiff[a]) * parts_of(stiff[b]));
}

StiffPair::StiffPair(const StiffState& state, int a, int b, Matrix3* blocks)
    : state_(state), a_(a), b_(b), own_a_(blocks) {
  const bool two = b >= 0 && b != a;
  own_b_ = two ? own_a_ + own_blocks(state.stiff[a]) : own_a_;
  mutual_ = two ? own_b_ + own_blocks(state.stiff[b]) : nullptr;
  std::fill_n(blocks, block_count(state.stiff, a, b), Matrix3::Zero());
  if (a == b || (two && state.stiff[a].rigid != state.stiff[b].rigid)) return;
  form_ = state.stiff[a].rigid ? Form::rigid : Form::affine;
}

/// Makes the lever of a side whose shares are known.
void StiffPair::set_lever(Side& side) const {
  if (side.stiff < 0 || !state_.stiff[side.stiff].rigid) return;
  const int column = state_.stiff[side.stiff].first_control + 1;
  side.lever = -cross_matrix(state_.q.middleCols<3>(column) * side.share.tail<3>());  // -s [r]
  for (int axis = 0; axis < 3; ++axis) {
    if (state_.map.held[column] >> axis & 1) side.lever.col(axis).setZero();
  }
}

Eigen::Vector4d StiffPair::share_of(const int* vertices, const double* weights, int count) const {
  const int* row_start = state_.mesh.weights.outerIndexPtr();
  const double* value = state_.mesh.weights.valuePtr();
  Eigen::Vector4d share = Eigen::Vector4d::Zero();
  for (int i = 0; i < count; ++i) {
    share += weights[i] * Eigen::Map<const Eigen::Vector4d>(value + row_start[vertices[i]]);
  }
  return share;
}

StiffPair::Side StiffPair::side_of(const int* vertices, const double* weights, int count,
                                   const Vector3& lever) const {
  Side side;
  side.stiff = stiff_of(vertices[0]);
  if (side.stiff < 0) return side;
  side.share = share_of(vertices, weights, count);
  side.share.tail<3>() += lever;
  set_lever(side);
  return side;
}

void StiffPair::end() {
  if (form_ == Form::rigid) add_rigid_sum();
  if (form_ == Form::affine) add_affine_sum();
}

void StiffPair::add_rigid_sum() {
  RigidPairSum& sum = rigid_;
  auto held = [&](int stiff, int axis) {
    return (state_.map.held[state_.stiff[stiff].first_control + 1] >> axis & 1) != 0;
  };
  for (int axis = 0; axis < 3; ++axis) {
    if (held(a_, axis)) {
      sum.lever_a.row(axis).setZero();
      sum.aa.row(axis).setZero();
      sum.aa.col(axis).setZero();
      sum.ab.row(axis).setZero();
    }
    if (b_ >= 0 && held(b_, axis)) {
      sum.lever_b.row(axis).setZero();
      sum.bb.row(axis).setZero();
      sum.bb.col(axis).setZero();
      sum.ab.col(axis).setZero();
    }
  }
  own_a_[0] += sum.K;
  own_a_[1] += sum.lever_a.transpose();
  own_a_[2] += sum.aa;
  if (b_ < 0) return;
  own_b_[0] += sum.K;
  own_b_[1] += sum.lever_b.transpose();
  own_b_[2] += sum.bb;
  mutual_[0] -= sum.K;
  mutual_[1] -= sum.lever_b.transpose();
  mutual_[2] -= sum.lever_a;
  mutual_[3] -= sum.ab;
}

void StiffPair::add_affine_sum() {
  for (int k = 0; k < 10; ++k) own_a_[k] += AffinePairSum::block(affine_.aa.col(k));
  if (b_ < 0) return;
  for (int k = 0; k < 10; ++k) own_b_[k] += AffinePairSum::block(affine_.bb.col(k));
  for (int k = 0; k < 16; ++k) mutual_[k] += AffinePairSum::block(affine_.ab.col(k));
}

void StiffPair::add(const int* vertices, int count, const Eigen::Vector4d& weights, const Matrix3& K,
                    const std::array<Vector3, 2>& levers) {
  // The first side has the first vertices.
  const std::vector<int>& body = state_.mesh.vertex_body;
  int first = 1;
  while (first < count && body[vertices[first]] == body[vertices[0]]) ++first;
  if (form_ == Form::general) {
    std::array<Side, 2> side = {side_of(vertices, weights.data(), first, levers[0]), {}};
    if (first < count) side[1] = side_of(vertices + first, weights.data() + first, count - first, levers[1]);
    return add_sides(side, K, K, K);
  }
  // The order of the sides does not matter.
  int begin_a = 0, end_a = first, begin_b = first, end_b = count, lever_a = 0, lever_b = 1;
  if (stiff_of(vertices[0]) != a_) {
    std::swap(begin_a, begin_b);
    std::swap(end_a, end_b);
    std::swap(lever_a, lever_b);
  }
  Eigen::Vector4d share_a = share_of(vertices + begin_a, weights.data() + begin_a, end_a - begin_a);
  Eigen::Vector4d share_b = b_ < 0 ? Eigen::Vector4d::Zero().eval()
                                   : share_of(vertices + begin_b, weights.data() + begin_b, end_b - begin_b);
  share_a.tail<3>() += levers[lever_a];
  if (b_ >= 0) share_b.tail<3>() += levers[lever_b];
  if (form_ == Form::affine) return affine_.add(share_a, share_b, K);
  // The weights' signs are taken out: the pair's blocks have them. (Of mollified edges, the second one's
  // point may be the positive side.)
  const double sign = share_a[0] > 0 ? 1 : -1;
  const Vector3 r_b = b_ < 0 ? Vector3::Zero().eval() : Vector3(-sign * arm_of(b_, share_b));
  rigid_.add(sign * arm_of(a_, share_a), r_b, K);
}

void StiffPair::add_edges(const int* vertices, const Matrix3& uu, const Matrix3& uv, const Matrix3& vv) {
  constexpr double difference[2] = {-1, 1};
  if (form_ != Form::rigid) {
    return add_sides({side_of(vertices, difference, 2), side_of(vertices + 2, difference, 2)}, uu, uv, vv);
  }
  auto vector_of = [&](const int* edge) -> Vector3 {
    const int stiff = stiff_of(edge[0]);
    return stiff < 0 ? Vector3::Zero() : arm_of(stiff, share_of(edge, difference, 2));
  };
  const Vector3 u = vector_of(vertices), v = vector_of(vertices + 2);
  if (stiff_of(vertices[0]) != a_) {
    rigid_.add_vectors(v, u, vv, uv.transpose(), uu);
  } else {
    rigid_.add_vectors(u, v, uu, uv, vv);
  }
}

void StiffPair::add_sides(const std::array<Side, 2>& side, const Matrix3& K00, const Matrix3& K01,
                          const Matrix3& K11) {
  if (side[0].stiff >= 0) add_own(side[0], K00, side[0]);
  if (side[1].stiff >= 0) add_own(side[1], K11, side[1]);
  if (side[0].stiff < 0 || side[1].stiff < 0) return;
  if (side[0].stiff == side[1].stiff) {
    add_own(side[0], K01, side[1]);
    add_own(side[1], K01.transpose(), side[0]);
  } else if (side[0].stiff < side[1].stiff) {
    add_mutual(side[0], side[1], K01);
  } else {
    add_mutual(side[1], side[0], K01.transpose());
  }
}

void StiffPair::add(const int* vertices, int count, const Eigen::Matrix<double, 12, 12>& H) {
  std::array<Side, 4> side;
  const double weight = 1;
  for (int i = 0; i < count; ++i) side[i] = side_of(vertices + i, &weight, 1);
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) {
      if (side[i].stiff < 0 || side[j].stiff < 0) continue;
      const Matrix3 K = H.block<3, 3>(3 * i, 3 * j);
      if (side[i].stiff == side[j].stiff) add_own(side[i], K, side[j]);
      if (side[i].stiff < side[j].stiff) add_mutual(side[i], side[j], K);
    }
  }
}

Matrix3 StiffPair::product(const Side& p, int a, const Matrix3& K, const Side& q, int b) const {
  const bool turns_p = a > 0 && state_.stiff[p.stiff].rigid, turns_q = b > 0 && state_.stiff[q.stiff].rigid;
  if (!turns_p && !turns_q) return p.share[a] * q.share[b] * K;
  if (!turns_p) return p.share[a] * (K * q.lever);
  const Matrix3 left = p.lever.transpose() * K;
  return turns_q ? Matrix3(left * q.lever) : Matrix3(q.share[b] * left);
}

void StiffPair::add_own(const Side& p, const Matrix3& K, const Side& q) {
  Matrix3* block = p.stiff == a_ ? own_a_ : own_b_;
  const int count = parts_of(state_.stiff[p.stiff]);
  for (int i = 0; i < count; ++i) {
    for (int j = i; j < count; ++j) *block++ += product(p, i, K, q, j);
  }
}

void StiffPair::add_mutual(const Side& a, const Side& b, const Matrix3& K) {
  Matrix3* block = mutual_;
  for (int i = 0; i < parts_of(state_.stiff[a.stiff]); ++i) {
    for (int j = 0; j < parts_of(state_.stiff[b.stiff]); ++j) *block++ += product(a, i, K, b, j);
  }
}

}  // namespace bulwark
