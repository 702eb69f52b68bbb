// The bodies that a scripted one pushes against, directly or by way of others: how hard a blocked script is pulled
// goes by these, and not by what lies elsewhere.
#pragma once

#include <bulwark/base/joined_sets.hpp>
#include <bulwark/sim/world.hpp>
#include <bulwark/terms/barrier_contact.hpp>

#include <array>
#include <vector>

namespace bulwark {

class PushedBodies {
 public:
  /// Bodies meet in contacts (as prepared; none where contact is null), in joints and in what blocked the path.
  /// Obstacles connect nothing.
  PushedBodies(const World& world, const BarrierContact* contact, const LimitCause& blocker);
  /// In ascending order; without obstacles, and with the body itself where it is none.
  std::vector<int> of(int body);

 private:
  const World& world_;
  std::vector<std::array<int, 2>> meetings_;
  JoinedSets sets_;
};

}  // namespace bulwark
