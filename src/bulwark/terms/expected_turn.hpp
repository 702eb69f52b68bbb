// How stiff bodies are expected to turn in a step: what friction and resistance at round surfaces are
// linearised about.
#pragma once

#include <bulwark/bodies/stiff_body.hpp>
#include <bulwark/math/types.hpp>

#include <vector>

namespace bulwark {

struct ExpectedTurn {
  Vector3 vector = Vector3::Zero();      ///< phi~, whole turns included
  Matrix3 matrix = Matrix3::Identity();  ///< A~, at the end of the step
};

/// Of each stiff body, that at q moves with v, and whose columns of A are expected at `target` after a time h.
std::vector<ExpectedTurn> expected_turns(const std::vector<StiffBody>& stiff, const Vectors& q,
                                         const Vectors& v, const Vectors& target, double h);

}  // namespace bulwark
