#include <bulwark/output/frame_capture.hpp>

#include <algorithm>

namespace bulwark {
namespace {

/// The control that a vertex of an obstacle is: obstacles are made of their own controls.
int control_of(const CollisionMesh& mesh, int vertex) {
  Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator entry(mesh.weights, vertex);
  return static_cast<int>(entry.col());
}

void add_obstacle_cells(Frame& frame, const CollisionMesh& mesh) {
  const auto is_obstacle = [&](int vertex) { return mesh.bodies[mesh.vertex_body[vertex]].obstacle; };
  std::vector<char> in_edge(mesh.vertex_count(), 0);
  for (const Triangle& t : mesh.triangles) {
    if (!is_obstacle(t[0])) continue;
    frame.triangles.push_back({control_of(mesh, t[0]), control_of(mesh, t[1]), control_of(mesh, t[2])});
  }
  const std::vector<Edge> triangle_edges = unique_edges(mesh.triangles);
  for (const Edge& edge : mesh.edges) {
    in_edge[edge[0]] = in_edge[edge[1]] = 1;
    const Edge sorted = {std::min(edge[0], edge[1]), std::max(edge[0], edge[1])};
    if (!is_obstacle(edge[0])) continue;
    if (std::binary_search(triangle_edges.begin(), triangle_edges.end(), sorted)) continue;
    frame.segments.push_back({control_of(mesh, edge[0]), control_of(mesh, edge[1])});
  }
  for (const int vertex : mesh.points) {
    if (is_obstacle(vertex) && !in_edge[vertex]) frame.vertices.push_back(control_of(mesh, vertex));
  }
}

}  // namespace

Frame capture_frame(const Simulation& simulation) {
  const World& world = simulation.world();
  const OutputSettings& output = simulation.settings().output;
  const State& state = world.state;
  Frame frame;
  frame.step = state.step;
  frame.time = state.time;
  frame.position = state.position;
  if (output.velocity) frame.velocity = state.velocity;
  if (output.contact_force) frame.contact_force = simulation.contact_forces();
  if (output.stress) frame.von_mises_stress = simulation.von_mises_stress();
  frame.tetrahedra = world.tetrahedra;
  add_obstacle_cells(frame, world.collision);

  frame.point_body.resize(world.control_count());
  for (std::size_t body = 0; body < world.bodies.size(); ++body) {
    const Body& b = world.bodies[body];
    std::fill_n(frame.point_body.begin() + b.first_control, b.control_count, static_cast<int>(body));
    frame.body_names.push_back(b.name);
  }
  frame.bodies = world.collision.bodies;
  for (const CollisionPlane& plane : world.collision.planes) {
    frame.planes.push_back({control_of(world.collision, plane.vertex), plane.normal, plane.body});
  }
  return frame;
}

}  // namespace bulwark
