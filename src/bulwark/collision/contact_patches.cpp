#include <bulwark/base/joined_sets.hpp>
#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/contact_patches.hpp>
#include <bulwark/stencils/triangle_overlap.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

namespace bulwark {
namespace {

/// A pillar with less than this part of its patch's volume acts at its center.
constexpr double small_share = 1.0 / 32;
/// The side with less than this part of the other's area has not seen all of the patch.
constexpr double seen_part = 0.5;

constexpr std::size_t pairs_at_once = 1 << 16;

/// Which body's faces pillars stand on.
enum Base { on_b, on_a };

/// Two triangles, or a triangle and a plane, that may overlap.
struct NearPair {
  int a, b;   ///< of the mesh, that of the body with the smaller number first; -1 for a plane
  int plane;  ///< -1 for none
  int body_a, body_b;
};

/// Sums of one pillar.
struct Pillar {
  double area = 0, volume = 0, deepest = 0;
  Vector3 normal = Vector3::Zero();  ///< from b to a
};

using Corners = std::array<Vector3, 3>;

struct Narrow {
  const CollisionMesh& mesh;
  const Vectors& positions;
  const std::vector<double>& depth_limit;
  const std::vector<double>& walls;

  Corners corners(int triangle) const {
    const Triangle& t = mesh.triangles[triangle];
    return {positions.col(t[0]), positions.col(t[1]), positions.col(t[2])};
  }

  TriangleOverlap overlap(const NearPair& pair, Base base) const {
    if (pair.plane >= 0) {
      const CollisionPlane& plane = mesh.planes[pair.plane];
      const Corners a = corners(pair.b < 0 ? pair.a : pair.b);
      return overlap_with_plane(a.data(), positions.col(plane.vertex), plane.normal);
    }
    const Corners a = corners(pair.a), b = corners(pair.b);
    double limit = std::min(depth_limit[pair.body_a], depth_limit[pair.body_b]);
    if (!walls.empty()) limit = std::min(limit, 0.5 * std::min(walls[pair.a], walls[pair.b]));
    return base == on_b ? overlap_with_triangle(a.data(), b.data(), limit)
                        : overlap_with_triangle(b.data(), a.data(), limit);
  }

  Pillar pillar(const NearPair& pair, Base base) const {
    if (pair.plane >= 0 && (base == on_b) != (pair.b < 0))
      return {};  // a triangle has no plane's part behind it
    const TriangleOverlap o = overlap(pair, base);
    if (o.corners == 0 || !(o.volume > 0)) return {};
    return {o.area, o.volume, o.deepest, base == on_b ? o.normal : Vector3(-o.normal)};
  }

  /// Half way between the two surfaces.
  Vector3 place(const PatchPoint& point, Base base, int plane) const {
    const double sign = base == on_b ? 1 : -1;
    Vector3 above = Vector3::Zero(), below = Vector3::Zero();
    for (int i = 0; i < 3; ++i) {
      above += sign * point.weight[i] * positions.col(point.vertex[i]);
      if (plane < 0) below -= sign * point.weight[3 + i] * positions.col(point.vertex[3 + i]);
    }
    if (plane >= 0) {
      const CollisionPlane& of = mesh.planes[plane];
      below = above + of.normal.dot(positions.col(of.vertex) - above) * of.normal;
    }
    return 0.5 * (above + below);
  }

  /// Appends the points of a pillar, with their volumes for shares.
  void add_points(const NearPair& pair, Base base, bool as_one, std::vector<PatchPoint>& points) const {
    const TriangleOverlap o = overlap(pair, base);
    const int below = base == on_b ? pair.b : pair.a, above = base == on_b ? pair.a : pair.b;
    Corners faces;
    if (below >= 0) faces = corners(below);
    const Vector3* b = below >= 0 ? faces.data() : nullptr;
    std::array<PillarPoint, 3 * (TriangleOverlap::most_corners - 2)> found;
    int count = 1;
    if (as_one) {
      found[0] = pillar_center(o, b);
    } else {
      count = pillar_points(o, b, found.data());
    }
    const double sign = base == on_b ? 1 : -1;
    for (int k = 0; k < count; ++k) {
      if (!(found[k].volume > 0)) continue;
      PatchPoint& point = points.emplace_back();
      point.share = found[k].volume;
      for (int i = 0; i < 3; ++i) {
        point.vertex[i] = mesh.triangles[above][i];
        point.weight[i] = sign * found[k].first[i];
        point.vertex[3 + i] = below >= 0 ? mesh.triangles[below][i] : -1;
        point.weight[3 + i] = below >= 0 ? -sign * found[k].second[i] : 0;
      }
      if (below >= 0) continue;
      point.vertex[3] = mesh.planes[pair.plane].vertex;
      point.weight[3] = -sign;
    }
  }
};

/// Gives each of the triangles the smallest one of those that it hangs together with. By corners, as faces around a
/// corner that dips into a plane may have no edge in common that is in it.
class Islands {
 public:
  Islands(const CollisionMesh& mesh, std::vector<int> triangles)
      : triangles_(std::move(triangles)), sets_(0) {
    std::sort(triangles_.begin(), triangles_.end());
    triangles_.erase(std::unique(triangles_.begin(), triangles_.end()), triangles_.end());
    sets_ = JoinedSets(triangles_.size());
    std::vector<std::array<int, 2>> corners;  // a vertex, and the place of a triangle
    for (std::size_t k = 0; k < triangles_.size(); ++k) {
      for (const int v : mesh.triangles[triangles_[k]]) corners.push_back({v, static_cast<int>(k)});
    }
    std::sort(corners.begin(), corners.end());
    for (std::size_t c = 1; c < corners.size(); ++c) {
      if (corners[c][0] == corners[c - 1][0]) sets_.join(corners[c][1], corners[c - 1][1]);
    }
  }
  int of(int triangle) {
    const auto place = std::lower_bound(triangles_.begin(), triangles_.end(), triangle);
    return triangles_[sets_.find(static_cast<int>(place - triangles_.begin()))];
  }

 private:
  std::vector<int> triangles_;
  JoinedSets sets_;
};

/// A pair that overlaps, with its pillars on both sides.
struct FoundPair {
  NearPair pair;
  std::array<Pillar, 2> pillar;
  std::array<int, 2> island = {-1, -1};
};

/// The patch that some pairs make with pillars on one side.
ContactPatch reduced(const FoundPair* begin, const FoundPair* end, Base base) {
  ContactPatch patch;
  patch.body_a = begin->pair.body_a;
  patch.body_b = begin->pair.body_b;
  Vector3 sum = Vector3::Zero();
  for (const FoundPair* f = begin; f != end; ++f) sum += f->pillar[base].area * f->pillar[base].normal;
  if (!(sum.norm() > 0)) return patch;
  patch.normal = sum.normalized();
  for (const FoundPair* f = begin; f != end; ++f) {
    const Pillar& p = f->pillar[base];
    const double facing = std::max(0.0, p.normal.dot(patch.normal));
    patch.area += p.area * facing;
    patch.depth = std::max(patch.depth, p.deepest * facing);
    patch.volume += p.volume;
  }
  return patch;
}

Base better_base(const std::array<ContactPatch, 2>& of) {
  if (of[on_a].area < seen_part * of[on_b].area) return on_b;
  if (of[on_b].area < seen_part * of[on_a].area) return on_a;
  return of[on_a].depth < of[on_b].depth ? on_a : on_b;
}

}  // namespace

double ContactPatch::growth() const {
  constexpr double sharpest = 2;  // a cone's
  return volume > 0 ? std::clamp(area * depth / volume - 1, 0.0, sharpest) : 0.0;
}

ContactPatches contact_patches(const CollisionMesh& mesh, const Vectors& positions,
                               const TrianglePairs& pairs, const std::vector<double>& depth_limit,
                               const std::vector<double>& walls) {
  const Narrow narrow = {mesh, positions, depth_limit, walls};
  const auto body_of = [&](int triangle) { return mesh.vertex_body[mesh.triangles[triangle][0]]; };
  const std::size_t near = pairs.triangles.size() + pairs.on_planes.size();
  const auto found_pair = [&](std::size_t k) {
    FoundPair found;
    if (k < pairs.triangles.size()) {
      const auto& [a, b] = pairs.triangles[k];
      found.pair = {a, b, -1, body_of(a), body_of(b)};
    } else {
      const auto& [triangle, plane] = pairs.on_planes[k - pairs.triangles.size()];
      const int body = body_of(triangle), other = mesh.planes[plane].body;
      found.pair = body < other ? NearPair{triangle, -1, plane, body, other}
                                : NearPair{-1, triangle, plane, other, body};
    }
    for (const Base base : {on_b, on_a}) found.pillar[base] = narrow.pillar(found.pair, base);
    return found;
  };
  // Of the many that are near, few overlap: only these are kept.
  std::vector<FoundPair> all, part;
  for (std::size_t first = 0; first < near; first += pairs_at_once) {
    part.assign(std::min(pairs_at_once, near - first), {});
    parallel_for(part.size(), [&](std::size_t k) { part[k] = found_pair(first + k); });
    std::copy_if(part.begin(), part.end(), std::back_inserter(all),
                 [](const FoundPair& f) { return f.pillar[on_a].volume > 0 || f.pillar[on_b].volume > 0; });
  }
  // The triangles of one body hang together in different ways for each body that they touch.
  const auto bodies = [](const FoundPair& f) {
    return std::tuple(f.pair.body_a, f.pair.body_b, f.pair.plane);
  };
  const auto key = [&](const FoundPair& f) {
    return std::tuple(f.pair.body_a, f.pair.body_b, f.pair.plane, f.island[0], f.island[1], f.pair.a,
                      f.pair.b);
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const FoundPair& f, const FoundPair& g) { return bodies(f) < bodies(g); });
  for (std::size_t first = 0, end = 0; first < all.size(); first = end) {
    while (end < all.size() && bodies(all[end]) == bodies(all[first])) ++end;
    std::array<std::vector<int>, 2> sides;
    for (std::size_t k = first; k < end; ++k) {
      if (all[k].pair.a >= 0) sides[0].push_back(all[k].pair.a);
      if (all[k].pair.b >= 0) sides[1].push_back(all[k].pair.b);
    }
    Islands of_a(mesh, std::move(sides[0])), of_b(mesh, std::move(sides[1]));
    for (std::size_t k = first; k < end; ++k) {
      if (all[k].pair.a >= 0) all[k].island[0] = of_a.of(all[k].pair.a);
      if (all[k].pair.b >= 0) all[k].island[1] = of_b.of(all[k].pair.b);
    }
  }
  std::sort(all.begin(), all.end(), [&](const FoundPair& f, const FoundPair& g) { return key(f) < key(g); });

  ContactPatches result;
  const auto patch_of = [&](const FoundPair& f) {
    return std::tuple(f.pair.body_a, f.pair.body_b, f.pair.plane, f.island[0], f.island[1]);
  };
  for (std::size_t first = 0, end = 0; first < all.size(); first = end) {
    while (end < all.size() && patch_of(all[end]) == patch_of(all[first])) ++end;
    const std::array<ContactPatch, 2> of = {reduced(&all[first], &all[first] + (end - first), on_b),
                                            reduced(&all[first], &all[first] + (end - first), on_a)};
    const Base base = better_base(of);
    ContactPatch patch = of[base];
    if (!(patch.area > 0) || !(patch.volume > 0)) continue;
    patch.first_point = result.points.size();
    for (std::size_t k = first; k < end; ++k) {
      const double volume = all[k].pillar[base].volume;
      if (volume > 0)
        narrow.add_points(all[k].pair, base, volume < small_share * patch.volume, result.points);
    }
    patch.point_count = result.points.size() - patch.first_point;
    double sum = 0;
    for (std::size_t k = patch.first_point; k < result.points.size(); ++k) sum += result.points[k].share;
    patch.point.setZero();
    for (std::size_t k = patch.first_point; k < result.points.size(); ++k) {
      PatchPoint& point = result.points[k];
      point.share /= sum;
      patch.point += point.share * narrow.place(point, base, all[first].pair.plane);
    }
    result.patches.push_back(patch);
  }
  return result;
}

}  // namespace bulwark
