#include <bulwark/math/rotation.hpp>
#include <bulwark/terms/stiff_blocks.hpp>

#include <algorithm>

namespace bulwark {
namespace {

std::uint64_t pair_key(int a, int b) {
  return BlockList::make_key(std::min(a, b), std::max(a, b));
}

}  // namespace

StiffBlocks::StiffBlocks(const CollisionMesh& mesh, const std::vector<StiffBody>& stiff)
    : mesh_(mesh), stiff_(stiff), stiff_of_body_(mesh.bodies.size(), -2) {
  for (std::size_t b = 0; b < mesh.bodies.size(); ++b) {
    if (mesh.bodies[b].obstacle) stiff_of_body_[b] = -1;
  }
  for (std::size_t b = 0; b < stiff.size(); ++b) stiff_of_body_[stiff[b].body] = static_cast<int>(b);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const int body = mesh.vertex_body[v];
    if (stiff_of_body_[body] != -1) continue;
    for (int k = mesh.weights.outerIndexPtr()[v]; k < mesh.weights.outerIndexPtr()[v + 1]; ++k)
      obstacle_controls_.push_back({body, mesh.weights.innerIndexPtr()[k]});
  }
}

void StiffBlocks::see(const BlockMap& map) {
  if (map.version == seen_) return;
  seen_ = map.version;
  pairs_.clear();
  layout_holds_ = false;
  auto moves = [&map](int control) { return map.row[control] >= 0 || map.follows(control); };
  for (std::size_t s = 0; s < stiff_.size(); ++s) {
    const int first = stiff_[s].first_control;
    const bool any = moves(first) || moves(first + 1) || moves(first + 2) || moves(first + 3);
    stiff_of_body_[stiff_[s].body] = any ? static_cast<int>(s) : -1;
  }
  for (const auto& [body, control] : obstacle_controls_) stiff_of_body_[body] = -1;
  for (const auto& [body, control] : obstacle_controls_) {
    if (moves(control)) stiff_of_body_[body] = -2;
  }
}

void StiffBlocks::begin(const Vectors& q, const BlockMap& map, const std::vector<std::array<int, 2>>& bodies,
                        BlockList& sum) {
  sum_ = &sum;
  q_ = &q;
  map_ = &map;
  run_.kind = Run::Kind::none;
  bool found_new = false;
  const std::size_t known = pairs_.size();
  std::uint64_t last = 0;  // the key of no pair
  for (const auto& [a, b] : bodies) {
    if (a < 0 || b < 0 || a == b) continue;
    const std::uint64_t key = pair_key(a, b);
    if (key == last) continue;
    last = key;
    if (std::binary_search(pairs_.begin(), pairs_.begin() + known, key)) continue;
    pairs_.push_back(key);
    found_new = true;
  }
  if (found_new) {
    std::sort(pairs_.begin(), pairs_.end());
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  }
  if (!layout_holds_ || laid_out_ != pairs_ || sum.key.empty()) {
    layout_holds_ = true;
    laid_out_ = pairs_;
    own_start_.clear();
    pair_start_.clear();
    sum.key.clear();
    for (std::size_t s = 0; s < stiff_.size(); ++s) {
      own_start_.push_back(sum.key.size());
      if (stiff_of_body_[stiff_[s].body] < 0) continue;
      const int first = stiff_[s].first_control, count = parts(static_cast<int>(s));
      for (int i = 0; i < count; ++i) {
        for (int j = i; j < count; ++j) sum.key.push_back(BlockList::make_key(first + i, first + j));
      }
    }
    for (const std::uint64_t pair : pairs_) {
      pair_start_.push_back(sum.key.size());
      const int a = static_cast<int>(pair >> 32), b = static_cast<int>(pair & 0xffffffffu);
      for (int i = 0; i < parts(a); ++i) {
        for (int j = 0; j < parts(b); ++j) {
          sum.key.push_back(BlockList::make_key(stiff_[a].first_control + i, stiff_[b].first_control + j));
        }
      }
    }
  }
  sum.value.assign(sum.key.size(), Matrix3::Zero());
}

/// Makes the lever of a side whose shares are known.
void StiffBlocks::set_lever(Side& side) const {
  if (side.stiff < 0 || !stiff_[side.stiff].rigid) return;
  const int column = stiff_[side.stiff].first_control + 1;
  side.lever = -cross_matrix(q_->middleCols<3>(column) * side.share.tail<3>());  // -s [r]
  for (int axis = 0; axis < 3; ++axis) {
    if (map_->held[column] >> axis & 1) side.lever.col(axis).setZero();
  }
}

Eigen::Vector4d StiffBlocks::share_of(const int* vertices, const double* weights, int count) const {
  const int* row_start = mesh_.weights.outerIndexPtr();
  const double* value = mesh_.weights.valuePtr();
  Eigen::Vector4d share = Eigen::Vector4d::Zero();
  for (int i = 0; i < count; ++i) {
    share += weights[i] * Eigen::Map<const Eigen::Vector4d>(value + row_start[vertices[i]]);
  }
  return share;
}

StiffBlocks::Side StiffBlocks::side_of(const int* vertices, const double* weights, int count,
                                       const Vector3& lever) const {
  Side side;
  side.stiff = stiff_of_body_[mesh_.vertex_body[vertices[0]]];
  if (side.stiff < 0) return side;
  side.share = share_of(vertices, weights, count);
  side.share.tail<3>() += lever;
  set_lever(side);
  return side;
}

bool StiffBlocks::begin_pair(int a, int b) {
  if (run_.kind != Run::Kind::none && run_.a == a && run_.b == b) return true;
  if (a < 0 || a == b || (b >= 0 && stiff_[a].rigid != stiff_[b].rigid)) return false;
  end_pair();
  run_.a = a;
  run_.b = b;
  if (stiff_[a].rigid) {
    run_.kind = Run::Kind::rigid;
    run_.rigid = {};
  } else {
    run_.kind = Run::Kind::affine;
    run_.affine = {};
  }
  return true;
}

void StiffBlocks::end_pair() {
  if (run_.kind == Run::Kind::rigid) add_rigid_pair();
  if (run_.kind == Run::Kind::affine) add_affine_pair();
  run_.kind = Run::Kind::none;
}

std::size_t StiffBlocks::pair_start(int a, int b) const {
  return pair_start_[std::lower_bound(pairs_.begin(), pairs_.end(), pair_key(a, b)) - pairs_.begin()];
}

void StiffBlocks::add_rigid_pair() {
  RigidPairSum& sum = run_.rigid;
  auto held = [&](int stiff, int axis) {
    return (map_->held[stiff_[stiff].first_control + 1] >> axis & 1) != 0;
  };
  for (int axis = 0; axis < 3; ++axis) {
    if (held(run_.a, axis)) {
      sum.lever_a.row(axis).setZero();
      sum.aa.row(axis).setZero();
      sum.aa.col(axis).setZero();
      sum.ab.row(axis).setZero();
    }
    if (run_.b >= 0 && held(run_.b, axis)) {
      sum.lever_b.row(axis).setZero();
      sum.bb.row(axis).setZero();
      sum.bb.col(axis).setZero();
      sum.ab.col(axis).setZero();
    }
  }
  Matrix3* own = &sum_->value[own_start_[run_.a]];
  own[0] += sum.K;
  own[1] += sum.lever_a.transpose();
  own[2] += sum.aa;
  if (run_.b < 0) return;
  own = &sum_->value[own_start_[run_.b]];
  own[0] += sum.K;
  own[1] += sum.lever_b.transpose();
  own[2] += sum.bb;
  Matrix3* mutual = &sum_->value[pair_start(run_.a, run_.b)];
  mutual[0] -= sum.K;
  mutual[1] -= sum.lever_b.transpose();
  mutual[2] -= sum.lever_a;
  mutual[3] -= sum.ab;
}

void StiffBlocks::add_affine_pair() {
  const AffinePairSum& sum = run_.affine;
  Matrix3* own = &sum_->value[own_start_[run_.a]];
  for (int k = 0; k < 10; ++k) own[k] += AffinePairSum::block(sum.aa.col(k));
  if (run_.b < 0) return;
  own = &sum_->value[own_start_[run_.b]];
  for (int k = 0; k < 10; ++k) own[k] += AffinePairSum::block(sum.bb.col(k));
  Matrix3* mutual = &sum_->value[pair_start(run_.a, run_.b)];
  for (int k = 0; k < 16; ++k) mutual[k] += AffinePairSum::block(sum.ab.col(k));
}

void StiffBlocks::add(const int* vertices, int count, const Eigen::Vector4d& weights, const Matrix3& K,
                      const std::array<Vector3, 2>& levers) {
  // The first side has the first vertices.
  int first = 1;
  while (first < count && mesh_.vertex_body[vertices[first]] == mesh_.vertex_body[vertices[0]]) ++first;
  auto [a, b] = sides(vertices[0], vertices[first < count ? first : 0]);
  // The order of the sides does not matter.
  int begin_a = 0, end_a = first, begin_b = first, end_b = count, lever_a = 0, lever_b = 1;
  if (b >= 0 && (a < 0 || b < a)) {
    std::swap(a, b);
    std::swap(begin_a, begin_b);
    std::swap(end_a, end_b);
    std::swap(lever_a, lever_b);
  }
  if (!begin_pair(a, b)) {
    std::array<Side, 2> side = {side_of(vertices, weights.data(), first, levers[0]), {}};
    if (first < count) side[1] = side_of(vertices + first, weights.data() + first, count - first, levers[1]);
    return add_sides(side, K, K, K);
  }
  Eigen::Vector4d share_a = share_of(vertices + begin_a, weights.data() + begin_a, end_a - begin_a);
  Eigen::Vector4d share_b = b < 0 ? Eigen::Vector4d::Zero().eval()
                                  : share_of(vertices + begin_b, weights.data() + begin_b, end_b - begin_b);
  share_a.tail<3>() += levers[lever_a];
  if (b >= 0) share_b.tail<3>() += levers[lever_b];
  if (run_.kind == Run::Kind::affine) return run_.affine.add(share_a, share_b, K);
  // The weights' signs are taken out: the pair's blocks have them. (Of mollified edges, the second one's
  // point may be the positive side.)
  const double sign = share_a[0] > 0 ? 1 : -1;
  const Vector3 r_b = b < 0 ? Vector3::Zero().eval() : Vector3(-sign * arm_of(b, share_b));
  run_.rigid.add(sign * arm_of(a, share_a), r_b, K);
}

void StiffBlocks::add_edges(const int* vertices, const Matrix3& uu, const Matrix3& uv, const Matrix3& vv) {
  constexpr double difference[2] = {-1, 1};
  const auto [a, b] = sides(vertices[0], vertices[2]);
  const bool swapped = b >= 0 && (a < 0 || b < a);
  const bool in_run =
      run_.kind == Run::Kind::rigid && run_.a == (swapped ? b : a) && run_.b == (swapped ? a : b);
  if (!in_run) {
    return add_sides({side_of(vertices, difference, 2), side_of(vertices + 2, difference, 2)}, uu, uv, vv);
  }
  auto vector_of = [&](int stiff, const int* edge) -> Vector3 {
    return stiff < 0 ? Vector3::Zero() : arm_of(stiff, share_of(edge, difference, 2));
  };
  const Vector3 u = vector_of(a, vertices), v = vector_of(b, vertices + 2);
  if (swapped) {
    run_.rigid.add_vectors(v, u, vv, uv.transpose(), uu);
  } else {
    run_.rigid.add_vectors(u, v, uu, uv, vv);
  }
}

void StiffBlocks::add_sides(const std::array<Side, 2>& side, const Matrix3& K00, const Matrix3& K01,
                            const Matrix3& K11) {
  if (side[0].stiff >= 0) add_own(side[0], K00, side[0]);
  if (side[1].stiff >= 0) add_own(side[1], K11, side[1]);
  if (side[0].stiff < 0 || side[1].stiff < 0) return;
  if (side[0].stiff < side[1].stiff) {
    add_mutual(side[0], side[1], K01);
  } else {
    add_mutual(side[1], side[0], K01.transpose());
  }
}

void StiffBlocks::add(const int* vertices, int count, const Eigen::Matrix<double, 12, 12>& H) {
  std::array<Side, 4> side;
  const int* row_start = mesh_.weights.outerIndexPtr();
  const double* value = mesh_.weights.valuePtr();
  for (int i = 0; i < count; ++i) {
    side[i].stiff = stiff_of_body_[mesh_.vertex_body[vertices[i]]];
    if (side[i].stiff < 0) continue;
    for (int a = 0; a < 4; ++a) side[i].share[a] = value[row_start[vertices[i]] + a];
    set_lever(side[i]);
  }
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) {
      if (side[i].stiff < 0 || side[j].stiff < 0) continue;
      const Matrix3 K = H.block<3, 3>(3 * i, 3 * j);
      if (side[i].stiff == side[j].stiff) add_own(side[i], K, side[j]);
      if (side[i].stiff < side[j].stiff) add_mutual(side[i], side[j], K);
    }
  }
}

Matrix3 StiffBlocks::product(const Side& p, int a, const Matrix3& K, const Side& q, int b) const {
  const bool turns_p = a > 0 && stiff_[p.stiff].rigid, turns_q = b > 0 && stiff_[q.stiff].rigid;
  if (!turns_p && !turns_q) return p.share[a] * q.share[b] * K;
  if (!turns_p) return p.share[a] * (K * q.lever);
  const Matrix3 left = p.lever.transpose() * K;
  return turns_q ? Matrix3(left * q.lever) : Matrix3(q.share[b] * left);
}

void StiffBlocks::add_own(const Side& p, const Matrix3& K, const Side& q) {
  std::size_t k = own_start_[p.stiff];
  const int count = parts(p.stiff);
  for (int i = 0; i < count; ++i) {
    for (int j = i; j < count; ++j) sum_->value[k++] += product(p, i, K, q, j);
  }
}

void StiffBlocks::add_mutual(const Side& a, const Side& b, const Matrix3& K) {
  std::size_t k = pair_start(a.stiff, b.stiff);
  for (int i = 0; i < parts(a.stiff); ++i) {
    for (int j = 0; j < parts(b.stiff); ++j) sum_->value[k++] += product(a, i, K, b, j);
  }
}

}  // namespace bulwark
