#include <bulwark/collision/parting.hpp>

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

namespace bulwark {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Pairs of pieces that are looked at for one direction; with more, the convex hulls have to do.
constexpr std::size_t most_pairs = 1'000'000;

using Piece = std::array<Vector3, 3>;

struct Interval {
  double low = -infinity, high = infinity;
  bool empty() const { return !(low < high); }
};

struct PartBox {
  Vector3 low = Vector3::Constant(infinity), high = -low;

  void add(const Vector3& x) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  /// Around this box and all of its way along `path`, wider by `margin`.
  PartBox swept(const Vector3& path, double margin) const {
    return {low.cwiseMin(low + path).array() - margin, high.cwiseMax(high + path).array() + margin};
  }
  bool meets(const PartBox& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
};

PartBox box_of(const Piece& piece) {
  PartBox box;
  for (const Vector3& x : piece) box.add(x);
  return box;
}

/// Narrows the interval to where the two are within `margin` of each other on the axis.
void narrow(Interval& interval, const Vector3& axis, const Piece& a, const Piece& b, const Vector3& d,
            double margin) {
  const double length = axis.norm();
  if (!(length > 0)) return;
  const Vector3 n = axis / length;
  double a_low = infinity, a_high = -infinity, b_low = infinity, b_high = -infinity;
  for (int k = 0; k < 3; ++k) {
    a_low = std::min(a_low, n.dot(a[k]));
    a_high = std::max(a_high, n.dot(a[k]));
    b_low = std::min(b_low, n.dot(b[k]));
    b_high = std::max(b_high, n.dot(b[k]));
  }
  constexpr double across = 1e-12;  // the motion does not change this axis
  const double s = n.dot(d), to_low = b_low - margin - a_high, to_high = b_high + margin - a_low;
  if (std::abs(s) < across) {
    if (to_low > 0 || to_high < 0) interval.high = -infinity;
    return;
  }
  interval.low = std::max(interval.low, std::min(to_low / s, to_high / s));
  interval.high = std::min(interval.high, std::max(to_low / s, to_high / s));
}

/// The ways t at which a + t d is within `margin` of b on all axes.
Interval near_interval(const Piece& a, const Piece& b, const Vector3& d, double margin) {
  Interval interval;
  for (int k = 0; k < 3 && !interval.empty(); ++k) narrow(interval, Vector3::Unit(k), a, b, d, margin);
  if (interval.empty()) return interval;
  const std::array<Vector3, 3> p = {a[1] - a[0], a[2] - a[1], a[0] - a[2]};
  const std::array<Vector3, 3> q = {b[1] - b[0], b[2] - b[1], b[0] - b[2]};
  const Vector3 of_a = p[0].cross(p[1]), of_b = q[0].cross(q[1]);
  narrow(interval, of_a, a, b, d, margin);
  narrow(interval, of_b, a, b, d, margin);
  for (int k = 0; k < 3 && !interval.empty(); ++k) {
    for (int l = 0; l < 3; ++l) narrow(interval, p[k].cross(q[l]), a, b, d, margin);
    // Beside each other in one plane, they are apart on an axis of that plane.
    narrow(interval, of_a.cross(p[k]), a, b, d, margin);
    narrow(interval, of_b.cross(q[k]), a, b, d, margin);
  }
  return interval;
}

/// Whether a ray from the point passes an odd number of triangles. Its direction is one that meshes hardly
/// have.
bool is_inside(const Vector3& point, const LooseSurface& surface) {
  const Vector3 ray = Vector3(0.5377, 0.7691, 0.3459).normalized();
  bool inside = false;
  for (const Piece& t : surface.pieces) {
    const Vector3 u = t[1] - t[0], v = t[2] - t[0], p = ray.cross(v);
    const double determinant = u.dot(p);
    if (determinant == 0) continue;
    const Vector3 w = point - t[0], q = w.cross(u);
    const double s = w.dot(p) / determinant, r = ray.dot(q) / determinant;
    if (s >= 0 && r >= 0 && s + r <= 1 && v.dot(q) / determinant > 0) inside = !inside;
  }
  return inside;
}

/// Two surfaces with the boxes of their pieces.
class Parter {
 public:
  Parter(const LooseSurface& moving, const LooseSurface& other, double margin)
      : moving_(moving), other_(other), margin_(margin) {
    for (const Piece& piece : moving.pieces) moving_boxes_.push_back(box_of(piece));
    for (const Piece& piece : other.pieces) other_boxes_.push_back(box_of(piece));
    for (const PartBox& box : moving_boxes_) {
      whole_.add(box.low);
      whole_.add(box.high);
    }
  }

  /// The way that surely is enough: then the convex hulls are apart.
  double hull_way(const Vector3& d) const {
    double least = infinity, most = -infinity;
    for (const Piece& piece : moving_.pieces) {
      for (const Vector3& x : piece) least = std::min(least, d.dot(x));
    }
    for (const Piece& piece : other_.pieces) {
      for (const Vector3& x : piece) most = std::max(most, d.dot(x));
    }
    return std::max(0.0, most - least + margin_);
  }

  /// The way along d, looked for up to `hull`. Infinite when it is not shorter than `bound`.
  Parting along(const Vector3& d, double hull, double bound) const {
    // A point has no size to begin with.
    for (double reach = std::max(0.1 * (whole_.high - whole_.low).norm(), 0.01 * hull);; reach *= 4) {
      reach = std::min(reach, hull);
      std::vector<Interval> taken;
      if (!collect(d, reach, taken)) return {d, hull, false};
      const double way = first_free(d, taken);
      if (way < reach || reach >= hull) return {d, std::min(way, hull), true};
      if (reach >= bound) return {d, infinity, true};
    }
  }

 private:
  /// Intervals that begin before `reach` and end after 0, in order; false when there is too much to look at.
  bool collect(const Vector3& d, double reach, std::vector<Interval>& taken) const {
    const PartBox region = whole_.swept(reach * d, margin_);
    std::vector<std::size_t> near;
    for (std::size_t j = 0; j < other_boxes_.size(); ++j) {
      if (region.meets(other_boxes_[j])) near.push_back(j);
    }
    if (near.size() * moving_boxes_.size() > most_pairs) return false;
    for (std::size_t i = 0; i < moving_boxes_.size(); ++i) {
      const PartBox path = moving_boxes_[i].swept(reach * d, margin_);
      for (const std::size_t j : near) {
        if (!path.meets(other_boxes_[j])) continue;
        const Interval interval = near_interval(moving_.pieces[i], other_.pieces[j], d, margin_);
        if (!interval.empty() && interval.high > 0 && interval.low < reach) taken.push_back(interval);
      }
    }
    std::sort(taken.begin(), taken.end(), [](const Interval& a, const Interval& b) { return a.low < b.low; });
    return true;
  }

  double first_free(const Vector3& d, const std::vector<Interval>& taken) const {
    double way = 0;
    for (const Interval& interval : taken) {
      if (interval.low > way && !one_in_the_other(way * d)) return way;
      way = std::max(way, interval.high);
    }
    return one_in_the_other(way * d) ? infinity : way;
  }

  bool one_in_the_other(const Vector3& shift) const {
    return (other_.closed && is_inside(moving_.pieces[0][0] + shift, other_)) ||
           (moving_.closed && is_inside(other_.pieces[0][0] - shift, moving_));
  }

  const LooseSurface& moving_;
  const LooseSurface& other_;
  double margin_;
  std::vector<PartBox> moving_boxes_, other_boxes_;
  PartBox whole_;  ///< around what moves
};

}  // namespace

Parting find_parting(const LooseSurface& moving, const LooseSurface& other,
                     const std::vector<Vector3>& directions, double margin) {
  const Parter parter(moving, other, margin);
  struct Try {
    Vector3 direction;
    double hull;
  };
  std::vector<Try> tries;
  for (const Vector3& given : directions) {
    if (!(given.norm() > 0)) continue;
    const Vector3 d = given.normalized();
    const bool known =
        std::any_of(tries.begin(), tries.end(), [&](const Try& t) { return t.direction.dot(d) > 1 - 1e-9; });
    if (!known) tries.push_back({d, parter.hull_way(d)});
  }
  std::stable_sort(tries.begin(), tries.end(), [](const Try& a, const Try& b) { return a.hull < b.hull; });
  Parting best;
  best.way = infinity;
  for (const Try& t : tries) {
    const Parting found = parter.along(t.direction, t.hull, best.way);
    constexpr double shorter = 1 - 1e-6;  // rounding does not choose among equal ways
    if (found.way < shorter * best.way) best = found;
  }
  return best;
}

}  // namespace bulwark
