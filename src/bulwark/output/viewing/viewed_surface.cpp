#include <bulwark/base/joined_sets.hpp>
#include <bulwark/base/packed_bytes.hpp>
#include <bulwark/output/viewing/curved_faces.hpp>
#include <bulwark/output/viewing/viewed_surface.hpp>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace bulwark {
namespace {

const double sharp_cosine = std::cos(50 * std::numbers::pi / 180);

/// The side of a triangle that goes from its corner `from` to the next.
struct Side {
  int low, high;  ///< points of the edge
  int triangle, from;
};

std::vector<Vector3> triangle_normals(const std::vector<Triangle>& triangles, const Vectors& position) {
  std::vector<Vector3> normals;
  normals.reserve(triangles.size());
  for (const Triangle& t : triangles) {
    const Vector3 a = position.col(t[0]), b = position.col(t[1]), c = position.col(t[2]);
    normals.push_back((b - a).cross(c - a).normalized());
  }
  return normals;
}

/// Joins the corners (3 * triangle + k) that shade together: both ends of every edge that bends little. Three
/// sheets that meet at an edge do not.
JoinedSets join_smooth_corners(const std::vector<Triangle>& triangles, const Vectors& position) {
  const std::vector<Vector3> normals = triangle_normals(triangles, position);
  std::vector<Side> sides;
  sides.reserve(3 * triangles.size());
  for (int i = 0; i < static_cast<int>(triangles.size()); ++i) {
    for (int k = 0; k < 3; ++k) {
      const int a = triangles[i][k], b = triangles[i][(k + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), i, k});
    }
  }
  std::sort(sides.begin(), sides.end(),
            [](const Side& a, const Side& b) { return a.low != b.low ? a.low < b.low : a.high < b.high; });
  JoinedSets corners(3 * triangles.size());
  for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
    const Side &a = sides[i], &b = sides[i + 1];
    const auto same_edge = [&](std::size_t j) {
      return j < sides.size() && sides[j].low == a.low && sides[j].high == a.high;
    };
    if (!same_edge(i + 1)) continue;
    if (same_edge(i + 2) || (i > 0 && same_edge(i - 1))) continue;
    if (normals[a.triangle].dot(normals[b.triangle]) < sharp_cosine) continue;
    const auto corner = [&](const Side& side, int point) {
      return 3 * side.triangle +
             (triangles[side.triangle][side.from] == point ? side.from : (side.from + 1) % 3);
    };
    corners.join(corner(a, a.low), corner(b, a.low));
    corners.join(corner(a, a.high), corner(b, a.high));
  }
  return corners;
}

class SurfaceFinder {
 public:
  SurfaceFinder(const Frame& frame, CurvedFaces curved)
      : frame_(frame),
        curved_(std::move(curved)),
        vertex_of_(frame.point_body.size() + curved_.between.size(), -1) {}

  ViewedSurface find() {
    surface_.point_count = frame_.point_body.size();
    surface_.cell_count = frame_.tetrahedra.size() + frame_.solids.size() + frame_.triangles.size() +
                          frame_.segments.size() + frame_.vertices.size() + frame_.skin.size();
    DrawnCells drawn = drawn_cells(frame_);
    if (!curved_.triangles.empty()) {
      std::erase_if(drawn.triangles,
                    [&](const Triangle& t) { return curved_.of_body[frame_.point_body[t[0]]] != 0; });
      drawn.triangles.insert(drawn.triangles.end(), curved_.triangles.begin(), curved_.triangles.end());
    }
    number_nodes();
    surface_.share_begin.push_back(0);
    add_triangles(std::move(drawn.triangles));
    for (const Edge& segment : drawn.segments) {
      const int a = lone_corner(segment[0]), b = lone_corner(segment[1]);
      surface_.segments.push_back({a, b});
    }
    for (const int point : drawn.vertices) surface_.dots.push_back(lone_corner(point));
    for (const FramePlane& plane : frame_.planes)
      surface_.planes.push_back({vertex(plane.point), plane.normal, plane.body});
    add_cells();
    return std::move(surface_);
  }

 private:
  bool is_between(int point) const { return point >= static_cast<int>(frame_.point_body.size()); }
  const std::vector<SurfaceWeight>& shares_of(int between) const {
    return curved_.between[between - frame_.point_body.size()];
  }
  int nearest_point(int point) const {
    if (!is_between(point)) return point;
    const std::vector<SurfaceWeight>& shares = shares_of(point);
    return std::max_element(shares.begin(), shares.end(),
                            [](const SurfaceWeight& a, const SurfaceWeight& b) { return a.value < b.value; })
        ->control;
  }
  int body_of(int point) const { return frame_.point_body[nearest_point(point)]; }

  void number_nodes() {
    std::vector<int> next(frame_.bodies.size(), 0);
    for (const int body : frame_.point_body) node_of_.push_back(next[body]++);
    for (const Triangle& t : frame_.skin) {
      for (const int point : t) node_of_[point] = -1;
    }
  }

  /// Of the points and the places between.
  Vectors positions() const {
    const Eigen::Index points = frame_.position.cols();
    Vectors result = Vectors::Zero(3, points + static_cast<Eigen::Index>(curved_.between.size()));
    result.leftCols(points) = frame_.position;
    for (Eigen::Index i = points; i < result.cols(); ++i) {
      for (const SurfaceWeight& share : shares_of(static_cast<int>(i)))
        result.col(i) += share.value * frame_.position.col(share.control);
    }
    return result;
  }

  int vertex(int point) {
    if (vertex_of_[point] < 0) {
      vertex_of_[point] = static_cast<int>(surface_.vertex_count());
      surface_.vertex_point.push_back(nearest_point(point));
      surface_.vertex_body.push_back(body_of(point));
      surface_.vertex_node.push_back(is_between(point) ? -1 : node_of_[point]);
      if (is_between(point)) {
        const std::vector<SurfaceWeight>& shares = shares_of(point);
        surface_.shares.insert(surface_.shares.end(), shares.begin(), shares.end());
      }
      surface_.share_begin.push_back(static_cast<int>(surface_.shares.size()));
    }
    return vertex_of_[point];
  }

  int new_corner(int point) {
    surface_.corner_vertex.push_back(vertex(point));
    return static_cast<int>(surface_.corner_vertex.size()) - 1;
  }

  /// The corner of a point that no triangle uses.
  int lone_corner(int point) {
    if (lone_corner_.empty()) lone_corner_.assign(frame_.point_body.size(), -1);
    if (lone_corner_[point] < 0) lone_corner_[point] = new_corner(point);
    return lone_corner_[point];
  }

  void add_triangles(std::vector<Triangle> triangles) {
    const auto moving = [&](const Triangle& t) { return !frame_.bodies[body_of(t[0])].obstacle; };
    const auto obstacles = std::stable_partition(triangles.begin(), triangles.end(), moving);
    surface_.moving_triangles = static_cast<std::size_t>(obstacles - triangles.begin());

    JoinedSets joined = join_smooth_corners(triangles, positions());
    std::vector<int> corner_of(3 * triangles.size(), -1);
    surface_.triangles.reserve(triangles.size());
    for (int i = 0; i < static_cast<int>(triangles.size()); ++i) {
      Triangle by_corner;
      for (int k = 0; k < 3; ++k) {
        int& corner = corner_of[joined.find(3 * i + k)];
        if (corner < 0) corner = new_corner(triangles[i][k]);
        by_corner[k] = corner;
      }
      surface_.triangles.push_back(by_corner);
    }
  }

  void add_cells() {
    std::vector<int> begin(frame_.point_body.size() + 1, 0);
    for_each_solid(frame_, [&](std::size_t, std::span<const int> points) {
      for (const int point : points) ++begin[point + 1];
    });
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<int> cells(begin.back()), next(begin.begin(), begin.end() - 1);
    for_each_solid(frame_, [&](std::size_t i, std::span<const int> points) {
      for (const int point : points) cells[next[point]++] = static_cast<int>(i);
    });
    surface_.cell_begin.push_back(0);
    for (const int point : surface_.vertex_point) {
      surface_.cells.insert(surface_.cells.end(), cells.begin() + begin[point],
                            cells.begin() + begin[point + 1]);
      surface_.cell_begin.push_back(static_cast<int>(surface_.cells.size()));
    }
  }

  const Frame& frame_;
  CurvedFaces curved_;
  std::vector<int> node_of_;      ///< by point: its number in its body
  std::vector<int> vertex_of_;    ///< by point or place between; -1: none yet
  std::vector<int> lone_corner_;  ///< by point; -1: none yet
  ViewedSurface surface_;
};

}  // namespace

ViewedSurface viewed_surface(const Frame& frame, bool flat) {
  return SurfaceFinder(frame, flat ? CurvedFaces{} : curved_faces(frame)).find();
}

std::string pack_surface(const ViewedSurface& surface, std::size_t body_count) {
  std::string bytes = "BWS1";
  for (const std::size_t count :
       {body_count, surface.vertex_count(), surface.corner_vertex.size(), surface.triangles.size(),
        surface.moving_triangles, surface.segments.size(), surface.dots.size(), surface.planes.size()}) {
    append_number(bytes, static_cast<std::uint32_t>(count));
  }
  append_array(bytes, surface.vertex_body);
  append_array(bytes, surface.vertex_node);
  append_array(bytes, surface.corner_vertex);
  append_array(bytes, surface.triangles);
  append_array(bytes, surface.segments);
  append_array(bytes, surface.dots);
  for (const FramePlane& plane : surface.planes) {
    append_number(bytes, plane.point);
    append_number(bytes, plane.body);
    for (int k = 0; k < 3; ++k) append_number(bytes, static_cast<float>(plane.normal[k]));
  }
  return bytes;
}

}  // namespace bulwark
