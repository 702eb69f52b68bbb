#include "round_form.hpp"

#include <bulwark/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bulwark::app {
namespace {

/// Relative to the body's size: far above rounding, far below any feature.
constexpr double tolerance = 1e-9;

}  // namespace

std::optional<RoundForm> round_form(const SurfaceMesh& surface, const Vector3& center,
                                    const std::string& body_name) {
  if (std::all_of(surface.radius.begin(), surface.radius.end(), [](double r) { return r == 0; })) return {};
  const std::string place = fmt::format("body '{}'", body_name);
  const std::string remedy = "of bodies with a radius, spheres and capsules are passed to other engines";
  const bool sphere = surface.points.size() == 1 && surface.edges.empty();
  const bool capsule = surface.points.empty() && surface.edges.size() == 1;
  if (!surface.triangles.empty() || !(sphere || capsule))
    throw InputError(place, "its shape is neither a sphere nor a capsule", remedy);
  RoundForm form;
  const Edge ends = sphere ? Edge{surface.points[0], surface.points[0]} : surface.edges[0];
  const Vector3 a = surface.vertices.col(ends[0]), b = surface.vertices.col(ends[1]);
  form.radius = surface.radius[ends[0]];
  if (capsule) form.half_length = (b - a) / 2;
  if (((a + b) / 2 - center).norm() > tolerance * (form.radius + form.half_length.norm()))
    throw InputError(place, "its center of mass is not in the middle of its shape", remedy);
  return form;
}

}  // namespace bulwark::app
