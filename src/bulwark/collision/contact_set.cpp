#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/contact_set.hpp>
#include <bulwark/stencils/contact_barrier.hpp>

#include <algorithm>
#include <limits>

namespace bulwark {
namespace {

std::array<Vector3, 4> gather(const std::array<int, 4>& vertex, const Vectors& positions) {
  return {positions.col(vertex[0]), positions.col(vertex[1]), positions.col(vertex[2]),
          positions.col(vertex[3])};
}

/// Whether the boxes around two sets of points are farther apart than `reach`: a cheap first test.
bool boxes_apart(const Vector3& low_a, const Vector3& high_a, const Vector3& low_b, const Vector3& high_b,
                 double reach) {
  return ((low_a - high_b).array() > reach).any() || ((low_b - high_a).array() > reach).any();
}

bool apart(const PointTriangleCandidate&, const std::array<Vector3, 4>& x, double reach) {
  return boxes_apart(x[0], x[0], x[1].cwiseMin(x[2]).cwiseMin(x[3]), x[1].cwiseMax(x[2]).cwiseMax(x[3]),
                     reach);
}

bool apart(const EdgeEdgeCandidate&, const std::array<Vector3, 4>& x, double reach) {
  return boxes_apart(x[0].cwiseMin(x[1]), x[0].cwiseMax(x[1]), x[2].cwiseMin(x[3]), x[2].cwiseMax(x[3]),
                     reach);
}

ClosestFeatures features_of(const PointTriangleCandidate&, const std::array<Vector3, 4>& x) {
  return point_triangle_features(x[0], x[1], x[2], x[3]);
}

ClosestFeatures features_of(const EdgeEdgeCandidate&, const std::array<Vector3, 4>& x) {
  return edge_edge_features(x[0], x[1], x[2], x[3]);
}

double threshold_of(const CollisionMesh&, const PointTriangleCandidate&, const std::array<int, 4>&) {
  return 0;
}

double threshold_of(const CollisionMesh& mesh, const EdgeEdgeCandidate&, const std::array<int, 4>& v) {
  return edge_mollifier_threshold(mesh.rest.col(v[0]), mesh.rest.col(v[1]), mesh.rest.col(v[2]),
                                  mesh.rest.col(v[3]));
}

/// The contact of a candidate; multiplicity 0 when it is out of range.
template <class Candidate>
ContactPair contact_of(const CollisionMesh& mesh, const Vectors& positions, const Candidate& candidate,
                       const BarrierRange& range) {
  ContactPair pair;
  pair.multiplicity = 0;
  const std::array<int, 4> vertex = vertices_of(mesh, candidate);
  const std::array<Vector3, 4> x = gather(vertex, positions);
  if (apart(candidate, x, range.reach())) return pair;
  const ClosestFeatures features = features_of(candidate, x);
  if (squared_distance(features, x.data()) >= range.reach() * range.reach()) return pair;
  pair.multiplicity = 1;
  const double threshold = threshold_of(mesh, candidate, vertex);
  if (threshold > 0 && edge_cross_squared_norm(x.data()) < threshold) {
    pair.kind = PairKind::edge_edge;
    pair.mollified = true;
    pair.mollifier_threshold = threshold;
    pair.vertex = vertex;
    return pair;
  }
  pair.kind = features.kind;
  for (int i = 0; i < vertex_count(features.kind); ++i) pair.vertex[i] = vertex[features.vertex[i]];
  // One order of vertices for one pair, so that equal pairs are recognised.
  if (pair.kind == PairKind::point_point && pair.vertex[0] > pair.vertex[1])
    std::swap(pair.vertex[0], pair.vertex[1]);
  if (pair.kind == PairKind::point_edge && pair.vertex[1] > pair.vertex[2])
    std::swap(pair.vertex[1], pair.vertex[2]);
  return pair;
}

bool same_place(const ContactPair& a, const ContactPair& b) {
  return a.kind == b.kind && a.mollified == b.mollified && a.vertex == b.vertex;
}

bool before(const ContactPair& a, const ContactPair& b) {
  if (a.kind != b.kind) return a.kind < b.kind;
  if (a.mollified != b.mollified) return a.mollified < b.mollified;
  return a.vertex < b.vertex;
}

double plane_height(const CollisionMesh& mesh, const Vectors& positions,
                    const PointPlaneCandidate& candidate) {
  const CollisionPlane& plane = mesh.planes[candidate.plane];
  return plane.normal.dot(positions.col(candidate.point) - positions.col(plane.vertex));
}

template <class Candidate>
double barrier_of(const CollisionMesh& mesh, const Vectors& positions, const Candidate& candidate,
                  const BarrierRange& range) {
  const std::array<int, 4> vertex = vertices_of(mesh, candidate);
  const std::array<Vector3, 4> x = gather(vertex, positions);
  if (apart(candidate, x, range.reach())) return 0;
  const double D = squared_distance(features_of(candidate, x), x.data());
  if (D >= range.reach() * range.reach()) return 0;
  const double threshold = threshold_of(mesh, candidate, vertex);
  const double energy = contact_energy(D, range);
  if (!(threshold > 0) || !std::isfinite(energy)) return energy;
  return edge_mollifier(x.data(), threshold) * energy;
}

/// Sum of value(k) over k in order, one by one. Candidates out of range add nothing, not even rounding: the
/// sum is the same bits for every complete set of candidates, whatever path it was made for.
template <class Value>
double ordered_sum(std::size_t count, Value&& value) {
  constexpr std::size_t chunk_size = 512;
  std::vector<std::vector<double>> parts((count + chunk_size - 1) / chunk_size);
  parallel_chunks(count, chunk_size, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
    for (std::size_t k = begin; k < end; ++k) {
      const double term = value(k);
      if (term != 0) parts[chunk].push_back(term);
    }
  });
  double sum = 0;
  for (const auto& part : parts) {
    for (double term : part) sum += term;
  }
  return sum;
}

template <class Candidate>
void append_contacts(const CollisionMesh& mesh, const Vectors& positions,
                     const std::vector<Candidate>& candidates, const BarrierRange& range,
                     std::vector<ContactPair>& contacts) {
  constexpr std::size_t chunk_size = 512;
  std::vector<std::vector<ContactPair>> parts((candidates.size() + chunk_size - 1) / chunk_size);
  parallel_chunks(candidates.size(), chunk_size, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
    for (std::size_t k = begin; k < end; ++k) {
      const ContactPair pair = contact_of(mesh, positions, candidates[k], range);
      if (pair.multiplicity > 0) parts[chunk].push_back(pair);
    }
  });
  for (const auto& part : parts) contacts.insert(contacts.end(), part.begin(), part.end());
}

}  // namespace

ClosestPoints closest_points(const ContactPair& pair, const Vectors& positions) {
  std::array<Vector3, 4> x;
  for (int i = 0; i < pair.vertices(); ++i) x[i] = positions.col(pair.vertex[i]);
  if (pair.mollified) return closest_points_of_pair(edge_edge_features(x[0], x[1], x[2], x[3]), x.data());
  return closest_points(pair.kind, x.data(), pair.plane_normal);
}

std::vector<ContactPair> find_contacts(const CollisionMesh& mesh, const Vectors& positions,
                                       const Candidates& candidates, const BarrierRange& range) {
  std::vector<ContactPair> contacts;
  append_contacts(mesh, positions, candidates.point_triangle, range, contacts);
  append_contacts(mesh, positions, candidates.edge_edge, range, contacts);
  std::sort(contacts.begin(), contacts.end(), before);
  std::size_t kept = 0;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    if (kept > 0 && same_place(contacts[kept - 1], contacts[k])) {
      contacts[kept - 1].multiplicity += 1;
    } else {
      contacts[kept++] = contacts[k];
    }
  }
  contacts.resize(kept);
  for (const PointPlaneCandidate& candidate : candidates.point_plane) {
    if (plane_height(mesh, positions, candidate) >= range.reach()) continue;
    ContactPair pair;
    pair.kind = PairKind::point_plane;
    pair.vertex = {candidate.point, mesh.planes[candidate.plane].vertex, -1, -1};
    pair.plane_normal = mesh.planes[candidate.plane].normal;
    contacts.push_back(pair);
  }
  return contacts;
}

double barrier_sum(const CollisionMesh& mesh, const Vectors& positions, const Candidates& candidates,
                   const BarrierRange& range) {
  double sum = ordered_sum(candidates.point_triangle.size(), [&](std::size_t k) {
    return barrier_of(mesh, positions, candidates.point_triangle[k], range);
  });
  sum += ordered_sum(candidates.edge_edge.size(), [&](std::size_t k) {
    return barrier_of(mesh, positions, candidates.edge_edge[k], range);
  });
  sum += ordered_sum(candidates.point_plane.size(), [&](std::size_t k) {
    const double height = plane_height(mesh, positions, candidates.point_plane[k]);
    if (height <= 0) return std::numeric_limits<double>::infinity();
    return height < range.reach() ? contact_energy(height * height, range) : 0.0;
  });
  return sum;
}

}  // namespace bulwark
