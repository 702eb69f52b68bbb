// The rows of a run's CSV files. Numbers are the shortest text that reads back to the same bits, so equal
// motions give equal files.
#pragma once

#include <bulwark/sim/joint_system.hpp>
#include <bulwark/sim/simulation.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace bulwark {

/// What rows say of a world beside its motion. It stays the same until the world is changed.
struct TableNames {
  struct Joint {
    std::string name;              ///< as a field
    std::vector<int> coordinates;  ///< indices into State::joint_coordinates
    bool angular = false;
  };
  std::vector<std::string> bodies;  ///< as fields
  std::vector<Joint> joints;
};
TableNames table_names(const World& world);

/// The step that rows belong to.
struct RowStep {
  std::int64_t step = 0;
  double time = 0;
  const TableNames& names;
};

/// Per step: effort, contacts, energies (J), and wall-clock seconds in all and in each phase.
std::string steps_header();
std::string steps_row(const StepReport& report);

/// Per step and body: center of mass, orientation as a quaternion with qw >= 0, velocity, angular velocity.
std::string bodies_header();
std::string bodies_rows(const RowStep& at, const std::vector<RigidMotion>& motions);

/// Per step and body: the sum of all contact and friction forces (N), and their torque about the center of
/// mass (N m); then per held part: what holds it, about the middle of its points.
std::string wrenches_header();
std::string wrenches_rows(const RowStep& at, const std::vector<RigidMotion>& motions,
                          const std::vector<ContactForce>& contacts, const std::vector<Reaction>& reactions);

/// Per step and pair of bodies that touch: how many contacts they have, and the sum of their forces on
/// body_a.
std::string contact_pairs_header();
std::string contact_pairs_rows(const RowStep& at, const std::vector<ContactForce>& contacts);

/// Per step and joint: up to three angles (degrees) or its place (m), empty where it has none, the error of
/// its equations, and force (N) and torque (N m) on its first body at the joint's point.
std::string joints_header();
std::string joints_rows(const RowStep& at, const VectorX& coordinates, const std::vector<JointState>& joints);

/// Per contact of a frame: its two bodies, its place, the forces on body_a (N), the distance (m).
std::string contacts_header();
std::string contacts_rows(const RowStep& at, const std::vector<ContactForce>& contacts);

/// Per step: how its solve ended, where the last Newton step was largest, and what limited the line search.
std::string solves_header();
std::string solves_row(const StepReport& report);

/// A field as CSV wants it: in quotes when it holds a comma, a quote or a line end.
std::string csv_field(const std::string& text);

}  // namespace bulwark
