#include <bulwark/output/intersection_report.hpp>

#include <fmt/format.h>

namespace bulwark {
namespace {

std::string place(const Vectors& positions, int vertex) {
  return fmt::format("({:.9g}, {:.9g}, {:.9g})", positions(0, vertex), positions(1, vertex), positions(2, vertex));
}

std::string edge_text(const Edge& edge, const Vectors& positions) {
  return fmt::format("edge {}-{} {} {}", edge[0], edge[1], place(positions, edge[0]), place(positions, edge[1]));
}

std::string triangle_text(const Triangle& t, const Vectors& positions) {
  return fmt::format("triangle {}-{}-{} {} {} {}", t[0], t[1], t[2], place(positions, t[0]), place(positions, t[1]),
                     place(positions, t[2]));
}

std::string point_text(int vertex, const Vectors& positions) {
  return fmt::format("point {} {}", vertex, place(positions, vertex));
}

/// Adds an element of an OBJ file ("f", "l" or "p") with vertices of its own.
template <class Vertices>
void add_element(std::string& obj, int& vertex_count, const char* kind, const Vertices& vertices,
                 const Vectors& positions) {
  std::string element = kind;
  for (const int vertex : vertices) {
    obj += fmt::format("v {} {} {}\n", positions(0, vertex), positions(1, vertex), positions(2, vertex));
    element += fmt::format(" {}", ++vertex_count);
  }
  obj += element + "\n";
}

/// OBJ group names end at a space.
std::string group_name(std::string name) {
  for (char& c : name) {
    if (c == ' ' || c == '\n' || c == '\r' || c == '\t') c = '_';
  }
  return name;
}

}  // namespace

std::string describe_intersection(const Intersection& found, const CollisionMesh& mesh,
                                  const std::vector<std::string>& body_names, const Vectors& positions) {
  std::string first, second;
  switch (found.kind) {
    case Intersection::Kind::edge_triangle:
      first = edge_text(mesh.edges[found.first], positions);
      second = triangle_text(mesh.triangles[found.second], positions);
      break;
    case Intersection::Kind::point_triangle:
      first = point_text(found.first, positions);
      second = triangle_text(mesh.triangles[found.second], positions);
      break;
    case Intersection::Kind::point_plane: {
      const CollisionPlane& plane = mesh.planes[found.second];
      first = point_text(found.first, positions);
      second = fmt::format("the plane through {} with normal ({:.6g}, {:.6g}, {:.6g})", place(positions, plane.vertex),
                           plane.normal.x(), plane.normal.y(), plane.normal.z());
      break;
    }
  }
  return fmt::format("body '{}', {}  meets  body '{}', {}", body_names[found.body_first], first,
                     body_names[found.body_second], second);
}

std::string intersections_to_obj(const std::vector<Intersection>& intersections, const CollisionMesh& mesh,
                                 const std::vector<std::string>& body_names, const Vectors& positions) {
  std::string obj = "# The edges, points and triangles that intersect, one group per pair.\n";
  int vertex_count = 0, pair = 0;
  for (const Intersection& found : intersections) {
    obj += fmt::format("g pair_{}_{}_and_{}\n", pair++, group_name(body_names[found.body_first]),
                       group_name(body_names[found.body_second]));
    if (found.kind == Intersection::Kind::edge_triangle) {
      add_element(obj, vertex_count, "l", mesh.edges[found.first], positions);
    } else {
      add_element(obj, vertex_count, "p", std::array<int, 1>{found.first}, positions);
    }
    if (found.kind != Intersection::Kind::point_plane) {
      add_element(obj, vertex_count, "f", mesh.triangles[found.second], positions);
    }
  }
  return obj;
}

}  // namespace bulwark
