// Hessians of contacts between stiff bodies, summed straight into blocks of bodies and body pairs.
//
// The contacts of two bodies mostly follow each other. They are cut into pieces of one pair each, which are
// summed by themselves (stiff_pair.hpp), side by side; then every block gathers its pieces in their order. So
// the sum has the same bits on any number of threads.
#pragma once

#include <bulwark/base/parallel.hpp>
#include <bulwark/terms/stiff_pair.hpp>

#include <array>
#include <cstdint>
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

  /// Stencils that are summed here, with the bodies of their sides, and those that are not.
  struct Split {
    std::vector<std::uint32_t> stiff, soft;
    std::vector<std::array<int, 2>> sides;  ///< of the stiff ones
  };
  /// vertices(k) gives a vertex of each side of stencil k.
  template <class Vertices>
  Split split(std::size_t count, Vertices&& vertices) const {
    std::vector<std::array<int, 2>> all(count);
    parallel_for(count, [&](std::size_t k) {
      const std::array<int, 2> vertex = vertices(k);
      all[k] = sides(vertex[0], vertex[1]);
    });
    return split(std::move(all));
  }

  /// Forgets the pairs of earlier steps.
  void begin_step() { pairs_.clear(); }
  /// To be called before a sum: stiff bodies without a row in the map count as obstacles, and obstacles with
  /// one, which a script pulls, have unknowns of their own as soft bodies have.
  void see(const BlockMap& map);

  /// Sums contacts at the controls q, in parallel: add(k, pair) adds contact k, of the bodies sides[k], to the
  /// sum of its pair. Pairs that were met earlier in the step keep their places.
  template <class Add>
  void sum(const Vectors& q, const BlockMap& map, const std::vector<std::array<int, 2>>& sides, Add&& add,
           BlockList& sum) {
    cut(sides);
    lay_out(sum);
    const StiffState state = {mesh_, stiff_, stiff_of_body_, q, map};
    parallel_chunks(pieces_.size(), pieces_of_a_task, [&](std::size_t begin, std::size_t end, std::size_t) {
      for (std::size_t p = begin; p < end; ++p) {
        const Piece& piece = pieces_[p];
        StiffPair pair(state, piece.a, piece.b, blocks_.data() + piece.blocks);
        for (std::uint32_t k = piece.begin; k < piece.end; ++k) add(k, pair);
        pair.end();
      }
    });
    gather(sum);
  }

 private:
  /// Contacts of one pair that follow each other: a < b, or b an obstacle, or a.
  struct Piece {
    int a, b;
    std::uint32_t begin, end;
    std::size_t blocks;  ///< the first of its own in blocks_
  };
  static constexpr std::uint32_t longest_piece = 64;
  static constexpr std::size_t pieces_of_a_task = 8;

  Split split(std::vector<std::array<int, 2>> sides) const;
  void cut(const std::vector<std::array<int, 2>>& sides);
  void find_pairs();
  void lay_out(BlockList& sum);
  void gather(BlockList& sum);

  const CollisionMesh& mesh_;
  const std::vector<StiffBody>& stiff_;
  std::vector<int> stiff_of_body_;       ///< as in StiffState
  std::vector<std::uint64_t> pairs_;     ///< sorted
  std::vector<std::uint64_t> laid_out_;  ///< the pairs that keys and starts below belong to
  bool layout_holds_ = false;
  std::uint64_t seen_ = 0;                             ///< version of the last map seen
  std::vector<std::array<int, 2>> obstacle_controls_;  ///< body and control
  std::vector<std::size_t>
      start_;  ///< where the blocks of each body begin in the sum, then those of each pair
  std::vector<Piece> pieces_;
  std::vector<std::uint32_t> pair_of_;  ///< of each piece of two bodies: its pair's number in pairs_
  std::vector<Matrix3> blocks_;         ///< of the pieces
};

}  // namespace bulwark
