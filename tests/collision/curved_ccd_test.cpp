#include "collision/reference_distance.hpp"

#include <bulwark/collision/curved_ccd.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <random>
#include <vector>

namespace bulwark {
namespace {

/// A query with its own paths.
struct Curved {
  std::array<BodyPath, 2> bodies;
  CurvedQuery query;
  bool edge_edge = false;
  std::array<Vector3, 4> ends;  ///< where straight paths to the end would lead

  int first_of_second() const { return edge_edge ? 2 : 1; }
  /// Puts the points of a side (0 or 1) on its body, where they keep a part of their own motion: 0 when it is
  /// rigid.
  void attach(int side, double stretch = 0) {
    for (int i = side == 0 ? 0 : first_of_second(); i < (side == 0 ? first_of_second() : 4); ++i) {
      query.path[i] = &bodies[side];
      query.p[i] *= stretch;
    }
  }
};

double time_of(const CurvedQuery& query, bool edge_edge, const CcdOptions& options) {
  return edge_edge ? curved_ccd<true>(query, options) : curved_ccd<false>(query, options);
}

/// x(t) by Rodrigues' formula about the unit axis, in extended precision.
Point exact_position(const CurvedQuery& query, int i, Real t) {
  const Point x = query.x[i].cast<Real>();
  if (query.path[i] == nullptr) return x + t * query.p[i].cast<Real>();
  const BodyPath& path = *query.path[i];
  const Point center = path.center.cast<Real>(), w = path.rotation.cast<Real>(), arm = x - center;
  const Point moved = center + t * (path.displacement + query.p[i]).cast<Real>();
  const Real angle = w.norm();
  if (angle == 0) return moved + arm;
  const Point axis = w / angle;
  return moved + std::cos(t * angle) * arm + std::sin(t * angle) * axis.cross(arm) +
         (1 - std::cos(t * angle)) * axis.dot(arm) * axis;
}

Real distance_at(const CurvedQuery& query, bool edge_edge, Real t) {
  std::array<Point, 4> x;
  for (int i = 0; i < 4; ++i) x[i] = exact_position(query, i, t);
  return reference_distance(x, edge_edge);
}

/// The distance changes no faster than this.
Real distance_rate(const CurvedQuery& query, bool edge_edge) {
  std::array<Real, 2> side{};
  for (int i = 0; i < 4; ++i) {
    const int s = i < (edge_edge ? 2 : 1) ? 0 : 1;
    const BodyPath* path = query.path[i];
    const Real rate = path == nullptr ? query.p[i].norm()
                                      : (path->displacement + query.p[i]).norm() +
                                            path->rotation.cross(query.x[i] - path->center).norm();
    side[s] = std::max(side[s], rate);
  }
  return side[0] + side[1];
}

/// The smallest distance found on [from, to]: samples, and wherever the rate of change leaves room for less
/// than `wanted` between two of them, more samples, down to a shortest interval.
Real least_distance(const std::function<Real(Real)>& distance, Real rate, Real wanted, Real from, Real to) {
  constexpr int first_samples = 65, budget = 4000;
  int used = 0;
  Real least = std::numeric_limits<Real>::infinity();
  struct Piece {
    Real t0, d0, t1, d1;
  };
  std::vector<Piece> pieces;
  Real last_t = from, last_d = distance(from);
  least = last_d;
  for (int i = 1; i < first_samples; ++i) {
    const Real t = from + (to - from) * i / (first_samples - 1), d = distance(t);
    pieces.push_back({last_t, last_d, t, d});
    least = std::min(least, d);
    last_t = t;
    last_d = d;
  }
  // Breadth first, so that a budget is spent evenly.
  for (std::size_t k = 0; k < pieces.size() && used < budget; ++k) {
    const Piece p = pieces[k];
    if ((p.d0 + p.d1 - rate * (p.t1 - p.t0)) / 2 >= wanted) continue;
    const Real t = (p.t0 + p.t1) / 2, d = distance(t);
    ++used;
    least = std::min(least, d);
    pieces.push_back({p.t0, p.d0, t, d});
    pieces.push_back({t, d, p.t1, p.d1});
  }
  return least;
}

struct Outcome {
  double time = 0;
  Real left =
      0;  ///< of a time before max_time: what more the pair might have closed, in parts of what is kept
};

/// The contract of Ccd: never late, and not needlessly early.
Outcome expect_contract(const CurvedQuery& query, bool edge_edge, const CcdOptions& options,
                        bool early_matters = true) {
  const double t = time_of(query, edge_edge, options);
  Outcome outcome{t, 0};
  EXPECT_GE(t, 0);
  EXPECT_LE(t, options.max_time);
  const Real gap = distance_at(query, edge_edge, 0) - options.minimum_distance;
  if (gap <= 0) {
    EXPECT_EQ(t, 0);
    return outcome;
  }
  const Real kept_gap = std::min<Real>(options.keep_fraction * gap, options.keep_at_most);
  const Real kept = options.minimum_distance + kept_gap;
  auto distance = [&](Real s) { return distance_at(query, edge_edge, s); };
  const Real rate = distance_rate(query, edge_edge);
  EXPECT_GE(least_distance(distance, rate, kept, 0, t), kept * (1 - 1e-14L)) << "late: t = " << t;
  if (t < options.max_time) {
    outcome.left = (distance(t) - kept) / kept_gap;
    if (early_matters) {
      EXPECT_LE(outcome.left, 0.11L) << "early: t = " << t << ", kept gap " << double(kept_gap);
    }
  }
  return outcome;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double normal() { return normal_(engine_); }
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  double power(double low, double high) { return std::pow(10.0, uniform(low, high)); }
  Vector3 vector(double size) { return size * Vector3(normal(), normal(), normal()); }
  Vector3 direction() { return vector(1).normalized(); }
  bool chance(double p) { return uniform(0, 1) < p; }

 private:
  std::mt19937 engine_;
  std::normal_distribution<double> normal_;
};

/// Turns and moves a whole query in space.
void place(Curved& c, const Matrix3& turn, const Vector3& shift) {
  for (Vector3& x : c.query.x) x = turn * x + shift;
  for (Vector3& p : c.query.p) p = turn * p;
  for (BodyPath& body : c.bodies) {
    body.center = turn * body.center + shift;
    body.displacement = turn * body.displacement;
    body.rotation = turn * body.rotation;
  }
}

constexpr int kinds = 9;
const char* const kind_names[kinds] = {"anything",         "several turns",    "small gaps",
                                       "long thin bodies", "tangent passes",   "parallel edges",
                                       "screws",           "turning together", "bolt-like"};

std::unique_ptr<Curved> make_query(int kind, Random& random) {
  auto made = std::make_unique<Curved>();
  Curved& c = *made;
  c.edge_edge = random.chance(0.5);
  CurvedQuery& q = c.query;
  for (BodyPath& body : c.bodies) {
    body = {random.vector(1), random.vector(0.5), random.vector(random.power(-3, 0.3))};
  }
  for (Vector3& x : q.x) x = random.vector(1);
  for (Vector3& p : q.p) p = random.vector(0.5);
  const double stretch = random.chance(0.3) ? 0.1 : 0;
  c.attach(0, stretch);
  if (random.chance(0.6)) c.attach(1, stretch);
  switch (kind) {
    case 1:
      for (BodyPath& body : c.bodies) body.rotation = random.vector(10);
      break;
    case 2: {
      // Flat but for the gap.
      const double gap = random.power(-9, -2);
      for (Vector3& x : q.x) x[2] *= 0.1 * gap;
      for (int i = 0; i < c.first_of_second(); ++i) q.x[i][2] += gap;
      for (Vector3& p : q.p) p[2] *= gap;
      for (BodyPath& body : c.bodies) {
        body.displacement[2] *= gap;
        body.rotation.head<2>() *= gap * random.power(0, 3);
      }
      break;
    }
    case 3: {
      // Needles on long arms.
      const double width = random.power(-6, -2);
      for (Vector3& x : q.x) x = x.cwiseProduct(Vector3(10, width, width));
      for (int i = 0; i < c.first_of_second(); ++i) q.x[i][1] += random.uniform(1, 30) * width;
      for (BodyPath& body : c.bodies) body.center = Vector3(50 * random.normal(), 0.1, 0.1);
      break;
    }
    case 4: {
      // A point on a circle whose top just reaches, or just misses, a plane or an edge across.
      const double miss = (random.chance(0.5) ? 1 : -1) * random.power(-9, -2);
      c.bodies[0] = {Vector3::Zero(), Vector3::Zero(), Vector3(0, 0, random.uniform(1, 6))};
      const double start = -random.uniform(0.3, 2.5);
      q.x[0] = Vector3(std::sin(-start), std::cos(start), 0);
      q.path = {};
      const double height = 1 + miss;
      if (c.edge_edge) {
        q.x[1] = 0.7 * q.x[0] + Vector3(0, 0, random.uniform(-1, 1));
        q.x[2] = Vector3(random.normal(), height, 2);
        q.x[3] = Vector3(random.normal(), height, -2);
      } else {
        q.x[1] = Vector3(-3, height, -3);
        q.x[2] = Vector3(3, height, -3);
        q.x[3] = Vector3(0, height, 3);
      }
      for (Vector3& p : q.p) p = Vector3::Zero();
      c.attach(0);
      break;
    }
    case 5: {
      // Edges parallel at the start and, turning about an axis along them or across, to the end or not.
      c.edge_edge = true;
      c.attach(0);
      const double gap = random.power(-8, 0), tilt = random.chance(0.5) ? 0 : random.power(-14, -4);
      const double shift = random.uniform(-1.5, 1.5);
      q.x = {Vector3(0, 0, gap), Vector3(1, 0, gap), Vector3(shift, 0, 0), Vector3(shift + 1, tilt, 0)};
      for (BodyPath& body : c.bodies) {
        body.center = Vector3(random.normal(), random.normal(), random.normal());
        body.displacement = random.vector(3 * gap);
        body.rotation = Vector3(random.power(-2, 0.5), 0, 0) + random.vector(random.power(-16, -2));
      }
      for (Vector3& p : q.p) p = random.vector(gap);
      break;
    }
    case 6: {
      // A thread: the first body turns and sinks along one axis, past a flank of about its slope.
      const double pitch = random.uniform(0.02, 0.3), angle = random.power(-2, 0.8);
      const double gap = random.power(-7, -2);
      c.bodies[0] = {Vector3(0, 0, 0), Vector3(0, 0, pitch * angle * random.uniform(0.98, 1.02)),
                     Vector3(0, 0, angle)};
      auto flank = [&](double radius, double at) {
        return Vector3(radius * std::cos(at), radius * std::sin(at), pitch * at);
      };
      const double at = random.uniform(0, 1) * angle;
      const Vector3 lift(0, 0, gap);
      if (c.edge_edge) {
        q.x = {flank(0.9, 0) + lift, flank(1.1, 0) + lift, flank(0.92, at - 0.05), flank(1.08, at + 0.05)};
      } else {
        q.x = {flank(1, 0) + lift, flank(0.9, at - 0.1), flank(0.9, at + 0.1), flank(1.15, at)};
      }
      for (Vector3& p : q.p) p = Vector3::Zero();
      q.path = {};
      c.attach(0);
      break;
    }
    case 7: {
      // Two bodies turn alike, nearly.
      const double gap = random.power(-6, -1), angle = random.power(-2, 0.7);
      const Vector3 axis = random.direction();
      for (Vector3& x : q.x) x[2] *= 0.1 * gap;
      for (int i = 0; i < c.first_of_second(); ++i) q.x[i][2] += gap;
      for (BodyPath& body : c.bodies) {
        body.center = random.vector(0.1);
        body.rotation = angle * axis + random.vector(gap);
        body.displacement = random.vector(gap);
      }
      c.attach(1);
      break;
    }
    case 8: {
      // Small motions of small bodies, as Newton steps make them: gaps around a tenth of a millimetre.
      const double gap = random.power(-5, -3.5);
      for (Vector3& x : q.x) x = x.cwiseProduct(Vector3(2e-3, 2e-3, 0.1 * gap)) + Vector3(0.01, 0, 0);
      for (int i = 0; i < c.first_of_second(); ++i) q.x[i][2] += gap;
      for (BodyPath& body : c.bodies) {
        body = {random.vector(1e-3), random.vector(1e-5), Vector3(0, 0, 0.02) + random.vector(1e-3)};
      }
      q.path = {};
      c.attach(0);
      for (Vector3& p : q.p) p = Vector3::Zero();
      break;
    }
    default:
      break;
  }
  if (kind != 3 || random.chance(0.5)) {
    place(c, rotation_matrix(random.vector(1)), random.vector(random.chance(0.3) ? 10 : 0));
  }
  return made;
}

CcdOptions make_options(int trial, const Curved& c) {
  CcdOptions options;
  options.keep_fraction = trial % 3 == 0 ? 0.1 : 0.2;
  const double distance = static_cast<double>(distance_at(c.query, c.edge_edge, 0));
  if (trial % 7 == 0) options.minimum_distance = 0.3 * distance;
  if (trial % 4 == 0) options.keep_at_most = 0.05 * distance;
  if (trial % 5 == 0) options.max_time = 0.37;
  return options;
}

void run_queries(int count, unsigned seed) {
  Random random(seed);
  std::array<int, kinds> asked{}, stopped{};
  std::array<Real, kinds> left{};
  for (int trial = 0; trial < count; ++trial) {
    const int kind = trial % kinds;
    const auto made = make_query(kind, random);
    const CcdOptions options = make_options(trial / kinds, *made);
    // Where rounding is not far below the gap, times are earlier. Of parallel edges of length L no cross
    // product tells the normal: it is known to eps L / gap, which at their ends is eps L^2 / gap of distance.
    double size = 0;
    for (const Vector3& x : made->query.x) size = std::max(size, x.norm());
    const double distance = static_cast<double>(distance_at(made->query, made->edge_edge, 0));
    constexpr int parallel_edges = 5;
    const bool early_matters = distance > (kind == parallel_edges ? 1e-7 : 1e-11) * size;
    const Outcome outcome = expect_contract(made->query, made->edge_edge, options, early_matters);
    ASSERT_FALSE(testing::Test::HasFailure()) << "trial " << trial << ", " << kind_names[kind];
    ++asked[kind];
    if (outcome.time < options.max_time) {
      ++stopped[kind];
      left[kind] += outcome.left;
    }
  }
  for (int kind = 0; kind < kinds; ++kind) {
    std::printf("%-16s %6d queries, %6d stopped, at %.3f of the kept gap above it on average\n",
                kind_names[kind], asked[kind], stopped[kind],
                static_cast<double>(left[kind] / std::max(stopped[kind], 1)));
  }
}

/// The same by straight pieces, as Ferguson et al. 2021: each piece by linear CCD that keeps as much more
/// distance as the piece may differ from the path. For comparison.
double piece_by_piece(const CurvedQuery& query, bool edge_edge, const CcdOptions& options,
                      const Ccd& linear) {
  auto positions = [&](double t) {
    std::array<Vector3, 4> x;
    for (int i = 0; i < 4; ++i) {
      x[i] = (query.path[i] != nullptr ? path_position(*query.path[i], query.x[i], t) : query.x[i]) +
             t * query.p[i];
    }
    return x;
  };
  auto distance = [&](const std::array<Vector3, 4>& x) {
    return std::sqrt(edge_edge ? edge_edge_squared_distance(x.data())
                               : point_triangle_squared_distance(x.data()));
  };
  std::array<double, 2> bend{};
  for (int i = 0; i < 4; ++i) {
    const BodyPath* path = query.path[i];
    if (path == nullptr) continue;
    double& side = bend[i < (edge_edge ? 2 : 1) ? 0 : 1];
    side = std::max(side, path->rotation.norm() * path->rotation.cross(query.x[i] - path->center).norm());
  }
  std::array<Vector3, 4> x = positions(0);
  const double gap = distance(x) - options.minimum_distance;
  const double kept = std::min(options.keep_fraction * gap, options.keep_at_most);
  double time = 0;
  for (int piece = 0; piece < options.max_iterations; ++piece) {
    const double slack = distance(x) - options.minimum_distance - kept;
    if (!(slack > 0.1 * kept)) return time;
    double length = std::min(options.max_time - time, std::sqrt(8 * 0.5 * slack / (bend[0] + bend[1])));
    const double next = std::min(options.max_time, time + length);
    length = next - time;
    const double error = length * length / 8 * (bend[0] + bend[1]) * (1 + 1e-12) + 1e-15;
    const std::array<Vector3, 4> y = positions(next);
    CcdQuery straight{x, {}};
    for (int i = 0; i < 4; ++i) straight.p[i] = y[i] - x[i];
    CcdOptions wider;
    wider.minimum_distance = options.minimum_distance + error;
    wider.keep_fraction = 1;
    wider.keep_at_most = kept;
    const double part =
        edge_edge ? linear.edge_edge(straight, wider) : linear.point_triangle(straight, wider);
    if (part >= 1 && next >= options.max_time) return options.max_time;
    const double reached = part >= 1 ? next : time + part * length;
    if (!(reached > time)) return time;
    time = reached;
    x = part >= 1 ? y : positions(time);
  }
  return time;
}

// Motions whose times of contact are known.

/// A rod from the origin along x that turns about z, and a post that stands at an angle ahead of it.
Curved turning_rod(double turn, double post_at) {
  Curved c;
  c.edge_edge = true;
  c.bodies[0] = {Vector3::Zero(), Vector3::Zero(), Vector3(0, 0, turn)};
  const Vector3 foot = 0.9 * Vector3(std::cos(post_at), std::sin(post_at), 0);
  c.query.x = {Vector3::Zero(), Vector3(1, 0, 0), foot - Vector3(0, 0, 1), foot + Vector3(0, 0, 1)};
  for (Vector3& p : c.query.p) p = Vector3::Zero();
  return c;
}

TEST(CurvedCcd, ATurningRodStopsBeforeThePost) {
  for (double at : {0.01, 0.5, 2.0, 6.0}) {
    for (double turn : {1.0, 7.0, 40.0}) {
      Curved c = turning_rod(turn, at);
      c.attach(0);
      // Kept: a fifth of the start's distance; the last angle is that with 0.9 sin(angle) = kept.
      const double kept = 0.2 * static_cast<double>(distance_at(c.query, true, 0));
      const double expected = std::min(1.0, (at - std::asin(kept / 0.9)) / turn);
      const double t = time_of(c.query, true, {});
      EXPECT_LE(t, expected * (1 + 1e-14));
      EXPECT_GE(t, expected - 0.11 * kept / 0.9 / turn * 1.3);
    }
  }
}

TEST(CurvedCcd, AFullTurnIsNotTakenForNoMotion) {
  Curved c = turning_rod(2 * std::numbers::pi, 3);
  c.attach(0);
  EXPECT_LT(time_of(c.query, true, {}), 0.5);
  EXPECT_GT(time_of(c.query, true, {}), 0.4);
  // The post taken away from the circle, all turns are safe.
  for (int i = 2; i < 4; ++i) c.query.x[i] *= 2;
  c.bodies[0].rotation *= 5;
  EXPECT_EQ(time_of(c.query, true, {.keep_at_most = 1e-3}), 1);
}

TEST(CurvedCcd, BodiesThatTurnTogetherDoNotCollide) {
  // A rigid motion of the whole: the second center follows the first one's turn to the second order only, so
  // the motion is about one center.
  for (double gap : {1e-2, 1e-5, 1e-8}) {
    for (double angle : {0.1, 3.0, 30.0}) {
      Curved c;
      const BodyPath path = {Vector3(0.3, -0.2, 0.1), Vector3(2, 1, 0), angle * Vector3(0.6, 0, 0.8)};
      c.bodies = {path, path};
      c.query.x = {Vector3(0.2, 0.2, gap), Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0)};
      c.attach(0);
      c.attach(1);
      // In one iteration, or two.
      EXPECT_EQ(time_of(c.query, false, {.max_iterations = 2}), 1) << gap << " " << angle;
      c.edge_edge = true;
      c.query.x = {Vector3(-1, 0, gap), Vector3(1, 0, gap), Vector3(0, 1, 0), Vector3(0.1, -1, 0)};
      c.attach(0);
      c.attach(1);
      EXPECT_EQ(time_of(c.query, true, {.max_iterations = 2}), 1) << gap << " " << angle;
    }
  }
}

TEST(CurvedCcd, AScrewMovesAlongItsThread) {
  // A point on a helix above a flank that another piece of the same helicoid makes: the gap stays.
  const double pitch = 0.1, angle = 0.2, gap = 1e-4;
  Curved c;
  c.bodies[0] = {Vector3::Zero(), Vector3(0, 0, pitch * angle), Vector3(0, 0, angle)};
  auto flank = [&](double radius, double at) {
    return Vector3(radius * std::cos(at), radius * std::sin(at), pitch * at);
  };
  c.query.x = {flank(1, 0) + Vector3(0, 0, gap), flank(0.99, -0.01), flank(1, 0.02), flank(1.01, -0.01)};
  for (Vector3& p : c.query.p) p = Vector3::Zero();
  c.attach(0);
  const Outcome outcome = expect_contract(c.query, false, {.keep_fraction = 0.05});
  EXPECT_EQ(outcome.time, 1);
}

TEST(CurvedCcd, ThereIsProgressFromAnyGap) {
  Random random(7);
  for (int trial = 0; trial < 2000; ++trial) {
    const double gap = random.power(-12, -3), speed = random.power(-3, 2);
    Curved c;
    c.edge_edge = trial % 2 == 0;
    c.bodies[0] = {random.vector(1), random.vector(speed), random.vector(speed)};
    c.bodies[1] = {random.vector(1), random.vector(speed), random.vector(speed)};
    c.query.x = {Vector3(0.2, 0.2, gap), Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0)};
    if (c.edge_edge) {
      c.query.x = {Vector3(-1, 0, gap), Vector3(1, 0, gap), Vector3(0, 1, 0), Vector3(0.1, -1, 0)};
    }
    c.attach(0);
    c.attach(1);
    EXPECT_GT(time_of(c.query, c.edge_edge, {.keep_at_most = 1e-4}), 0);
    // Also in a single iteration, and then no later.
    EXPECT_GT(time_of(c.query, c.edge_edge, {.max_iterations = 1}), 0);
    EXPECT_LE(time_of(c.query, c.edge_edge, {.max_iterations = 1}), time_of(c.query, c.edge_edge, {}));
  }
}

TEST(CurvedCcd, StraightQueriesAreAnsweredLikeLinearOnes) {
  Random random(8);
  const auto linear = make_additive_ccd();
  for (int trial = 0; trial < 1000; ++trial) {
    const bool edge_edge = trial % 2 == 0;
    CurvedQuery query;
    for (Vector3& x : query.x) x = random.vector(1);
    for (Vector3& p : query.p) p = random.vector(2);
    const CcdQuery straight{query.x, query.p};
    const double expected =
        edge_edge ? linear->edge_edge(straight, {}) : linear->point_triangle(straight, {});
    expect_contract(query, edge_edge, {});
    EXPECT_NEAR(time_of(query, edge_edge, {}), expected, 0.05);
    EXPECT_EQ(time_of(query, edge_edge, {}) == 1, expected == 1);
  }
}

TEST(CurvedCcd, PositionsAsASolverComputesThemStayApart) {
  // p <- p + t d, A <- exp(t [w]) A, x = p + A X in double precision, far from the origin.
  Random random(9);
  for (int trial = 0; trial < 3000; ++trial) {
    const bool edge_edge = trial % 2 == 0;
    const int second = edge_edge ? 2 : 1;
    const Vector3 far = random.vector(random.power(0, 4));
    std::array<Matrix3, 2> a;
    std::array<Vector3, 4> body_point;
    Curved c;
    c.edge_edge = edge_edge;
    for (int side = 0; side < 2; ++side) {
      a[side] = rotation_matrix(random.vector(1));
      c.bodies[side] = {far + random.vector(0.1), Vector3(1, 2, 3) + random.vector(0.3),
                        random.vector(random.power(-2, 1))};
    }
    for (int i = 0; i < 4; ++i) {
      const int side = i < second ? 0 : 1;
      const Vector3 place = far + random.vector(1e-3) + (i == 0 ? Vector3(0, 0, 1e-4) : Vector3::Zero());
      body_point[i] = a[side].transpose() * (place - c.bodies[side].center);
      c.query.x[i] = c.bodies[side].center + a[side] * body_point[i];
    }
    c.attach(0);
    c.attach(1);
    const double t = time_of(c.query, edge_edge, {});
    std::array<Point, 4> moved;
    for (int i = 0; i < 4; ++i) {
      const int side = i < second ? 0 : 1;
      const BodyPath& path = c.bodies[side];
      const Vector3 center = path.center + t * path.displacement;
      const Matrix3 turned = orthonormalized(rotation_matrix(t * path.rotation) * a[side]);
      moved[i] = Vector3(center + turned * body_point[i]).cast<Real>();
    }
    EXPECT_GE(reference_distance(moved, edge_edge), 0.2L * distance_at(c.query, edge_edge, 0) * (1 - 1e-12L));
  }
}

TEST(CurvedCcd, AGapBelowRoundingIsNotUsed) {
  Curved c = turning_rod(1, 1e-17);
  c.attach(0);
  for (Vector3& x : c.query.x) x += Vector3(1e6, 0, 0);
  c.bodies[0].center[0] = 1e6;
  EXPECT_EQ(time_of(c.query, true, {}), 0);
}

TEST(CurvedCcd, NumbersThatAreNotFiniteAreNotCalledSafe) {
  for (double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    for (int where = 0; where < 4; ++where) {
      for (int axis = 0; axis < 3; ++axis) {
        Curved c = turning_rod(0.1, 3);
        c.attach(0);
        Vector3* const spoilt[4] = {&c.query.x[3], &c.bodies[0].center, &c.bodies[0].displacement,
                                    &c.bodies[0].rotation};
        (*spoilt[where])[axis] = bad;
        EXPECT_EQ(time_of(c.query, true, {}), 0);
        EXPECT_EQ(time_of(c.query, true, {.keep_at_most = 1e-3}), 0);
      }
    }
  }
}

TEST(CurvedCcd, TheIterationLimitGivesASafeTime) {
  Random random(10);
  for (int trial = 0; trial < 300; ++trial) {
    const auto made = make_query(trial % kinds, random);
    double last = 0;
    for (int limit : {0, 1, 2, 5, 20, 10000}) {
      const double t = time_of(made->query, made->edge_edge, {.max_iterations = limit});
      EXPECT_GE(t, last);
      last = t;
    }
  }
}

TEST(CurvedCcd, IsNeverLateNorNeedlesslyEarly) {
  run_queries(4500, 1);
}

TEST(SlowCurvedCcd, IsNeverLateNorNeedlesslyEarly) {
  run_queries(200'000, 2);
}

TEST(CurvedCcd, TimeOfOneQuery) {
  const auto linear = make_additive_ccd();
  std::printf("%-16s %8s %8s %8s us; pieces earlier by %s\n", "", "curved", "pieces", "linear", "(mean)");
  for (int kind = 0; kind < kinds; ++kind) {
    Random random(100 + kind);
    constexpr int count = 1000;
    std::vector<std::unique_ptr<Curved>> queries;
    std::vector<CcdOptions> options;
    for (int i = 0; i < count; ++i) {
      queries.push_back(make_query(kind, random));
      Curved& c = *queries.back();
      for (int k = 0; k < 4; ++k) c.ends[k] = exact_position(c.query, k, 1).cast<double>();
      options.push_back(make_options(4 * i, *queries.back()));
      options.back().max_time = 1;
      options.back().max_iterations = 2000;
    }
    // The quickest of a few rounds: other work on the machine only adds.
    auto measured = [&](auto&& answer) {
      double seconds = std::numeric_limits<double>::infinity(), sum = 0;
      for (int round = 0; round < 5; ++round) {
        const auto start = std::chrono::steady_clock::now();
        sum = 0;
        for (int i = 0; i < count; ++i) sum += answer(*queries[i], options[i]);
        seconds = std::min(seconds,
                           std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      }
      return std::pair{seconds / count * 1e6, sum / count};
    };
    const auto [curved, curved_time] =
        measured([](const Curved& c, const CcdOptions& o) { return time_of(c.query, c.edge_edge, o); });
    const auto [pieces, pieces_time] = measured([&](const Curved& c, const CcdOptions& o) {
      return piece_by_piece(c.query, c.edge_edge, o, *linear);
    });
    const auto [straight, straight_time] = measured([&](const Curved& c, const CcdOptions& o) {
      CcdQuery chord{c.query.x, {}};
      for (int i = 0; i < 4; ++i) chord.p[i] = c.ends[i] - c.query.x[i];
      return c.edge_edge ? linear->edge_edge(chord, o) : linear->point_triangle(chord, o);
    });
    std::printf("%-16s %8.2f %8.2f %8.2f    %.4f\n", kind_names[kind], curved, pieces, straight,
                curved_time - pieces_time);
    EXPECT_GE(curved_time, pieces_time - 0.01);
    EXPECT_GE(straight_time, 0);
  }
}

}  // namespace
}  // namespace bulwark
