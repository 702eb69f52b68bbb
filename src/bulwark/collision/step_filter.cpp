#include <bulwark/base/error.hpp>
#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/contact_set.hpp>
#include <bulwark/collision/step_filter.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bulwark {
namespace {

/// Part of a pair's gap that survives one step.
constexpr double kept_gap = 0.2;
/// The same for planes, where the distance is linear and free of error.
constexpr double kept_plane_gap = 0.1;

struct Earliest {
  double time;
  std::size_t index;
};

Earliest earlier(const Earliest& a, const Earliest& b) {
  return b.time < a.time ? b : a;
}

/// Time bounds found so far let later queries stop early; they are shared only between chunks of a fixed
/// order, so that results do not depend on the number of threads.
constexpr std::size_t batch_size = 4096;

template <class Candidate, class Query>
Earliest earliest_of(const std::vector<Candidate>& candidates, double max_time, Query&& query) {
  Earliest best = {max_time, 0};
  for (std::size_t begin = 0; begin < candidates.size(); begin += batch_size) {
    const std::size_t count = std::min(batch_size, candidates.size() - begin);
    const double limit = best.time;
    const Earliest found = parallel_reduce(
        count, Earliest{limit, 0},
        [&](std::size_t k) { return Earliest{query(candidates[begin + k], limit), begin + k}; }, earlier);
    best = earlier(best, found);
  }
  return best;
}

}  // namespace

StepFilter::StepFilter(const CollisionMesh& mesh, std::unique_ptr<BroadPhase> broad_phase,
                       std::unique_ptr<Ccd> ccd, double reach, double minimum_distance, Profile& profile,
                       std::size_t candidate_limit)
    : mesh_(mesh),
      broad_phase_(std::move(broad_phase)),
      ccd_(std::move(ccd)),
      reach_(reach),
      minimum_distance_(minimum_distance),
      profile_(profile),
      candidate_limit_(candidate_limit) {}

double StepFilter::cover(const Vectors& from, const Vectors& to) {
  ScopedPhase phase(profile_, Phase::broad_phase);
  auto inside = [&](const Vectors& x) {
    return (x.array() >= covered_.lower.array()).all() && (x.array() <= covered_.upper.array()).all();
  };
  if (valid_ && inside(from) && inside(to)) return 1;
  constexpr double smallest_part = 1e-6;
  for (double part = 1; part >= smallest_part; part /= 2) {
    const Vectors end = part < 1 ? Vectors(from + part * (to - from)) : to;
    // Slack around the path, so that the iterates that follow mostly stay covered: a share of the motion, and
    // never less than a part of the reach.
    const double motion = from.cols() > 0 ? (end - from).colwise().norm().maxCoeff() : 0;
    const double slack = 0.25 * reach_ + std::min(0.25 * motion, 2 * reach_);
    // Boxes of two vertices at most `reach` apart, each grown by half of it, overlap.
    candidates_ = broad_phase_->find(mesh_, swept_boxes(from, end, slack + 0.5 * reach_ * (1 + 1e-9)),
                                     candidate_limit_);
    valid_ = candidates_.complete;
    if (!valid_) continue;
    covered_ = swept_boxes(from, end, slack);
    return part;
  }
  throw SolveError(fmt::format(
      "more than {} pairs of surface elements are within the contact distance of {:.3g} m; a smaller "
      "/contact/distance or a coarser mesh is needed",
      candidate_limit_, reach_));
}

CollisionLimit StepFilter::largest_step(const Vectors& from, const Vectors& whole) {
  const double part = cover(from, whole);
  const Vectors to = part < 1 ? Vectors(from + part * (whole - from)) : whole;
  ScopedPhase phase(profile_, Phase::ccd);
  CcdOptions options;
  options.minimum_distance = minimum_distance_;
  options.keep_fraction = kept_gap;
  options.keep_at_most = kept_gap * reach_;
  auto query_of = [&](const std::array<int, 4>& v) {
    CcdQuery query;
    for (int i = 0; i < 4; ++i) {
      query.x[i] = from.col(v[i]);
      query.p[i] = to.col(v[i]) - from.col(v[i]);
    }
    return query;
  };
  CollisionLimit limit;

  const Earliest plane =
      earliest_of(candidates_.point_plane, 1.0, [&](const PointPlaneCandidate& c, double max_time) {
        const CollisionPlane& p = mesh_.planes[c.plane];
        const double gap = p.normal.dot(from.col(c.point) - from.col(p.vertex)) - minimum_distance_;
        const double end = p.normal.dot(to.col(c.point) - to.col(p.vertex)) - minimum_distance_;
        if (!(gap > 0)) return 0.0;
        // As for the other pairs, no more is kept than a part of the reach: a pair that is only passing far
        // away does not limit the step, whether it is among the candidates or not.
        const double kept = kept_plane_gap * std::min(gap, reach_);
        if (end >= kept) return max_time;
        return std::min(max_time, (gap - kept) / (gap - end));
      });
  if (plane.time < limit.step) {
    const PointPlaneCandidate& c = candidates_.point_plane[plane.index];
    limit = {plane.time, c.point, mesh_.planes[c.plane].vertex,
             fmt::format("point {} and plane {}", c.point, c.plane)};
  }

  const Earliest point = earliest_of(candidates_.point_triangle, limit.step,
                                     [&](const PointTriangleCandidate& c, double max_time) {
                                       CcdOptions bounded = options;
                                       bounded.max_time = max_time;
                                       return ccd_->point_triangle(query_of(vertices_of(mesh_, c)), bounded);
                                     });
  if (point.time < limit.step) {
    const PointTriangleCandidate& c = candidates_.point_triangle[point.index];
    limit = {point.time, c.point, mesh_.triangles[c.triangle][0],
             fmt::format("point {} and triangle {}", c.point, c.triangle)};
  }

  const Earliest edge =
      earliest_of(candidates_.edge_edge, limit.step, [&](const EdgeEdgeCandidate& c, double max_time) {
        CcdOptions bounded = options;
        bounded.max_time = max_time;
        return ccd_->edge_edge(query_of(vertices_of(mesh_, c)), bounded);
      });
  if (edge.time < limit.step) {
    const EdgeEdgeCandidate& c = candidates_.edge_edge[edge.index];
    limit = {edge.time, mesh_.edges[c.edge_a][0], mesh_.edges[c.edge_b][0],
             fmt::format("edges {} and {}", c.edge_a, c.edge_b)};
  }
  if (part < 1) {
    if (limit.vertex_a < 0) limit = {1, 0, 0, "the number of pairs on the way"};
    limit.step *= part;
  }
  return limit;
}

}  // namespace bulwark
