#include "collision/reference_distance.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/collision/ccd_queries.hpp>

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <random>

namespace bulwark {
namespace {

Real distance_at(const CcdQuery& q, bool edge_edge, Real t) {
  std::array<Point, 4> x;
  for (int i = 0; i < 4; ++i) x[i] = q.x[i].cast<Real>() + t * q.p[i].cast<Real>();
  return reference_distance(x, edge_edge);
}

double time_by(const Ccd& ccd, const CcdQuery& q, bool edge_edge, const CcdOptions& options) {
  return edge_edge ? ccd.edge_edge(q, options) : ccd.point_triangle(q, options);
}

double time_of(const CcdQuery& q, bool edge_edge, const CcdOptions& options = {}) {
  static const auto ccd = make_additive_ccd();
  return time_by(*ccd, q, edge_edge, options);
}

/// The contract: on [0, t] the pair keeps its part of the gap, and t is not needlessly early: either all the
/// time asked for, or not much more than that part is left.
void expect_contract_of(const Ccd& ccd, const CcdQuery& q, bool edge_edge, const CcdOptions& options,
                        Real slack) {
  const double t = time_by(ccd, q, edge_edge, options);
  ASSERT_GE(t, 0);
  ASSERT_LE(t, options.max_time);
  const Real gap = distance_at(q, edge_edge, 0) - options.minimum_distance;
  if (gap <= 0) {
    EXPECT_EQ(t, 0);
    return;
  }
  const Real kept_gap = std::min<Real>(options.keep_fraction * gap, options.keep_at_most);
  const Real kept = options.minimum_distance + kept_gap;
  constexpr int samples = 200;
  for (int i = 0; i <= samples; ++i) {
    ASSERT_GE(distance_at(q, edge_edge, Real(t) * i / samples), kept * (1 - 1e-14L))
        << "at sample " << i << " of t = " << t;
  }
  if (t < options.max_time) {
    const Real left = distance_at(q, edge_edge, t) - kept;
    EXPECT_LE(left, 0.11L * kept_gap + slack) << "early: t = " << t;
  }
}

void expect_contract(const CcdQuery& q, bool edge_edge, const CcdOptions& options, double slack = 0) {
  static const auto additive = make_additive_ccd(), tight = make_tight_inclusion_ccd(),
                    bisecting = make_tight_inclusion_ccd(1);
  expect_contract_of(*additive, q, edge_edge, options, slack);
  expect_contract_of(*tight, q, edge_edge, options, slack);
  // Bisection is safe, but ends with boxes as wide as its tolerance, or at its limit.
  CcdOptions short_run = options;
  short_run.max_iterations = 2000;
  expect_contract_of(*bisecting, q, edge_edge, short_run, std::numeric_limits<Real>::infinity());
}

CcdQuery falling_point(double height, double speed) {
  return {{Vector3(0.25, 0.25, height), Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0)},
          {Vector3(0, 0, -speed), Vector3::Zero(), Vector3::Zero(), Vector3::Zero()}};
}

TEST(AdditiveCcd, AFallingPointStopsWhereAFractionOfTheGapIsLeft) {
  for (double keep : {0.0, 0.1, 0.2, 0.5, 0.9}) {
    const double t = time_of(falling_point(1, 2), false, {.keep_fraction = keep});
    EXPECT_LE(t, (1 - keep) / 2);
    EXPECT_GE(t, (1 - keep) / 2 - 1e-12);
  }
}

TEST(AdditiveCcd, MinimumDistanceIsNeverEntered) {
  const double t = time_of(falling_point(1, 2), false, {.minimum_distance = 0.4, .keep_fraction = 0.25});
  EXPECT_NEAR(t, 0.6 * 0.75 / 2, 1e-12);
  EXPECT_LE(t, 0.6 * 0.75 / 2);
  EXPECT_EQ(time_of(falling_point(0.4, 2), false, {.minimum_distance = 0.4}), 0);
  EXPECT_EQ(time_of(falling_point(0.3, 2), false, {.minimum_distance = 0.4}), 0);
}

TEST(AdditiveCcd, PassingNearerThanAFractionOfTheStartIsAllowedWhereSaid) {
  CcdQuery q = falling_point(0.01, 0);
  q.x[0][0] = -3;
  q.p[0] = Vector3(10, 0, 0);
  EXPECT_LT(time_of(q, false), 0.3);
  EXPECT_EQ(time_of(q, false, {.keep_at_most = 0.005}), 1);
}

TEST(AdditiveCcd, WithoutRelativeMotionAllTimeIsSafe) {
  CcdQuery q = falling_point(1e-9, 0);
  EXPECT_EQ(time_of(q, false), 1);
  for (Vector3& p : q.p) p = Vector3(3, -2, 1e3);
  EXPECT_EQ(time_of(q, false, {.max_time = 0.5}), 0.5);
  EXPECT_EQ(time_of(falling_point(0, 0), false), 0);
}

TEST(AdditiveCcd, SlidingPastAtASmallDistanceIsNoCollision) {
  CcdQuery q = falling_point(1e-6, 0);
  q.p[0] = Vector3(1000, 400, 0);
  EXPECT_EQ(time_of(q, false), 1);
  const CcdQuery edges = {
      {Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0.1, 0.5, 1e-7), Vector3(0.1, -0.5, 1e-7)},
      {Vector3::Zero(), Vector3::Zero(), Vector3(100, 0, 0), Vector3(100, 0, 0)}};
  EXPECT_EQ(time_of(edges, true), 1);
}

TEST(AdditiveCcd, AFastPointDoesNotTunnel) {
  const double t = time_of(falling_point(1e-3, 1e9), false);
  EXPECT_GT(t, 0);
  EXPECT_LE(t, 0.8e-12);
  expect_contract(falling_point(1e-3, 1e9), false, {});
}

TEST(AdditiveCcd, ParallelAndZeroLengthEdges) {
  const Vector3 x(1, 0, 0), up(0, 1, 0), zero = Vector3::Zero();
  // Parallel, overlapping: head on.
  CcdQuery q = {{zero, x, up + 0.3 * x, up + 1.3 * x}, {zero, zero, -2 * up, -2 * up}};
  expect_contract(q, true, {});
  EXPECT_NEAR(time_of(q, true), 0.4, 1e-9);
  // Antiparallel; collinear, end to end; nearly parallel.
  expect_contract({{zero, x, up + 1.3 * x, up + 0.3 * x}, {zero, zero, -2 * up, -2 * up}}, true, {});
  expect_contract({{zero, x, 2 * x, 3 * x}, {zero, zero, -3 * x, -3 * x}}, true, {});
  for (double tilt : {1e-6, 1e-9, 1e-12, 1e-15}) {
    CcdQuery near = {{zero, x, 1e-4 * up, Vector3(1, 1e-4, tilt)}, {zero, zero, -up, -up}};
    expect_contract(near, true, {});
    EXPECT_NEAR(time_of(near, true), 0.8e-4, 1e-9);
  }
  // A point and an edge; two points.
  expect_contract({{zero, x, up + 0.5 * x, up + 0.5 * x}, {zero, zero, -2 * up, -2 * up}}, true, {});
  expect_contract({{zero, zero, up, up}, {zero, zero, -2 * up, -2 * up}}, true, {});
}

TEST(AdditiveCcd, DegenerateTriangles) {
  const Vector3 zero = Vector3::Zero(), x(1, 0, 0), down(0, 0, -3);
  expect_contract({{Vector3(0.2, 0, 1), zero, x, 0.5 * x}, {down, zero, zero, zero}}, false, {});
  expect_contract({{Vector3(0.2, 0, 1), zero, zero, zero}, {down, zero, zero, zero}}, false, {});
  expect_contract({{Vector3(0.2, 1e-7, 1), zero, x, Vector3(0.5, 1e-13, 0)}, {down, zero, zero, zero}}, false,
                  {});
}

// Queries whose collision times are known, from the literature on failures of other methods.

TEST(AdditiveCcd, TheHourglassCollides) {
  const std::array<Vector3, 4> start = {Vector3(0.1, 0.1, 0.1), Vector3(0, 0, 1), Vector3(1, 0, 1),
                                        Vector3(0, 1, 1)};
  const std::array<Vector3, 4> end = {Vector3(0.1, 0.1, 0.1), Vector3(0, 0, 0), Vector3(0, 1, 0),
                                      Vector3(1, 0, 0)};
  CcdQuery q{start, {}};
  for (int i = 0; i < 4; ++i) q.p[i] = end[i] - start[i];
  const double t = time_of(q, false, {.keep_fraction = 0});
  EXPECT_LE(t, 0.9);
  EXPECT_GT(t, 0.899);
}

TEST(AdditiveCcd, CoplanarRootsOutsideTheTriangleAreNoCollision) {
  const std::array<Vector3, 4> start = {Vector3(1, 1, 0), Vector3(0, 0, 5), Vector3(2, 0, 2),
                                        Vector3(0, 1, 0)};
  const std::array<Vector3, 4> end = {Vector3(1, 1, 0), Vector3(0, 0, -1), Vector3(0, 0, -2),
                                      Vector3(0, 7, 0)};
  CcdQuery q{start, {}};
  for (int i = 0; i < 4; ++i) q.p[i] = end[i] - start[i];
  EXPECT_EQ(time_of(q, false, {.keep_fraction = 0}), 1);
}

TEST(AdditiveCcd, MotionWithinOnePlaneCollides) {
  CcdQuery q = {{Vector3(1, 0.5, 1), Vector3(0, 0.57, 1), Vector3(1, 0.57, 1), Vector3(1, 1.57, 1)}, {}};
  q.p = {Vector3::Zero(), Vector3(0, -0.29, 0), Vector3(0, -0.29, 0), Vector3(0, -0.29, 0)};
  const double t = time_of(q, false, {.keep_fraction = 0});
  EXPECT_LE(t, 0.07 / 0.29);
  EXPECT_GT(t, 0.07 / 0.29 - 1e-5);
}

TEST(AdditiveCcd, KeepsItsContractOnRandomQueries) {
  std::mt19937 random(21);
  std::normal_distribution<double> normal;
  auto vector = [&](double size) -> Vector3 {
    return size * Vector3(normal(random), normal(random), normal(random));
  };
  for (int trial = 0; trial < 4000; ++trial) {
    const bool edge_edge = trial % 2 == 0;
    const double scale = std::pow(10.0, trial % 13 - 6);
    CcdQuery q;
    for (Vector3& x : q.x) x = vector(scale);
    for (Vector3& p : q.p) p = vector(scale * (trial % 5 == 0 ? 10 : 1));
    CcdOptions options;
    options.keep_fraction = trial % 3 == 0 ? 0.1 : 0.2;
    if (trial % 7 == 0) options.minimum_distance = 1e-2 * scale;
    if (trial % 4 == 0) options.keep_at_most = 1e-3 * scale;
    expect_contract(q, edge_edge, options);
  }
}

TEST(AdditiveCcd, KeepsItsContractForSmallGapsAndSlivers) {
  std::mt19937 random(22);
  std::normal_distribution<double> normal;
  auto vector = [&](double size) -> Vector3 {
    return size * Vector3(normal(random), normal(random), normal(random));
  };
  for (int trial = 0; trial < 3000; ++trial) {
    const bool edge_edge = trial % 2 == 0;
    const double gap = std::pow(10.0, -(trial % 10));
    // Flat in z but for the gap, then turned: closest features lie deep in all kinds of regions.
    CcdQuery q;
    for (Vector3& x : q.x) x = vector(1).cwiseProduct(Vector3(1, trial % 3 == 0 ? 1e-5 : 1, 0.1 * gap));
    q.x[0][2] += gap;
    if (edge_edge) q.x[1][2] += gap;
    for (Vector3& p : q.p) p = vector(1).cwiseProduct(Vector3(0.3, 0.3, 3 * gap));
    const Matrix3 turn = Eigen::AngleAxisd(normal(random), vector(1).normalized()).toRotationMatrix();
    for (Vector3& x : q.x) x = turn * x;
    for (Vector3& p : q.p) p = turn * p;
    expect_contract(q, edge_edge, {}, 1e-14);
  }
}

TEST(AdditiveCcd, FarFromTheOriginTheRoundedPositionsStayApart) {
  std::mt19937 random(23);
  std::normal_distribution<double> normal;
  auto vector = [&](double size) -> Vector3 {
    return size * Vector3(normal(random), normal(random), normal(random));
  };
  for (int trial = 0; trial < 2000; ++trial) {
    const bool edge_edge = trial % 2 == 0;
    const Vector3 far = vector(1e6);
    CcdQuery q;
    for (Vector3& x : q.x) x = far + vector(1e-3);
    for (Vector3& p : q.p) p = vector(3e-3) + Vector3(1, 2, 3);
    const double t = time_of(q, edge_edge);
    std::array<Point, 4> moved;
    for (int i = 0; i < 4; ++i) moved[i] = Vector3(q.x[i] + t * q.p[i]).cast<Real>();
    EXPECT_GE(reference_distance(moved, edge_edge), 0.2L * distance_at(q, edge_edge, 0) * (1 - 1e-12L));
    expect_contract(q, edge_edge, {}, 1e-8);
  }
}

TEST(AdditiveCcd, AGapSmallerThanTheRoundingOfTheCoordinatesIsNotUsed) {
  CcdQuery q = falling_point(0, 0);
  for (Vector3& x : q.x) x += Vector3(0, 0, 1e6);
  q.x[0][2] = std::nextafter(1e6, 2e6);
  q.p[0] = Vector3(0, 0, -1);
  EXPECT_EQ(time_of(q, false), 0);
}

TEST(AdditiveCcd, TheIterationLimitGivesASafeTime) {
  CcdQuery q = {{Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0.2, -1, 0.1), Vector3(0.2, 1, 0.3)}, {}};
  q.p = {Vector3(0, 0, 1), Vector3(0.5, 2, -1), Vector3(0, 3, -0.4), Vector3(1, -1, 0)};
  const double all = time_of(q, true);
  double last = 0;
  for (int limit : {0, 1, 2, 3, 5, 100}) {
    const double t = time_of(q, true, {.max_iterations = limit});
    EXPECT_GE(t, last);
    EXPECT_LE(t, all);
    last = t;
  }
  EXPECT_EQ(last, all);
}

TEST(AdditiveCcd, NumbersThatAreNotFiniteAreNotCalledSafe) {
  CcdQuery q = falling_point(1, 2);
  q.p[0][1] = std::nan("");
  EXPECT_EQ(time_of(q, false), 0);
  for (int vertex = 0; vertex < 4; ++vertex) {
    for (int c = 0; c < 3; ++c) {
      q = falling_point(1, 2);
      q.x[vertex][c] = std::numeric_limits<double>::infinity();
      EXPECT_EQ(time_of(q, false), 0);
      EXPECT_EQ(time_of(q, true), 0);
    }
  }
}

TEST(Ccd, UnknownNameIsAnsweredWithTheKnownOnes) {
  EXPECT_NE(make_ccd("additive"), nullptr);
  try {
    make_ccd("magic");
    FAIL() << "an unknown name was accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("additive"), std::string::npos);
  }
}

// The benchmark of Wang et al. 2021 where it is at hand.

TEST(AdditiveCcd, MissesNoCollisionOfTheBenchmark) {
  const char* given = std::getenv("BULWARK_CCD_DATA");
  const std::filesystem::path folder = given != nullptr ? given : BULWARK_SOURCE_DIR "/../shared/data/ccd";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no benchmark data in " << folder;
  int queries = 0, misses = 0, collisions = 0;
  std::array<int, 2> false_alarms{};
  double seconds = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".csv") continue;
    const bool edge_edge = entry.path().parent_path().filename() == "edge-edge";
    for (const MovingPair& pair : read_queries(entry.path())) {
      const CcdQuery query = pair.query();
      const bool collides = pair.collides;
      const auto start = std::chrono::steady_clock::now();
      const bool strict = time_of(query, edge_edge, {.keep_fraction = 0}) < 1;
      seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      const bool with_default = time_of(query, edge_edge) < 1;
      ++queries;
      collisions += collides;
      misses += collides && !(strict && with_default);
      false_alarms[0] += !collides && strict;
      false_alarms[1] += !collides && with_default;
    }
  }
  std::printf(
      "%d queries, %d collide: %d missed; false alarms %d (%d when keeping a fifth of the gap); %.2f us "
      "each\n",
      queries, collisions, misses, false_alarms[0], false_alarms[1], seconds / std::max(queries, 1) * 1e6);
  EXPECT_GT(queries, 0);
  EXPECT_EQ(misses, 0);
}

}  // namespace
}  // namespace bulwark
