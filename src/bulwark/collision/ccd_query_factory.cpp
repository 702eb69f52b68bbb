#include <bulwark/collision/ccd_query_factory.hpp>

#include <Eigen/Geometry>
#include <cmath>

namespace bulwark {
namespace {

/// SplitMix64: a generator small enough to give every query its own, and the same everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53;
  }
  int integer(int low, int high) {
    return low + static_cast<int>(bits() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(double share) { return uniform(0, 1) < share; }
  /// 10^x with x uniform.
  double power(double low, double high) { return std::pow(10.0, uniform(low, high)); }
  Vector3 vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  Vector3 grid(int size, double spacing) {
    return spacing * Vector3(integer(-size, size), integer(-size, size), integer(-size, size));
  }
  Matrix3 turn() {
    const Vector3 axis = vector(1) + Vector3(0, 0, 1e-3);
    return Eigen::AngleAxisd(uniform(0, 6.28), axis.normalized()).toRotationMatrix();
  }

 private:
  std::uint64_t state_;
};

void transform(MovingPair& q, const Matrix3& turn, const Vector3& shift) {
  for (int i = 0; i < 4; ++i) {
    q.start[i] = turn * q.start[i] + shift;
    q.end[i] = turn * q.end[i] + shift;
  }
}

MovingPair random_query(Random& r, double size) {
  MovingPair q;
  const double motion = size * r.power(-2, 0.5);
  for (int i = 0; i < 4; ++i) {
    q.start[i] = r.vector(size);
    q.end[i] = q.start[i] + r.vector(motion);
  }
  return q;
}

MovingPair coplanar(Random& r) {
  MovingPair q = random_query(r, 1);
  const double thickness = r.chance(0.4) ? 0 : r.power(-17, -3);
  for (int i = 0; i < 4; ++i) {
    q.start[i][2] *= thickness;
    q.end[i][2] *= thickness;
  }
  if (r.chance(0.5)) transform(q, r.turn(), Vector3::Zero());
  return q;
}

MovingPair parallel(Random& r, CcdKind kind) {
  MovingPair q;
  const Vector3 along = r.vector(1), across = r.vector(1);
  const double noise = r.chance(0.3) ? 0 : r.power(-17, -6);
  const double gap = r.power(-6, 0);
  if (kind == CcdKind::edge_edge) {
    q.start = {Vector3::Zero(), along, gap * across + r.uniform(-1, 1) * along,
               gap * across + r.uniform(-1, 1) * along};
  } else {
    const Vector3 other = r.vector(1);
    q.start = {gap * across + r.uniform(-1, 2) * along, Vector3::Zero(), along,
               r.chance(0.3) ? Vector3(r.uniform(-1, 2) * along) : other};
  }
  const Vector3 motion = -r.uniform(0.5, 3) * gap * across + r.uniform(-1, 1) * along;
  const bool first_moves = kind == CcdKind::point_triangle;
  for (int i = 0; i < 4; ++i) {
    const bool moves = first_moves ? i == 0 : i >= 2;
    q.start[i] += r.vector(noise);
    q.end[i] = q.start[i] + (moves ? motion : Vector3(Vector3::Zero())) + r.vector(noise);
  }
  return q;
}

/// In the plane z = 0 (the second primitive) and just above it (the first), which slides.
MovingPair sliding(Random& r, CcdKind kind) {
  MovingPair q;
  const double gap = r.chance(0.2) ? 0 : r.power(-16, -2);
  const int first = kind == CcdKind::edge_edge ? 2 : 1;
  const Vector3 motion(r.uniform(-2, 2), r.uniform(-2, 2), r.chance(0.5) ? 0 : r.uniform(-1.5, 1.5) * gap);
  for (int i = 0; i < 4; ++i) {
    q.start[i] = Vector3(r.uniform(-1, 1), r.uniform(-1, 1), i < first ? gap : 0);
    q.end[i] = q.start[i] + (i < first ? motion : Vector3(Vector3::Zero()));
  }
  if (r.chance(0.5)) transform(q, r.turn(), Vector3::Zero());
  return q;
}

/// Meets the second primitive at a point of it, at a time inside the motion, up to a miss near rounding
/// errors; or turns back there, so that the roots are double.
MovingPair grazing(Random& r, CcdKind kind) {
  MovingPair q;
  for (Vector3& x : q.start) x = r.chance(0.5) ? r.grid(8, 0.125) : r.vector(1);
  for (Vector3& x : q.end) x = r.chance(0.5) ? r.grid(8, 0.125) : r.vector(1);
  const double t = r.integer(0, 16) / 16.0, u = r.integer(0, 4) / 4.0, v = r.integer(0, 4) / 4.0 * (1 - u);
  auto at = [&](int i) -> Vector3 { return (1 - t) * q.start[i] + t * q.end[i]; };
  const Vector3 miss = r.chance(0.3) ? Vector3(Vector3::Zero()) : r.vector(r.power(-17, -6));
  // The first point of the pair is put where the meeting asks for it.
  Vector3 wanted;
  if (kind == CcdKind::edge_edge) {
    const Vector3 other = (1 - v) * at(2) + v * at(3);
    const double s = r.integer(0, 3) / 4.0;
    wanted = (other - s * at(1)) / (1 - s);
  } else {
    wanted = (1 - u - v) * at(1) + u * at(2) + v * at(3);
  }
  const Vector3 motion = q.end[0] - q.start[0];
  q.start[0] = wanted + miss - t * motion;
  q.end[0] = q.start[0] + motion;
  return q;
}

MovingPair degenerate(Random& r) {
  MovingPair q;
  const int size = r.integer(1, 4);
  const double spacing = r.chance(0.5) ? 0.25 : 0.1;
  for (Vector3& x : q.start) x = r.grid(size, spacing);
  for (int i = 0; i < 4; ++i) q.end[i] = r.chance(0.3) ? q.start[i] : r.grid(size, spacing);
  if (r.chance(0.3)) {
    const int from = r.integer(0, 3), to = r.integer(0, 3);
    q.start[to] = q.start[from];
    if (r.chance(0.5)) q.end[to] = q.end[from];
  }
  if (r.chance(0.1)) q.end = q.start;
  if (r.chance(0.2)) {
    const Vector3 motion = r.grid(size, spacing);
    for (int i = 1; i < 4; ++i) q.end[i] = q.start[i] + motion;
  }
  return q;
}

/// Elements of a mesh with edges of about 0.05, a part of an edge apart, whose bodies move by a part of an
/// edge.
MovingPair simulation(Random& r, CcdKind kind) {
  const double edge = 0.05;
  MovingPair q;
  const double gap = edge * r.power(-3, 0), motion = edge * r.power(-3, 0);
  const int first = kind == CcdKind::edge_edge ? 2 : 1;
  const Vector3 first_motion = r.vector(motion), second_motion = r.vector(motion);
  for (int i = 0; i < 4; ++i) {
    const bool upper = i < first;
    q.start[i] = Vector3(r.uniform(-edge, edge), r.uniform(-edge, edge),
                         r.uniform(0, 0.2) * edge + (upper ? gap : -0.2 * edge));
    q.end[i] = q.start[i] + (upper ? first_motion : second_motion) + r.vector(0.1 * motion);
  }
  transform(q, r.turn(), r.vector(1));
  return q;
}

}  // namespace

const char* name_of(QueryFamily family) {
  constexpr const char* names[query_family_count] = {"random",     "coplanar",  "parallel", "sliding",
                                                     "grazing",    "tiny",      "huge",     "far",
                                                     "degenerate", "simulation"};
  return names[static_cast<int>(family)];
}

MovingPair make_query(QueryFamily family, CcdKind kind, std::uint64_t seed, std::uint64_t index) {
  Random r(
      Random(seed * 64 + static_cast<std::uint64_t>(family) * 2 + static_cast<std::uint64_t>(kind)).bits() ^
      (index * 0xd1342543de82ef95u));
  switch (family) {
    case QueryFamily::random:
      return random_query(r, 1);
    case QueryFamily::coplanar:
      return coplanar(r);
    case QueryFamily::parallel:
      return parallel(r, kind);
    case QueryFamily::sliding:
      return sliding(r, kind);
    case QueryFamily::grazing:
      return grazing(r, kind);
    case QueryFamily::tiny:
    case QueryFamily::huge: {
      MovingPair q = r.chance(0.5) ? grazing(r, kind) : random_query(r, 1);
      const double scale = family == QueryFamily::tiny ? r.power(-12, -6) : r.power(6, 12);
      for (int i = 0; i < 4; ++i) {
        q.start[i] *= scale;
        q.end[i] *= scale;
      }
      return q;
    }
    case QueryFamily::far: {
      MovingPair q = r.chance(0.5) ? grazing(r, kind) : random_query(r, 1);
      transform(q, Matrix3::Identity() * r.power(-4, 0), r.vector(r.power(1, 8)));
      return q;
    }
    case QueryFamily::degenerate:
      return degenerate(r);
    case QueryFamily::simulation:
      break;
  }
  return simulation(r, kind);
}

}  // namespace bulwark
