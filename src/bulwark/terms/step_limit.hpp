// The largest step that something allows along a direction, and what it was, as data: sim/step_culprit.hpp
// names the bodies, and has the words.
#pragma once

#include <bulwark/collision/primitive.hpp>

#include <array>

namespace bulwark {

enum class LimitReason : unsigned char {
  none,
  contact,       ///< two primitives would come too close
  pair_count,    ///< more pairs along the path than are kept
  volume,        ///< an element would lose too much of it
  length,        ///< an element would lose too much of it
  strain_limit,  ///< an element is near it
  joint_range    ///< a joint's coordinate is near the end of its range
};

struct LimitCause {
  LimitReason reason = LimitReason::none;
  std::array<Primitive, 2> pair = {};  ///< of a contact
  int number = -1;                     ///< of the element in the table, or of the joint
};

struct StepLimit {
  double step = 1;
  LimitCause cause = {};
};

}  // namespace bulwark
