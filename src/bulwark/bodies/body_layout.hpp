// A body as the rest of the program sees it: a layout over its controls. Each kind of body has one file in
// this folder that makes its layout; sim/add_body.hpp puts a layout into a world. Nothing above this folder
// asks what kind a body is: it asks the roles of controls, the nodes, the rows of W, the elements.
#pragma once

#include <bulwark/bodies/body_kind.hpp>
#include <bulwark/bodies/body_options.hpp>
#include <bulwark/bodies/element.hpp>
#include <bulwark/bodies/held_axes.hpp>
#include <bulwark/bodies/stiff_body.hpp>
#include <bulwark/geometry/mesh.hpp>
#include <bulwark/geometry/motion.hpp>

#include <Eigen/SparseCore>
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace bulwark {

/// What a control is a vector of.
enum class ControlRole : unsigned char {
  point,      ///< a place: shifts and turns with the body
  direction,  ///< a vector fixed in the body: turns with it
  parameter   ///< neither, such as the turn of a rod's segment
};

/// What selections, loads, pictures and messages call the nodes of a body, numbered from 0: its points among
/// the controls, or the vertices of its surface.
enum class NodeKind : unsigned char { points, surface_vertices };

/// A vertex of the surface as a combination of controls.
struct SurfaceWeight {
  int control;
  double value;
};

/// A mesh that rides on a stiff body and is drawn in place of what collides, whose solid has radii. Its vertex
/// S is the body's point X = turn S + shift.
struct BodySkin {
  std::shared_ptr<const SurfaceMesh> mesh;  ///< bodies made alike share it; none where the surface is drawn
  Matrix3 turn = Matrix3::Identity();
  Vector3 shift = Vector3::Zero();

  int vertex_count() const { return mesh ? static_cast<int>(mesh->vertices.cols()) : 0; }
};

struct BodyLayout {
  BodyKind kind = BodyKind::deformable;

  // Controls: points first. All numbers of controls below count from the body's first one.
  std::vector<ControlRole> roles;
  /// How far a unit of each control moves points of the body: 1 of points, the extent along it of a direction.
  VectorX lever;
  Vectors controls;  ///< at rest, in place
  Vectors velocity;
  VectorX gravity_mass;                      ///< kg by which gravity pulls at each: the integral of rho s
  std::vector<HeldAxes> held;                ///< empty where none are
  std::vector<Eigen::Triplet<double>> mass;  ///< of the scalar mass matrix
  std::optional<StiffBody> stiff;            ///< of bodies whose points all follow p and A: the four controls
  std::optional<Motion> motion;              ///< that all controls follow: of obstacles

  ElementTable elements;

  // The surface that collides: vertex v is the sum of weights [v * per_vertex, (v + 1) * per_vertex), or where
  // per_vertex is 0, of those up to weight_end[v].
  Vectors vertices;  ///< at rest
  int per_vertex = 1;
  std::vector<SurfaceWeight> weights;  ///< by ascending control
  std::vector<int> weight_end;
  std::vector<Triangle> triangles;
  std::vector<std::array<double, 3>> corner_shares;  ///< of the triangles (collision_mesh.hpp); empty: none
  std::vector<Edge> edges;  ///< a lone point is one with both ends in it (collision_mesh.hpp)
  std::vector<EdgeRole> edge_role;
  std::vector<int> points;
  std::vector<double>
      radius;     ///< per vertex (m), of the solid around its primitives; empty where none has one
  BodySkin skin;  ///< what is drawn in place of the surface; none where that is drawn itself
  std::optional<Vector3> plane_normal;  ///< an infinite plane rides on the first vertex
  std::optional<int>
      face_cuts;  ///< where the surface is made of the elements' faces: those of face_surface.hpp
  bool meets_itself = true;
  NodeKind nodes = NodeKind::points;
  int directions_per_node = 0;  ///< after the points, those of each in turn: they are held with it

  int control_count() const { return static_cast<int>(controls.cols()); }
  int weights_end(int vertex) const {
    return per_vertex > 0 ? (vertex + 1) * per_vertex : weight_end[vertex];
  }
};

/// Gives the layout controls that are points at `places`; those of other roles are added after them.
void set_points(BodyLayout& layout, const Vectors& places);
void add_controls(BodyLayout& layout, ControlRole role, const Vectors& vectors);

/// Adds mass to a control of its own, with its weight.
void add_point_mass(BodyLayout& layout, int control, double mass);

/// Points move with the velocity and the spin about the center of mass that the options say.
void set_point_velocities(BodyLayout& layout, const BodyOptions& options);

/// The surface's vertices are the controls of these numbers.
void use_controls_as_vertices(BodyLayout& layout, const std::vector<int>& controls);

/// Takes over triangles, edges and points of a mesh whose vertices are the surface's.
/// `needs_edge(edge)` and `needs_point(vertex)` may leave out what contact does not need.
template <class NeedsEdge, class NeedsPoint>
void set_surface(BodyLayout& layout, const SurfaceMesh& mesh, NeedsEdge&& needs_edge,
                 NeedsPoint&& needs_point) {
  layout.triangles = mesh.triangles;
  const std::vector<Edge> of_triangles = unique_edges(mesh.triangles);
  std::vector<Edge> edges = of_triangles;
  for (const Edge& e : mesh.edges) edges.push_back({std::min(e[0], e[1]), std::max(e[0], e[1])});
  std::vector<char> used(mesh.vertices.cols(), 0);
  for (const Edge& e : edges) used[e[0]] = used[e[1]] = 1;
  for (const int p : mesh.points) {
    if (!used[p]) edges.push_back({p, p});
  }
  std::vector<char> free_end(mesh.vertices.cols(), 0);
  if (!mesh.radius.empty()) {
    for (const Edge& e : mesh.edges) free_end[e[0]] = free_end[e[1]] = 1;
    for (int v = 0; v < static_cast<int>(free_end.size()); ++v) {
      if (free_end[v]) edges.push_back({v, v});
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  for (const Edge& e : edges) {
    used[e[0]] = used[e[1]] = 1;
    if (!needs_edge(e)) continue;
    layout.edges.push_back(e);
    const bool of_triangle = std::binary_search(of_triangles.begin(), of_triangles.end(), e);
    layout.edge_role.push_back(of_triangle                          ? EdgeRole::of_triangle
                               : is_lone_point(e) && free_end[e[0]] ? EdgeRole::end
                                                                    : EdgeRole::free);
  }
  for (int v = 0; v < static_cast<int>(used.size()); ++v) {
    if (used[v] && needs_point(v)) layout.points.push_back(v);
  }
  layout.radius = mesh.radius;
}
/// All of the mesh.
void set_surface(BodyLayout& layout, const SurfaceMesh& mesh);

}  // namespace bulwark
