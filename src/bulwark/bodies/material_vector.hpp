// A point of a body, a direction fixed in it, or the difference of two points: linear in the controls,
//   sum_i weight_i q_i + constant.
#pragma once

#include <bulwark/math/types.hpp>

#include <utility>
#include <vector>

namespace bulwark {

struct MaterialVector {
  std::vector<std::pair<int, double>> weights;  ///< by control, each once
  Vector3 constant = Vector3::Zero();

  Vector3 at(const Vectors& q) const {
    Vector3 sum = constant;
    for (const auto& [control, weight] : weights) sum += weight * q.col(control);
    return sum;
  }
};

inline MaterialVector operator-(const MaterialVector& a, const MaterialVector& b) {
  MaterialVector result = a;
  result.constant -= b.constant;
  for (const auto& [control, weight] : b.weights) {
    bool found = false;
    for (auto& [own, sum] : result.weights) {
      if (own != control) continue;
      sum -= weight;
      found = true;
    }
    if (!found) result.weights.push_back({control, -weight});
  }
  return result;
}

}  // namespace bulwark
