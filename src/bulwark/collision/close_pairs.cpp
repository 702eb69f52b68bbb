#include <bulwark/collision/broad_phase.hpp>
#include <bulwark/collision/close_pairs.hpp>
#include <bulwark/collision/pair_offset.hpp>
#include <bulwark/geometry/box_tree.hpp>

#include <array>
#include <cmath>
#include <limits>

namespace bulwark {
namespace {

/// Per body: its least gap to anything.
std::vector<double> gaps_of_bodies(const CollisionMesh& mesh, const Vectors& positions) {
  std::vector<double> gap(mesh.bodies.size(), 0.0);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    double& g = gap[mesh.vertex_body[v]];
    g = std::max(g, least_gap(positions.col(v).cwiseAbs().maxCoeff() + mesh.radius_of(v)));
  }
  return gap;
}

/// Per body: whether it may collide with itself, or with another body whose box overlaps its own. Most bodies
/// of a scene of many do not.
std::vector<char> bodies_near_others(const CollisionMesh& mesh, const VertexBoxes& vertex_boxes) {
  const VertexBoxes around = body_boxes(mesh, vertex_boxes);
  std::vector<char> near(mesh.bodies.size(), 0);
  std::vector<Box> boxes;
  std::vector<BoxTree::Owner> owners;
  for (int b = 0; b < static_cast<int>(mesh.bodies.size()); ++b) {
    near[b] = mesh.may_collide(b, b);
    const Vector3 low = around.lower.col(b), high = around.upper.col(b);
    if (!(low[0] <= high[0])) continue;  // no vertices
    boxes.push_back({{low[0], low[1], low[2]}, {high[0], high[1], high[2]}});
    owners.push_back({b, mesh.bodies[b].obstacle});
  }
  if (boxes.empty()) return near;
  BoxTree tree;
  tree.build(boxes, owners);
  const std::vector<BoxTree::Node>& nodes = tree.nodes();
  const auto meets_another = [&](std::size_t i) {
    for (std::size_t n = 0; n < nodes.size();) {
      const BoxTree::Node& node = nodes[n];
      if (!overlap(node.box, boxes[i])) {
        n = static_cast<std::size_t>(node.next);
        continue;
      }
      for (int k = node.first; k < node.first + node.count; ++k) {
        const int other = owners[tree.index(k)].body;
        if (other != owners[i].body && overlap(tree.box(k), boxes[i]) &&
            mesh.may_collide(other, owners[i].body))
          return true;
      }
      n = node.count > 0 ? static_cast<std::size_t>(node.next) : n + 1;
    }
    return false;
  };
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    char& flag = near[owners[i].body];
    flag = flag || meets_another(i);
  }
  return near;
}

/// A mesh of the same vertices with those elements alone that are near other bodies, and near the box of the
/// bodies that were asked for; and the numbers that they have in the whole mesh.
struct NearbyMesh {
  CollisionMesh mesh;
  std::vector<int> triangles, edges;

  NearbyMesh(const CollisionMesh& whole, const VertexBoxes& boxes, const std::vector<char>& of_bodies) {
    mesh.vertex_body = whole.vertex_body;
    mesh.radius = whole.radius;
    mesh.rest = whole.rest;
    mesh.bodies = whole.bodies;
    mesh.exempt_pairs = whole.exempt_pairs;
    mesh.unguarded_pairs = whole.unguarded_pairs;
    Vector3 lower = Vector3::Constant(std::numeric_limits<double>::infinity()), upper = -lower;
    bool plane_asked = false;
    for (const CollisionPlane& plane : whole.planes)
      plane_asked = plane_asked || of_bodies.empty() || of_bodies[plane.body];
    for (int v = 0; v < whole.vertex_count(); ++v) {
      if (!of_bodies.empty() && !of_bodies[whole.vertex_body[v]]) continue;
      lower = lower.cwiseMin(boxes.lower.col(v));
      upper = upper.cwiseMax(boxes.upper.col(v));
    }
    const std::vector<char> near_others = bodies_near_others(whole, boxes);
    const auto near = [&](const auto& vertices) {
      if (!near_others[whole.vertex_body[vertices[0]]]) return false;
      if (of_bodies.empty() || plane_asked) return true;
      Vector3 low = boxes.lower.col(vertices[0]), high = boxes.upper.col(vertices[0]);
      for (const int v : vertices) {
        low = low.cwiseMin(boxes.lower.col(v));
        high = high.cwiseMax(boxes.upper.col(v));
      }
      return (low.array() <= upper.array()).all() && (high.array() >= lower.array()).all();
    };
    const auto keep = [&](const auto& from, auto& to, std::vector<int>& numbers) {
      for (std::size_t i = 0; i < from.size(); ++i) {
        if (!near(from[i])) continue;
        to.push_back(from[i]);
        numbers.push_back(static_cast<int>(i));
      }
    };
    keep(whole.triangles, mesh.triangles, triangles);
    keep(whole.edges, mesh.edges, edges);
    for (const int e : edges) mesh.edge_role.push_back(whole.role_of(e));
    for (const int p : whole.points) {
      if (!whole.planes.empty() || near(std::array{p})) mesh.points.push_back(p);
    }
    mesh.planes = whole.planes;
  }
};

}  // namespace

std::vector<ClosePair> find_close_pairs(const CollisionMesh& whole, const Vectors& positions,
                                        std::size_t limit, const std::vector<char>& of_bodies) {
  const std::vector<double> gap = gaps_of_bodies(whole, positions);
  VertexBoxes boxes = {positions, positions};
  for (int v = 0; v < whole.vertex_count(); ++v) {
    boxes.lower.col(v).array() -= gap[whole.vertex_body[v]];
    boxes.upper.col(v).array() += gap[whole.vertex_body[v]];
  }
  grow_by_radii(whole, boxes);
  const NearbyMesh nearby(whole, boxes, of_bodies);
  const CollisionMesh& mesh = nearby.mesh;
  const Candidates near = make_bvh()->find(mesh, boxes);
  std::vector<ClosePair> found;
  const auto add = [&](ClosePair pair) {
    if (found.size() >= limit || pair.distance > std::max(gap[pair.body_first], gap[pair.body_second]))
      return;
    found.push_back(pair);
  };
  const auto asked = [&](int a, int b) { return of_bodies.empty() || of_bodies[a] || of_bodies[b]; };
  using Kind = ClosePair::Kind;
  const auto corners = [&](const std::array<int, 4>& v) {
    return std::array<Vector3, 4>{positions.col(v[0]), positions.col(v[1]), positions.col(v[2]),
                                  positions.col(v[3])};
  };
  for (const PointTriangleCandidate& c : near.point_triangle) {
    const std::array<int, 4> v = vertices_of(mesh, c);
    const int a = mesh.vertex_body[v[0]], b = mesh.vertex_body[v[1]];
    if (!asked(a, b)) continue;
    const double distance = std::sqrt(point_triangle_squared_distance(corners(v).data()));
    add({Kind::point_triangle, c.point, nearby.triangles[c.triangle], a, b,
         std::max(0.0, distance - pair_offset(mesh, c))});
  }
  for (const EdgeEdgeCandidate& c : near.edge_edge) {
    const std::array<int, 4> v = vertices_of(mesh, c);
    const int a = mesh.vertex_body[v[0]], b = mesh.vertex_body[v[2]];
    if (!asked(a, b)) continue;
    const double distance = std::sqrt(edge_edge_squared_distance(corners(v).data()));
    add({Kind::edge_edge, nearby.edges[c.edge_a], nearby.edges[c.edge_b], a, b,
         std::max(0.0, distance - pair_offset(mesh, c))});
  }
  for (const PointPlaneCandidate& c : near.point_plane) {
    const CollisionPlane& plane = mesh.planes[c.plane];
    const int a = mesh.vertex_body[c.point];
    if (!asked(a, plane.body)) continue;
    const double height = plane.normal.dot(positions.col(c.point) - positions.col(plane.vertex));
    add({Kind::point_plane, c.point, c.plane, a, plane.body, std::max(0.0, height - pair_offset(mesh, c))});
  }
  return found;
}

}  // namespace bulwark
