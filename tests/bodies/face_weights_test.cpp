// Weights of the places of a cut triangle, against integrals of monomials.
#include <bulwark/bodies/face_weights.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace bulwark {
namespace {

TEST(FaceWeights, OfTrianglesAreExactForFunctionsOfTheirDegree) {
  for (const int degree : {1, 2, 3}) {
    for (int n = degree; n <= 8; ++n) {
      for (int i = 0; i <= degree; ++i) {
        for (int j = 0; i + j <= degree; ++j) {
          double sum = 0;
          for (int u = 0; u <= n; ++u) {
            for (int v = 0; u + v <= n; ++v) {
              const double weight = triangle_weight(u, v, n, degree);
              EXPECT_GE(weight, 0);
              sum +=
                  weight * std::pow(static_cast<double>(u) / n, i) * std::pow(static_cast<double>(v) / n, j);
            }
          }
          const double mean = 2 * std::tgamma(i + 1) * std::tgamma(j + 1) / std::tgamma(i + j + 3);
          EXPECT_NEAR(sum, mean, 1e-13) << "degree " << degree << ", " << n << " cuts, " << i << ", " << j;
        }
      }
    }
  }
}

}  // namespace
}  // namespace bulwark
