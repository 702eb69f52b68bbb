#include <bulwark/base/error.hpp>
#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/contact_set.hpp>
#include <bulwark/collision/open_queries.hpp>
#include <bulwark/collision/pair_offset.hpp>
#include <bulwark/collision/path_ccd.hpp>
#include <bulwark/collision/step_filter.hpp>
#include <bulwark/stencils/plane_limit.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

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
/// Few queries take more than some dozens. Where bodies are jammed, gaps of roundings would take any number;
/// a part of the step does for them.
constexpr int iterations_of_a_query = 1000;
/// A query takes up to some 2 ms, where bodies are jammed.
constexpr std::size_t queries_between_questions = 16;

/// The earliest time that query gives for any of the candidates that `order` names.
template <class Query>
Earliest earliest_of(const std::vector<std::uint32_t>& order, double max_time, const StopRequest& stop,
                     Query&& query) {
  Earliest best = {max_time, 0};
  for (std::size_t begin = 0; begin < order.size(); begin += batch_size) {
    const std::size_t count = std::min(batch_size, order.size() - begin);
    const double limit = best.time;
    const Earliest found = parallel_reduce(
        count, Earliest{limit, 0},
        [&](std::size_t k) {
          if (k % queries_between_questions == 0) stop_if_requested(stop);
          return Earliest{query(order[begin + k], limit), order[begin + k]};
        },
        earlier);
    best = earlier(best, found);
  }
  return best;
}

}  // namespace

StepFilter::StepFilter(const CollisionMesh& mesh, std::unique_ptr<BroadPhase> broad_phase,
                       std::unique_ptr<Ccd> ccd, const ContactScales& scales, Profile& profile,
                       std::size_t candidate_limit)
    : mesh_(mesh),
      broad_phase_(std::move(broad_phase)),
      ccd_(std::move(ccd)),
      scales_(scales),
      carries_plane_(mesh.bodies.size(), 0),
      reach_(mesh.vertex_count()),
      smallest_reach_(scales.largest_reach()),
      profile_(profile),
      candidate_limit_(candidate_limit) {
  for (const CollisionPlane& plane : mesh.planes) carries_plane_[plane.body] = 1;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    reach_[v] = scales.reach(mesh.vertex_body[v]);
    if (scales.body(mesh.vertex_body[v]).distance < BodyScale::none)
      smallest_reach_ = std::min(smallest_reach_, reach_[v]);
  }
}

namespace {

void grow(VertexBoxes& boxes, const VectorX& by) {
  boxes.lower.rowwise() -= by.transpose();
  boxes.upper.rowwise() += by.transpose();
}

bool inside(const Vectors& x, const VertexBoxes& boxes) {
  return (x.array() >= boxes.lower.array()).all() && (x.array() <= boxes.upper.array()).all();
}

}  // namespace

bool StepFilter::is_covered(const Vectors& x) const {
  return valid_ && inside(x, covered_);
}

const NearCandidates& StepFilter::near(const Vectors& positions) {
  if (!near_valid_ || !inside(positions, near_region_)) {
    near_region_ = swept_boxes(positions, positions, 0);
    const VectorX slack = 0.01 * reach_;
    grow(near_region_, slack);
    near_ = near_candidates(mesh_, candidates_, near_region_, scales_, moving_);
    near_valid_ = true;
  }
  return near_;
}

double StepFilter::body_gap(const Vectors& positions, int body_a, int body_b) const {
  if (body_a > body_b) std::swap(body_a, body_b);
  const double reach = scales_.full_range(body_a, body_b).reach();
  double smallest = reach;
  const auto group =
      std::lower_bound(candidates_.groups.begin(), candidates_.groups.end(), std::pair(body_a, body_b),
                       [](const BodyGroup& g, const std::pair<int, int>& pair) {
                         return std::pair(g.body_a, g.body_b) < pair;
                       });
  if (group != candidates_.groups.end() && group->body_a == body_a && group->body_b == body_b) {
    auto include = [&](const auto& candidate) {
      const std::array<Vector3, 4> x = positions_of(vertices_of(mesh_, candidate), positions);
      const double distance = std::sqrt(squared_distance(features_of(candidate, x), x.data()));
      smallest = std::min(smallest, distance - pair_offset(mesh_, candidate));
    };
    for (std::size_t k = group->point_begin; k < group->point_end; ++k)
      include(candidates_.point_triangle[k]);
    for (std::size_t k = group->edge_begin; k < group->edge_end; ++k) include(candidates_.edge_edge[k]);
  }
  for (const auto& [of_points, of_plane] : {std::pair(body_a, body_b), std::pair(body_b, body_a)}) {
    if (!carries_plane_[of_plane]) continue;
    // They are sorted by their points, which stand in the order of their bodies.
    const auto before = [&](int body) {
      return [this, body](const PointPlaneCandidate& c) { return mesh_.vertex_body[c.point] < body; };
    };
    const auto& all = candidates_.point_plane;
    const auto begin = std::partition_point(all.begin(), all.end(), before(of_points));
    for (auto c = begin; c != all.end() && mesh_.vertex_body[c->point] == of_points; ++c) {
      const CollisionPlane& plane = mesh_.planes[c->plane];
      if (plane.body != of_plane) continue;
      const double height = plane.normal.dot(positions.col(c->point) - positions.col(plane.vertex));
      smallest = std::min(smallest, std::abs(height) - pair_offset(mesh_, *c));
    }
  }
  return smallest < reach ? smallest - scales_.minimum_distance() : std::numeric_limits<double>::infinity();
}

void StepFilter::cover(const Vectors& positions) {
  {
    ScopedPhase phase(profile_, Phase::broad_phase);
    if (is_covered(positions)) return;
  }
  cover(VertexPath::line(positions, positions));
}

namespace {

/// Boxes around the path of every vertex, grown by `inflation`.
VertexBoxes path_boxes(const CollisionMesh& mesh, const VertexPath& path, const Vectors& end,
                       double inflation) {
  VertexBoxes boxes = swept_boxes(path.from, end, inflation);
  if (path.turns.empty()) return boxes;
  const std::vector<PathBulge> bulges(path.turns.begin(), path.turns.end());
  parallel_for(static_cast<std::size_t>(end.cols()), [&](std::size_t v) {
    const BodyPath* turn = path.turn_of(mesh, static_cast<int>(v));
    if (turn == nullptr) return;
    const Vector3 bulge = bulges[turn - path.turns.data()].at(path.from.col(v));
    boxes.lower.col(v) -= bulge;
    boxes.upper.col(v) += bulge;
  });
  return boxes;
}

}  // namespace

double StepFilter::cover(const VertexPath& whole) {
  return cover(whole, path_boxes(mesh_, whole, whole.at(mesh_, 1), 0));
}

std::vector<char> StepFilter::bodies_outside(const VertexBoxes& needed) const {
  std::vector<char> outside(mesh_.bodies.size(), valid_ ? 0 : 1);
  if (!valid_) return outside;
  for (int v = 0; v < mesh_.vertex_count(); ++v) {
    if ((needed.lower.col(v).array() < covered_.lower.col(v).array()).any() ||
        (needed.upper.col(v).array() > covered_.upper.col(v).array()).any())
      outside[mesh_.vertex_body[v]] = 1;
  }
  return outside;
}

bool StepFilter::search_around(const VertexPath& path, const std::vector<char>* changed) {
  stop_if_requested(stop_);
  const Vectors end = path.at(mesh_, 1);
  // Slack around the path, so that the iterates that follow mostly stay covered: as much as the vertex moves,
  // up to some reaches, and never less than one.
  VertexBoxes boxes = path_boxes(mesh_, path, end, 0);
  for (Eigen::Index v = 0; v < end.cols(); ++v) {
    if (changed != nullptr && !(*changed)[mesh_.vertex_body[v]]) {
      boxes.lower.col(v) = covered_.lower.col(v);
      boxes.upper.col(v) = covered_.upper.col(v);
      continue;
    }
    // Obstacles have no reach of their own; those that move need some slack all the same.
    const double reach = std::max(reach_[v], smallest_reach_);
    const double slack = reach_[v] + std::min((end.col(v) - path.from.col(v)).norm(), 4 * reach);
    boxes.lower.col(v).array() -= slack;
    boxes.upper.col(v).array() += slack;
  }
  covered_ = std::move(boxes);
  // The reach of two bodies is the smaller one of theirs, and obstacles have none: each grown by its own,
  // boxes of vertices that are no farther apart overlap.
  VertexBoxes grown = covered_;
  grow(grown, (1 + 1e-9) * reach_);
  grow_by_radii(mesh_, grown);
  candidates_ = changed != nullptr
                    ? broad_phase_->update(mesh_, grown, *changed, candidates_, candidate_limit_)
                    : broad_phase_->find(mesh_, grown, candidate_limit_);
  near_valid_ = false;
  valid_ = candidates_.complete;
  return valid_;
}

double StepFilter::cover(const VertexPath& whole, const VertexBoxes& needed) {
  ScopedPhase phase(profile_, Phase::broad_phase);
  const std::vector<char> left = bodies_outside(needed);
  const auto count = std::count(left.begin(), left.end(), 1);
  if (count == 0) return 1;
  // Where few bodies left their boxes, only these get new ones.
  if (valid_ && 2 * count < static_cast<std::ptrdiff_t>(left.size()) && search_around(whole, &left)) return 1;
  constexpr double smallest_part = 1e-6;
  for (double part = 1; part >= smallest_part; part /= 2) {
    if (search_around(part < 1 ? whole.part(part) : whole, nullptr)) return part;
  }
  throw SolveError(fmt::format(
      "more than {} pairs of surface elements are within the contact distance of {:.3g} m; a smaller "
      "/contact/distance or a coarser mesh is needed",
      candidate_limit_, scales_.largest_reach()));
}

/// The queries that a path asks: one for each of the near candidates that nothing else has settled. Refers to the
/// filter, which must not search again while it lives.
class StepFilter::Queries {
 public:
  Queries(StepFilter& filter, VertexPath path, const Vectors& end, double part_of_whole)
      : part(part_of_whole),
        filter_(filter),
        path_(std::move(path)),
        ccd_(filter.mesh_, path_, *filter.ccd_) {
    options_.max_iterations = iterations_of_a_query;
    options_.minimum_distance = filter.scales_.minimum_distance();
    options_.keep_fraction = kept_gap;
    open = open_queries(filter.mesh_, filter.candidates_, filter.near_, path_, end, filter.near_region_,
                        options_, filter.scales_, filter.directions_);
  }
  Queries(const Queries&) = delete;

  /// Times up to which candidates of a number keep their distance, at most `max_time`.
  double plane(std::uint32_t k, double max_time) const {
    const PointPlaneCandidate& c = filter_.candidates_.point_plane[k];
    const CollisionPlane& p = filter_.mesh_.planes[c.plane];
    const ContactScales& scales = filter_.scales_;
    const double gap = p.normal.dot(path_.from.col(c.point) - path_.from.col(p.vertex)) -
                       scales.minimum_distance() - pair_offset(filter_.mesh_, c);
    const double way = p.normal.dot(path_.straight.col(c.point) - path_.straight.col(p.vertex));
    // As for the other pairs (options_between), no more is kept than a part of the reach.
    const double kept =
        kept_plane_gap * std::min(gap, scales.range(filter_.mesh_.vertex_body[c.point], p.body).reach());
    const BodyPath* turn = path_.turn_of(filter_.mesh_, c.point);
    if (turn == nullptr) return std::min(max_time, plane_largest_step(gap, way, kept));
    return std::min(max_time,
                    turning_plane_largest_step(gap, way, p.normal, path_.from.col(c.point) - turn->center,
                                               turn->rotation, kept));
  }
  template <class Candidate>
  double pair(const Candidate& candidate, double max_time) const {
    const auto [a, b] = bodies(candidate);
    CcdOptions own = options_between(options_, filter_.scales_, a, b);
    own.minimum_distance += pair_offset(filter_.mesh_, candidate);
    if (boxes_apart(filter_.mesh_, filter_.near_region_, candidate,
                    options_.minimum_distance + own.keep_at_most))
      return max_time;
    own.max_time = max_time;
    return ccd_.time(candidate, own);
  }
  template <class Candidate>
  std::array<int, 2> bodies(const Candidate& candidate) const {
    const std::array<int, 2> side = vertices_of_sides(filter_.mesh_, candidate);
    return {filter_.mesh_.vertex_body[side[0]], filter_.mesh_.vertex_body[side[1]]};
  }

  double part;  ///< of the path that was asked for
  OpenQueries open;

 private:
  const StepFilter& filter_;
  VertexPath path_;
  PathCcd ccd_;
  CcdOptions options_;
};

StepFilter::Queries StepFilter::queries_on(const VertexPath& whole) {
  // What may come within reach on the path; the iterates that follow lie on it.
  Vectors end = whole.at(mesh_, 1);
  near_region_ = path_boxes(mesh_, whole, end, 0);
  const double part = cover(whole, near_region_);
  ScopedPhase phase(profile_, Phase::ccd);
  VertexPath path = part < 1 ? whole.part(part) : whole;
  if (part < 1) {
    end = path.at(mesh_, 1);
    near_region_ = path_boxes(mesh_, path, end, 0);
  }
  near_ = near_candidates(mesh_, candidates_, near_region_, scales_, moving_);
  near_valid_ = true;
  return {*this, std::move(path), end, part};
}

CollisionLimit StepFilter::largest_step(const VertexPath& whole) {
  const Queries queries = queries_on(whole);
  ScopedPhase phase(profile_, Phase::ccd);
  CollisionLimit limit;
  const Earliest plane = earliest_of(near_.point_plane, 1.0, stop_, [&](std::uint32_t k, double max_time) {
    return queries.plane(k, max_time);
  });
  if (plane.time < limit.step) {
    const PointPlaneCandidate& c = candidates_.point_plane[plane.index];
    limit = {plane.time, {{{PrimitiveKind::vertex, c.point}, {PrimitiveKind::plane, c.plane}}}};
  }
  const Earliest point =
      earliest_of(queries.open.point_triangle, limit.step, stop_, [&](std::uint32_t k, double max_time) {
        return queries.pair(candidates_.point_triangle[k], max_time);
      });
  if (point.time < limit.step) {
    const PointTriangleCandidate& c = candidates_.point_triangle[point.index];
    limit = {point.time, {{{PrimitiveKind::vertex, c.point}, {PrimitiveKind::triangle, c.triangle}}}};
  }
  const Earliest edge = earliest_of(
      queries.open.edge_edge, limit.step, stop_,
      [&](std::uint32_t k, double max_time) { return queries.pair(candidates_.edge_edge[k], max_time); });
  if (edge.time < limit.step) {
    const EdgeEdgeCandidate& c = candidates_.edge_edge[edge.index];
    limit = {edge.time, {{{PrimitiveKind::edge, c.edge_a}, {PrimitiveKind::edge, c.edge_b}}}};
  }
  limit.step *= queries.part;
  return limit;
}

NearCandidates StepFilter::collisions(const VertexPath& whole, double part) {
  const Queries queries = queries_on(whole);
  const double end = std::min(1.0, part / queries.part);
  ScopedPhase phase(profile_, Phase::ccd);
  auto meeting = [&](const std::vector<std::uint32_t>& order, auto&& time) {
    std::vector<char> meets(order.size());
    parallel_for(order.size(), [&](std::size_t k) {
      if (k % queries_between_questions == 0) stop_if_requested(stop_);
      meets[k] = time(order[k]) < end;
    });
    std::vector<std::uint32_t> found;
    for (std::size_t k = 0; k < order.size(); ++k) {
      if (meets[k]) found.push_back(order[k]);
    }
    return found;
  };
  NearCandidates found;
  found.groups = near_.groups;
  found.point_plane = meeting(near_.point_plane, [&](std::uint32_t k) { return queries.plane(k, end); });
  found.point_triangle = meeting(queries.open.point_triangle, [&](std::uint32_t k) {
    return queries.pair(candidates_.point_triangle[k], end);
  });
  found.edge_edge = meeting(queries.open.edge_edge,
                            [&](std::uint32_t k) { return queries.pair(candidates_.edge_edge[k], end); });
  return found;
}

}  // namespace bulwark
