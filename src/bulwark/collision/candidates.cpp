#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/broad_phase.hpp>
#include <bulwark/collision/candidates.hpp>
#include <bulwark/collision/collision_mesh.hpp>
#include <bulwark/collision/contact_scales.hpp>
#include <bulwark/collision/primitive_boxes.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <unordered_map>

namespace bulwark {
namespace {

using Bodies = std::array<int, 2>;

Bodies bodies_of(const CollisionMesh& mesh, const PointTriangleCandidate& c) {
  const auto [a, b] = std::minmax(mesh.vertex_body[c.point], mesh.vertex_body[mesh.triangles[c.triangle][0]]);
  return {a, b};
}

Bodies bodies_of(const CollisionMesh& mesh, const EdgeEdgeCandidate& c) {
  const auto [a, b] =
      std::minmax(mesh.vertex_body[mesh.edges[c.edge_a][0]], mesh.vertex_body[mesh.edges[c.edge_b][0]]);
  return {a, b};
}

/// Numbers pairs of bodies as they come.
struct PairNumbers {
  std::unordered_map<std::uint64_t, int> number;
  std::vector<Bodies> pairs;

  int of(const Bodies& bodies) {
    const auto [place, is_new] =
        number.try_emplace(body_pair_key(bodies[0], bodies[1]), static_cast<int>(pairs.size()));
    if (is_new) pairs.push_back(bodies);
    return place->second;
  }
};

/// The pair number of each candidate; neighbours in the list mostly have the same.
template <class Candidate>
std::vector<int> pair_numbers(const CollisionMesh& mesh, const std::vector<Candidate>& candidates,
                              PairNumbers& numbers) {
  std::vector<int> result(candidates.size());
  Bodies last = {-1, -1};
  int number = -1;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const Bodies bodies = bodies_of(mesh, candidates[k]);
    if (bodies != last) {
      last = bodies;
      number = numbers.of(bodies);
    }
    result[k] = number;
  }
  return result;
}

/// Stable ordering by group; returns where each group begins, and the end.
template <class Candidate>
std::vector<std::size_t> reorder(std::vector<Candidate>& candidates, const std::vector<int>& pair,
                                 const std::vector<int>& group_of_pair) {
  std::vector<std::size_t> start(group_of_pair.size() + 1, 0);
  for (const int p : pair) ++start[group_of_pair[p] + 1];
  for (std::size_t g = 1; g < start.size(); ++g) start[g] += start[g - 1];
  std::vector<std::size_t> next(start.begin(), start.end() - 1);
  std::vector<Candidate> ordered(candidates.size());
  for (std::size_t k = 0; k < candidates.size(); ++k) ordered[next[group_of_pair[pair[k]]]++] = candidates[k];
  candidates = std::move(ordered);
  return start;
}

}  // namespace

void group_by_bodies(const CollisionMesh& mesh, Candidates& candidates) {
  PairNumbers numbers;
  const std::vector<int> points = pair_numbers(mesh, candidates.point_triangle, numbers);
  const std::vector<int> edges = pair_numbers(mesh, candidates.edge_edge, numbers);
  const int count = static_cast<int>(numbers.pairs.size());
  std::vector<int> order(count), group_of_pair(count);
  for (int p = 0; p < count; ++p) order[p] = p;
  std::sort(order.begin(), order.end(), [&](int a, int b) { return numbers.pairs[a] < numbers.pairs[b]; });
  for (int g = 0; g < count; ++g) group_of_pair[order[g]] = g;
  const std::vector<std::size_t> point_start = reorder(candidates.point_triangle, points, group_of_pair);
  const std::vector<std::size_t> edge_start = reorder(candidates.edge_edge, edges, group_of_pair);
  candidates.groups.resize(count);
  for (int g = 0; g < count; ++g) {
    const Bodies& bodies = numbers.pairs[order[g]];
    candidates.groups[g] = {bodies[0],          bodies[1],     point_start[g],
                            point_start[g + 1], edge_start[g], edge_start[g + 1]};
  }
}

bool boxes_apart(const CollisionMesh& mesh, const VertexBoxes& boxes, const PointTriangleCandidate& c,
                 double distance) {
  const Triangle& t = mesh.triangles[c.triangle];
  distance += mesh.radius_of(c.point) + mesh.radius_of(t[0]);
  const double *low = boxes.lower.data(), *high = boxes.upper.data();
  for (int i = 0; i < 3; ++i) {
    const double below = std::min({low[3 * t[0] + i], low[3 * t[1] + i], low[3 * t[2] + i]});
    const double above = std::max({high[3 * t[0] + i], high[3 * t[1] + i], high[3 * t[2] + i]});
    if (below - high[3 * c.point + i] > distance || low[3 * c.point + i] - above > distance) return true;
  }
  return false;
}

bool boxes_apart(const CollisionMesh& mesh, const VertexBoxes& boxes, const EdgeEdgeCandidate& c,
                 double distance) {
  const Edge &a = mesh.edges[c.edge_a], &b = mesh.edges[c.edge_b];
  distance += mesh.radius_of(a[0]) + mesh.radius_of(b[0]);
  const double *low = boxes.lower.data(), *high = boxes.upper.data();
  for (int i = 0; i < 3; ++i) {
    const double low_a = std::min(low[3 * a[0] + i], low[3 * a[1] + i]);
    const double high_a = std::max(high[3 * a[0] + i], high[3 * a[1] + i]);
    const double low_b = std::min(low[3 * b[0] + i], low[3 * b[1] + i]);
    const double high_b = std::max(high[3 * b[0] + i], high[3 * b[1] + i]);
    if (low_a - high_b > distance || low_b - high_a > distance) return true;
  }
  return false;
}

namespace {

/// Whether a box and the box around some vertices' boxes are farther apart than `distance`. Axis by axis: the
/// first one mostly tells.
template <std::size_t count>
bool apart(const Box& box, const VertexBoxes& boxes, const std::array<int, count>& vertices,
           double distance) {
  const double *lower = boxes.lower.data(), *upper = boxes.upper.data();
  for (int i = 0; i < 3; ++i) {
    double low = lower[3 * vertices[0] + i], high = upper[3 * vertices[0] + i];
    for (std::size_t v = 1; v < count; ++v) {
      low = std::min(low, lower[3 * vertices[v] + i]);
      high = std::max(high, upper[3 * vertices[v] + i]);
    }
    if (box.lower[i] - high > distance || low - box.upper[i] > distance) return true;
  }
  return false;
}

int first_of(const PointTriangleCandidate& c) {
  return c.point;
}
int first_of(const EdgeEdgeCandidate& c) {
  return c.edge_a;
}
std::array<int, 1> first_vertices(const CollisionMesh&, const PointTriangleCandidate& c) {
  return {c.point};
}
const Edge& first_vertices(const CollisionMesh& mesh, const EdgeEdgeCandidate& c) {
  return mesh.edges[c.edge_a];
}
const Triangle& second_vertices(const CollisionMesh& mesh, const PointTriangleCandidate& c) {
  return mesh.triangles[c.triangle];
}
const Edge& second_vertices(const CollisionMesh& mesh, const EdgeEdgeCandidate& c) {
  return mesh.edges[c.edge_b];
}

/// Some candidates of one group.
struct Piece {
  std::size_t begin, end;
  int body_a, body_b;
  double distance;  ///< within which candidates are near
};

void append_pieces(const BodyGroup& group, std::size_t begin, std::size_t end, double distance,
                   std::vector<Piece>& pieces) {
  constexpr std::size_t longest = 4096;
  for (; begin < end; begin += std::min(longest, end - begin))
    pieces.push_back({begin, std::min(begin + longest, end), group.body_a, group.body_b, distance});
}

/// Rounding may not take anything off a radius.
constexpr double radius_slack = 1 + 8 * std::numeric_limits<double>::epsilon();

/// Appends the near candidates of a piece. Those with one point, or one first edge, follow each other: where
/// that is far from the whole other body, they are passed over together.
template <class Candidate>
void append_near(const CollisionMesh& mesh, const VertexBoxes& boxes, const VertexBoxes& bodies,
                 const std::vector<Candidate>& candidates, const Piece& piece,
                 std::vector<std::uint32_t>& near) {
  for (std::size_t k = piece.begin; k < piece.end;) {
    const int first = first_of(candidates[k]);
    const auto& vertices = first_vertices(mesh, candidates[k]);
    const Box box = box_around(boxes, vertices);
    const int other = mesh.vertex_body[vertices[0]] == piece.body_a ? piece.body_b : piece.body_a;
    const double distance = piece.distance + radius_slack * mesh.radius_of(vertices[0]);
    const bool far = apart(box, bodies, std::array<int, 1>{other}, distance);
    for (; k < piece.end && first_of(candidates[k]) == first; ++k) {
      if (far) continue;
      const auto& second = second_vertices(mesh, candidates[k]);
      if (apart(box, boxes, second, distance + radius_slack * mesh.radius_of(second[0]))) continue;
      near.push_back(static_cast<std::uint32_t>(k));
    }
  }
}

template <class Candidate>
std::vector<std::uint32_t> near_of(const CollisionMesh& mesh, const VertexBoxes& boxes,
                                   const VertexBoxes& bodies, const std::vector<Candidate>& candidates,
                                   const std::vector<Piece>& pieces) {
  const std::size_t chunk_size = thread_count() == 1 ? std::max<std::size_t>(pieces.size(), 1) : 8;
  std::vector<std::vector<std::uint32_t>> parts((pieces.size() + chunk_size - 1) / chunk_size);
  parallel_chunks(pieces.size(), chunk_size, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
    for (std::size_t p = begin; p < end; ++p)
      append_near(mesh, boxes, bodies, candidates, pieces[p], parts[chunk]);
  });
  if (parts.size() == 1) return std::move(parts[0]);
  std::vector<std::uint32_t> near;
  for (const auto& part : parts) near.insert(near.end(), part.begin(), part.end());
  return near;
}

}  // namespace

NearCandidates near_candidates(const CollisionMesh& mesh, const Candidates& candidates,
                               const VertexBoxes& boxes, const ContactScales& scales,
                               const std::vector<char>& moving) {
  const VertexBoxes bodies = solid_boxes(mesh, boxes);
  NearCandidates near;
  std::vector<Piece> points, edges;
  for (std::size_t g = 0; g < candidates.groups.size(); ++g) {
    const BodyGroup& group = candidates.groups[g];
    if (!moving.empty() && !moving[group.body_a] && !moving[group.body_b]) continue;
    const double distance = scales.full_range(group.body_a, group.body_b).reach();
    if (boxes_apart(bodies, group.body_a, group.body_b, distance)) continue;
    near.groups.push_back(g);
    append_pieces(group, group.point_begin, group.point_end, distance, points);
    append_pieces(group, group.edge_begin, group.edge_end, distance, edges);
  }
  near.point_triangle = near_of(mesh, boxes, bodies, candidates.point_triangle, points);
  near.edge_edge = near_of(mesh, boxes, bodies, candidates.edge_edge, edges);
  for (std::size_t k = 0; k < candidates.point_plane.size(); ++k) {
    const PointPlaneCandidate& c = candidates.point_plane[k];
    if (moving.empty() || moving[mesh.vertex_body[c.point]] || moving[mesh.planes[c.plane].body])
      near.point_plane.push_back(static_cast<std::uint32_t>(k));
  }
  return near;
}

}  // namespace bulwark
