// Worlds under patch-penalty contact for tests.
#pragma once

#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/contact_model.hpp>
#include <bulwark/sim/simulation.hpp>

#include <sim/jointed_world.hpp>

#include <cmath>
#include <numbers>
#include <string>

namespace bulwark::test {

constexpr double ball_radius = 0.15;

/// A rigid ball of 1 kg, as a mesh whose sides are about `side` long.
inline int add_ball(World& world, const std::string& name, const Vector3& position, double side,
                    const Vector3& velocity = Vector3::Zero(), double rolling_resistance = 0) {
  BodyOptions options = named(name, position);
  options.velocity = velocity;
  options.rolling_resistance = rolling_resistance;
  StiffMaterial material;
  material.density = 1 / (4.0 / 3 * std::numbers::pi * std::pow(ball_radius, 3));
  return add_rigid(world, surface_mesh(SphereShape{ball_radius}, side), material, options);
}

inline Settings patch_settings(double h) {
  Settings s;
  s.time.step = h;
  s.gravity = {0, 0, 0};
  s.contact.model = ContactModelKind::patch_penalty;
  s.contact.patch_penalty.young = 1e7;
  s.contact.patch_penalty.poisson = 0.3;
  s.contact.patch_penalty.restitution = 1;
  return s;
}

inline World empty_patch_world() {
  World world;
  world.contact_model = ContactModelKind::patch_penalty;
  return world;
}

inline int add_floor(World& world) {
  return add_plane(world, {0, 0, 0}, {0, 1, 0}, named("floor", {0, 0, 0}));
}

inline Simulation started(World world, const Settings& settings) {
  update_contact_models(world);
  return Simulation(std::move(world), settings);
}

}  // namespace bulwark::test
