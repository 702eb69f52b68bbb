#include <bulwark/collision/broad_phase.hpp>
#include <bulwark/collision/pair_offset.hpp>
#include <bulwark/collision/passed_bodies.hpp>
#include <bulwark/collision/path_ccd.hpp>
#include <bulwark/collision/step_filter.hpp>
#include <bulwark/geometry/box_tree.hpp>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace bulwark {
namespace {

/// Part of the smaller body's width by which two bodies must have moved past each other.
constexpr double least_part = 0.5;
/// More than what rounding makes of bounds of motions and widths.
constexpr double bounds_slack = 1 + 1e-6;
/// Share of the smaller body's size at which bodies on the direct path count as met: there the direction
/// between them is still clear.
constexpr double meeting_part = 1e-3;

/// A body's vertices, motion and the box around its path.
struct Mover {
  int body = 0;
  std::vector<int> vertices;
  Vector3 mean_motion = Vector3::Zero(), low, high;
  double size = 0;          ///< diagonal of its box at the start
  std::array<int, 6> ends;  ///< vertices at the ends of that box
  /// Bounds that spare most pairs of bodies that turn a look at all vertices: of the motion of a vertex against the mean,
  /// and of the width along any direction, which is at least twice the deviation of the vertices along it.
  double largest_turn = 0, least_width = 0;
  const CollisionMesh& mesh;

  Mover(int number, std::vector<int> all, const CollisionMesh& of_mesh, const VertexPath& path,
        const Vectors& end)
      : body(number), vertices(std::move(all)), mesh(of_mesh) {
    Vector3 start_low = path.from.col(vertices[0]), start_high = start_low;
    low = high = start_low;
    ends.fill(vertices[0]);
    for (const int v : vertices) {
      const Vector3 a = path.from.col(v), b = end.col(v), radius = Vector3::Constant(mesh.radius_of(v));
      mean_motion += b - a;
      for (int i = 0; i < 3; ++i) {
        if (a[i] - radius[i] < start_low[i]) ends[i] = v;
        if (a[i] + radius[i] > start_high[i]) ends[3 + i] = v;
      }
      start_low = start_low.cwiseMin(a - radius);
      start_high = start_high.cwiseMax(a + radius);
      low = low.cwiseMin(a.cwiseMin(b) - radius);
      high = high.cwiseMax(a.cwiseMax(b) + radius);
    }
    mean_motion /= static_cast<double>(vertices.size());
    size = (start_high - start_low).norm();
    if (!path.turns.empty()) find_bounds(path, end);
  }

  void find_bounds(const VertexPath& path, const Vectors& end) {
    const double share = 1 / static_cast<double>(vertices.size());
    Vector3 mean = Vector3::Zero();
    for (const int v : vertices) mean += share * path.from.col(v);
    Matrix3 spread = Matrix3::Zero();
    double radius = std::numeric_limits<double>::infinity();
    for (const int v : vertices) {
      const Vector3 motion = end.col(v) - path.from.col(v), arm = path.from.col(v) - mean;
      largest_turn = std::max(largest_turn, (motion - mean_motion).norm());
      spread += share * arm * arm.transpose();
      radius = std::min(radius, mesh.radius_of(v));
    }
    const Eigen::SelfAdjointEigenSolver<Matrix3> eigen(spread, Eigen::EigenvaluesOnly);
    least_width = 2 * (std::sqrt(std::max(0.0, eigen.eigenvalues()[0])) + radius);
  }

  /// Whether its width along a direction is less than `limit`. Looks at the vertices at the ends of its box first, which
  /// mostly tell: most bodies are far wider than what moves past them in a step.
  bool is_narrower(const VertexPath& path, const Vector3& direction, double limit) const {
    double least = direction.dot(path.from.col(vertices[0])), most = least;
    const auto reaches = [&](int v) {
      const double height = direction.dot(path.from.col(v)), radius = mesh.radius_of(v);
      least = std::min(least, height - radius);
      most = std::max(most, height + radius);
      return most - least >= limit;
    };
    return std::none_of(ends.begin(), ends.end(), reaches) &&
           std::none_of(vertices.begin(), vertices.end(), reaches);
  }
  /// The largest motion of a vertex against the mean motion of another body.
  Vector3 largest_motion(const VertexPath& path, const Vectors& end, const Mover& other) const {
    Vector3 largest = mean_motion - other.mean_motion;
    if (path.turn_of_body.empty() || path.turn_of_body[body] < 0) return largest;
    for (const int v : vertices) {
      const Vector3 motion = end.col(v) - path.from.col(v) - other.mean_motion;
      if (motion.squaredNorm() > largest.squaredNorm()) largest = motion;
    }
    return largest;
  }
};

/// Whether two bodies moved far enough against each other to have exchanged sides.
bool moved_past(const Mover& a, const Mover& b, const VertexPath& path, const Vectors& end) {
  for (const auto& [mover, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    const double bound = (mover->mean_motion - other->mean_motion).norm() + mover->largest_turn;
    if (bounds_slack * bound < least_part * std::min(a.least_width, b.least_width)) continue;
    const Vector3 motion = mover->largest_motion(path, end, *other);
    const double length = motion.norm();
    if (!(length > 0)) continue;
    const Vector3 direction = motion / length;
    const double limit = length / least_part;
    if (a.is_narrower(path, direction, limit) || b.is_narrower(path, direction, limit)) return true;
  }
  return false;
}

/// Pairs of movers whose boxes overlap and which moved far enough.
std::vector<std::array<int, 2>> suspects(const CollisionMesh& mesh, const std::vector<Mover>& movers,
                                         const VertexPath& path, const Vectors& end) {
  std::vector<Box> boxes(movers.size());
  std::vector<BoxTree::Owner> owners(movers.size());
  for (std::size_t k = 0; k < movers.size(); ++k) {
    const Mover& mover = movers[k];
    for (int i = 0; i < 3; ++i) {
      boxes[k].lower[i] = mover.low[i];
      boxes[k].upper[i] = mover.high[i];
    }
    owners[k] = {mover.body, mesh.bodies[mover.body].obstacle};
  }
  BoxTree tree;
  tree.build(boxes, owners);
  std::vector<std::array<int, 2>> pairs;
  for (std::size_t k = 0; k < movers.size(); ++k) {
    const Mover& a = movers[k];
    tree.for_each_overlapping(boxes[k], [&](int other) {
      const Mover& b = movers[other];
      // Movers are in the order of their bodies: every pair is looked at once.
      if (a.body < b.body && mesh.may_collide(a.body, b.body) && moved_past(a, b, path, end))
        pairs.push_back({a.body, b.body});
    });
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// Where two bodies meet first along a path: the direction from the second to the first; none where they do
/// not meet.
struct Meeting {
  double time = 1;
  Vector3 direction = Vector3::Zero();
};

class Meetings {
 public:
  Meetings(const CollisionMesh& mesh, const VertexPath& path)
      : mesh_(mesh), path_(path), ccd_(make_additive_ccd()), path_ccd_(mesh, path, *ccd_) {}

  template <class Candidate>
  void include(const Candidate& candidate, int first_body, double near, Meeting& meeting) const {
    CcdOptions options;
    options.keep_fraction = 0.5;
    options.keep_at_most = near;
    options.minimum_distance = pair_offset(mesh_, candidate);
    options.max_time = meeting.time;
    const double time = path_ccd_.time(candidate, options);
    if (!(time < meeting.time)) return;
    const std::array<int, 4> v = vertices_of(mesh_, candidate);
    std::array<Vector3, 4> x;
    for (int i = 0; i < 4; ++i) x[i] = position(v[i], time);
    const ClosestPoints closest = closest_points_of_pair(features_of(candidate, x), x.data());
    // r is the weighted sum of the vertices: the weights of each side add up to 1 or -1.
    double side = 0;
    for (int i = 0; i < 4; ++i) {
      if (mesh_.vertex_body[v[i]] == first_body) side += closest.weight[i];
    }
    meeting = {time, side > 0 ? closest.r : Vector3(-closest.r)};
  }

 private:
  Vector3 position(int vertex, double time) const {
    const Vector3 from = path_.from.col(vertex), there = from + time * path_.straight.col(vertex);
    const BodyPath* turn = path_.turn_of(mesh_, vertex);
    if (turn == nullptr) return there;
    const Vector3 rotation = time * turn->rotation;
    return there + arm_displacement(rotation, rodrigues_coefficients(rotation.norm()), from - turn->center);
  }

  const CollisionMesh& mesh_;
  const VertexPath& path_;
  std::unique_ptr<Ccd> ccd_;
  PathCcd path_ccd_;
};

}  // namespace

std::vector<std::array<int, 2>> passed_bodies(const CollisionMesh& mesh, const VertexPath& path) {
  const Vectors end = path.at(mesh, 1);
  std::vector<std::vector<int>> vertices(mesh.bodies.size());
  for (int v = 0; v < mesh.vertex_count(); ++v) vertices[mesh.vertex_body[v]].push_back(v);
  for (const CollisionPlane& plane : mesh.planes) vertices[plane.body].clear();
  std::vector<Mover> movers;
  std::vector<int> mover_of(mesh.bodies.size(), -1);
  for (std::size_t b = 0; b < vertices.size(); ++b) {
    if (vertices[b].empty() || !mesh.bodies[b].collides) continue;
    mover_of[b] = static_cast<int>(movers.size());
    movers.emplace_back(static_cast<int>(b), std::move(vertices[b]), mesh, path, end);
  }
  const std::vector<std::array<int, 2>> pairs = suspects(mesh, movers, path, end);
  if (pairs.empty()) return {};

  std::vector<char> involved(mesh.bodies.size(), 0);
  for (const auto& [a, b] : pairs) involved[a] = involved[b] = 1;
  const CollisionMesh own = mesh_of_bodies(mesh, involved);
  VertexBoxes boxes = swept_boxes(path.from, end, 0);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (!involved[mesh.vertex_body[v]]) continue;
    const double near = meeting_part * movers[mover_of[mesh.vertex_body[v]]].size;
    const BodyPath* turn = path.turn_of(mesh, v);
    const Vector3 more = Vector3::Constant(near) +
                         (turn != nullptr ? path_bulge(*turn, path.from.col(v)) : Vector3::Zero().eval());
    boxes.lower.col(v) -= more;
    boxes.upper.col(v) += more;
  }
  grow_by_radii(mesh, boxes);
  Candidates candidates = make_bvh()->find(own, boxes, max_candidates);
  if (!candidates.complete) return {};
  group_by_bodies(own, candidates);
  const VertexPath back = path.reversed(end);
  const Meetings forth_meetings(own, path), back_meetings(own, back);
  std::vector<std::array<int, 2>> passed;
  for (const BodyGroup& group : candidates.groups) {
    const std::array<int, 2> pair = {group.body_a, group.body_b};
    if (!std::binary_search(pairs.begin(), pairs.end(), pair)) continue;
    const double near =
        meeting_part * std::min(movers[mover_of[pair[0]]].size, movers[mover_of[pair[1]]].size);
    Meeting first, last;
    auto include_all = [&](const Meetings& meetings, Meeting& meeting) {
      for (std::size_t k = group.point_begin; k < group.point_end; ++k)
        meetings.include(candidates.point_triangle[k], pair[0], near, meeting);
      for (std::size_t k = group.edge_begin; k < group.edge_end; ++k)
        meetings.include(candidates.edge_edge[k], pair[0], near, meeting);
    };
    include_all(forth_meetings, first);
    if (!(first.time < 1)) continue;
    include_all(back_meetings, last);
    if (last.time < 1 && first.direction.dot(last.direction) < 0) passed.push_back(pair);
  }
  return passed;
}

}  // namespace bulwark
