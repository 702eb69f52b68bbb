#include <bulwark/output/writing/step_record.hpp>

#include <utility>

namespace bulwark {

StepRecord capture_step(const Simulation& simulation, std::shared_ptr<const TableNames> names) {
  const World& world = simulation.world();
  StepRecord record;
  record.step = world.state.step;
  record.time = world.state.time;
  record.names = std::move(names);
  record.motions.reserve(world.bodies.size());
  for (std::size_t body = 0; body < world.bodies.size(); ++body) {
    record.motions.push_back(rigid_motion(world, static_cast<int>(body)));
  }
  record.contacts = simulation.contacts();
  record.reactions = simulation.reactions();
  record.joint_coordinates = world.state.joint_coordinates;
  record.joints = simulation.joint_states();
  return record;
}

}  // namespace bulwark
