// What a closed surface is as a convex solid: a box, a ball, or the hull of its vertices. Engines that
// collide simple convex shapes get their shapes from here.
#pragma once

#include <bulwark/geometry/mesh.hpp>

namespace bulwark::app {

struct ConvexForm {
  enum class Kind { box, ball, hull } kind = Kind::hull;
  Vector3 center = Vector3::Zero();
  Matrix3 axes = Matrix3::Identity();    ///< columns; of a box, its edges' directions (right-handed)
  Vector3 half_sides = Vector3::Zero();  ///< of a box, along the axes
  double inner_radius = 0;               ///< of the largest ball about the center that fits inside
  double outer_radius = 0;               ///< to the farthest vertex
};

/// The form of the solid inside of a closed surface, about a center inside of it. Throws InputError that
/// names the body where it is not convex.
ConvexForm convex_form(const SurfaceMesh& surface, const Vector3& center, const std::string& body_name);

/// The vertices moved inward by `depth`: all planes of the result lie at least that far inside of the form's,
/// exactly that far for a box and for the nearest plane of another form.
Vectors shrunk_vertices(const ConvexForm& form, const Vectors& vertices, double depth);

}  // namespace bulwark::app
