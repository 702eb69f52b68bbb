// What a step leaves for the files of a run, taken out of the simulation: it can be written while the next
// step is being solved.
#pragma once

#include <bulwark/output/frame.hpp>
#include <bulwark/output/writing/csv_tables.hpp>
#include <bulwark/sim/stress_field.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace bulwark {

struct StepRecord {
  std::int64_t step = 0;
  double time = 0;  ///< s
  std::shared_ptr<const TableNames> names;
  StepReport report;  ///< of the step; unused for a start
  std::vector<RigidMotion> motions;
  std::vector<ContactForce> contacts;
  std::vector<Reaction> reactions;
  VectorX joint_coordinates;
  std::vector<JointState> joints;
  std::optional<Frame> frame;            ///< where one is due
  IntegrationPoints integration_points;  ///< beside a frame, where they are asked for
  std::optional<State> state;            ///< where a checkpoint is due

  RowStep rows() const { return {step, time, *names}; }
};

/// What the tables say of the simulation as it is. Frame and state are left to the caller.
StepRecord capture_step(const Simulation& simulation, std::shared_ptr<const TableNames> names);

}  // namespace bulwark
