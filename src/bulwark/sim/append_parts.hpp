// Bodies that are built each in a world of its own and then join a larger world many at a time: its arrays
// are moved once for all of them, where adding them one by one would move all that is there for every single
// one. The result is the same.
#pragma once

#include <bulwark/sim/world.hpp>

#include <vector>

namespace bulwark {

/// Appends what the parts hold, in their order. Parts have no history: forces that a program applies, and the
/// past that some integrators keep, are not looked at.
void append_parts(World& world, std::vector<World> parts);

/// Parts on their way into a world.
class PendingParts {
 public:
  explicit PendingParts(World& world) : world_(world) {}

  /// An empty world to build a part in.
  World new_part() const;
  /// Takes a part; returns the number that its first body has in the world.
  int add(World part);
  /// Of the world with all parts that were taken so far.
  int body_count() const { return static_cast<int>(world_.bodies.size()) + bodies_; }
  int control_count() const { return world_.control_count() + controls_; }
  /// Brings what is still pending into the world.
  void finish();

 private:
  World& world_;
  std::vector<World> parts_;
  int bodies_ = 0, controls_ = 0;
};

}  // namespace bulwark
