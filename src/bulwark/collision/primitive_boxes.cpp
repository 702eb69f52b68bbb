#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/primitive_boxes.hpp>

namespace bulwark {
namespace {

/// vertices(i): the vertices of primitive i of `count`; names(i): what it is called in the result.
template <class Vertices, class Name>
PrimitiveBoxes collect(const CollisionMesh& mesh, const VertexBoxes& boxes, std::size_t count,
                       Vertices&& vertices, Name&& name) {
  PrimitiveBoxes result;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < count; ++i) {
    const int body = mesh.vertex_body[vertices(i)[0]];
    if (!mesh.bodies[body].collides) continue;
    kept.push_back(i);
    result.index.push_back(name(i));
    result.body.push_back(body);
  }
  result.box.resize(kept.size());
  parallel_for(kept.size(), [&](std::size_t k) { result.box[k] = box_around(boxes, vertices(kept[k])); });
  return result;
}

}  // namespace

PrimitiveBoxes point_boxes(const CollisionMesh& mesh, const VertexBoxes& boxes) {
  return collect(
      mesh, boxes, mesh.points.size(), [&](std::size_t i) { return std::array<int, 1>{mesh.points[i]}; },
      [&](std::size_t i) { return mesh.points[i]; });
}

PrimitiveBoxes triangle_boxes(const CollisionMesh& mesh, const VertexBoxes& boxes) {
  return collect(
      mesh, boxes, mesh.triangles.size(), [&](std::size_t i) { return mesh.triangles[i]; },
      [](std::size_t i) { return static_cast<int>(i); });
}

PrimitiveBoxes edge_boxes(const CollisionMesh& mesh, const VertexBoxes& boxes) {
  return collect(
      mesh, boxes, mesh.edges.size(), [&](std::size_t i) { return mesh.edges[i]; },
      [](std::size_t i) { return static_cast<int>(i); });
}

bool is_candidate(const CollisionMesh& mesh, const PointTriangleCandidate& pair) {
  const Triangle& triangle = mesh.triangles[pair.triangle];
  return !share_vertex(pair.point, triangle) &&
         mesh.may_collide(mesh.vertex_body[pair.point], mesh.vertex_body[triangle[0]]);
}

bool is_candidate(const CollisionMesh& mesh, const EdgeEdgeCandidate& pair) {
  const Edge &a = mesh.edges[pair.edge_a], &b = mesh.edges[pair.edge_b];
  return !share_vertex(a, b) && mesh.may_collide(mesh.vertex_body[a[0]], mesh.vertex_body[b[0]]);
}

}  // namespace bulwark
