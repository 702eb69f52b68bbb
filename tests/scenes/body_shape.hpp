// Shape of a body in a running scene, in terms that do not change with its place or orientation.
#pragma once

#include "scene_run.hpp"

#include <Eigen/Geometry>

namespace bulwark {

/// The body's mass (kg) and weight (N).
inline double mass(const SceneRun& run, const std::string& name) {
  const Body& body = run.world().bodies[run.body(name)];
  if (body.stiff >= 0) return run.world().stiff[body.stiff].mass;
  return run.world().gravity_mass.segment(body.first_control, body.control_count).sum();
}
inline double weight(const SceneRun& run, const std::string& name) {
  return mass(run, name) * run.settings().gravity.norm();
}

/// Volume over rest volume.
inline double volume_ratio(const SceneRun& run, const std::string& name) {
  const World& world = run.world();
  const Body& body = world.bodies[run.body(name)];
  double now = 0, rest = 0;
  for (int t = body.first_element; t < body.first_element + body.element_count; ++t) {
    const Tetrahedron tet = world.elements.fixed_controls_of<4>(world.elements.elements[t]);
    auto volume = [&](const Vectors& x) {
      const Vector3 a = x.col(tet[0]), b = x.col(tet[1]), c = x.col(tet[2]), d = x.col(tet[3]);
      return (b - a).cross(c - a).dot(d - a) / 6;
    };
    now += volume(world.state.position);
    rest += volume(world.rest);
  }
  return now / rest;
}

/// Largest change of any tetrahedron's edge, over its rest length.
inline double largest_edge_strain(const SceneRun& run, const std::string& name) {
  const World& world = run.world();
  const Body& body = world.bodies[run.body(name)];
  double largest = 0;
  for (int t = body.first_element; t < body.first_element + body.element_count; ++t) {
    const Tetrahedron tet = world.elements.fixed_controls_of<4>(world.elements.elements[t]);
    for (int i = 0; i < 4; ++i) {
      for (int j = i + 1; j < 4; ++j) {
        const double rest = (world.rest.col(tet[i]) - world.rest.col(tet[j])).norm();
        const double now = (world.state.position.col(tet[i]) - world.state.position.col(tet[j])).norm();
        largest = std::max(largest, std::abs(now / rest - 1));
      }
    }
  }
  return largest;
}

/// Full extent along an axis (0, 1 or 2).
inline double extent(const SceneRun& run, const std::string& name, int axis) {
  const Vectors x = run.positions(name);
  return x.row(axis).maxCoeff() - x.row(axis).minCoeff();
}

/// Mean position now of the body's points that lay within `reach` of `value` along an axis at rest.
inline Vector3 section_center(const SceneRun& run, const std::string& name, int axis, double value,
                              double reach = 1e-3) {
  const Body& body = run.world().bodies[run.body(name)];
  Vector3 sum = Vector3::Zero();
  int count = 0;
  for (int i = body.first_control; i < body.first_control + body.control_count; ++i) {
    if (std::abs(run.world().rest(axis, i) - value) > reach) continue;
    sum += run.world().state.position.col(i);
    ++count;
  }
  if (count == 0) throw std::invalid_argument("no point of '" + name + "' lies there");
  return sum / count;
}

/// The body lies still on its supports, which carry its weight.
inline void expect_carried(const SceneRun& run, const std::string& name, double speed,
                           double tolerance = 0.03) {
  EXPECT_LT(run.motion(name).velocity.norm(), speed) << name;
  const Vector3 force = run.contact_force(name);
  EXPECT_NEAR(force.y(), weight(run, name), tolerance * weight(run, name)) << name;
}

}  // namespace bulwark
