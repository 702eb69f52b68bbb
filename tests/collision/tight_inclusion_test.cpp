#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/ccd_query_factory.hpp>
#include <bulwark/collision/exact_ccd.hpp>
#include <bulwark/collision/tight_inclusion.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace bulwark {
namespace {

CcdQuery query_of(const std::array<Vector3, 4>& start, const std::array<Vector3, 4>& end) {
  return MovingPair{start, end, false}.query();
}

CcdQuery falling_point(double from, double to) {
  return query_of({Vector3(0.25, 0.25, from), Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0)},
                  {Vector3(0.25, 0.25, to), Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0)});
}

/// Both ways of tight inclusion: with its separating directions, and by bisection alone.
class TightInclusion : public testing::TestWithParam<int> {
 protected:
  std::unique_ptr<Ccd> ccd_ = make_tight_inclusion_ccd(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Ccd, TightInclusion, testing::Values(2000, 0), [](const auto& p) {
  return p.param > 0 ? std::string("WithAdvances") : std::string("BisectionOnly");
});

TEST_P(TightInclusion, QueriesOfTheLiteratureHaveTheirKnownAnswers) {
  const CcdQuery hourglass =
      query_of({Vector3(0.1, 0.1, 0.1), Vector3(0, 0, 1), Vector3(1, 0, 1), Vector3(0, 1, 1)},
               {Vector3(0.1, 0.1, 0.1), Vector3(0, 0, 0), Vector3(0, 1, 0), Vector3(1, 0, 0)});
  CcdAnswer answer = ccd_->point_triangle_impact(hourglass, {});
  EXPECT_TRUE(answer.hit);
  EXPECT_LE(answer.time, 0.9);
  EXPECT_GT(answer.time, 0.9 - 1e-5);

  const CcdQuery inflection =
      query_of({Vector3(1, 1, 0), Vector3(0, 0, 5), Vector3(2, 0, 2), Vector3(0, 1, 0)},
               {Vector3(1, 1, 0), Vector3(0, 0, -1), Vector3(0, 0, -2), Vector3(0, 7, 0)});
  answer = ccd_->point_triangle_impact(inflection, {});
  EXPECT_FALSE(answer.hit);
  EXPECT_EQ(answer.time, 1);

  const CcdQuery in_plane =
      query_of({Vector3(1, 0.5, 1), Vector3(0, 0.57, 1), Vector3(1, 0.57, 1), Vector3(1, 1.57, 1)},
               {Vector3(1, 0.5, 1), Vector3(0, 0.28, 1), Vector3(1, 0.28, 1), Vector3(1, 1.28, 1)});
  answer = ccd_->point_triangle_impact(in_plane, {});
  EXPECT_TRUE(answer.hit);
  EXPECT_LE(answer.time, 0.07 / 0.29);
  EXPECT_GT(answer.time, 0.07 / 0.29 - 1e-4);
}

TEST_P(TightInclusion, TheTimeIsWithinTheToleranceAndNeverLate) {
  for (double tolerance : {1e-2, 1e-4, 1e-6, 1e-8}) {
    const CcdAnswer answer = ccd_->point_triangle_impact(falling_point(1, -1), {.tolerance = tolerance});
    EXPECT_TRUE(answer.hit);
    EXPECT_LE(answer.time, 0.5);
    EXPECT_GE(answer.time, 0.5 - tolerance);
    EXPECT_FALSE(answer.limit_reached);
    EXPECT_LE(answer.tolerance, tolerance);
  }
}

TEST_P(TightInclusion, MinimumSeparationIsEuclidean) {
  const CcdAnswer head_on = ccd_->point_triangle_impact(falling_point(1, -1), {.minimum_distance = 0.25});
  EXPECT_LE(head_on.time, 0.375);
  EXPECT_GE(head_on.time, 0.375 - 1e-5);
  // Past a corner at the distance 5 = |(3, 4)|: components alone would call it 4.
  const CcdQuery past = query_of({Vector3(-3, -4, 2), Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0)},
                                 {Vector3(-3, -4, -2), Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0)});
  EXPECT_TRUE(ccd_->point_triangle_impact(past, {.minimum_distance = 5}).hit);
  EXPECT_FALSE(ccd_->point_triangle_impact(past, {.minimum_distance = 4.99}).hit);
}

TEST_P(TightInclusion, TimesBeyondOneAreSearchedToo) {
  const CcdQuery q = falling_point(1, 0.5);
  EXPECT_FALSE(ccd_->point_triangle_impact(q, {.max_time = 1.9}).hit);
  const CcdAnswer answer = ccd_->point_triangle_impact(q, {.max_time = 5});
  EXPECT_TRUE(answer.hit);
  EXPECT_LE(answer.time, 2);
  EXPECT_NEAR(answer.time, 2, 1e-5);
}

TEST_P(TightInclusion, TouchingStartsAreCollisionsAtTimeZero) {
  for (double end : {0.0, 1.0, -1.0}) {
    const CcdAnswer answer = ccd_->point_triangle_impact(falling_point(0, end), {});
    EXPECT_TRUE(answer.hit);
    EXPECT_EQ(answer.time, 0);
  }
  EXPECT_EQ(ccd_->point_triangle(falling_point(0, 1), {}), 0);
}

TEST_P(TightInclusion, EveryIterationLimitGivesASafeTime) {
  const CcdQuery in_plane =
      query_of({Vector3(1, 0.5, 1), Vector3(0, 0.57, 1), Vector3(1, 0.57, 1), Vector3(1, 1.57, 1)},
               {Vector3(1, 0.5, 1), Vector3(0, 0.28, 1), Vector3(1, 0.28, 1), Vector3(1, 1.28, 1)});
  for (int limit : {0, 1, 2, 3, 5, 10, 100, 300, 1000, 3000, 10000}) {
    const CcdAnswer answer = ccd_->point_triangle_impact(in_plane, {.max_iterations = limit});
    EXPECT_TRUE(answer.hit) << limit;
    EXPECT_LE(answer.time, 0.07 / 0.29) << limit;
    EXPECT_GE(answer.time, 0) << limit;
    EXPECT_LE(answer.iterations, limit + 200) << limit;
  }
}

TEST_P(TightInclusion, NumbersThatAreNotFiniteAreNotCalledSafe) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (int vertex = 0; vertex < 4; ++vertex) {
      for (int c = 0; c < 3; ++c) {
        CcdQuery q = falling_point(2, 1);
        q.x[vertex][c] = bad;
        EXPECT_TRUE(ccd_->point_triangle_impact(q, {.max_iterations = 1000}).hit);
        EXPECT_TRUE(ccd_->edge_edge_impact(q, {.max_iterations = 1000}).hit);
        EXPECT_EQ(ccd_->point_triangle(q, {.max_iterations = 1000}), 0);
        q = falling_point(2, 1);
        q.p[vertex][c] = bad;
        EXPECT_TRUE(ccd_->point_triangle_impact(q, {.max_iterations = 1000}).hit);
        EXPECT_TRUE(ccd_->edge_edge_impact(q, {.max_iterations = 1000}).hit);
      }
    }
  }
}

TEST(Bisection, PointsAndEdgesHaveFunctionsOfTheirOwn) {
  const Vector3 zero = Vector3::Zero(), up(0, 0, 1), x(1, 0, 0);
  auto time = [](const InclusionFunction& f) { return bisect(f, {}).time; };
  const CcdQuery on_edge = query_of({0.3 * x + up, zero, x, zero}, {0.3 * x - up, zero, x, zero});
  EXPECT_NEAR(time(InclusionFunction::point_edge(on_edge, 1, MotionRounding::of_displacement)), 0.5, 1e-6);
  const CcdQuery beside = query_of({1.3 * x + up, zero, x, zero}, {1.3 * x - up, zero, x, zero});
  EXPECT_FALSE(bisect(InclusionFunction::point_edge(beside, 1, MotionRounding::of_displacement), {}).hit);
  const CcdQuery points = query_of({up, zero, zero, zero}, {-3 * up, zero, zero, zero});
  EXPECT_NEAR(time(InclusionFunction::point_point(points, 1, MotionRounding::of_displacement)), 0.25, 1e-6);
  EXPECT_LE(time(InclusionFunction::point_point(points, 1, MotionRounding::of_displacement)), 0.25);
}

TEST(Bisection, MemoryIsBoundedAndSmall) {
  EXPECT_LT(sizeof(Bisection), 32'000u);
  // A query with a surface of roots, for which a breadth-first search alone would keep a million boxes.
  const CcdQuery q = query_of({Vector3(0.2, 0.2, 0), Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0)},
                              {Vector3(0.7, 0.2, 0), Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0)});
  const CcdAnswer answer = bisect(InclusionFunction::point_triangle(q, 1, MotionRounding::of_displacement),
                                  {.tolerance = 1e-9, .max_iterations = 100'000});
  EXPECT_TRUE(answer.hit);
  EXPECT_EQ(answer.time, 0);
}

// The benchmark of Wang et al. 2021 where it is at hand.

TEST(CcdBenchmark, NoMethodMissesACollisionAndFalseAlarmsAreFew) {
  const char* given = std::getenv("BULWARK_CCD_DATA");
  const std::filesystem::path folder = given != nullptr ? given : BULWARK_SOURCE_DIR "/../shared/data/ccd";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no benchmark data in " << folder;
  const std::unique_ptr<Ccd> methods[3] = {make_tight_inclusion_ccd(), make_tight_inclusion_ccd(0),
                                           make_additive_ccd()};
  const char* names[3] = {"tight-inclusion", "bisection only", "additive"};
  int queries[2] = {}, false_alarms[3][2] = {}, misses = 0, wrong_truths = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".csv") continue;
    const CcdKind kind =
        entry.path().parent_path().filename() == "edge-edge" ? CcdKind::edge_edge : CcdKind::point_triangle;
    const int k = static_cast<int>(kind);
    for (const MovingPair& pair : read_queries(entry.path())) {
      ++queries[k];
      wrong_truths += exactly_collides(kind, pair) != pair.collides;
      for (int m = 0; m < 3; ++m) {
        // Any limit is safe; this one keeps the bisection's tail short.
        const bool hit = impact(*methods[m], kind, pair.query(), {.max_iterations = 20'000}).hit;
        misses += pair.collides && !hit;
        false_alarms[m][k] += hit && !pair.collides;
        // A pair that collides also comes within a distance.
        if (pair.collides)
          misses +=
              !impact(*methods[m], kind, pair.query(), {.minimum_distance = 1e-8, .max_iterations = 2'000})
                   .hit;
      }
    }
  }
  for (int m = 0; m < 3; ++m) {
    std::printf("%s: false alarms in %d of %d vertex-face and %d of %d edge-edge queries\n", names[m],
                false_alarms[m][0], queries[0], false_alarms[m][1], queries[1]);
  }
  EXPECT_GT(queries[0], 0);
  EXPECT_EQ(misses, 0);
  EXPECT_EQ(wrong_truths, 0) << "the oracle differs from the benchmark's truth";
  // The counts of the reference implementation at the same tolerance.
  EXPECT_LE(false_alarms[0][0], 85);
  EXPECT_LE(false_alarms[0][1], 137);
}

// Queries of all families against the exact oracle.

constexpr int method_count = 3;
constexpr const char* method_names[method_count] = {"tight-inclusion", "bisection only", "additive"};

struct Score {
  int collisions = 0;
  std::array<int, method_count> misses{}, late{}, false_alarms{}, filter_faults{};

  friend Score operator+(Score a, const Score& b) {
    a.collisions += b.collisions;
    for (int m = 0; m < method_count; ++m) {
      a.misses[m] += b.misses[m];
      a.late[m] += b.late[m];
      a.false_alarms[m] += b.false_alarms[m];
      a.filter_faults[m] += b.filter_faults[m];
    }
    return a;
  }
};

/// One query, by all methods. The separation is relative to the pair's size.
Score score(QueryFamily family, CcdKind kind, std::uint64_t index, double separation) {
  static const std::unique_ptr<Ccd> methods[method_count] = {
      make_tight_inclusion_ccd(), make_tight_inclusion_ccd(0), make_additive_ccd()};
  const MovingPair pair = make_query(family, kind, 11, index);
  double size = 0;
  for (int i = 0; i < 4; ++i) size = std::max(size, (pair.start[i] - pair.start[0]).norm());
  const double distance = separation * size;
  const exact::Impact truth = kind == CcdKind::edge_edge
                                  ? exact::edge_edge_impact(pair.start, pair.end, distance)
                                  : exact::point_triangle_impact(pair.start, pair.end, distance);
  Score s;
  s.collisions = truth.hit;
  for (int m = 0; m < method_count; ++m) {
    // Any limit is safe; a low one keeps the bisection's tail short.
    const int limit = m == 1 ? 500 : 100'000;
    const CcdAnswer answer =
        impact(*methods[m], kind, pair.query(), {.minimum_distance = distance, .max_iterations = limit});
    s.misses[m] = truth.hit && !answer.hit;
    s.late[m] = truth.hit && answer.hit && answer.time > truth.not_after;
    s.false_alarms[m] = !truth.hit && answer.hit;
    // What a step filter would allow.
    const CcdOptions filter = {.minimum_distance = distance, .keep_fraction = 0.1, .max_iterations = limit};
    const double step = kind == CcdKind::edge_edge ? methods[m]->edge_edge(pair.query(), filter)
                                                   : methods[m]->point_triangle(pair.query(), filter);
    s.filter_faults[m] = truth.hit && (step >= 1 || step > truth.not_after);
  }
  return s;
}

void expect_no_miss(CcdKind kind, int queries_each, double separation) {
  Score sum;
  for (int family = 0; family < query_family_count; ++family) {
    const Score part = parallel_reduce(
        static_cast<std::size_t>(queries_each), Score{},
        [&](std::size_t i) { return score(static_cast<QueryFamily>(family), kind, i, separation); },
        [](const Score& a, const Score& b) { return a + b; });
    for (int m = 0; m < method_count; ++m) {
      const std::string name =
          std::string(method_names[m]) + " on " + name_of(static_cast<QueryFamily>(family));
      EXPECT_EQ(part.misses[m], 0) << name;
      EXPECT_EQ(part.late[m], 0) << name;
      EXPECT_EQ(part.filter_faults[m], 0) << name;
    }
    sum = sum + part;
  }
  const int queries = query_family_count * queries_each;
  std::printf("%d %s queries, separation %g: %d collisions", queries,
              kind == CcdKind::edge_edge ? "edge-edge" : "vertex-face", separation, sum.collisions);
  for (int m = 0; m < method_count; ++m)
    std::printf("; %s %d false alarms", method_names[m], sum.false_alarms[m]);
  std::printf("\n");
  EXPECT_GT(sum.collisions, queries / 20);
}

TEST(CcdAgainstTheOracle, NoCollisionOfTheFactoryIsMissed) {
  expect_no_miss(CcdKind::point_triangle, 1000, 0);
  expect_no_miss(CcdKind::edge_edge, 1000, 0);
}

TEST(CcdAgainstTheOracle, NoApproachToTheMinimumSeparationIsMissed) {
  for (double separation : {1e-2, 1e-8}) {
    expect_no_miss(CcdKind::point_triangle, 100, separation);
    expect_no_miss(CcdKind::edge_edge, 100, separation);
  }
}

// Ten million queries in all.
TEST(SlowCcdAgainstTheOracle, NoVertexFaceCollisionOfMillionsIsMissed) {
  expect_no_miss(CcdKind::point_triangle, 450'000, 0);
}
TEST(SlowCcdAgainstTheOracle, NoEdgeEdgeCollisionOfMillionsIsMissed) {
  expect_no_miss(CcdKind::edge_edge, 450'000, 0);
}
TEST(SlowCcdAgainstTheOracle, NoVertexFaceApproachOfAMillionIsMissed) {
  expect_no_miss(CcdKind::point_triangle, 50'000, 1e-3);
}
TEST(SlowCcdAgainstTheOracle, NoEdgeEdgeApproachOfAMillionIsMissed) {
  expect_no_miss(CcdKind::edge_edge, 50'000, 1e-3);
}

}  // namespace
}  // namespace bulwark
