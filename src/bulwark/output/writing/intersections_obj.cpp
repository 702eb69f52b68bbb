#include <bulwark/output/writing/intersections_obj.hpp>

#include <fmt/format.h>

namespace bulwark {
namespace {

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

std::string intersections_to_obj(const std::vector<Intersection>& intersections, const CollisionMesh& mesh,
                                 const std::vector<std::string>& body_names, const Vectors& positions) {
  std::string obj = "# The edges, points and triangles that intersect, one group per pair.\n";
  int vertex_count = 0, pair = 0;
  for (const Intersection& found : intersections) {
    obj += fmt::format("g pair_{}_{}_and_{}\n", pair++, group_name(body_names[found.body_first]),
                       group_name(body_names[found.body_second]));
    const auto add_edge = [&](int edge) { add_element(obj, vertex_count, "l", mesh.edges[edge], positions); };
    if (found.kind == Intersection::Kind::edge_triangle || found.kind == Intersection::Kind::edge_edge) {
      add_edge(found.first);
    } else {
      add_element(obj, vertex_count, "p", std::array<int, 1>{found.first}, positions);
    }
    if (found.kind == Intersection::Kind::edge_edge) {
      add_edge(found.second);
    } else if (found.kind != Intersection::Kind::point_plane) {
      add_element(obj, vertex_count, "f", mesh.triangles[found.second], positions);
    }
  }
  return obj;
}

}  // namespace bulwark
