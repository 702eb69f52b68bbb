// What the samples of stencils are made with: points as one vector, and random numbers.
#pragma once

#include "stencils/derivative_check.hpp"

#include <bulwark/math/types.hpp>

#include <Eigen/Geometry>
#include <array>

namespace bulwark::test {

using Points = std::array<Vector3, 4>;

inline Points points(const Eigen::VectorXd& x) {
  Points p;
  for (int i = 0; i < 4; ++i) p[i] = 3 * i + 2 < x.size() ? Vector3(x.segment<3>(3 * i)) : Vector3::Zero();
  return p;
}

inline Eigen::VectorXd flattened(const Points& p, int count) {
  Eigen::VectorXd x(3 * count);
  for (int i = 0; i < count; ++i) x.segment<3>(3 * i) = p[i];
  return x;
}

inline Vector3 random_vector(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  return {uniform(random), uniform(random), uniform(random)};
}

inline double between(std::mt19937& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

/// A random rotation.
inline Matrix3 random_rotation(std::mt19937& random) {
  return Eigen::Quaterniond::FromTwoVectors(random_vector(random, 1), random_vector(random, 1))
      .toRotationMatrix();
}

}  // namespace bulwark::test
