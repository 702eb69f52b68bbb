#include <bulwark/base/error.hpp>
#include <bulwark/math/rotation.hpp>
#include <bulwark/sim/thin_bodies.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <set>

namespace bulwark {
namespace {

void require(bool good, const BodyOptions& options, const std::string& problem, const std::string& remedy) {
  if (!good) throw InputError(fmt::format("body '{}'", options.name), problem, remedy);
}

/// Throws when a vertex has no element, and so no mass.
template <class Element>
void require_all_used(Eigen::Index vertex_count, const std::vector<Element>& elements, const char* what,
                      const BodyOptions& options) {
  std::vector<char> used(vertex_count, 0);
  for (const Element& element : elements) {
    for (const int v : element) used[v] = 1;
  }
  const auto unused = std::find(used.begin(), used.end(), 0);
  require(unused == used.end(), options,
          fmt::format("vertex {} belongs to no {}", unused - used.begin(), what), "remove it from the mesh");
}

void add_mass(World& world, int control, double mass) {
  world.mass_entries.emplace_back(control, control, mass);
  world.lumped_mass[control] += mass;
}

void set_velocity(World& world, const Body& body, const BodyOptions& options) {
  const VectorX mass = world.lumped_mass.segment(body.first_control, body.control_count);
  const Vectors positions = world.rest.middleCols(body.first_control, body.control_count);
  const Vector3 center = positions * mass / mass.sum();
  for (int k = 0; k < body.control_count; ++k) {
    world.state.velocity.col(body.first_control + k) =
        options.velocity + options.angular_velocity.cross(Vector3(positions.col(k)) - center);
  }
}

/// A unit vector at a right angle to each edge. Along a chain each is the one before, carried along by the
/// least rotation, so that a rod at rest has no twist but that of its own shape.
Vectors rest_directors(const SurfaceMesh& mesh) {
  Vectors directors(3, mesh.edges.size());
  std::vector<int> last_at(mesh.vertices.cols(), -1);
  auto tangent = [&](std::size_t k) {
    return Vector3(mesh.vertices.col(mesh.edges[k][1]) - mesh.vertices.col(mesh.edges[k][0])).normalized();
  };
  for (std::size_t k = 0; k < mesh.edges.size(); ++k) {
    const Vector3 t = tangent(k);
    Vector3 director = t.unitOrthogonal();
    const int before = std::max(last_at[mesh.edges[k][0]], last_at[mesh.edges[k][1]]);
    if (before >= 0) {
      const Vector3 carried = turn_between(tangent(before), t) * Vector3(directors.col(before));
      director = (carried - carried.dot(t) * t).normalized();
    }
    directors.col(k) = director;
    for (const int v : mesh.edges[k]) last_at[v] = static_cast<int>(k);
  }
  return directors;
}

}  // namespace

int add_shell(World& world, const SurfaceMesh& mesh, const ClothMaterial& material,
              const BodyOptions& options) {
  require(!mesh.triangles.empty(), options, "a shell is made of triangles, but there are none",
          "give a surface, such as a `grid`");
  require(mesh.edges.empty() && mesh.points.empty(), options, "a shell can't have loose edges or points",
          "remove them from the mesh, or make them a rod");
  require(material.strain_limit > 1, options,
          fmt::format("its strain limit is {}, so that it could not even be at rest", material.strain_limit),
          "give the largest stretch, e.g. 1.1 for one tenth");
  require_all_used(mesh.vertices.cols(), mesh.triangles, "triangle", options);
  SurfaceMesh placed = mesh;
  placed.vertices = transformed(options.pose, mesh.vertices);
  const int index = append_vertex_body(world, BodyKind::shell, placed, Vectors(3, 0), options);
  const Body& body = world.bodies[index];
  world.cloths.push_back(material);
  for (Triangle t : placed.triangles) {
    for (int& v : t) v += body.first_control;
    const Vector3 a = world.rest.col(t[0]), b = world.rest.col(t[1]), c = world.rest.col(t[2]);
    const double area = 0.5 * (b - a).cross(c - a).norm();
    require(area > 0, options, "a triangle has no area", "repair the mesh");
    for (const int v : t) add_mass(world, v, material.density * material.thickness * area / 3);
    world.shell_triangles.push_back(t);
    world.shell_material.push_back(static_cast<int>(world.cloths.size()) - 1);
  }
  set_velocity(world, body, options);
  return index;
}

int add_rod(World& world, const SurfaceMesh& mesh, const RodMaterial& material, const BodyOptions& options) {
  require(!mesh.edges.empty(), options, "a rod is made of edges, but there are none",
          "give a `line`, a `circle` or a mesh of lines");
  require(mesh.triangles.empty() && mesh.points.empty(), options, "a rod can't have triangles or points",
          "give a mesh of edges alone, or make it a shell");
  require_all_used(mesh.vertices.cols(), mesh.edges, "edge", options);
  SurfaceMesh placed = mesh;
  placed.vertices = transformed(options.pose, mesh.vertices);
  std::set<Edge> known;
  for (const Edge& e : placed.edges) {
    require(known.insert({std::min(e[0], e[1]), std::max(e[0], e[1])}).second && e[0] != e[1], options,
            fmt::format("the edge between vertices {} and {} is there twice, or has no length", e[0], e[1]),
            "repair the mesh");
  }
  const auto count = static_cast<int>(placed.edges.size());
  Vectors frames = Vectors::Zero(3, 2 * count);
  frames.rightCols(count) = rest_directors(placed);
  const int index = append_vertex_body(world, BodyKind::rod, placed, frames, options);
  const Body& body = world.bodies[index];
  world.rod_materials.push_back(material);
  for (int k = 0; k < count; ++k) {
    RodSegment segment;
    for (int i = 0; i < 2; ++i) segment.vertices[i] = body.first_control + placed.edges[k][i];
    segment.turn = body.first_control + body.control_count + k;
    segment.director = segment.turn + count;
    segment.material = static_cast<int>(world.rod_materials.size()) - 1;
    const double length = (world.rest.col(segment.vertices[1]) - world.rest.col(segment.vertices[0])).norm();
    require(length > 0, options, "a segment has no length", "repair the mesh");
    const double mass = material.density * material.area() * length;
    for (const int v : segment.vertices) add_mass(world, v, mass / 2);
    // Its inertia against turning about itself is m r^2/2, and the control is length * angle. No weight.
    const double lever = material.radius / length;
    world.mass_entries.emplace_back(segment.turn, segment.turn, 0.5 * mass * lever * lever);
    world.held[segment.turn] = 6;  // y and z
    world.held[segment.director] = all_axes;
    world.rod_segments.push_back(segment);
  }
  set_velocity(world, body, options);
  return index;
}

void hold_rod_frames(World& world, const std::vector<int>& controls) {
  const std::set<int> chosen(controls.begin(), controls.end());
  for (RodSegment& segment : world.rod_segments) {
    if (!chosen.contains(segment.vertices[0]) || !chosen.contains(segment.vertices[1])) continue;
    segment.script = static_cast<int>(world.scripts.size()) - 1;
    world.scripted[segment.turn] = 1;
    world.held[segment.turn] = all_axes;
  }
}

}  // namespace bulwark
