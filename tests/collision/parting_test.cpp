#include <bulwark/collision/parting.hpp>
#include <bulwark/geometry/shapes.hpp>

#include <gtest/gtest.h>

#include <random>

namespace bulwark {
namespace {

LooseSurface surface(const SurfaceMesh& mesh, const Vector3& position, bool closed) {
  LooseSurface result;
  for (const Triangle& t : mesh.triangles) {
    result.pieces.push_back({mesh.vertices.col(t[0]) + position, mesh.vertices.col(t[1]) + position,
                             mesh.vertices.col(t[2]) + position});
  }
  result.closed = closed;
  return result;
}

LooseSurface box(const Vector3& sides, const Vector3& position) {
  return surface(surface_mesh(BoxShape{sides}), position, true);
}

const std::vector<Vector3> axes = {Vector3::UnitY(),  -Vector3::UnitY(), Vector3::UnitX(),
                                   -Vector3::UnitX(), Vector3::UnitZ(),  -Vector3::UnitZ()};
constexpr double margin = 1e-6;

void expect_way(const Parting& parting, const Vector3& direction, double way) {
  EXPECT_LT((parting.direction - direction).norm(), 1e-9) << parting.direction.transpose();
  EXPECT_NEAR(parting.way, way, 1e-9);
  EXPECT_TRUE(parting.exact);
}

TEST(Parting, ABoxThatSankIntoTheFloorComesUp) {
  const LooseSurface floor = box({10, 1, 10}, {0, -0.5, 0});
  expect_way(find_parting(box({1, 1, 1}, {0, 0.488, 0}), floor, axes, margin), {0, 1, 0}, 0.012 + margin);
  // Entirely inside: surfaces do not meet there, but that is no place to be.
  expect_way(find_parting(box({0.1, 0.1, 0.1}, {0, -0.2, 0}), floor, axes, margin), {0, 1, 0}, 0.25 + margin);
}

TEST(Parting, TheShortestWayIsChosen) {
  const LooseSurface other = box({1, 1, 1}, {0, 0, 0});
  expect_way(find_parting(box({1, 1, 1}, {0.97, 0.2, 0.1}), other, axes, margin), {1, 0, 0}, 0.03 + margin);
  expect_way(find_parting(box({1, 1, 1}, {0.1, 0.2, -0.9}), other, axes, margin), {0, 0, -1}, 0.1 + margin);
}

TEST(Parting, TouchingFacesEdgesAndCornersNeedTheMarginAlone) {
  const LooseSurface other = box({1, 1, 1}, {0, 0, 0});
  for (const Vector3& position : {Vector3(0, 1, 0), Vector3(1, 1, 0), Vector3(1, 1, 1)}) {
    const Parting parting = find_parting(box({1, 1, 1}, position), other, axes, margin);
    EXPECT_NEAR(parting.way, margin, 1e-9) << position.transpose();
    EXPECT_GT(parting.direction.dot(position), 0.99);
  }
}

TEST(Parting, APegLeavesItsHoleThatItIsTooLargeForByTheShortWay) {
  // A tray: its hull is far higher than the bottom that a small box is 2 mm deep in.
  LooseSurface tray = box({2, 0.1, 2}, {0, 0, 0});
  for (const double side : {-1.0, 1.0}) {
    const LooseSurface wall = box({0.1, 1, 2}, {1.1 * side, 0.5, 0});
    tray.pieces.insert(tray.pieces.end(), wall.pieces.begin(), wall.pieces.end());
  }
  expect_way(find_parting(box({0.2, 0.2, 0.2}, {0, 0.148, 0}), tray, axes, margin), {0, 1, 0},
             0.002 + margin);
}

TEST(Parting, SpheresPartAlongTheLineOfTheirCenters) {
  const SurfaceMesh ball = surface_mesh(SphereShape{1});
  const Vector3 apart = Vector3(1, 2, 2) / 3;
  std::vector<Vector3> directions = axes;
  directions.push_back(apart);
  const Parting parting =
      find_parting(surface(ball, 1.5 * apart, true), surface(ball, {0, 0, 0}, true), directions, margin);
  EXPECT_LT((parting.direction - apart).norm(), 1e-9);
  EXPECT_NEAR(parting.way, 0.5, 0.15);  // the balls are faceted
}

TEST(Parting, MuchToLookAtIsAnsweredByTheHulls) {
  const SurfaceMesh fine = surface_mesh(SphereShape{1}, 0.06);
  const Parting parting =
      find_parting(surface(fine, {0, 1.5, 0}, true), surface(fine, {0, 0, 0}, true), axes, margin);
  EXPECT_FALSE(parting.exact);
  EXPECT_NEAR(parting.way, 0.5, 0.02);
}

}  // namespace
}  // namespace bulwark
