#include <bulwark/geometry/planar_outline.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace bulwark {
namespace {

/// A segment that is not level, from its lower to its upper end.
struct RisingSide {
  Vector2 lower, upper;

  double x_at(double y) const {
    if (y <= lower.y()) return lower.x();
    if (y >= upper.y()) return upper.x();
    const double t = (y - lower.y()) / (upper.y() - lower.y());
    return (1 - t) * lower.x() + t * upper.x();
  }
};

void add_flat_triangle(std::vector<Vector3>& corners, const Vector2& a, const Vector2& b, const Vector2& c) {
  for (const Vector2& corner : {a, b, c}) corners.emplace_back(corner.x(), corner.y(), 0);
}

/// A polygon around `middle`, as triangles from there.
void add_fan(std::vector<Vector3>& corners, const Vector2& middle, const std::vector<Vector2>& rim) {
  for (std::size_t k = 0; k < rim.size(); ++k)
    add_flat_triangle(corners, middle, rim[k], rim[(k + 1) % rim.size()]);
}

SurfaceMesh mesh_of_corners(const std::vector<Vector3>& corners) {
  SurfaceMesh mesh;
  mesh.vertices.resize(3, static_cast<Eigen::Index>(corners.size()));
  for (std::size_t k = 0; k < corners.size(); ++k)
    mesh.vertices.col(static_cast<Eigen::Index>(k)) = corners[k];
  for (int k = 0; k + 2 < static_cast<int>(corners.size()); k += 3)
    mesh.triangles.push_back({k, k + 1, k + 2});
  return mesh;
}

/// All points within the radius of a segment.
std::vector<Vector2> capsule_rim(const Vector2& a, const Vector2& b, double radius, int around) {
  const Vector2 along = b - a;
  const double start = std::atan2(along.y(), along.x()) - 0.5 * std::numbers::pi;
  std::vector<Vector2> rim;
  const int half = std::max(2, around / 2);
  for (const auto& [middle, from] : {std::pair(b, start), std::pair(a, start + std::numbers::pi)}) {
    for (int k = 0; k <= half; ++k) {
      const double angle = from + std::numbers::pi * k / half;
      rim.push_back(middle + radius * Vector2(std::cos(angle), std::sin(angle)));
    }
  }
  return rim;
}

Vector2 xy_of(const Vectors& vertices, int v) {
  return vertices.col(v).head<2>();
}

/// Integrals of 1, X and X X^T over an area.
struct AreaIntegrals {
  double area = 0;
  Vector2 first = Vector2::Zero();
  Matrix2 second = Matrix2::Zero();

  /// An area about its center, with second moments about that.
  void add(double own_area, const Vector2& center, const Matrix2& own_second) {
    area += own_area;
    first += own_area * center;
    second += own_second + own_area * center * center.transpose();
  }
  void add_triangle(const Vector2& a, const Vector2& b, const Vector2& c) {
    const Vector2 ab = b - a, ac = c - a;
    const double own = 0.5 * std::abs(ab.x() * ac.y() - ab.y() * ac.x());
    const Vector2 center = (a + b + c) / 3;
    Matrix2 about = Matrix2::Zero();
    for (const Vector2& corner : {a, b, c}) about += (corner - center) * (corner - center).transpose();
    add(own, center, own / 12 * about);
  }
  /// The points within `radius` of a segment; without `round`, of those beside it alone.
  void add_strip(const Vector2& a, const Vector2& b, double radius, bool round) {
    const double length = (b - a).norm(), r2 = radius * radius, circle = std::numbers::pi * r2;
    const Vector2 along = length > 0 ? Vector2((b - a) / length) : Vector2::UnitX();
    const Matrix2 lengthwise = along * along.transpose(), across = Matrix2::Identity() - lengthwise;
    const double strip = 2 * radius * length;
    Matrix2 about = strip / 12 * (length * length * lengthwise + 4 * r2 * across);
    if (round) {
      about += circle * r2 / 4 * across +
               (circle * r2 / 4 + circle * length * length / 4 + 4.0 / 3 * r2 * radius * length) * lengthwise;
    }
    add(strip + (round ? circle : 0), 0.5 * (a + b), about);
  }
};

}  // namespace

SurfaceMesh planar_curve(const std::vector<Vector2>& points, bool closed) {
  SurfaceMesh mesh;
  const int count = static_cast<int>(points.size());
  mesh.vertices = Vectors::Zero(3, count);
  for (int k = 0; k < count; ++k) mesh.vertices.col(k).head<2>() = points[k];
  for (int k = 0; k + (closed ? 0 : 1) < count; ++k) mesh.edges.push_back({k, (k + 1) % count});
  return mesh;
}

std::vector<Vector2> regular_polygon(double radius, int corners) {
  std::vector<Vector2> points;
  for (int k = 0; k < corners; ++k) {
    const double angle = 2 * std::numbers::pi * k / corners;
    points.push_back(radius * Vector2(std::cos(angle), std::sin(angle)));
  }
  return points;
}

SurfaceMesh outline_of(const SurfaceMesh& mesh) {
  SurfaceMesh outline = mesh;
  outline.triangles.clear();
  std::map<Edge, int> count;
  for (const Triangle& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      ++count[{std::min(a, b), std::max(a, b)}];
    }
  }
  for (const auto& [edge, triangles] : count) {
    if (triangles == 1) outline.edges.push_back(edge);
  }
  return outline;
}

bool is_closed_outline(const SurfaceMesh& mesh) {
  std::vector<int> degree(mesh.vertices.cols(), 0);
  bool any = false;
  for (const Edge& e : mesh.edges) {
    if (mesh.radius_of(e[0]) > 0) continue;
    any = true;
    ++degree[e[0]];
    ++degree[e[1]];
  }
  return any && std::all_of(degree.begin(), degree.end(), [](int d) { return d % 2 == 0; });
}

SurfaceMesh filled_outline(const Vectors& vertices, const std::vector<Edge>& curves) {
  std::vector<RisingSide> sides;
  std::vector<double> heights;
  for (const Edge& e : curves) {
    const Vector2 a = xy_of(vertices, e[0]), b = xy_of(vertices, e[1]);
    heights.insert(heights.end(), {a.y(), b.y()});
    if (a.y() != b.y()) sides.push_back(a.y() < b.y() ? RisingSide{a, b} : RisingSide{b, a});
  }
  std::sort(heights.begin(), heights.end());
  heights.erase(std::unique(heights.begin(), heights.end()), heights.end());
  std::sort(sides.begin(), sides.end(),
            [](const RisingSide& a, const RisingSide& b) { return a.lower.y() < b.lower.y(); });
  std::vector<Vector3> corners;
  std::vector<RisingSide> across;  // of the slab between two heights
  std::size_t next = 0;
  for (std::size_t h = 0; h + 1 < heights.size(); ++h) {
    const double low = heights[h], high = heights[h + 1];
    std::erase_if(across, [&](const RisingSide& side) { return side.upper.y() <= low; });
    for (; next < sides.size() && sides[next].lower.y() <= low; ++next) across.push_back(sides[next]);
    std::sort(across.begin(), across.end(), [&](const RisingSide& a, const RisingSide& b) {
      return a.x_at(low) + a.x_at(high) < b.x_at(low) + b.x_at(high);
    });
    for (std::size_t k = 0; k + 1 < across.size(); k += 2) {
      const RisingSide &left = across[k], &right = across[k + 1];
      const Vector2 a(left.x_at(low), low), b(right.x_at(low), low), c(right.x_at(high), high),
          d(left.x_at(high), high);
      if (b.x() > a.x()) add_flat_triangle(corners, a, b, c);
      if (c.x() > d.x()) add_flat_triangle(corners, a, c, d);
    }
  }
  return mesh_of_corners(corners);
}

SurfaceMesh planar_skin(const SurfaceMesh& mesh, int around) {
  std::vector<Vector3> corners;
  std::vector<Edge> curves;
  for (const Edge& e : mesh.edges) {
    if (mesh.radius_of(e[0]) > 0) {
      const Vector2 a = xy_of(mesh.vertices, e[0]), b = xy_of(mesh.vertices, e[1]);
      add_fan(corners, 0.5 * (a + b), capsule_rim(a, b, mesh.radius_of(e[0]), around));
    } else {
      curves.push_back(e);
    }
  }
  if (is_closed_outline(mesh)) {
    const SurfaceMesh area = filled_outline(mesh.vertices, curves);
    for (Eigen::Index k = 0; k < area.vertices.cols(); ++k) corners.emplace_back(area.vertices.col(k));
  }
  for (const int p : mesh.points) {
    if (!(mesh.radius_of(p) > 0)) continue;
    std::vector<Vector2> rim = regular_polygon(mesh.radius_of(p), around);
    for (Vector2& corner : rim) corner += xy_of(mesh.vertices, p);
    add_fan(corners, xy_of(mesh.vertices, p), rim);
  }
  return mesh_of_corners(corners);
}

MassMoments planar_moments(const SurfaceMesh& mesh, double area_density, double line_width) {
  AreaIntegrals sum;  // about a vertex: far from the origin its squares would swallow those of the body
  const Vector2 origin = mesh.vertices.cols() > 0 ? xy_of(mesh.vertices, 0) : Vector2::Zero().eval();
  const auto place = [&](const Vectors& vertices, int v) -> Vector2 { return xy_of(vertices, v) - origin; };
  const bool closed = is_closed_outline(mesh);
  std::vector<Edge> curves;
  for (const Edge& e : mesh.edges) {
    const double radius = mesh.radius_of(e[0]);
    if (closed && !(radius > 0)) {
      curves.push_back(e);
    } else {
      sum.add_strip(place(mesh.vertices, e[0]), place(mesh.vertices, e[1]),
                    radius > 0 ? radius : 0.5 * line_width, radius > 0);
    }
  }
  const SurfaceMesh area = filled_outline(mesh.vertices, curves);
  for (const Triangle& t : area.triangles)
    sum.add_triangle(place(area.vertices, t[0]), place(area.vertices, t[1]), place(area.vertices, t[2]));
  for (const int p : mesh.points) {
    const Vector2 middle = place(mesh.vertices, p);
    sum.add_strip(middle, middle, mesh.radius_of(p) > 0 ? mesh.radius_of(p) : 0.5 * line_width, true);
  }
  MassMoments moments;
  if (!(sum.area > 0)) return moments;
  moments.volume = sum.area;
  moments.mass = area_density * sum.area;
  moments.center.head<2>() = origin + sum.first / sum.area;
  const Matrix2 second = sum.second - sum.first * sum.first.transpose() / sum.area;
  moments.second.topLeftCorner<2, 2>() = area_density * second;
  moments.second(2, 2) = 0.5 * area_density * second.trace();
  return moments;
}

}  // namespace bulwark
