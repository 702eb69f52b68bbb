#include <bulwark/base/error.hpp>
#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/exact_intersection.hpp>
#include <bulwark/collision/exact_predicates.hpp>
#include <bulwark/collision/pair_offset.hpp>
#include <bulwark/collision/pair_rules.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace bulwark {
namespace {

/// A cell with no more items than this is searched pair by pair.
constexpr std::size_t small_cell = 48;
/// Cells searched between two looks at whether the limit is reached.
constexpr std::size_t cells_per_round = 1024;

/// A primitive with its bounds.
struct Item {
  int index;
  Vector3 lower, upper;
};

/// A part of space, closed below and open above, and the items of two kinds that reach into it.
struct Cell {
  Vector3 lower = Vector3::Constant(-std::numeric_limits<double>::infinity());
  Vector3 upper = Vector3::Constant(std::numeric_limits<double>::infinity());
  std::vector<Item> first, second;

  std::size_t size() const { return first.size() + second.size(); }
};

/// The bounds of a primitive and what lies within `radius` of it.
template <class Vertices>
Item item(int index, const Vertices& vertices, const Vectors& x, double radius = 0) {
  Item result{index, x.col(vertices[0]), x.col(vertices[0])};
  for (int v : vertices) {
    result.lower = result.lower.cwiseMin(x.col(v));
    result.upper = result.upper.cwiseMax(x.col(v));
  }
  if (radius > 0) {
    // By more than the roundings of both.
    constexpr double outward = 1 + 0x1p-50;
    for (int i = 0; i < 3; ++i) {
      result.lower[i] -= outward * radius + 0x1p-50 * std::abs(result.lower[i]);
      result.upper[i] += outward * radius + 0x1p-50 * std::abs(result.upper[i]);
    }
  }
  return result;
}

void require_finite(const CollisionMesh& mesh, const Vectors& positions) {
  for (const CollisionPlane& plane : mesh.planes) {
    if (!plane.normal.allFinite()) throw InputError("planes", "the normal of a plane is not finite");
  }
  for (Eigen::Index v = 0; v < positions.cols(); ++v) {
    if (!positions.col(v).allFinite()) {
      throw InputError("positions", fmt::format("vertex {} has no finite position", v));
    }
  }
}

/// The bodies that the search is about, and the box around them: what is outside of it meets none of them.
struct Asked {
  std::vector<char> bodies;  ///< empty: all
  Vector3 lower = Vector3::Constant(std::numeric_limits<double>::infinity()), upper = -lower;

  Asked(const CollisionMesh& mesh, const Vectors& x, const std::vector<char>& of_bodies) : bodies(of_bodies) {
    for (int v = 0; v < mesh.vertex_count() && !bodies.empty(); ++v) {
      if (!bodies[mesh.vertex_body[v]]) continue;
      const Item around = item(v, std::array{v}, x, mesh.radius_of(v));
      lower = lower.cwiseMin(around.lower);
      upper = upper.cwiseMax(around.upper);
    }
  }
  bool about(int body_a, int body_b) const { return bodies.empty() || bodies[body_a] || bodies[body_b]; }
  bool near(const Item& item) const {
    return bodies.empty() ||
           ((item.lower.array() <= upper.array()).all() && (item.upper.array() >= lower.array()).all());
  }
};

/// Two kinds of primitives, and which pairs of them meet.
class PairSearch {
 public:
  PairSearch(const CollisionMesh& mesh, const Vectors& x, const Asked& asked)
      : mesh_(mesh), x_(x), asked_(asked) {}
  virtual ~PairSearch() = default;

  virtual Cell whole_space() const = 0;
  /// Appends what the two items have in common.
  virtual void meet(int first, int second, std::vector<Intersection>& found) const = 0;

 protected:
  void add(std::vector<Item>& items, const Item& item) const {
    if (asked_.near(item)) items.push_back(item);
  }
  bool may_meet(int vertex_a, int vertex_b) const {
    const int a = mesh_.vertex_body[vertex_a], b = mesh_.vertex_body[vertex_b];
    return mesh_.may_collide(a, b) && asked_.about(a, b);
  }
  Intersection intersection(Intersection::Kind kind, int first, int second, int vertex_a,
                            int vertex_b) const {
    return {kind, first, second, mesh_.vertex_body[vertex_a], mesh_.vertex_body[vertex_b]};
  }

  const CollisionMesh& mesh_;
  const Vectors& x_;
  const Asked& asked_;
};

/// Edges that pass through triangles, and lone points that lie on them.
class EdgesThroughTriangles final : public PairSearch {
 public:
  using PairSearch::PairSearch;

  Cell whole_space() const override {
    Cell cell;
    std::vector<bool> in_edge(mesh_.vertex_count(), false);
    for (std::size_t e = 0; e < mesh_.edges.size(); ++e) {
      const EdgeRole role = mesh_.role_of(static_cast<int>(e));
      if (role == EdgeRole::end || role == EdgeRole::corner) continue;  // its segment has it
      add(cell.first, item(static_cast<int>(e), mesh_.edges[e], x_));
      for (int v : mesh_.edges[e]) in_edge[v] = true;
    }
    // Points come after the edges.
    for (int v : mesh_.points) {
      if (!in_edge[v]) add(cell.first, item(edge_count() + v, std::array{v}, x_));
    }
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t)
      add(cell.second, item(static_cast<int>(t), mesh_.triangles[t], x_));
    return cell;
  }
  void meet(int first, int second, std::vector<Intersection>& found) const override {
    const bool point = first >= edge_count();
    const Edge ends = point ? Edge{first - edge_count(), first - edge_count()} : mesh_.edges[first];
    const Triangle& t = mesh_.triangles[second];
    if (std::find_first_of(ends.begin(), ends.end(), t.begin(), t.end()) != ends.end()) return;
    if (!may_meet(ends[0], t[0])) return;
    if (!exact::segment_meets_triangle(x_.col(ends[0]), x_.col(ends[1]), x_.col(t[0]), x_.col(t[1]),
                                       x_.col(t[2])))
      return;
    const bool lone = is_lone_point(ends);
    found.push_back(
        intersection(lone ? Intersection::Kind::point_triangle : Intersection::Kind::edge_triangle,
                     lone ? ends[0] : first, second, ends[0], t[0]));
  }

 private:
  int edge_count() const { return static_cast<int>(mesh_.edges.size()); }
};

/// Points and triangles within their offset.
class NearTriangles final : public PairSearch {
 public:
  using PairSearch::PairSearch;

  Cell whole_space() const override {
    Cell cell;
    bool any = false;
    for (const Triangle& t : mesh_.triangles) any = any || mesh_.radius_of(t[0]) > 0;
    for (const int v : mesh_.points) {
      if (any || mesh_.radius_of(v) > 0) add(cell.first, item(v, std::array{v}, x_, mesh_.radius_of(v)));
    }
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
      const Triangle& vertices = mesh_.triangles[t];
      add(cell.second, item(static_cast<int>(t), vertices, x_, mesh_.radius_of(vertices[0])));
    }
    return cell;
  }
  void meet(int point, int triangle, std::vector<Intersection>& found) const override {
    const Triangle& t = mesh_.triangles[triangle];
    if (std::find(t.begin(), t.end(), point) != t.end() || !may_meet(point, t[0])) return;
    const double offset = pair_offset(mesh_, PointTriangleCandidate{point, triangle});
    if (!(offset > 0) ||
        !exact::point_triangle_within(x_.col(point), x_.col(t[0]), x_.col(t[1]), x_.col(t[2]), offset))
      return;
    found.push_back(intersection(Intersection::Kind::point_triangle, point, triangle, point, t[0]));
  }
};

/// Edges within their offset, lone points among them; and segments of no triangle that cross.
class NearEdges final : public PairSearch {
 public:
  using PairSearch::PairSearch;

  Cell whole_space() const override {
    Cell cell;
    for (std::size_t e = 0; e < mesh_.edges.size(); ++e) {
      const int edge = static_cast<int>(e);
      const EdgeRole role = mesh_.role_of(edge);
      if (role == EdgeRole::end || role == EdgeRole::corner) continue;
      const Item own = item(edge, mesh_.edges[e], x_, mesh_.radius_of(mesh_.edges[e][0]));
      if (looks_for_others(edge)) add(cell.first, own);
      add(cell.second, own);
    }
    return cell;
  }
  void meet(int first, int second, std::vector<Intersection>& found) const override {
    const Edge &a = mesh_.edges[first], &b = mesh_.edges[second];
    // Where both look for others the pair is met twice.
    if (looks_for_others(second) && first >= second) return;
    const bool wires = is_wire(first) && is_wire(second);
    if (share_vertex(a, b) || !(wires || edges_meet(mesh_, first, second)) || !may_meet(a[0], b[0])) return;
    const EdgeEdgeCandidate pair = {std::min(first, second), std::max(first, second)};
    const double offset = pair_offset(mesh_, pair);
    if (!(offset > 0 || wires) ||
        !exact::segments_within(x_.col(a[0]), x_.col(a[1]), x_.col(b[0]), x_.col(b[1]), offset))
      return;
    found.push_back(intersection(Intersection::Kind::edge_edge, pair.edge_a, pair.edge_b,
                                 mesh_.edges[pair.edge_a][0], mesh_.edges[pair.edge_b][0]));
  }

 private:
  bool is_wire(int edge) const {
    return mesh_.role_of(edge) != EdgeRole::of_triangle && !is_lone_point(mesh_.edges[edge]);
  }
  bool looks_for_others(int edge) const { return mesh_.radius_of(mesh_.edges[edge][0]) > 0 || is_wire(edge); }
};

/// The two halves of a cell around the median of its items; an item across the cut goes to both.
std::array<Cell, 2> halves(const Cell& cell) {
  Vector3 lower = cell.upper, upper = cell.lower;
  std::vector<Vector3> centers;
  centers.reserve(cell.size());
  for (const auto* items : {&cell.first, &cell.second}) {
    for (const Item& i : *items) {
      const Vector3 low = i.lower.cwiseMax(cell.lower), high = i.upper.cwiseMin(cell.upper);
      centers.push_back(0.5 * low + 0.5 * high);
      lower = lower.cwiseMin(centers.back());
      upper = upper.cwiseMax(centers.back());
    }
  }
  int axis = 0;
  (upper - lower).maxCoeff(&axis);
  auto middle = centers.begin() + centers.size() / 2;
  std::nth_element(centers.begin(), middle, centers.end(),
                   [axis](const Vector3& a, const Vector3& b) { return a[axis] < b[axis]; });
  double cut = (*middle)[axis];
  // Most centers at the lowest place: the median would cut nothing off.
  if (cut == lower[axis]) cut = 0.5 * lower[axis] + 0.5 * upper[axis];

  std::array<Cell, 2> half;
  for (Cell& h : half) {
    h.lower = cell.lower;
    h.upper = cell.upper;
  }
  half[0].upper[axis] = half[1].lower[axis] = cut;
  for (auto items : {&Cell::first, &Cell::second}) {
    for (const Item& i : cell.*items) {
      if (i.lower[axis] < cut) (half[0].*items).push_back(i);
      if (i.upper[axis] >= cut) (half[1].*items).push_back(i);
    }
  }
  return half;
}

/// Cuts space until cells are small, or cutting no longer separates their items.
void cut_into(Cell&& cell, int depth, std::vector<Cell>& cells) {
  if (cell.first.empty() || cell.second.empty()) return;
  if (cell.size() > small_cell && depth < 64) {
    std::array<Cell, 2> half = halves(cell);
    const std::size_t larger = std::max(half[0].size(), half[1].size());
    if (larger < cell.size() && half[0].size() + half[1].size() < cell.size() + cell.size() / 2) {
      cell = {};
      for (Cell& h : half) cut_into(std::move(h), depth + 1, cells);
      return;
    }
  }
  cells.push_back(std::move(cell));
}

/// Whether the boxes overlap and this is the one cell that holds the lower corner of what they share.
bool met_here(const Cell& cell, const Item& a, const Item& b) {
  for (int i = 0; i < 3; ++i) {
    const double corner = std::max(a.lower[i], b.lower[i]);
    if (corner > a.upper[i] || corner > b.upper[i]) return false;
    if (corner < cell.lower[i] || corner >= cell.upper[i]) return false;
  }
  return true;
}

void search(const PairSearch& pairs, const Cell& cell, std::size_t limit, std::vector<Intersection>& found) {
  for (const Item& first : cell.first) {
    if (found.size() >= limit) return;
    for (const Item& second : cell.second) {
      if (met_here(cell, first, second)) pairs.meet(first.index, second.index, found);
    }
  }
}

/// Appends all that the search finds, up to the limit and some more.
void search_all(const PairSearch& pairs, std::size_t limit, const StopRequest& stop,
                std::vector<Intersection>& all) {
  std::vector<Cell> cells;
  cut_into(pairs.whole_space(), 0, cells);
  std::vector<std::vector<Intersection>> found;
  for (std::size_t begin = 0; begin < cells.size() && all.size() < limit; begin += cells_per_round) {
    const std::size_t count = std::min(cells_per_round, cells.size() - begin);
    found.assign(count, {});
    parallel_chunks(count, 8, [&](std::size_t first, std::size_t last, std::size_t) {
      for (std::size_t i = first; i < last; ++i) {
        stop_if_requested(stop);
        search(pairs, cells[begin + i], limit, found[i]);
      }
    });
    for (const auto& part : found) all.insert(all.end(), part.begin(), part.end());
  }
}

void search_planes(const CollisionMesh& mesh, const Vectors& x, const Asked& asked, std::size_t limit,
                   std::vector<Intersection>& found) {
  for (std::size_t p = 0; p < mesh.planes.size() && found.size() < limit; ++p) {
    const CollisionPlane& plane = mesh.planes[p];
    const Vector3 point = x.col(plane.vertex);
    for (int v : mesh.points) {
      if (v == plane.vertex || !mesh.may_collide(mesh.vertex_body[v], plane.body)) continue;
      if (!asked.about(mesh.vertex_body[v], plane.body)) continue;
      if (!exact::within_plane(x.col(v), point, plane.normal, mesh.radius_of(v))) continue;
      found.push_back(
          {Intersection::Kind::point_plane, v, static_cast<int>(p), mesh.vertex_body[v], plane.body});
    }
  }
}

}  // namespace

std::vector<Intersection> find_intersections(const CollisionMesh& mesh, const Vectors& positions,
                                             std::size_t limit, const std::vector<char>& of_bodies,
                                             const StopRequest& stop) {
  require_finite(mesh, positions);
  const Asked asked(mesh, positions, of_bodies);
  std::vector<Intersection> all;
  search_all(EdgesThroughTriangles(mesh, positions, asked), limit, stop, all);
  if (!mesh.radius.empty()) search_all(NearTriangles(mesh, positions, asked), limit, stop, all);
  search_all(NearEdges(mesh, positions, asked), limit, stop, all);
  search_planes(mesh, positions, asked, limit, all);
  std::sort(all.begin(), all.end());
  // A point that lies on a triangle is also within their offset.
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (all.size() > limit) all.resize(limit);
  return all;
}

Vector3 location(const CollisionMesh& mesh, const Vectors& positions, const Intersection& intersection) {
  if (intersection.kind == Intersection::Kind::edge_edge) {
    const Edge& e = mesh.edges[intersection.first];
    return 0.5 * positions.col(e[0]) + 0.5 * positions.col(e[1]);
  }
  if (intersection.kind != Intersection::Kind::edge_triangle) return positions.col(intersection.first);
  const Edge& edge = mesh.edges[intersection.first];
  const Triangle& t = mesh.triangles[intersection.second];
  const Vector3 p = positions.col(edge[0]), q = positions.col(edge[1]), a = positions.col(t[0]);
  const Vector3 ab = positions.col(t[1]) - a, ac = positions.col(t[2]) - a;
  const Vector3 normal(ab[1] * ac[2] - ab[2] * ac[1], ab[2] * ac[0] - ab[0] * ac[2],
                       ab[0] * ac[1] - ab[1] * ac[0]);
  const double height_p = normal.dot(p - a), height_q = normal.dot(q - a);
  const double s = height_p == height_q ? 0.5 : std::clamp(height_p / (height_p - height_q), 0.0, 1.0);
  return p + s * (q - p);
}

std::string describe(const CollisionMesh& mesh, const Vectors& positions, const Intersection& intersection,
                     const std::vector<std::string>& body_names) {
  const auto body = [&](int index) {
    return body_names.empty() ? fmt::format("body {}", index) : fmt::format("body '{}'", body_names[index]);
  };
  const std::string first = body(intersection.body_first), second = body(intersection.body_second);
  const Vector3 place = location(mesh, positions, intersection);
  const std::string at = fmt::format("({:.6g}, {:.6g}, {:.6g})", place[0], place[1], place[2]);
  if (intersection.kind == Intersection::Kind::point_plane) {
    return fmt::format("vertex {} of {} is on or behind plane {} of {} at {}", intersection.first, first,
                       intersection.second, second, at);
  }
  const auto edge_text = [&](int edge, const std::string& of) {
    const Edge& e = mesh.edges[edge];
    return is_lone_point(e) ? fmt::format("vertex {} of {}", e[0], of)
                            : fmt::format("edge {} (vertices {}, {}) of {}", edge, e[0], e[1], of);
  };
  if (intersection.kind == Intersection::Kind::edge_edge) {
    const bool round = mesh.radius_of(mesh.edges[intersection.first][0]) +
                           mesh.radius_of(mesh.edges[intersection.second][0]) >
                       0;
    return fmt::format("{} {} {} at {}", edge_text(intersection.first, first),
                       round ? "is within its radius of" : "meets", edge_text(intersection.second, second),
                       at);
  }
  const Triangle& t = mesh.triangles[intersection.second];
  const std::string triangle = fmt::format("triangle {} (vertices {}, {}, {}) of {} at {}",
                                           intersection.second, t[0], t[1], t[2], second, at);
  if (intersection.kind == Intersection::Kind::point_triangle) {
    const bool round = mesh.radius_of(intersection.first) + mesh.radius_of(t[0]) > 0;
    return fmt::format("vertex {} of {} {} {}", intersection.first, first,
                       round ? "is within its radius of" : "lies on", triangle);
  }
  return fmt::format("{} meets {}", edge_text(intersection.first, first), triangle);
}

}  // namespace bulwark
