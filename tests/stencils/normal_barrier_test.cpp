// The barrier in the difference of the closest points, against the derivatives in the vertices.
#include <bulwark/stencils/contact_barrier.hpp>

#include <gtest/gtest.h>

namespace bulwark {
namespace {

TEST(NormalBarrier, HasTheEnergyAndTheGradientOfThePair) {
  const BarrierRange range{1e-2, 2e-3};
  for (const double distance : {2.0001e-3, 3e-3, 8e-3, 1.19e-2, 1.3e-2}) {
    const Vector3 x[2] = {Vector3(0.1, 0.2, 0.3) + distance * Vector3(2, -1, 2) / 3, Vector3(0.1, 0.2, 0.3)};
    const ClosestPoints c = closest_points(PairKind::point_point, x);
    const NormalBarrier b = normal_barrier(c.squared_distance(), range);
    const double energy = barrier(range.argument(c.squared_distance()), range.end());
    EXPECT_NEAR(b.energy, energy, 1e-13 * energy);
    const Vector3 gradient = -barrier_force(c.squared_distance(), range) * c.r.normalized();
    EXPECT_LE((b.slope * c.r - gradient).norm(), 1e-13 * gradient.norm());
  }
}

TEST(NormalBarrier, HasTheCurvatureOfThePairAlongTheNormal) {
  const BarrierRange range{1e-2, 2e-3};
  for (const double distance : {2.0001e-3, 3e-3, 8e-3, 1.19e-2}) {
    const Vector3 x[2] = {distance * Vector3(2, -1, 2) / 3, Vector3::Zero()};
    const SlidingPoints c = sliding_points(PairKind::point_point, x);
    const NormalBarrier b = normal_barrier(c.squared_distance(), range);
    const Vector3 normal = c.r.normalized();
    const Matrix3 h = contact_hessian(c, range, Psd::none).topLeftCorner<3, 3>();
    const double along = normal.dot(h * normal);
    EXPECT_NEAR(b.curvature * c.squared_distance(), along, 1e-12 * std::abs(along)) << distance;
  }
}

TEST(NormalBarrier, IsInfiniteAtTheMinimumDistance) {
  const BarrierRange range{1e-2, 2e-3};
  EXPECT_TRUE(std::isinf(normal_barrier(3.99e-6, range).energy));
  EXPECT_TRUE(std::isinf(normal_barrier(1e-6, range).energy));
}

}  // namespace
}  // namespace bulwark
