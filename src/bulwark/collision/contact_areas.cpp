#include <bulwark/collision/contact_areas.hpp>
#include <bulwark/collision/flat_faces.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <map>
#include <numbers>

namespace bulwark {
namespace {

constexpr double share_of_edges = 0.25;

bool is_obstacle(const CollisionMesh& mesh, int vertex) {
  return mesh.bodies[mesh.vertex_body[vertex]].obstacle;
}

/// Half of the harmonic mean.
double shared(double a, double b) {
  return a * b / (a + b);
}

/// Of the length of its area, along its normal.
Vector3 area_vector(const Triangle& t, const Vectors& x) {
  const Vector3 a = x.col(t[0]), b = x.col(t[1]), c = x.col(t[2]);
  return 0.5 * (b - a).cross(c - a);
}

/// The largest sum over the parts, each seen along the normal of one of them; those that face away count not.
double facing(const std::vector<Vector3>& parts) {
  double largest = 0;
  for (const Vector3& along : parts) {
    const double size = along.norm();
    if (!(size > 0)) continue;
    double sum = 0;
    for (const Vector3& part : parts) sum += std::max(0.0, part.dot(along) / size);
    largest = std::max(largest, sum);
  }
  return largest;
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
      of_triangle_(mesh.vertex_body.size(), 0),
      triangle_(mesh.triangles.size(), 0),
      width_(mesh.edges.size(), 0) {
  struct Face {
    Vector3 area = Vector3::Zero();  // along its normal
    double perimeter = 0;
    std::vector<int> points, triangles;
  };
  std::vector<char> is_point(mesh.vertex_body.size(), 0);
  for (const int p : mesh.points) is_point[p] = 1;
  std::map<Edge, int> number;  // of each edge that contact has
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    const Edge& edge = mesh.edges[e];
    number[{std::min(edge[0], edge[1]), std::max(edge[0], edge[1])}] = static_cast<int>(e);
  }
  // Edges and faces that belong together; a face comes once for each of its triangles at the edge.
  std::vector<std::pair<int, int>> sides;
  std::vector<Face> of_face(mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle& corner = mesh.triangles[t];
    const int f = faces.face_of(static_cast<int>(t));
    Face& face = of_face[f];
    face.triangles.push_back(static_cast<int>(t));
    face.area += area_vector(corner, mesh.rest);
    for (int k = 0; k < 3; ++k) {
      of_triangle_[corner[k]] = 1;
      if (is_point[corner[k]]) face.points.push_back(corner[k]);
      const int a = corner[k], b = corner[(k + 1) % 3];
      const auto found = number.find({std::min(a, b), std::max(a, b)});
      if (found == number.end()) continue;
      sides.push_back({found->second, f});
      face.perimeter += edge_length(mesh.edges[found->second], mesh.rest);
    }
  }
  std::vector<std::vector<Vector3>> at_vertex(mesh.vertex_body.size()), at_edge(mesh.edges.size());
  for (Face& face : of_face) {
    std::sort(face.points.begin(), face.points.end());
    face.points.erase(std::unique(face.points.begin(), face.points.end()), face.points.end());
    if (face.triangles.size() == 1 && face.points.size() == 3) {
      const int t = face.triangles[0];
      for (int k = 0; k < 3; ++k)
        at_vertex[mesh.triangles[t][k]].push_back(mesh.share_of_corner(t, k) * face.area);
      continue;
    }
    for (const int v : face.points)
      at_vertex[v].push_back(face.area / static_cast<double>(face.points.size()));
  }
  for (const auto& [edge, f] : sides) {
    if (of_face[f].perimeter > 0) at_edge[edge].push_back(of_face[f].area / of_face[f].perimeter);
  }
  for (std::size_t v = 0; v < vertex_.size(); ++v) vertex_[v] = facing(at_vertex[v]);
  for (std::size_t e = 0; e < width_.size(); ++e) width_[e] = facing(at_edge[e]);
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

double ContactAreas::of_pair(const CollisionMesh& mesh, const PointTriangleCandidate& pair,
                             double distance) const {
  const double least = distance * distance, face = std::max(triangle_[pair.triangle], least);
  if (of_triangle_[pair.point]) return shared(std::max(vertex_[pair.point], least), face);
  const bool decides = vertex_[pair.point] > 0 || !is_obstacle(mesh, pair.point);
  return decides ? std::max(vertex_[pair.point], least) : face;
}

double ContactAreas::of_pair(const CollisionMesh& mesh, const EdgeEdgeCandidate& pair,
                             double distance) const {
  const Edge &a = mesh.edges[pair.edge_a], &b = mesh.edges[pair.edge_b];
  const EdgeRole role_a = mesh.role_of(pair.edge_a), role_b = mesh.role_of(pair.edge_b);
  const double least = distance * distance;
  auto mean = [&](const Edge& e) { return std::max(0.5 * (vertex_[e[0]] + vertex_[e[1]]), least); };
  if (role_a == EdgeRole::end || role_b == EdgeRole::end) return shared(mean(a), mean(b));
  auto width = [&](int edge, int other) {
    const bool decides = width_[edge] > 0 || !is_obstacle(mesh, mesh.edges[edge][0]);
    return std::max(width_[decides ? edge : other], distance);
  };
  const double crossing =
      0.5 * std::numbers::pi * width(pair.edge_a, pair.edge_b) * width(pair.edge_b, pair.edge_a);
  if (is_lone_point(a) || is_lone_point(b)) return 0.5 * crossing;
  return role_a == EdgeRole::of_triangle && role_b == EdgeRole::of_triangle ? share_of_edges * crossing
                                                                            : crossing;
}

}  // namespace bulwark
