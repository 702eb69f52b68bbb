// The collision filter of a line search: keeps a set of candidate pairs that is complete for a whole region
// of motion, rebuilt only when the motion leaves it, and bounds steps by CCD over those candidates.
#pragma once

#include <bulwark/base/profile.hpp>
#include <bulwark/base/stop_request.hpp>
#include <bulwark/collision/broad_phase.hpp>
#include <bulwark/collision/ccd.hpp>
#include <bulwark/collision/open_queries.hpp>
#include <bulwark/collision/primitive.hpp>
#include <bulwark/collision/vertex_path.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace bulwark {

/// The largest safe step and the pair that limits it.
struct CollisionLimit {
  double step = 1;
  std::array<Primitive, 2> pair = {};  ///< numbers of -1 where none limits, or the number of pairs does
};

/// Pairs of a kind that are kept at the most: some 160 MB.
inline constexpr std::size_t max_candidates = 20'000'000;

class StepFilter {
 public:
  /// Pairs of solids within the full range of their bodies are among the candidates. The scales must outlive the
  /// filter.
  StepFilter(const CollisionMesh& mesh, std::unique_ptr<BroadPhase> broad_phase, std::unique_ptr<Ccd> ccd,
             const ContactScales& scales, Profile& profile, std::size_t candidate_limit = max_candidates);

  /// Makes the candidates complete for every configuration on the path, or on the first part of it where the
  /// whole would need more than `max_candidates` pairs. Returns that part, 1 or a power of 1/2. Throws
  /// SolveError where even its start alone has more.
  double cover(const VertexPath& path);
  /// Of one configuration.
  void cover(const Vectors& positions);

  /// The largest step in [0, 1] along the path on which every pair keeps a part of its distance. Covers the
  /// path.
  CollisionLimit largest_step(const VertexPath& path);

  /// All candidates each of which, alone, would limit the path to less than `part` of it. Covers the path.
  NearCandidates collisions(const VertexPath& path, double part);

  /// Forgets what earlier steps found out: a step's answers depend on that step alone.
  void begin_step() { directions_.clear(); }

  /// Only the flagged bodies move, or all of them where there are no flags: pairs of the others are not
  /// looked at until the next call.
  void set_moving(std::vector<char> moving) {
    moving_ = std::move(moving);
    near_valid_ = false;
  }

  /// The gap of two bodies at positions that are covered: what their distance has beyond the smallest that is
  /// allowed. Infinity where it is beyond their full range.
  double body_gap(const Vectors& positions, int body_a, int body_b) const;
  /// Asked in searches and between batches of queries, which throw Interrupted when they are to stop.
  void set_stop(StopRequest stop) { stop_ = std::move(stop); }

  const Candidates& candidates() const { return candidates_; }
  /// The candidates that may be within reach at the given positions, which are covered.
  const NearCandidates& near(const Vectors& positions);

 private:
  /// The same, with the boxes around the whole path.
  double cover(const VertexPath& path, const VertexBoxes& needed);
  bool is_covered(const Vectors& positions) const;
  /// The bodies that leave their covered boxes, one flag each; all of them where nothing is covered.
  std::vector<char> bodies_outside(const VertexBoxes& needed) const;
  /// Finds the candidates around a path, anew or only for the bodies that changed; false when there are too
  /// many.
  bool search_around(const VertexPath& path, const std::vector<char>* changed);
  class Queries;
  /// Covers the path, and finds the queries that it leaves to be answered.
  Queries queries_on(const VertexPath& path);

  const CollisionMesh& mesh_;
  std::unique_ptr<BroadPhase> broad_phase_;
  std::unique_ptr<Ccd> ccd_;
  const ContactScales& scales_;
  std::vector<char> carries_plane_;  ///< per body
  VectorX reach_;                    ///< per vertex, of its body, without its radius
  double smallest_reach_;
  Profile& profile_;
  std::size_t candidate_limit_;

  Candidates candidates_;
  VertexBoxes covered_;  ///< a path is covered while every vertex stays in its box
  bool valid_ = false;
  NearCandidates near_;  ///< complete for all positions in near_region_
  VertexBoxes near_region_;
  bool near_valid_ = false;
  SeparatingDirections directions_;
  std::vector<char> moving_;  ///< per body; empty when all may move
  StopRequest stop_;
};

}  // namespace bulwark
