// Tractions of contact as fields on faces of elements: what contact_pressure() gives for bodies of quadratic and higher
// elements, of hexahedra and of ANCF elements.
//
// A load on a vertex of the collision surface acts on the nodes of its face. Their consistent forces under a uniform
// pressure are not proportional to any areas: those at the corners of a quadratic triangle are zero. So forces over
// areas differ from vertex to vertex where the pressure does not. The traction t = sum_i s_i t_i that has the same
// effect on every node solves
//
//   sum_j (integral of s_i s_j dA) t_j = f_i = sum_v W_vi f_v
//
// with the shape functions s of the element on its true faces, as they are now, over the faces that forces act on and
// that face them (contact_pressure.hpp). The field has the resultant of the forces, and a uniform pressure comes out
// uniform, whatever the forces on single vertices are. The pressure is the traction along the inward normal of the
// faces. Where contact ends inside of a face the field swings around zero; vertices there that no force acts on, and
// negative ones, have pressure 0.
#pragma once

#include <bulwark/sim/contact_pressure.hpp>
#include <bulwark/sim/world.hpp>

namespace bulwark {

/// Whether tractions on the body are fields: it has the faces of elements for a surface, other than linear
/// tetrahedra's.
bool has_traction_fields(const World& world, const Body& body);

/// The values at the vertices of such a body, and what the fields add up to before anything is cut off at zero.
struct FaceTraction {
  std::vector<double> pressure;  ///< Pa, by the body's vertices; 0 where no force acts
  Vectors traction;              ///< Pa, that of friction
  Vector3 normal_force = Vector3::Zero(), friction_force = Vector3::Zero();  ///< N, integrals of the fields
};

FaceTraction face_traction(const World& world, const Body& body, const VertexForces& forces);

}  // namespace bulwark
