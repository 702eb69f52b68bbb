// Random choices that are the same everywhere: from a seed, by arithmetic of our own.
#pragma once

#include <bulwark/math/types.hpp>

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <random>

namespace bulwark::test {

class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : engine_(seed) {}

  /// In [low, high).
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  /// In [low, high), each decade as likely as any other.
  double spread(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }
  /// In [low, high].
  int integer(int low, int high) { return low + static_cast<int>(engine_() % (high - low + 1)); }
  bool chance(double probability) { return uniform(0, 1) < probability; }
  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return choices.begin()[integer(0, static_cast<int>(choices.size()) - 1)];
  }
  Vector3 direction() {
    for (;;) {
      const double x = uniform(-1, 1), y = uniform(-1, 1), z = uniform(-1, 1);
      const Vector3 v(x, y, z);
      if (v.norm() > 0.1 && v.norm() < 1) return v.normalized();
    }
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace bulwark::test
