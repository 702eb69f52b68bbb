#include <bulwark/base/error.hpp>
#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/exact_intersection.hpp>
#include <bulwark/collision/exact_predicates.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace bulwark {
namespace {

/// A cell with no more items than this is searched pair by pair.
constexpr std::size_t small_cell = 48;
/// Cells searched between two looks at whether the limit is reached.
constexpr std::size_t cells_per_round = 1024;

/// An edge, lone point (segment with both ends in it) or triangle with its bounds.
struct Item {
  int index;
  bool lone_point;
  Vector3 lower, upper;
};

/// A part of space, closed below and open above, and the items that reach into it.
struct Cell {
  Vector3 lower = Vector3::Constant(-std::numeric_limits<double>::infinity());
  Vector3 upper = Vector3::Constant(std::numeric_limits<double>::infinity());
  std::vector<Item> segments, triangles;

  std::size_t size() const { return segments.size() + triangles.size(); }
};

template <class Vertices>
Item item(int index, const Vertices& vertices, const Vectors& x) {
  Item result{index, vertices.size() == 1, x.col(vertices[0]), x.col(vertices[0])};
  for (int v : vertices) {
    result.lower = result.lower.cwiseMin(x.col(v));
    result.upper = result.upper.cwiseMax(x.col(v));
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
      lower = lower.cwiseMin(x.col(v));
      upper = upper.cwiseMax(x.col(v));
    }
  }
  bool about(int body_a, int body_b) const { return bodies.empty() || bodies[body_a] || bodies[body_b]; }
  bool near(const Item& item) const {
    return bodies.empty() ||
           ((item.lower.array() <= upper.array()).all() && (item.upper.array() >= lower.array()).all());
  }
};

Cell whole_space(const CollisionMesh& mesh, const Vectors& x, const Asked& asked) {
  Cell cell;
  const auto add = [&](std::vector<Item>& items, const Item& item) {
    if (asked.near(item)) items.push_back(item);
  };
  std::vector<bool> in_edge(mesh.vertex_count(), false);
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    add(cell.segments, item(static_cast<int>(e), mesh.edges[e], x));
    for (int v : mesh.edges[e]) in_edge[v] = true;
  }
  for (int v : mesh.points) {
    if (!in_edge[v]) add(cell.segments, item(v, std::array{v}, x));
  }
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    add(cell.triangles, item(static_cast<int>(t), mesh.triangles[t], x));
  }
  return cell;
}

/// The two halves of a cell around the median of its items; an item across the cut goes to both.
std::array<Cell, 2> halves(const Cell& cell) {
  Vector3 lower = cell.upper, upper = cell.lower;
  std::vector<Vector3> centers;
  centers.reserve(cell.size());
  for (const auto* items : {&cell.segments, &cell.triangles}) {
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
  for (auto items : {&Cell::segments, &Cell::triangles}) {
    for (const Item& i : cell.*items) {
      if (i.lower[axis] < cut) (half[0].*items).push_back(i);
      if (i.upper[axis] >= cut) (half[1].*items).push_back(i);
    }
  }
  return half;
}

/// Cuts space until cells are small, or cutting no longer separates their items.
void cut_into(Cell&& cell, int depth, std::vector<Cell>& cells) {
  if (cell.segments.empty() || cell.triangles.empty()) return;
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

void search(const CollisionMesh& mesh, const Vectors& x, const Asked& asked, const Cell& cell,
            std::size_t limit, std::vector<Intersection>& found) {
  for (const Item& segment : cell.segments) {
    if (found.size() >= limit) return;
    const Edge ends = segment.lone_point ? Edge{segment.index, segment.index} : mesh.edges[segment.index];
    for (const Item& item : cell.triangles) {
      if (!met_here(cell, segment, item)) continue;
      const Triangle& t = mesh.triangles[item.index];
      if (std::find_first_of(ends.begin(), ends.end(), t.begin(), t.end()) != ends.end()) continue;
      const int body_first = mesh.vertex_body[ends[0]], body_second = mesh.vertex_body[t[0]];
      if (!mesh.may_collide(body_first, body_second) || !asked.about(body_first, body_second)) continue;
      if (!exact::segment_meets_triangle(x.col(ends[0]), x.col(ends[1]), x.col(t[0]), x.col(t[1]),
                                         x.col(t[2]))) {
        continue;
      }
      using Kind = Intersection::Kind;
      found.push_back({segment.lone_point ? Kind::point_triangle : Kind::edge_triangle, segment.index,
                       item.index, body_first, body_second});
    }
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
      if (exact::side_of_plane(x.col(v), point, plane.normal) > 0) continue;
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
  std::vector<Cell> cells;
  cut_into(whole_space(mesh, positions, asked), 0, cells);

  std::vector<Intersection> all;
  std::vector<std::vector<Intersection>> found;
  for (std::size_t begin = 0; begin < cells.size() && all.size() < limit; begin += cells_per_round) {
    const std::size_t count = std::min(cells_per_round, cells.size() - begin);
    found.assign(count, {});
    parallel_chunks(count, 8, [&](std::size_t first, std::size_t last, std::size_t) {
      for (std::size_t i = first; i < last; ++i) {
        stop_if_requested(stop);
        search(mesh, positions, asked, cells[begin + i], limit, found[i]);
      }
    });
    for (const auto& part : found) all.insert(all.end(), part.begin(), part.end());
  }
  search_planes(mesh, positions, asked, limit, all);
  std::sort(all.begin(), all.end());
  if (all.size() > limit) all.resize(limit);
  return all;
}

Vector3 location(const CollisionMesh& mesh, const Vectors& positions, const Intersection& intersection) {
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
  const Triangle& t = mesh.triangles[intersection.second];
  const std::string triangle = fmt::format("triangle {} (vertices {}, {}, {}) of {} at {}",
                                           intersection.second, t[0], t[1], t[2], second, at);
  if (intersection.kind == Intersection::Kind::point_triangle) {
    return fmt::format("vertex {} of {} lies on {}", intersection.first, first, triangle);
  }
  const Edge& e = mesh.edges[intersection.first];
  return fmt::format("edge {} (vertices {}, {}) of {} meets {}", intersection.first, e[0], e[1], first,
                     triangle);
}

}  // namespace bulwark
