#include <bulwark/output/writing/frame_capture.hpp>
#include <bulwark/sim/body_nodes.hpp>
#include <bulwark/terms/vertex_stencils.hpp>

#include <algorithm>
#include <utility>

namespace bulwark {
namespace {

/// Where the points of a frame come from: they are the bodies' nodes, and after those of a body the vertices of its
/// surface that are no nodes.
struct FramePoints {
  int count = 0;
  std::vector<int> first;            ///< per body: its first point
  std::vector<int> point_of_vertex;  ///< per vertex of the collision mesh
};

/// Whether the surface that collides is the boundary of the body's linear tetrahedra, which need not be told apart.
bool shows_boundary(const World& world, const Body& body) {
  if (body.element_count == 0 || world.elements.elements[body.first_element].type != ElementType::tetrahedron)
    return false;
  for (int v = body.first_vertex; v < body.first_vertex + body.vertex_count; ++v) {
    if (node_of_vertex(world, body, v) < 0) return false;
  }
  return true;
}

FramePoints frame_points(const World& world) {
  FramePoints points;
  points.point_of_vertex.resize(world.collision.vertex_count());
  for (const Body& body : world.bodies) {
    points.first.push_back(points.count);
    int next = points.count + body.node_count();
    for (int v = body.first_vertex; v < body.first_vertex + body.vertex_count; ++v) {
      const int node = node_of_vertex(world, body, v);
      points.point_of_vertex[v] = node >= 0 ? points.count + node : next++;
    }
    points.count = next;
  }
  return points;
}

/// The cells of all bodies that are surfaces.
void add_surface_cells(Frame& frame, const World& world, const FramePoints& points) {
  const CollisionMesh& mesh = world.collision;
  std::vector<char> implied;
  for (const Body& body : world.bodies) implied.push_back(shows_boundary(world, body) ? 1 : 0);
  const auto is_surface = [&](int vertex) { return !implied[mesh.vertex_body[vertex]]; };
  const std::vector<int>& point = points.point_of_vertex;
  std::vector<char> in_edge(mesh.vertex_count(), 0);
  for (const Triangle& t : mesh.triangles) {
    if (!is_surface(t[0])) continue;
    frame.triangles.push_back({point[t[0]], point[t[1]], point[t[2]]});
  }
  const std::vector<Edge> triangle_edges = unique_edges(mesh.triangles);
  for (const Edge& edge : triangle_edges) in_edge[edge[0]] = in_edge[edge[1]] = 1;
  for (const Edge& edge : mesh.edges) {
    if (is_lone_point(edge)) continue;
    in_edge[edge[0]] = in_edge[edge[1]] = 1;
    const Edge sorted = {std::min(edge[0], edge[1]), std::max(edge[0], edge[1])};
    if (!is_surface(edge[0])) continue;
    if (std::binary_search(triangle_edges.begin(), triangle_edges.end(), sorted)) continue;
    frame.segments.push_back({point[edge[0]], point[edge[1]]});
  }
  for (const int vertex : mesh.points) {
    if (is_surface(vertex) && !in_edge[vertex]) frame.vertices.push_back(point[vertex]);
  }
}

/// Elements in the plane are drawn, and do not collide: as triangles between neighbouring nodes.
void add_planar_elements(Frame& frame, const World& world, const std::vector<int>& shift) {
  for (const Element& element : world.elements.elements) {
    if (!is_planar(element.type)) continue;
    const int order = lagrange_cell(element.type)->order;
    const std::span<const int> controls = world.elements.controls_of(element);
    const auto at = [&](int i, int j) {
      const int control = controls[node_at(CellShape::triangle, order, {i, j, 0})];
      return control + shift[control];
    };
    for (int j = 0; j < order; ++j) {
      for (int i = 0; i + j < order; ++i) {
        frame.skin.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
        if (i + j + 1 < order) frame.skin.push_back({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
      }
    }
  }
}

/// Values of the vertices at the controls that are vertices themselves.
Vectors at_controls(const CollisionMesh& mesh, const Vectors& at_vertices) {
  Vectors result = Vectors::Zero(3, mesh.weights.cols());
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(mesh.weights, v); it; ++it) {
      if (it.value() == 1) result.col(it.col()) = at_vertices.col(v);
    }
  }
  return result;
}

}  // namespace

FrameCapture::FrameCapture(const World& world) : stress_places_(world), skin_(world) {
  FramePoints points = frame_points(world);
  add_surface_cells(frame_, world, points);

  frame_.point_body.resize(points.count);
  std::vector<int> shift(world.control_count(), 0);  // from control to point, where nodes are controls
  for (std::size_t body = 0; body < world.bodies.size(); ++body) {
    const Body& b = world.bodies[body];
    const int end = body + 1 < world.bodies.size() ? points.first[body + 1] : points.count;
    std::fill(frame_.point_body.begin() + points.first[body], frame_.point_body.begin() + end,
              static_cast<int>(body));
    std::fill_n(shift.begin() + b.first_control, b.point_count, points.first[body] - b.first_control);
    frame_.body_names.push_back(b.name);
  }
  world.elements.for_each<4>(ElementType::tetrahedron, [&](const Element&, Tetrahedron t) {
    for (int& v : t) v += shift[v];
    frame_.tetrahedra.push_back(t);
  });
  for (const ElementType type : solid_types) {
    const auto cell = lagrange_cell(type);
    if (!cell || type == ElementType::tetrahedron || is_planar(type)) continue;
    for (const Element& element : world.elements.elements) {
      if (element.type != type) continue;
      FrameSolid& solid = frame_.solids.emplace_back(FrameSolid{cell->shape, cell->order, {}});
      for (const int control : world.elements.controls_of(element))
        solid.points.push_back(control + shift[control]);
    }
  }
  frame_.bodies = world.collision.bodies;
  frame_.exempt_pairs = world.collision.exempt_pairs;
  frame_.unguarded_pairs = world.collision.unguarded_pairs;
  for (Triangle t : skin_.triangles()) {
    for (int& point : t) point += points.count;
    frame_.skin.push_back(t);
  }
  add_planar_elements(frame_, world, shift);
  frame_.point_body.insert(frame_.point_body.end(), skin_.point_body().begin(), skin_.point_body().end());
  const CollisionMesh& mesh = world.collision;
  if (!mesh.radius.empty()) {
    frame_.radius.assign(frame_.point_body.size(), 0);
    bool meets_itself = false;
    for (int v = 0; v < mesh.vertex_count(); ++v) {
      frame_.radius[points.point_of_vertex[v]] = mesh.radius_of(v);
      meets_itself = meets_itself ||
                     (mesh.radius_of(v) > 0 && mesh.may_collide(mesh.vertex_body[v], mesh.vertex_body[v]));
    }
    if (meets_itself) {
      frame_.rest = Vectors::Zero(3, static_cast<Eigen::Index>(frame_.point_body.size()));
      for (int v = 0; v < mesh.vertex_count(); ++v)
        frame_.rest.col(points.point_of_vertex[v]) = mesh.rest.col(v);
    }
  }
  for (const CollisionPlane& plane : world.collision.planes) {
    frame_.planes.push_back({points.point_of_vertex[plane.vertex], plane.normal, plane.body});
  }
  for (const Joint& joint : world.joints) {
    FrameJoint& shown = frame_.joints.emplace_back();
    shown.name = joint.name;
    shown.kind = joint_kind_name(joint.kind);
    shown.bodies = {joint.body_a, joint.body_b};
  }
  riding_.resize(world.bodies.size());
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const Body& body = world.bodies[b];
    for (int v = body.first_vertex; v < body.first_vertex + body.vertex_count; ++v) {
      if (body.nodes == NodeKind::surface_vertices || node_of_vertex(world, body, v) < 0)
        riding_[b].push_back({v, points.point_of_vertex[v]});
    }
  }
  first_ = std::move(points.first);
}

Vectors FrameCapture::at_points(const World& world, const Vectors& controls, const Vectors& vertices,
                                const Vectors& at_skin) const {
  Vectors result(3, static_cast<Eigen::Index>(frame_.point_body.size()));
  result.rightCols(at_skin.cols()) = at_skin;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const Body& body = world.bodies[b];
    if (body.nodes == NodeKind::points) {
      result.middleCols(first_[b], body.point_count) =
          controls.middleCols(body.first_control, body.point_count);
    }
    for (const auto& [vertex, point] : riding_[b]) result.col(point) = vertices.col(vertex);
  }
  return result;
}

PointStresses FrameCapture::stresses(const Simulation& simulation) const {
  const OutputSettings& output = simulation.settings().output;
  const bool asked = output.stress || output.stress_tensor || output.second_stress || output.strain ||
                     output.principal_stress || output.energy_density;
  if (!asked || stress_places_.empty()) return {};
  const World& world = simulation.world();
  const StressField field = stress_places_.field(world, world.state.position);
  // The column of the field for each point; -1 where there is none.
  std::vector<Eigen::Index> column(frame_.point_body.size(), -1);
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const Body& body = world.bodies[b];
    for (int i = 0; body.nodes == NodeKind::points && i < body.point_count; ++i)
      column[first_[b] + i] = body.first_control + i;
    for (const auto& [vertex, point] : riding_[b]) column[point] = world.control_count() + vertex;
  }
  const auto at_points = [&]<class Columns>(const Columns& values) {
    Columns result = Columns::Zero(values.rows(), static_cast<Eigen::Index>(column.size()));
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (column[i] >= 0) result.col(static_cast<Eigen::Index>(i)) = values.col(column[i]);
    }
    return result;
  };
  const auto numbers_at_points = [&](const VectorX& values) {
    std::vector<double> result(column.size(), 0);
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (column[i] >= 0) result[i] = values[column[i]];
    }
    return result;
  };
  PointStresses stress;
  if (output.stress) stress.von_mises = numbers_at_points(field.von_mises());
  if (output.stress_tensor) stress.cauchy = at_points(field.cauchy);
  if (output.second_stress) stress.second = at_points(field.second);
  if (output.strain) stress.strain = at_points(field.strain);
  if (output.principal_stress) stress.principal = at_points(field.principal_stresses());
  if (output.energy_density) stress.energy_density = numbers_at_points(field.energy_density);
  return stress;
}

Frame FrameCapture::capture(const Simulation& simulation) const {
  const World& world = simulation.world();
  const OutputSettings& output = simulation.settings().output;
  const State& state = world.state;
  const CollisionMesh& mesh = world.collision;
  Frame frame = frame_;
  frame.step = state.step;
  frame.time = state.time;
  const Vectors places = vertex_positions(mesh, state.position);
  frame.position = at_points(world, state.position, places, skin_.positions(world, state.position, places));
  if (output.velocity) {
    const Vectors velocity = vertex_positions(mesh, state.velocity);
    frame.velocity =
        at_points(world, state.velocity, velocity, skin_.values(world, state.velocity, velocity));
  }
  if (output.contact_force) {
    const Vectors on_vertices = simulation.vertex_contact_forces();
    frame.contact_force =
        at_points(world, simulation.contact_forces(), on_vertices, Vectors::Zero(3, skin_.point_count()));
  }
  if (output.contact_pressure) {
    const ContactPressure contact = simulation.contact_pressure();
    const Vectors no_skin = Vectors::Zero(3, skin_.point_count());
    Vectors pressure = Vectors::Zero(3, mesh.vertex_count());  // in the first row
    for (int v = 0; v < mesh.vertex_count(); ++v) pressure(0, v) = contact.pressure[v];
    const Vectors at = at_points(world, at_controls(mesh, pressure), pressure, no_skin);
    frame.contact_pressure.assign(at.cols(), 0);
    for (Eigen::Index i = 0; i < at.cols(); ++i) frame.contact_pressure[i] = at(0, i);
    frame.contact_traction = at_points(world, at_controls(mesh, contact.traction), contact.traction, no_skin);
  }
  frame.stress = stresses(simulation);
  if (output.stress) frame.von_mises_stress = simulation.von_mises_stress();
  for (std::size_t j = 0; j < world.joints.size(); ++j) {
    const Joint& joint = world.joints[j];
    frame.joints[j].points = {joint.point_a.at(state.position), joint.point_b.at(state.position)};
    frame.joints[j].axes = {joint.axis_a.at(state.position), joint.axis_b.at(state.position)};
  }
  return frame;
}

IntegrationPoints FrameCapture::integration_points(const Simulation& simulation) const {
  if (!simulation.settings().output.integration_points) return {};
  return stress_places_.integration_points(simulation.world(), simulation.world().state.position);
}

Frame capture_frame(const Simulation& simulation) {
  return FrameCapture(simulation.world()).capture(simulation);
}

}  // namespace bulwark
