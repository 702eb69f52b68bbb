#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/contact_set.hpp>
#include <bulwark/collision/open_queries.hpp>

#include <algorithm>
#include <array>
#include <cfloat>
#include <limits>
#include <span>

namespace bulwark {
namespace {

/// Fewer queries are not worth a common direction, and bodies with more near candidates rarely have one.
constexpr std::size_t fewest_queries = 2, most_near = 2000;

/// The closest of some pairs: the first vertex of its first side, and the vector from the other side to it.
struct Closest {
  double squared_distance = std::numeric_limits<double>::infinity();
  int vertex = -1;
  Vector3 way = Vector3::Zero();
};

/// The heights of one side's points along a direction, at both ends of the path, and what rounding may change.
/// All of them move with one body.
class Heights {
 public:
  double start_low = DBL_MAX, start_high = -DBL_MAX;
  double low[2] = {DBL_MAX, DBL_MAX}, high[2] = {-DBL_MAX, -DBL_MAX};  ///< with the path's bulge
  double size = 0;

  Heights(const Vector3& n, const BodyPath* turn) : n_(n), turn_(turn) {
    if (turn == nullptr) return;
    across_ = turn->rotation.cross(n).squaredNorm();
    turn_size_ = turn->rotation.lpNorm<1>();
  }

  void include(const Vector3& from, const Vector3& end, double radius) {
    double bulge = 0;
    size = std::max(size, from.lpNorm<1>() + end.lpNorm<1>() + radius);
    if (turn_ != nullptr) {
      const Vector3 arm = from - turn_->center;
      bulge = 0.125 * (1 + 1e-12) * std::sqrt(across_ * turn_->rotation.cross(arm).squaredNorm());
      size = std::max(size, turn_size_ * arm.lpNorm<1>());
    }
    const double at[2] = {n_.dot(from), n_.dot(end)};
    start_low = std::min(start_low, at[0] - radius);
    start_high = std::max(start_high, at[0] + radius);
    for (int t = 0; t < 2; ++t) {
      low[t] = std::min(low[t], at[t] - bulge - radius);
      high[t] = std::max(high[t], at[t] + bulge + radius);
    }
  }

 private:
  const Vector3& n_;
  const BodyPath* turn_;
  double across_ = 0, turn_size_ = 0;
};

/// The vertices of the mesh in the order of their bodies.
class VerticesByBody {
 public:
  explicit VerticesByBody(const CollisionMesh& mesh)
      : start_(mesh.bodies.size() + 1, 0), vertex_(mesh.vertex_count()) {
    for (const int body : mesh.vertex_body) ++start_[body + 1];
    for (std::size_t b = 1; b < start_.size(); ++b) start_[b] += start_[b - 1];
    std::vector<int> next(start_.begin(), start_.end() - 1);
    for (int v = 0; v < mesh.vertex_count(); ++v) vertex_[next[mesh.vertex_body[v]]++] = v;
  }
  std::span<const int> of(int body) const {
    return {vertex_.data() + start_[body], vertex_.data() + start_[body + 1]};
  }

 private:
  std::vector<int> start_, vertex_;
};

class BodyPair {
 public:
  BodyPair(const CollisionMesh& mesh, const Candidates& candidates, const VertexPath& path,
           const Vectors& end)
      : mesh_(mesh), candidates_(candidates), path_(path), end_(end) {}

  void set_options(const CcdOptions& options) { options_ = options; }

  /// Whether the direction keeps two bodies apart on the whole path, with all their vertices.
  bool is_settled(const BodyGroup& group, const VerticesByBody& vertices, const Vector3& direction) const {
    const std::array<std::span<const int>, 2> sides = {vertices.of(group.body_a), vertices.of(group.body_b)};
    return keeps_apart(direction, sides);
  }

  /// Whether one direction keeps all these candidates of two bodies apart on the whole path: the one given,
  /// if it is not zero, or else that of the closest pair, which is put in its place.
  bool is_settled(int body, const OpenQueries& queries, Vector3& direction) {
    gather_vertices(body, queries);
    const std::array<std::span<const int>, 2> sides = {vertices_[0], vertices_[1]};
    if (!direction.isZero(0) && keeps_apart(direction, sides)) return true;
    Closest closest;
    for (const std::uint32_t k : queries.point_triangle) include(candidates_.point_triangle[k], closest);
    for (const std::uint32_t k : queries.edge_edge) include(candidates_.edge_edge[k], closest);
    Vector3 n = closest.way.normalized();
    if (!n.allFinite()) return false;
    if (mesh_.vertex_body[closest.vertex] != body) n = -n;
    if (!keeps_apart(n, sides)) return false;
    direction = n;
    return true;
  }

 private:
  /// Whether the first side stays beyond the second along n.
  bool keeps_apart(const Vector3& n, const std::array<std::span<const int>, 2>& sides) const {
    if (sides[0].empty() || sides[1].empty()) return false;
    std::array<Heights, 2> side = {Heights(n, path_.turn_of(mesh_, sides[0][0])),
                                   Heights(n, path_.turn_of(mesh_, sides[1][0]))};
    for (int s = 0; s < 2; ++s) {
      for (const int v : sides[s]) side[s].include(path_.from.col(v), end_.col(v), mesh_.radius_of(v));
    }
    const double gap = side[0].start_low - side[1].start_high - options_.minimum_distance;
    const double kept = options_.minimum_distance +
                        std::min(options_.keep_fraction * gap, options_.keep_at_most) +
                        256 * DBL_EPSILON * (side[0].size + side[1].size);
    return gap > 0 && side[0].low[0] - side[1].high[0] > kept && side[0].low[1] - side[1].high[1] > kept;
  }

  template <class Candidate>
  void include(const Candidate& candidate, Closest& closest) const {
    const std::array<int, 4> v = vertices_of(mesh_, candidate);
    const std::array<Vector3, 4> x = positions_of(v, path_.from);
    const ClosestFeatures features = features_of(candidate, x);
    const double D = squared_distance(features, x.data());
    if (!(D < closest.squared_distance)) return;
    closest = {D, v[0], closest_points_of_pair(features, x.data()).r};
  }

  /// Each vertex of the candidates once: those of `body`, and those of the other.
  void gather_vertices(int body, const OpenQueries& queries) {
    thread_local std::vector<std::uint64_t> seen;  // the gathering that last met a vertex
    thread_local std::uint64_t gathering = 0;
    seen.resize(std::max<std::size_t>(seen.size(), mesh_.vertex_count()), 0);
    ++gathering;
    for (std::vector<int>& side : vertices_) side.clear();
    auto add = [&](const std::array<int, 4>& all) {
      for (const int v : all) {
        if (seen[v] == gathering) continue;
        seen[v] = gathering;
        vertices_[mesh_.vertex_body[v] == body ? 0 : 1].push_back(v);
      }
    };
    for (const std::uint32_t k : queries.point_triangle)
      add(vertices_of(mesh_, candidates_.point_triangle[k]));
    for (const std::uint32_t k : queries.edge_edge) add(vertices_of(mesh_, candidates_.edge_edge[k]));
  }

  const CollisionMesh& mesh_;
  const Candidates& candidates_;
  const VertexPath& path_;
  const Vectors& end_;
  CcdOptions options_;
  std::array<std::vector<int>, 2> vertices_;
};

}  // namespace

OpenQueries open_queries(const CollisionMesh& mesh, const Candidates& candidates, const NearCandidates& near,
                         const VertexPath& path, const Vectors& end, const VertexBoxes& boxes,
                         const CcdOptions& options, const ContactScales& scales,
                         SeparatingDirections& directions) {
  // Where each group's candidates are among the near ones, which follow the groups' order.
  std::vector<std::array<std::size_t, 4>> range(near.groups.size());
  std::size_t p = 0, e = 0;
  for (std::size_t g = 0; g < near.groups.size(); ++g) {
    const BodyGroup& group = candidates.groups[near.groups[g]];
    range[g] = {p, p, e, e};
    while (p < near.point_triangle.size() && near.point_triangle[p] < group.point_end) ++p;
    while (e < near.edge_edge.size() && near.edge_edge[e] < group.edge_end) ++e;
    range[g][1] = p;
    range[g][3] = e;
  }
  const VerticesByBody vertices(mesh);
  constexpr std::size_t chunk_size = 16;
  struct Part {
    OpenQueries open;
    std::vector<std::pair<std::uint64_t, Vector3>> found;  ///< new directions
  };
  std::vector<Part> parts((near.groups.size() + chunk_size - 1) / chunk_size);
  parallel_chunks(
      near.groups.size(), chunk_size, [&](std::size_t begin, std::size_t past, std::size_t chunk) {
        OpenQueries own;
        BodyPair bodies(mesh, candidates, path, end);
        for (std::size_t g = begin; g < past; ++g) {
          const BodyGroup& group = candidates.groups[near.groups[g]];
          OpenQueries& part = parts[chunk].open;
          if (group.body_a == group.body_b ||
              range[g][1] - range[g][0] + range[g][3] - range[g][2] > most_near) {
            part.point_triangle.insert(part.point_triangle.end(), near.point_triangle.begin() + range[g][0],
                                       near.point_triangle.begin() + range[g][1]);
            part.edge_edge.insert(part.edge_edge.end(), near.edge_edge.begin() + range[g][2],
                                  near.edge_edge.begin() + range[g][3]);
            continue;
          }
          const CcdOptions between = options_between(options, scales, group.body_a, group.body_b);
          const double kept = between.minimum_distance + between.keep_at_most;
          bodies.set_options(between);
          const std::uint64_t key = body_pair_key(group.body_a, group.body_b);
          const auto known = directions.find(key);
          const Vector3 last = known == directions.end() ? Vector3::Zero().eval() : known->second;
          // Bodies of few vertices are quicker asked as a whole.
          const std::size_t near_count = range[g][1] - range[g][0] + range[g][3] - range[g][2];
          if (known != directions.end() &&
              vertices.of(group.body_a).size() + vertices.of(group.body_b).size() <= near_count &&
              bodies.is_settled(group, vertices, last)) {
            continue;
          }
          own.point_triangle.clear();
          own.edge_edge.clear();
          for (std::size_t k = range[g][0]; k < range[g][1]; ++k) {
            const std::uint32_t c = near.point_triangle[k];
            if (!boxes_apart(mesh, boxes, candidates.point_triangle[c], kept))
              own.point_triangle.push_back(c);
          }
          for (std::size_t k = range[g][2]; k < range[g][3]; ++k) {
            const std::uint32_t c = near.edge_edge[k];
            if (!boxes_apart(mesh, boxes, candidates.edge_edge[c], kept)) own.edge_edge.push_back(c);
          }
          if (own.point_triangle.size() + own.edge_edge.size() >= fewest_queries) {
            Vector3 direction = last;
            const bool settled = bodies.is_settled(group.body_a, own, direction);
            if (direction != last) parts[chunk].found.push_back({key, direction});
            if (settled) continue;
          }
          part.point_triangle.insert(part.point_triangle.end(), own.point_triangle.begin(),
                                     own.point_triangle.end());
          part.edge_edge.insert(part.edge_edge.end(), own.edge_edge.begin(), own.edge_edge.end());
        }
      });
  OpenQueries open;
  for (const auto& [part, found] : parts) {
    for (const auto& [key, direction] : found) directions[key] = direction;
    open.point_triangle.insert(open.point_triangle.end(), part.point_triangle.begin(),
                               part.point_triangle.end());
    open.edge_edge.insert(open.edge_edge.end(), part.edge_edge.begin(), part.edge_edge.end());
  }
  return open;
}

}  // namespace bulwark
