#include <bulwark/collision/contact_areas.hpp>
#include <bulwark/collision/flat_faces.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <map>
#include <numbers>

namespace bulwark {
namespace {

constexpr double share_of_points = 0.75, share_of_edges = 1 - share_of_points;

/// Half of the harmonic mean.
double shared(double a, double b) {
  return a * b / (a + b);
}

double triangle_area(const Triangle& t, const Vectors& x) {
  const Vector3 a = x.col(t[0]), b = x.col(t[1]), c = x.col(t[2]);
  return 0.5 * (b - a).cross(c - a).norm();
}

double edge_length(const Edge& e, const Vectors& x) {
  return (x.col(e[1]) - x.col(e[0])).norm();
}

/// Adds the areas of free segments and lone points to those of their vertices.
void add_free_areas(const CollisionMesh& mesh, std::vector<double>& area) {
  for (std::size_t k = 0; k < mesh.edges.size(); ++k) {
    if (mesh.role_of(static_cast<int>(k)) != EdgeRole::free) continue;
    const Edge& e = mesh.edges[k];
    const double radius = mesh.radius_of(e[0]);
    if (is_lone_point(e)) {
      area[e[0]] += std::numbers::pi * radius * radius;
    } else {
      for (const int v : e) area[v] += edge_length(e, mesh.rest) * radius;
    }
  }
}

}  // namespace

ContactAreas::ContactAreas(const CollisionMesh& mesh, const FlatFaces& faces)
    : vertex_(mesh.vertex_body.size(), 0),
      member_(mesh.vertex_body.size(), Member::lone),
      triangle_(mesh.triangles.size(), 0),
      width_(mesh.edges.size(), 0) {
  struct Face {
    double area = 0, perimeter = 0;
    std::vector<int> points;
  };
  std::vector<char> is_point(mesh.vertex_body.size(), 0);
  for (const int p : mesh.points) is_point[p] = 1;
  std::map<Edge, int> number;  // of each edge that contact has
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    const Edge& edge = mesh.edges[e];
    number[{std::min(edge[0], edge[1]), std::max(edge[0], edge[1])}] = static_cast<int>(e);
    if (is_lone_point(edge)) continue;
    for (const int v : edge) member_[v] = std::max(member_[v], Member::of_segment);
  }
  // Edges and faces that belong together; a face comes once for each of its triangles at the edge.
  std::vector<std::pair<int, int>> sides;
  std::vector<Face> of_face(mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle& corner = mesh.triangles[t];
    const int f = faces.face_of(static_cast<int>(t));
    Face& face = of_face[f];
    face.area += triangle_area(corner, mesh.rest);
    for (int k = 0; k < 3; ++k) {
      member_[corner[k]] = Member::of_triangle;
      if (is_point[corner[k]]) face.points.push_back(corner[k]);
      const int a = corner[k], b = corner[(k + 1) % 3];
      const auto found = number.find({std::min(a, b), std::max(a, b)});
      if (found == number.end()) continue;
      sides.push_back({found->second, f});
      face.perimeter += edge_length(mesh.edges[found->second], mesh.rest);
    }
  }
  for (Face& face : of_face) {
    std::sort(face.points.begin(), face.points.end());
    face.points.erase(std::unique(face.points.begin(), face.points.end()), face.points.end());
    for (const int v : face.points) vertex_[v] += face.area / static_cast<double>(face.points.size());
  }
  for (const auto& [edge, f] : sides) {
    if (of_face[f].perimeter > 0) width_[edge] += of_face[f].area / of_face[f].perimeter;
  }
  add_free_areas(mesh, vertex_);
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    if (mesh.role_of(static_cast<int>(e)) == EdgeRole::free) width_[e] = 2 * mesh.radius_of(mesh.edges[e][0]);
  }
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Face& face = of_face[faces.face_of(static_cast<int>(t))];
    for (const int v : face.points) triangle_[t] += vertex_[v] / static_cast<double>(face.points.size());
  }
}

double ContactAreas::of_pair(const PointPlaneCandidate& pair, double distance) const {
  return std::max(vertex_[pair.point], distance * distance);
}

double ContactAreas::of_pair(const CollisionMesh&, const PointTriangleCandidate& pair,
                             double distance) const {
  const double least = distance * distance, point = std::max(vertex_[pair.point], least);
  switch (member_[pair.point]) {
    case Member::lone:
      return point;
    case Member::of_segment:
      return share_of_points * point;
    case Member::of_triangle:
      break;
  }
  return share_of_points * shared(point, std::max(triangle_[pair.triangle], least));
}

double ContactAreas::of_pair(const CollisionMesh& mesh, const EdgeEdgeCandidate& pair,
                             double distance) const {
  const Edge &a = mesh.edges[pair.edge_a], &b = mesh.edges[pair.edge_b];
  const EdgeRole role_a = mesh.role_of(pair.edge_a), role_b = mesh.role_of(pair.edge_b);
  const double least = distance * distance;
  auto mean = [&](const Edge& e) { return std::max(0.5 * (vertex_[e[0]] + vertex_[e[1]]), least); };
  if (role_a == EdgeRole::end || role_b == EdgeRole::end) return shared(mean(a), mean(b));
  const double crossing = 0.5 * std::numbers::pi * std::max(width_[pair.edge_a], distance) *
                          std::max(width_[pair.edge_b], distance);
  if (is_lone_point(a) || is_lone_point(b)) return 0.5 * crossing;
  return role_a == EdgeRole::free && role_b == EdgeRole::free ? crossing : share_of_edges * crossing;
}

}  // namespace bulwark
