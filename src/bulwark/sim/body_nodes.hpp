// The nodes of a body (NodeKind in bodies/body_layout.hpp): what selections, loads, pictures and messages
// number from 0.
#pragma once

#include <bulwark/sim/world.hpp>

namespace bulwark {

/// Where the nodes are at rest.
Vectors rest_nodes(const World& world, const Body& body);
/// Where they are with these controls.
Vectors node_positions(const World& world, const Body& body, const Vectors& controls);

/// look(control, weight) for the combination of controls that a node is.
template <class Look>
void for_each_weight(const World& world, const Body& body, int node, Look&& look) {
  if (body.nodes == NodeKind::points) {
    look(body.first_control + node, 1.0);
    return;
  }
  using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor>;
  for (Rows::InnerIterator it(world.collision.weights, body.first_vertex + node); it; ++it)
    look(static_cast<int>(it.col()), it.value());
}

/// Whether forces on a part of the body act on its outside, for its nodes lie inside: it is stiff and its solid has radii.
bool is_loaded_outside(const World& world, const Body& body);
/// Where forces on a part of the body act at rest: its nodes, or points all over its outside. What is drawn of it may
/// be coarser.
Vectors loaded_points(const World& world, const Body& body);

/// Diagonal of the box around the nodes at rest; 0 where there is one, or none.
double body_length(const World& world, const Body& body);
/// The largest radius of the solid around the body's primitives (m); 0 where they have none.
double largest_radius(const World& world, const Body& body);

/// Mass of a body, kg.
double mass_of(const World& world, const Body& body);

/// Whether it is made of elements that fill space: a solid has no numbers for the triangles of its surface.
bool is_solid(const World& world, const Body& body);

/// Whether the body's elements are without volume of their own: cloth, rods, springs.
bool is_thin(const World& world, const Body& body);

/// The node that a vertex of the collision surface is, by the body's own number; -1 where it is none but rides on several.
int node_of_vertex(const World& world, const Body& body, int vertex);

/// The body of a control.
int body_of_control(const World& world, int control);

}  // namespace bulwark
