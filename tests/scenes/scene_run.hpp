// Runs a shipped scene as a test: every step must converge and leave a state that the exact test finds free
// of intersections; the test then asks where the bodies are and how they move.
#pragma once

#include <bulwark/base/log.hpp>
#include <bulwark/collision/exact_intersection.hpp>
#include <bulwark/scene/load.hpp>
#include <bulwark/sim/simulation.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bulwark {

class SceneRun {
 public:
  /// Loads scenes/FILE (as "ipc/cube_stack.json"); overrides are as for --set: "/contact/friction=0.1".
  explicit SceneRun(const std::string& file, const std::vector<std::string>& overrides = {})
      : SceneRun(load_scene(std::filesystem::path(BULWARK_SOURCE_DIR) / "scenes" / file, overrides)) {}
  explicit SceneRun(Scene scene) : simulation_(std::move(scene.world), scene.settings) {}

  /// Called after every step, e.g. to record a body's motion over time.
  void each_step(std::function<void(const SceneRun&)> observer) { observer_ = std::move(observer); }

  /// The exact test looks at every n-th step (every one by default) and at the last.
  void check_every(int n) { check_every_ = n; }

  /// Steps on to the end of the scene, or by `steps`. Stops at the first failure, which fails the test.
  void run(int steps = -1) {
    const int end = steps < 0 ? settings().time.steps : static_cast<int>(reports_.size()) + steps;
    while (static_cast<int>(reports_.size()) < end && !failed_) {
      try {
        reports_.push_back(simulation_.step());
      } catch (const std::exception& error) {
        ADD_FAILURE() << error.what();
        failed_ = true;
        return;
      }
      const int done = static_cast<int>(reports_.size());
      if (done % check_every_ == 0 || done == end) failed_ = !expect_no_intersection();
      if (observer_) observer_(*this);
    }
  }

  const Simulation& simulation() const { return simulation_; }
  const World& world() const { return simulation_.world(); }
  const Settings& settings() const { return simulation_.settings(); }
  const std::vector<StepReport>& reports() const { return reports_; }
  double time() const { return world().state.time; }

  /// A body's index by its name.
  int body(const std::string& name) const {
    for (std::size_t i = 0; i < world().bodies.size(); ++i) {
      if (world().bodies[i].name == name) return static_cast<int>(i);
    }
    throw std::invalid_argument("the scene has no body '" + name + "'");
  }
  RigidMotion motion(const std::string& name) const { return rigid_motion(world(), body(name)); }

  /// Positions, or velocities, of a body's points: the nodes of a soft body, the vertices of a stiff one.
  Vectors positions(const std::string& name) const { return points(world().state.position, name); }
  Vectors velocities(const std::string& name) const { return points(world().state.velocity, name); }
  double lowest(const std::string& name) const { return positions(name).row(1).minCoeff(); }
  double highest(const std::string& name) const { return positions(name).row(1).maxCoeff(); }

  /// Fastest point of a body, and of all bodies (m/s).
  double fastest(const std::string& name) const { return velocities(name).colwise().norm().maxCoeff(); }
  double fastest() const {
    double fastest_of_all = 0;
    for (const Body& body : world().bodies) fastest_of_all = std::max(fastest_of_all, fastest(body.name));
    return fastest_of_all;
  }

  /// Angle (degrees) by which a body has turned since the start.
  double turned_degrees(const std::string& name) const {
    const double cosine = (motion(name).rotation.trace() - 1) / 2;
    return std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / 3.14159265358979323846;
  }

  /// Sum of the contact forces on a body (N): normal forces and friction.
  Vector3 contact_force(const std::string& name) const {
    const Body& b = world().bodies[body(name)];
    return simulation_.vertex_contact_forces().middleCols(b.first_vertex, b.vertex_count).rowwise().sum();
  }

  /// Largest deviation of any stiff body from a rigid motion in all steps so far, as a strain.
  double largest_rigidity_error() const {
    double largest = 0;
    for (const StepReport& report : reports_) largest = std::max(largest, report.rigidity_error);
    return largest;
  }

  /// Smallest distance and most contacts of all steps so far.
  double smallest_distance() const {
    double smallest = INFINITY;
    for (const StepReport& report : reports_) smallest = std::min(smallest, report.min_distance);
    return smallest;
  }
  int most_contacts() const {
    int most = 0;
    for (const StepReport& report : reports_) most = std::max(most, report.contacts);
    return most;
  }

  /// Exact test of the current state; fails the test by naming the first pairs that intersect.
  bool expect_no_intersection() const {
    const CollisionMesh& mesh = world().collision;
    const Vectors positions = vertex_positions(mesh, world().state.position);
    const std::vector<Intersection> intersections = find_intersections(mesh, positions, 3);
    for (const Intersection& found : intersections) {
      ADD_FAILURE() << "step " << world().state.step << ": " << describe(mesh, positions, found);
    }
    return intersections.empty();
  }

 private:
  Vectors points(const Vectors& controls, const std::string& name) const {
    const Body& b = world().bodies[body(name)];
    if (b.stiff < 0) return controls.middleCols(b.first_control, b.control_count);
    return vertex_positions(world().collision, controls).middleCols(b.first_vertex, b.vertex_count);
  }

  Simulation simulation_;
  std::vector<StepReport> reports_;
  std::function<void(const SceneRun&)> observer_;
  int check_every_ = 1;
  bool failed_ = false;
};

}  // namespace bulwark
