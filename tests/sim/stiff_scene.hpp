// Helpers of the tests of stiff bodies: the two kinds, and runs whose bodies are watched for deformation and
// intersection.
#pragma once

#include <bulwark/collision/exact_intersection.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/integrate/free_flight.hpp>
#include <bulwark/sim/simulation.hpp>

#include <gtest/gtest.h>

#include <string>

namespace bulwark::test {

inline const BodyKind stiff_kinds[] = {BodyKind::affine, BodyKind::rigid};

inline std::string name_of(BodyKind kind) {
  return std::string(body_kind_name(kind));
}

inline BodyOptions at(const std::string& name, const Vector3& position) {
  BodyOptions options;
  options.name = name;
  options.pose.position = position;
  return options;
}

inline int add_stiff(World& world, BodyKind kind, const SurfaceMesh& mesh, const StiffMaterial& material,
                     const BodyOptions& options) {
  return kind == BodyKind::rigid ? add_rigid(world, mesh, material, options)
                                 : add_affine(world, mesh, material, options);
}

inline int add_ground(World& world) {
  return add_plane(world, {0, 0, 0}, {0, 1, 0}, at("ground", {0, 0, 0}));
}

inline const StiffBody& stiff_body(const World& world, int body) {
  return world.stiff[world.bodies[body].stiff];
}

/// About the center of mass.
inline Vector3 spin_momentum(const World& world, int body) {
  const StiffBody& stiff = stiff_body(world, body);
  return angular_momentum(deformation(stiff, world.state.position), deformation(stiff, world.state.velocity),
                          stiff.second_moment);
}

/// Contact force on a body (N).
inline Vector3 contact_force(const Simulation& simulation, int body) {
  const Body& b = simulation.world().bodies[body];
  return simulation.vertex_contact_forces().middleCols(b.first_vertex, b.vertex_count).rowwise().sum();
}

inline bool free_of_intersections(const Simulation& simulation) {
  const CollisionMesh& mesh = simulation.world().collision;
  return find_intersections(mesh, vertex_positions(mesh, simulation.world().state.position), 1).empty();
}

/// Steps that keep the promises of stiff bodies: an affine body never deforms by more than 1e-4, a rigid one
/// only by rounding, and nothing intersects at the end.
class WatchedRun {
 public:
  WatchedRun(World world, const Settings& settings) : simulation(std::move(world), settings) {}
  WatchedRun(const WatchedRun&) = delete;
  ~WatchedRun() {
    EXPECT_LT(affine_error_, 1e-4);
    EXPECT_LT(rigid_error_, 1e-12);
    EXPECT_TRUE(free_of_intersections(simulation));
    if (affine_error_ > 0)
      testing::Test::RecordProperty("rigidity_error", std::to_string(1e9 * affine_error_) + "e-9");
  }

  StepReport step() {
    StepReport report = simulation.step();
    const World& world = simulation.world();
    for (const StiffBody& body : world.stiff) {
      double& largest = body.rigid ? rigid_error_ : affine_error_;
      largest = std::max(largest, rigidity_error(deformation(body, world.state.position)));
    }
    return report;
  }
  void steps(int count) {
    for (int i = 0; i < count; ++i) step();
  }
  const World& world() const { return simulation.world(); }
  RigidMotion motion(int body) const { return rigid_motion(world(), body); }
  double affine_error() const { return affine_error_; }

  Simulation simulation;

 private:
  double affine_error_ = 0, rigid_error_ = 0;
};

}  // namespace bulwark::test
