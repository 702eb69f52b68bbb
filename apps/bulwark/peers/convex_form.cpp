#include "convex_form.hpp"

#include <bulwark/base/error.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>

namespace bulwark::app {
namespace {

/// Relative to the body's size: far above rounding, far below any feature.
constexpr double tolerance = 1e-9;
/// A ball's mesh has many vertices at one radius; the Platonic solids have them too, 20 at most.
constexpr Eigen::Index fewest_ball_vertices = 40;

/// The directions of a box's edges, if the normals of all triangles are along three orthogonal lines.
bool find_box_axes(const std::vector<Vector3>& normals, Matrix3& axes) {
  int count = 0;
  for (const Vector3& normal : normals) {
    bool known = false;
    for (int k = 0; k < count; ++k) {
      const double cosine = std::abs(axes.col(k).dot(normal));
      known = known || cosine > 1 - tolerance;
      if (cosine > tolerance && cosine <= 1 - tolerance) return false;
    }
    if (known) continue;
    if (count == 3) return false;
    axes.col(count++) = normal;
  }
  if (count < 3) return false;
  axes.col(2) = axes.col(0).cross(axes.col(1));
  return true;
}

}  // namespace

ConvexForm convex_form(const SurfaceMesh& surface, const Vector3& center, const std::string& body_name) {
  ConvexForm form;
  form.center = center;
  const Vectors offsets = surface.vertices.colwise() - center;
  const VectorX radii = offsets.colwise().norm();
  form.outer_radius = radii.maxCoeff();
  form.inner_radius = form.outer_radius;
  std::vector<Vector3> normals;
  for (const Triangle& t : surface.triangles) {
    const Vector3 a = offsets.col(t[0]), b = offsets.col(t[1]), c = offsets.col(t[2]);
    const Vector3 normal = (b - a).cross(c - a).normalized();
    const double distance = normal.dot(a);
    if ((normal.transpose() * offsets).maxCoeff() > distance + tolerance * form.outer_radius) {
      throw InputError(fmt::format("body '{}'", body_name), "its shape is not convex",
                       "only convex bodies are passed to Bullet");
    }
    form.inner_radius = std::min(form.inner_radius, distance);
    normals.push_back(normal);
  }
  if (find_box_axes(normals, form.axes)) {
    const Vectors local = form.axes.transpose() * offsets;
    const Vector3 low = local.rowwise().minCoeff(), high = local.rowwise().maxCoeff();
    form.kind = ConvexForm::Kind::box;
    form.center += form.axes * (low + high) / 2;
    form.half_sides = (high - low) / 2;
    form.inner_radius = form.half_sides.minCoeff();
  } else {
    form.axes.setIdentity();
    const bool round = radii.minCoeff() > (1 - tolerance) * form.outer_radius;
    if (round && surface.vertices.cols() >= fewest_ball_vertices) form.kind = ConvexForm::Kind::ball;
  }
  return form;
}

Vectors shrunk_vertices(const ConvexForm& form, const Vectors& vertices, double depth) {
  const Vectors local = form.axes.transpose() * (vertices.colwise() - form.center);
  Vector3 scale = Vector3::Constant(1 - depth / form.inner_radius);
  if (form.kind == ConvexForm::Kind::box) scale = 1 - depth / form.half_sides.array();
  return (form.axes * scale.asDiagonal() * local).colwise() + form.center;
}

}  // namespace bulwark::app
