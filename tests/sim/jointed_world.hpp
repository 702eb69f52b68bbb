// Worlds with joints for tests, and a run of them that is watched.
#pragma once

#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/simulation.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace bulwark {

inline BodyOptions named(const std::string& name, const Vector3& position) {
  BodyOptions options;
  options.name = name;
  options.pose.position = position;
  return options;
}

inline JointOptions joint(const std::string& name, JointKind kind, int a, int b, const Vector3& point,
                          const Vector3& axis = Vector3::UnitZ()) {
  JointOptions options;
  options.name = name;
  options.kind = kind;
  options.body_a = a;
  options.body_b = b;
  options.point = point;
  options.axis = axis;
  return options;
}

inline JointOptions motor(int driven, MotorLaw law, double value) {
  JointOptions options;
  options.name = "motor";
  options.kind = JointKind::motor;
  options.driven_joint = driven;
  options.law = law;
  options.value = Table::constant({value, 0, 0});
  return options;
}

inline Settings without_contact(double h) {
  Settings s;
  s.time.step = h;
  s.contact.enabled = false;
  s.solver.tolerance = 1e-6;
  return s;
}

inline int add_stiff(World& world, BodyKind kind, const Vector3& size, const BodyOptions& options) {
  return kind == BodyKind::rigid ? add_rigid(world, surface_mesh(BoxShape{size}), {}, options)
                                 : add_affine(world, surface_mesh(BoxShape{size}), {}, options);
}

inline int box(World& world, const std::string& name, const Vector3& size, const Vector3& position) {
  return add_stiff(world, BodyKind::affine, size, named(name, position));
}

/// A thin rod of length 1 that hangs from the origin, turned out by `angle` about z.
inline int pendulum(World& world, double angle, BodyKind kind = BodyKind::affine) {
  BodyOptions options = named("rod", 0.5 * Vector3(std::sin(angle), -std::cos(angle), 0));
  options.pose.rotation = Eigen::AngleAxisd(angle, Vector3::UnitZ()).toRotationMatrix();
  return add_stiff(world, kind, {0.05, 1, 0.05}, options);
}

/// Period of small swings of that rod: T = 2 pi sqrt(I / (m g d)) (1 + angle^2 / 16).
inline double pendulum_period(double angle) {
  const double inertia = (1 + 0.05 * 0.05) / 12 + 0.25;
  return 2 * M_PI * std::sqrt(inertia / (9.81 * 0.5)) * (1 + angle * angle / 16);
}

/// The worst of all steps, and every joint's coordinate after each of them.
struct WatchedRun {
  double error = 0;                              ///< of any joint's equations
  double rigidity = 0;                           ///< error of any stiff body
  double iterations = 0;                         ///< of Newton's method, per step
  std::vector<std::vector<double>> coordinates;  ///< by joint

  double lowest(int joint) const {
    return *std::min_element(coordinates[joint].begin(), coordinates[joint].end());
  }
  double highest(int joint) const {
    return *std::max_element(coordinates[joint].begin(), coordinates[joint].end());
  }
  /// Time between the first two falls of a coordinate through `level`; 0 when there are not two.
  double period(int joint, double level, double h) const {
    std::vector<double> falls;
    const std::vector<double>& c = coordinates[joint];
    for (std::size_t k = 1; k < c.size(); ++k) {
      if (c[k - 1] > level && c[k] <= level)
        falls.push_back(h * (static_cast<double>(k) - (c[k] - level) / (c[k] - c[k - 1])));
    }
    return falls.size() < 2 ? 0 : falls[1] - falls[0];
  }
};

/// Runs, and calls look(step) after every step.
template <class Look>
WatchedRun watched_run(Simulation& simulation, int steps, Look&& look) {
  WatchedRun run;
  run.coordinates.resize(simulation.world().joints.size());
  for (int step = 0; step < steps; ++step) {
    const StepReport report = simulation.step();
    run.iterations += static_cast<double>(report.newton_iterations) / steps;
    run.rigidity = std::max(run.rigidity, report.rigidity_error);
    for (std::size_t j = 0; j < run.coordinates.size(); ++j) {
      const JointState& state = simulation.joint_states()[j];
      run.error = std::max(run.error, state.error);
      run.coordinates[j].push_back(state.coordinate);
    }
    look(step);
  }
  return run;
}

inline WatchedRun watched_run(Simulation& simulation, int steps) {
  return watched_run(simulation, steps, [](int) {});
}

}  // namespace bulwark
