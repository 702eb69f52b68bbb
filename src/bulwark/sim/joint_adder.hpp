// Adds many joints to a world: the values of their coordinates join the state at the end, all at once.
#pragma once

#include <bulwark/sim/world.hpp>

#include <vector>

namespace bulwark {

class JointAdder {
 public:
  explicit JointAdder(World& world) : world_(world) {}
  /// As add_joint.
  int add(const JointOptions& options);
  void finish();

 private:
  World& world_;
  std::vector<double> values_;
};

}  // namespace bulwark
