#include <bulwark/base/error.hpp>
#include <bulwark/bodies/planar_layout.hpp>
#include <bulwark/bodies/stiff_layout.hpp>
#include <bulwark/geometry/flat_parts.hpp>
#include <bulwark/geometry/mass_moments.hpp>
#include <bulwark/geometry/planar_outline.hpp>
#include <bulwark/geometry/round_skin.hpp>
#include <bulwark/math/jacobi_eigen.hpp>
#include <bulwark/math/rotation.hpp>

#include <fmt/format.h>

namespace bulwark {
namespace {

/// The stated mass of a body in its pose. Its volume, on which the stiffness acts, is what the material's
/// density gives it.
MassMoments given_moments(const GivenMass& given, const BodyOptions& options, double density) {
  const std::string place = fmt::format("body '{}'", options.name);
  if (!(given.mass > 0) || !std::isfinite(given.mass))
    throw InputError(place, fmt::format("its mass is {} kg", given.mass), "give a mass above 0");
  MassMoments moments;
  moments.mass = given.mass;
  moments.volume = given.mass / density;
  moments.center = options.pose.position + options.pose.rotation * given.center;
  const Matrix3 turned = options.pose.rotation * given.inertia * options.pose.rotation.transpose();
  moments.second = second_moment_of(0.5 * (turned + turned.transpose()));
  const Vector3 second = sorted_eigen<3>(moments.second).values;
  if (second[0] > least_moment_ratio * second[2]) return moments;
  throw InputError(
      place,
      fmt::format("its inertia has the principal moments {:.6g}, {:.6g} and {:.6g} kg m^2, and in every "
                  "body the largest is less than the sum of the others",
                  second[0] + second[1], second[0] + second[2], second[1] + second[2]),
      "check its units and signs: [xx, yy, zz, xy, xz, yz] about the center of mass");
}

/// Mass from the shape and the density.
MassMoments shape_moments(const SurfaceMesh& placed, const StiffMaterial& material, const std::string& name) {
  MassMoments moments = mass_moments(placed, material.density, material.thickness);
  if (moments.volume < 0) {
    // Turned inside out: the same solid.
    moments.volume = -moments.volume;
    moments.mass = -moments.mass;
    moments.second = -moments.second;
  }
  if (!(moments.mass > 0)) {
    const std::string place = fmt::format("body '{}'", name);
    if (is_closed(placed)) throw InputError(place, "its surface encloses no volume", "repair the mesh");
    throw InputError(place, "its surface is not closed, so it has no volume and no mass",
                     "close the surface, or give its material a `thickness`");
  }
  return moments;
}

/// The same for an outline in the plane z = 0 and what it bounds.
MassMoments outline_moments(const SurfaceMesh& placed, const StiffMaterial& material, double thickness,
                            const std::string& name) {
  MassMoments moments = planar_moments(placed, material.density * thickness, material.thickness);
  moments.volume *= thickness;
  if (!(moments.mass > 0)) {
    throw InputError(fmt::format("body '{}'", name),
                     "its outline bounds no area and its lines have no width, so it has no mass",
                     "close the outline, or give its material a `thickness`: the width of its lines");
  }
  return moments;
}

void set_skin(BodyLayout& layout, std::shared_ptr<const SurfaceMesh> mesh, const Pose& pose,
              const Vector3& center) {
  layout.skin.mesh = std::move(mesh);
  layout.skin.turn = pose.rotation * pose.scale.asDiagonal();
  layout.skin.shift = pose.position - center;
}

BodyLayout stiff_layout(const SurfaceMesh& mesh, const StiffMaterial& material, const BodyOptions& options,
                        bool rigid) {
  SurfaceMesh placed = mesh;
  placed.vertices = transformed(options.pose, mesh.vertices);
  for (double& radius : placed.radius) radius *= options.pose.scale.maxCoeff();
  const bool in_plane = options.plane_thickness.has_value();
  if (in_plane) require_in_plane(placed.vertices, options);
  const MassMoments moments = options.mass ? given_moments(*options.mass, options, material.density)
                              : in_plane
                                  ? outline_moments(placed, material, *options.plane_thickness, options.name)
                                  : shape_moments(placed, material, options.name);
  BodyLayout layout;
  layout.kind = rigid ? BodyKind::rigid : BodyKind::affine;
  layout.meets_itself = false;
  layout.nodes = NodeKind::surface_vertices;
  set_points(layout, moments.center);
  add_controls(layout, ControlRole::direction, Matrix3::Identity());
  add_point_mass(layout, 0, moments.mass);  // gravity pulls at the center alone
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) layout.mass.emplace_back(1 + i, 1 + j, moments.second(i, j));
  }
  layout.velocity << options.velocity, cross_matrix(options.angular_velocity);

  placed.radius.resize(options.offset ? placed.vertices.cols() : placed.radius.size(), 0);
  for (double& radius : placed.radius) radius += options.offset.value_or(0);
  const Vectors X = placed.vertices.colwise() - moments.center;
  StiffBody& stiff = layout.stiff.emplace();
  stiff.rigid = rigid;
  stiff.mass = moments.mass;
  stiff.second_moment = moments.second;
  stiff.stiffness = material.stiffness * moments.volume;
  stiff.low = X.rowwise().minCoeff();
  stiff.high = X.rowwise().maxCoeff();
  for (Eigen::Index k = 0; k < X.cols(); ++k) {
    const Vector3 radius = Vector3::Constant(placed.radius_of(static_cast<int>(k)));
    stiff.low = stiff.low.cwiseMin(X.col(k) - radius);
    stiff.high = stiff.high.cwiseMax(X.col(k) + radius);
  }

  layout.lever.tail<3>() = column_lengths(stiff);
  layout.vertices = placed.vertices;
  layout.per_vertex = 4;
  layout.weights.reserve(4 * X.cols());
  for (Eigen::Index k = 0; k < X.cols(); ++k) {
    layout.weights.push_back({0, 1});
    for (int i = 0; i < 3; ++i) layout.weights.push_back({1 + i, X(i, k)});
  }
  if (in_plane) {
    set_outline(layout, placed);
    hold_in_plane(layout);
    SurfaceMesh area = planar_skin(mesh);
    const bool any = !area.triangles.empty();
    if (any)
      set_skin(layout, std::make_shared<const SurfaceMesh>(std::move(area)), options.pose, moments.center);
    return layout;
  }
  const FlatParts flat = flat_parts(placed);
  set_surface(
      layout, placed, [&](const Edge& e) { return !flat.edges.contains(e); },
      [&](int v) { return !flat.inner_vertices.contains(v); });
  if (!mesh.radius.empty()) {
    set_skin(layout, options.skin ? options.skin : std::make_shared<const SurfaceMesh>(round_skin(mesh)),
             options.pose, moments.center);
  }
  return layout;
}

}  // namespace

BodyLayout affine_body(const SurfaceMesh& mesh, const StiffMaterial& material, const BodyOptions& options) {
  return stiff_layout(mesh, material, options, false);
}

BodyLayout rigid_body(const SurfaceMesh& mesh, const StiffMaterial& material, const BodyOptions& options) {
  return stiff_layout(mesh, material, options, true);
}

}  // namespace bulwark
