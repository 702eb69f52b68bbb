#include <bulwark/bodies/body_layout.hpp>

#include <Eigen/Geometry>

namespace bulwark {

void set_points(BodyLayout& layout, const Vectors& places) {
  layout.roles.assign(places.cols(), ControlRole::point);
  layout.lever = VectorX::Ones(places.cols());
  layout.controls = places;
  layout.velocity = Vectors::Zero(3, places.cols());
  layout.gravity_mass = VectorX::Zero(places.cols());
}

void add_controls(BodyLayout& layout, ControlRole role, const Vectors& vectors) {
  const Eigen::Index had = layout.controls.cols(), count = had + vectors.cols();
  layout.roles.resize(count, role);
  layout.lever.conservativeResize(count);
  layout.lever.tail(vectors.cols()).setOnes();
  layout.controls.conservativeResize(3, count);
  layout.controls.rightCols(vectors.cols()) = vectors;
  layout.velocity.conservativeResize(3, count);
  layout.velocity.rightCols(vectors.cols()).setZero();
  layout.gravity_mass.conservativeResize(count);
  layout.gravity_mass.tail(vectors.cols()).setZero();
}

void add_point_mass(BodyLayout& layout, int control, double mass) {
  layout.mass.emplace_back(control, control, mass);
  layout.gravity_mass[control] += mass;
}

void set_point_velocities(BodyLayout& layout, const BodyOptions& options) {
  const auto count = std::count(layout.roles.begin(), layout.roles.end(), ControlRole::point);
  // Copies: the last bits of sums must not depend on what follows the points.
  const VectorX mass = layout.gravity_mass.head(count);
  const Vectors places = layout.controls.leftCols(count);
  const Vector3 center = places * mass / mass.sum();
  for (Eigen::Index k = 0; k < count; ++k) {
    layout.velocity.col(k) =
        options.velocity + options.angular_velocity.cross(Vector3(places.col(k)) - center);
  }
}

void use_controls_as_vertices(BodyLayout& layout, const std::vector<int>& controls) {
  layout.vertices.resize(3, static_cast<Eigen::Index>(controls.size()));
  layout.per_vertex = 1;
  for (std::size_t k = 0; k < controls.size(); ++k) {
    layout.vertices.col(static_cast<Eigen::Index>(k)) = layout.controls.col(controls[k]);
    layout.weights.push_back({controls[k], 1.0});
  }
}

void set_surface(BodyLayout& layout, const SurfaceMesh& mesh) {
  set_surface(layout, mesh, [](const Edge&) { return true; }, [](int) { return true; });
}

}  // namespace bulwark
