#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/contact_set.hpp>
#include <bulwark/stencils/contact_barrier.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace bulwark {
namespace {

/// Whether the boxes around two sets of points are farther apart than `reach`: a cheap first test.
bool point_boxes_apart(const Vector3& low_a, const Vector3& high_a, const Vector3& low_b,
                       const Vector3& high_b, double reach) {
  return ((low_a - high_b).array() > reach).any() || ((low_b - high_a).array() > reach).any();
}

bool apart(const PointTriangleCandidate&, const std::array<Vector3, 4>& x, double reach) {
  return point_boxes_apart(x[0], x[0], x[1].cwiseMin(x[2]).cwiseMin(x[3]), x[1].cwiseMax(x[2]).cwiseMax(x[3]),
                           reach);
}

bool apart(const EdgeEdgeCandidate&, const std::array<Vector3, 4>& x, double reach) {
  return point_boxes_apart(x[0].cwiseMin(x[1]), x[0].cwiseMax(x[1]), x[2].cwiseMin(x[3]), x[2].cwiseMax(x[3]),
                           reach);
}

double threshold_of(const CollisionMesh&, const PointTriangleCandidate&, const std::array<int, 4>&) {
  return 0;
}

double threshold_of(const CollisionMesh& mesh, const EdgeEdgeCandidate&, const std::array<int, 4>& v) {
  return edge_mollifier_threshold(mesh.rest.col(v[0]), mesh.rest.col(v[1]), mesh.rest.col(v[2]),
                                  mesh.rest.col(v[3]));
}

double weight_of(const CollisionMesh& mesh, const std::array<int, 4>& vertex, const PointTriangleCandidate&) {
  return mesh.contact_weight(mesh.vertex_body[vertex[0]], mesh.vertex_body[vertex[1]]);
}

double weight_of(const CollisionMesh& mesh, const std::array<int, 4>& vertex, const EdgeEdgeCandidate&) {
  return mesh.contact_weight(mesh.vertex_body[vertex[0]], mesh.vertex_body[vertex[2]]);
}

double weight_of(const CollisionMesh& mesh, const PointPlaneCandidate& candidate) {
  return mesh.contact_weight(mesh.vertex_body[candidate.point], mesh.planes[candidate.plane].body);
}

/// The contact of a candidate; multiplicity 0 when it is out of range.
template <class Candidate>
ContactPair contact_of(const CollisionMesh& mesh, const Vectors& positions, const Candidate& candidate,
                       const BarrierRange& range) {
  ContactPair pair;
  pair.multiplicity = 0;
  const std::array<int, 4> vertex = vertices_of(mesh, candidate);
  const std::array<Vector3, 4> x = positions_of(vertex, positions);
  if (apart(candidate, x, range.reach())) return pair;
  const ClosestFeatures features = features_of(candidate, x);
  if (squared_distance(features, x.data()) >= range.reach() * range.reach()) return pair;
  pair.multiplicity = weight_of(mesh, vertex, candidate);
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

/// Contacts with the candidates they come from, in the order of these.
struct FoundContacts {
  std::vector<ContactPair> pairs;
  std::vector<std::uint32_t> candidate;
};

template <class Candidate>
FoundContacts contacts_of(const CollisionMesh& mesh, const Vectors& positions,
                          const std::vector<Candidate>& candidates, const std::vector<std::uint32_t>& near,
                          const BarrierRange& range) {
  constexpr std::size_t chunk_size = 512;
  std::vector<FoundContacts> parts((near.size() + chunk_size - 1) / chunk_size);
  parallel_chunks(near.size(), chunk_size, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
    for (std::size_t k = begin; k < end; ++k) {
      const ContactPair pair = contact_of(mesh, positions, candidates[near[k]], range);
      if (pair.multiplicity == 0) continue;
      parts[chunk].pairs.push_back(pair);
      parts[chunk].candidate.push_back(near[k]);
    }
  });
  FoundContacts all;
  for (const FoundContacts& part : parts) {
    all.pairs.insert(all.pairs.end(), part.pairs.begin(), part.pairs.end());
    all.candidate.insert(all.candidate.end(), part.candidate.begin(), part.candidate.end());
  }
  return all;
}

/// Sorts the contacts from `first` on, and merges equal ones.
void merge_contacts(std::vector<ContactPair>& contacts, std::size_t first) {
  std::sort(contacts.begin() + static_cast<std::ptrdiff_t>(first), contacts.end(), before);
  std::size_t kept = first;
  for (std::size_t k = first; k < contacts.size(); ++k) {
    if (kept > first && same_place(contacts[kept - 1], contacts[k])) {
      contacts[kept - 1].multiplicity += contacts[k].multiplicity;
    } else {
      contacts[kept++] = contacts[k];
    }
  }
  contacts.resize(kept);
}

}  // namespace

ClosestPoints closest_points(const ContactPair& pair, const Vectors& positions) {
  std::array<Vector3, 4> x;
  for (int i = 0; i < pair.vertices(); ++i) x[i] = positions.col(pair.vertex[i]);
  if (pair.mollified) return closest_points_of_pair(edge_edge_features(x[0], x[1], x[2], x[3]), x.data());
  return closest_points(pair.kind, x.data(), pair.plane_normal);
}

bool is_before(const CollisionMesh& mesh, const ContactPair& a, const ContactPair& b) {
  if ((a.kind == PairKind::point_plane) != (b.kind == PairKind::point_plane))
    return b.kind == PairKind::point_plane;
  if (a.kind == PairKind::point_plane) return a.vertex < b.vertex;
  auto bodies = [&mesh](const ContactPair& c) {
    return std::minmax(mesh.vertex_body[c.vertex[0]], mesh.vertex_body[c.second_side()]);
  };
  const std::pair<int, int> first = bodies(a), second = bodies(b);
  return first != second ? first < second : before(a, b);
}

std::vector<ContactPair> find_contacts(const CollisionMesh& mesh, const Vectors& positions,
                                       const Candidates& candidates, const NearCandidates& near,
                                       const BarrierRange& range) {
  const FoundContacts points =
      contacts_of(mesh, positions, candidates.point_triangle, near.point_triangle, range);
  const FoundContacts edges = contacts_of(mesh, positions, candidates.edge_edge, near.edge_edge, range);
  std::vector<ContactPair> contacts;
  contacts.reserve(points.pairs.size() + edges.pairs.size());
  std::size_t p = 0, e = 0;
  for (const std::size_t g : near.groups) {
    const std::size_t first = contacts.size();
    for (; p < points.pairs.size() && points.candidate[p] < candidates.groups[g].point_end; ++p)
      contacts.push_back(points.pairs[p]);
    for (; e < edges.pairs.size() && edges.candidate[e] < candidates.groups[g].edge_end; ++e)
      contacts.push_back(edges.pairs[e]);
    merge_contacts(contacts, first);
  }
  for (const std::uint32_t k : near.point_plane) {
    const PointPlaneCandidate& candidate = candidates.point_plane[k];
    if (plane_height(mesh, positions, candidate) >= range.reach()) continue;
    ContactPair pair;
    pair.kind = PairKind::point_plane;
    pair.vertex = {candidate.point, mesh.planes[candidate.plane].vertex, -1, -1};
    pair.plane_normal = mesh.planes[candidate.plane].normal;
    pair.multiplicity = weight_of(mesh, candidate);
    contacts.push_back(pair);
  }
  return contacts;
}

}  // namespace bulwark
