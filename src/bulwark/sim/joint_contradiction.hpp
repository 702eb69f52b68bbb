// Joints that can't hold together: found before a run, so that a scene's author reads which ones.
#pragma once

#include <bulwark/sim/world.hpp>

#include <optional>
#include <string>
#include <vector>

namespace bulwark {

/// A joint whose equations can't hold together with those of other joints.
struct JointContradiction {
  int joint = 0;
  std::vector<int> others;  ///< the other joints of its bodies

  /// "it contradicts the other joints of its bodies: 'a', 'b'".
  std::string problem(const World& world) const;
  static constexpr const char* remedy = "remove one of them, or let one of the bodies move freely";
};

/// The first contradiction among the joints, if there is one.
std::optional<JointContradiction> find_contradiction(const World& world);

}  // namespace bulwark
