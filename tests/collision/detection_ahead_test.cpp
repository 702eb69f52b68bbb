// Detection on a thread of its own: complete at every step, and the same whatever the threads' speeds.
#include "collision/test_meshes.hpp"

#include <bulwark/collision/contact_patches.hpp>
#include <bulwark/collision/detection_ahead.hpp>
#include <bulwark/geometry/shapes.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <stdexcept>
#include <thread>

namespace bulwark::test {
namespace {

void sleep(int microseconds) {
  std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
}

/// Two spheres and a plane; the first sphere moves.
TestMesh scene() {
  TestMesh t;
  t.add(sphere(10, 0.5));
  t.add(sphere(10, 0.5, {0.98, 0, 0}));
  t.add_plane({0, -0.49, 0}, {0, 1, 0});
  return t;
}

struct Detections {
  std::vector<TrianglePairs> found;
  std::vector<std::vector<double>> patches;
  DetectionAhead::Counts counts;
};

/// Steps in which the first body moves by `speed` each, and jumps far at step 37.
Detections detect_along(const DetectionOptions& options, double speed, double margin, int steps = 60) {
  TestMesh t = scene();
  const OverlapSearch search(t.mesh, {{0, 1}, {0, 2}, {1, 2}});
  DetectionAhead detection(search, {0.02, 0.02, 0}, options);
  Detections r;
  std::mt19937 random(4);
  const int moving = sphere(10, 0.5).vertices.cols();
  const std::vector<double> limit(3, 0.04);
  for (int step = 0; step < steps; ++step) {
    const double jump = step == 37 ? 0.3 : step == 45 ? -0.3 : 0;
    t.positions.leftCols(moving).colwise() +=
        Vector3(jump, 0, 0) + speed * random_vectors(1, 1, random).col(0).normalized();
    const TrianglePairs& pairs = detection.pairs(t.positions, [&] { return std::vector<double>(3, margin); });
    // Whatever overlaps is in the list.
    const TrianglePairs all = search.find(t.positions, {0.02, 0.02, 0});
    EXPECT_TRUE(std::includes(pairs.triangles.begin(), pairs.triangles.end(), all.triangles.begin(),
                              all.triangles.end()))
        << "step " << step;
    EXPECT_TRUE(std::includes(pairs.on_planes.begin(), pairs.on_planes.end(), all.on_planes.begin(),
                              all.on_planes.end()))
        << "step " << step;
    r.found.push_back(pairs);
    std::vector<double> numbers;
    for (const ContactPatch& patch : contact_patches(t.mesh, t.positions, pairs, limit).patches)
      numbers.insert(numbers.end(), {patch.area, patch.depth, patch.point.sum(), patch.normal.sum()});
    r.patches.push_back(numbers);
  }
  r.counts = detection.counts();
  return r;
}

TEST(DetectionAhead, IsTheSameHoweverFastTheThreadsAre) {
  for (const double speed : {1e-3, 8e-3}) {
    DetectionOptions options;
    options.ahead = 5;
    const Detections quick = detect_along(options, speed, 0.02);
    options.before_detection = [] { sleep(1500); };
    const Detections slow_detection = detect_along(options, speed, 0.02);
    options.before_detection = {};
    options.before_step = [] { sleep(700); };
    const Detections slow_steps = detect_along(options, speed, 0.02);
    for (const Detections* other : {&slow_detection, &slow_steps}) {
      EXPECT_EQ(quick.counts, other->counts);
      EXPECT_EQ(quick.patches, other->patches);
      for (std::size_t k = 0; k < quick.found.size(); ++k) {
        EXPECT_EQ(quick.found[k].triangles, other->found[k].triangles) << k;
        EXPECT_EQ(quick.found[k].on_planes, other->found[k].on_planes) << k;
      }
    }
  }
}

TEST(DetectionAhead, WorksAheadWhileMarginsLastAndDetectsAnewWhereTheyDoNot) {
  DetectionOptions options;
  options.ahead = 5;
  const Detections calm = detect_along(options, 1e-3, 0.02);
  EXPECT_EQ(calm.counts.fresh, 3) << "the first step and two jumps";
  EXPECT_GE(calm.counts.orders, 10);
  const Detections wild = detect_along(options, 8e-3, 0.02);
  EXPECT_GT(wild.counts.early + wild.counts.fresh, 6);
  const Detections without_margin = detect_along(options, 1e-3, 0);
  EXPECT_EQ(without_margin.counts.fresh, 60);
}

TEST(DetectionAhead, WhatIsMadeOfTheResultDoesNotDependOnWhenItWasFound) {
  // As in a run that is resumed: other steps detect, the patches are the same.
  DetectionOptions options;
  options.ahead = 5;
  const Detections usual = detect_along(options, 2e-3, 0.02);
  options.ahead = 1;
  const Detections often = detect_along(options, 2e-3, 0.02);
  const Detections each = detect_along(options, 2e-3, 0);
  EXPECT_NE(usual.counts, often.counts);
  EXPECT_EQ(usual.patches, often.patches);
  EXPECT_EQ(usual.patches, each.patches);
}

TEST(DetectionAhead, ForgetsAndEndsInTheMidstOfAnOrder) {
  const TestMesh t = scene();
  const OverlapSearch search(t.mesh, {{0, 1}});
  DetectionOptions options;
  options.before_detection = [] { sleep(5000); };
  const auto margins = [] { return std::vector<double>(3, 0.01); };
  DetectionAhead detection(search, {0, 0, 0}, options);
  detection.pairs(t.positions, margins);
  detection.forget();
  detection.pairs(t.positions, margins);
  EXPECT_EQ(detection.counts().fresh, 2);
  DetectionAhead other(search, {0, 0, 0}, options);
  other.pairs(t.positions, margins);  // and goes while its thread works
}

TEST(DetectionAhead, PassesOnWhatTheOtherThreadThrows) {
  const TestMesh t = scene();
  const OverlapSearch search(t.mesh, {{0, 1}});
  DetectionOptions options;
  options.ahead = 2;
  options.before_detection = [] { throw std::runtime_error("no memory"); };
  const auto margins = [] { return std::vector<double>(3, 0.01); };
  DetectionAhead detection(search, {0, 0, 0}, options);
  detection.pairs(t.positions, margins);
  detection.pairs(t.positions, margins);
  EXPECT_THROW(detection.pairs(t.positions, margins), std::runtime_error);
  EXPECT_NO_THROW(detection.pairs(t.positions, margins)) << "and goes on";
}

}  // namespace
}  // namespace bulwark::test
