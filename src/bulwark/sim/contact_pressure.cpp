#include <bulwark/sim/contact_pressure.hpp>
#include <bulwark/sim/face_traction.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <numbers>

namespace bulwark {
namespace {

/// What of the surface at a vertex faces one way, and what the other.
struct FacingArea {
  double front = 0, back = 0;

  double larger() const { return std::max(front, back); }
  void add(double signed_area) { (signed_area > 0 ? front : back) += std::abs(signed_area); }
  void add_all_round(double area) {
    front += area;
    back += area;
  }
};

/// The areas that face the forces on the vertices.
std::vector<FacingArea> facing_areas(const CollisionMesh& mesh, const Vectors& positions,
                                     const Vectors& force) {
  std::vector<FacingArea> areas(mesh.vertex_body.size());
  for (const Triangle& t : mesh.triangles) {
    const Vector3 a = positions.col(t[0]), b = positions.col(t[1]), c = positions.col(t[2]);
    const Vector3 third = (b - a).cross(c - a) / 6;
    for (const int v : t) {
      const double size = force.col(v).norm();
      if (size > 0) areas[v].add(third.dot(force.col(v)) / size);
    }
  }
  for (std::size_t k = 0; k < mesh.edges.size(); ++k) {
    if (mesh.role_of(static_cast<int>(k)) != EdgeRole::free) continue;
    const Edge& e = mesh.edges[k];
    const double radius = mesh.radius_of(e[0]);
    if (is_lone_point(e)) {
      areas[e[0]].add_all_round(std::numbers::pi * radius * radius);
    } else {
      const double length = (positions.col(e[1]) - positions.col(e[0])).norm();
      for (const int v : e) areas[v].add_all_round(length * radius);
    }
  }
  return areas;
}

}  // namespace

ContactPressure contact_pressure(const World& world, const VertexForces& forces) {
  const CollisionMesh& mesh = world.collision;
  const Vectors positions = vertex_positions(mesh, world.state.position);
  const std::vector<FacingArea> areas = facing_areas(mesh, positions, forces.normal);
  ContactPressure result{std::vector<double>(areas.size(), 0), Vectors::Zero(3, forces.normal.cols())};
  for (std::size_t v = 0; v < areas.size(); ++v) {
    const double area = areas[v].larger(), force = forces.normal.col(v).norm();
    if (!(area > 0 && force > 0)) continue;
    result.pressure[v] = force / area;
    result.traction.col(v) = forces.friction.col(v) / area;
  }
  for (const Body& body : world.bodies) {
    if (!has_traction_fields(world, body)) continue;
    if (forces.normal.middleCols(body.first_vertex, body.vertex_count).isZero(0)) continue;
    const FaceTraction field = face_traction(world, body, forces);
    std::copy(field.pressure.begin(), field.pressure.end(), result.pressure.begin() + body.first_vertex);
    result.traction.middleCols(body.first_vertex, body.vertex_count) = field.traction;
  }
  return result;
}

}  // namespace bulwark
