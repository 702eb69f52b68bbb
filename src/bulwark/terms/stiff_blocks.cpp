#include <bulwark/terms/stiff_blocks.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace bulwark {

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

StiffBlocks::Split StiffBlocks::split(std::vector<std::array<int, 2>> sides) const {
  Split split;
  for (std::uint32_t k = 0; k < sides.size(); ++k) (takes(sides[k]) ? split.stiff : split.soft).push_back(k);
  std::erase_if(sides, [](const std::array<int, 2>& both) { return !takes(both); });
  split.sides = std::move(sides);
  return split;
}

/// Cuts the contacts into pieces. Those that no stiff body is in are left out.
void StiffBlocks::cut(const std::vector<std::array<int, 2>>& sides) {
  pieces_.clear();
  std::size_t blocks = 0;
  for (std::uint32_t k = 0; k < sides.size(); ++k) {
    auto [a, b] = sides[k];
    if (b >= 0 && (a < 0 || b < a)) std::swap(a, b);
    if (a < 0) continue;
    if (!pieces_.empty()) {
      Piece& last = pieces_.back();
      if (last.a == a && last.b == b && last.end == k && k - last.begin < longest_piece) {
        last.end = k + 1;
        continue;
      }
    }
    pieces_.push_back({a, b, k, k + 1, blocks});
    blocks += StiffPair::block_count(stiff_, a, b);
  }
  blocks_.resize(blocks);
}

/// The pieces' pairs; new ones are added.
void StiffBlocks::find_pairs() {
  constexpr auto missing = static_cast<std::uint32_t>(-1);
  auto find = [&](std::size_t p) {
    const Piece& piece = pieces_[p];
    if (piece.b < 0 || piece.a == piece.b) {
      pair_of_[p] = 0;
      return;
    }
    const std::uint64_t key = BlockList::make_key(piece.a, piece.b);
    const auto found = std::lower_bound(pairs_.begin(), pairs_.end(), key);
    pair_of_[p] =
        found != pairs_.end() && *found == key ? static_cast<std::uint32_t>(found - pairs_.begin()) : missing;
  };
  pair_of_.resize(pieces_.size());
  parallel_for(pieces_.size(), find);
  const std::size_t known = pairs_.size();
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    if (pair_of_[p] == missing) pairs_.push_back(BlockList::make_key(pieces_[p].a, pieces_[p].b));
  }
  if (pairs_.size() == known) return;
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  parallel_for(pieces_.size(), find);
}

/// Gives every block of bodies and pairs its place in the sum.
void StiffBlocks::lay_out(BlockList& sum) {
  find_pairs();
  if (layout_holds_ && laid_out_ == pairs_ && !sum.key.empty()) return;
  layout_holds_ = true;
  laid_out_ = pairs_;
  start_.clear();
  sum.key.clear();
  for (const StiffBody& body : stiff_) {
    start_.push_back(sum.key.size());
    if (stiff_of_body_[body.body] < 0) continue;
    const int first = body.first_control, count = parts_of(body);
    for (int i = 0; i < count; ++i) {
      for (int j = i; j < count; ++j) sum.key.push_back(BlockList::make_key(first + i, first + j));
    }
  }
  for (const std::uint64_t pair : pairs_) {
    start_.push_back(sum.key.size());
    const StiffBody &a = stiff_[pair >> 32], &b = stiff_[pair & 0xffffffffu];
    for (int i = 0; i < parts_of(a); ++i) {
      for (int j = 0; j < parts_of(b); ++j)
        sum.key.push_back(BlockList::make_key(a.first_control + i, b.first_control + j));
    }
  }
  start_.push_back(sum.key.size());
  sum.value.resize(sum.key.size());
}

/// Adds the pieces' blocks up, in the order of the pieces.
void StiffBlocks::gather(BlockList& sum) {
  const std::size_t places = start_.size() - 1;
  // What enters each place: the first block of a piece's own for it.
  std::vector<std::uint32_t> first(places + 2, 0);
  auto for_each = [&](auto&& visit) {
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
      const Piece& piece = pieces_[p];
      visit(piece.a, piece.blocks);
      if (piece.b < 0 || piece.b == piece.a) continue;
      const std::size_t own = piece.blocks + own_blocks(stiff_[piece.a]);
      visit(piece.b, own);
      visit(stiff_.size() + pair_of_[p], own + own_blocks(stiff_[piece.b]));
    }
  };
  for_each([&](std::size_t place, std::size_t) { ++first[place + 2]; });
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::size_t> entering(first.back());
  for_each([&](std::size_t place, std::size_t block) { entering[first[place + 1]++] = block; });
  parallel_for(places, [&](std::size_t place) {
    const std::size_t count = start_[place + 1] - start_[place];
    Matrix3* const to = sum.value.data() + start_[place];
    std::fill_n(to, count, Matrix3::Zero());
    for (std::uint32_t e = first[place]; e < first[place + 1]; ++e) {
      const Matrix3* const from = blocks_.data() + entering[e];
      for (std::size_t k = 0; k < count; ++k) to[k] += from[k];
    }
  });
}

}  // namespace bulwark
