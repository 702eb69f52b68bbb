#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/contact_areas.hpp>
#include <bulwark/collision/contact_set.hpp>
#include <bulwark/collision/flat_faces.hpp>
#include <bulwark/collision/pair_offset.hpp>
#include <bulwark/collision/shared_features.hpp>
#include <bulwark/stencils/edge_mollifier.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace bulwark {
namespace {

double threshold_of(const CollisionMesh&, const PointTriangleCandidate&, const std::array<int, 4>&) {
  return 0;
}

double threshold_of(const CollisionMesh& mesh, const EdgeEdgeCandidate&, const std::array<int, 4>& v) {
  return edge_mollifier_threshold(mesh.rest.col(v[0]), mesh.rest.col(v[1]), mesh.rest.col(v[2]),
                                  mesh.rest.col(v[3]));
}

/// A contact before it is merged with equal ones: its place, in numbers whose order is that of contacts.
struct FoundContact {
  std::uint64_t head;       ///< kind, whether it is mollified, the first vertex
  std::uint64_t inner;      ///< second and third vertex
  int last;                 ///< fourth vertex
  std::uint32_t candidate;  ///< its place in the candidates, later that of its area
  double offset;

  FoundContact(PairKind kind, bool mollified, const std::array<int, 4>& vertex, std::uint32_t from,
               double of_solids)
      : head(static_cast<std::uint64_t>(kind) << 33 | static_cast<std::uint64_t>(mollified) << 32 |
             static_cast<std::uint32_t>(vertex[0])),
        inner(static_cast<std::uint64_t>(vertex[1]) << 32 | static_cast<std::uint32_t>(vertex[2])),
        last(vertex[3]),
        candidate(from),
        offset(of_solids) {}

  bool is_equal(const FoundContact& other) const {
    return head == other.head && inner == other.inner && last == other.last && offset == other.offset;
  }
  bool operator<(const FoundContact& other) const {
    if (head != other.head) return head < other.head;
    if (inner != other.inner) return inner < other.inner;
    return last != other.last ? last < other.last : offset < other.offset;
  }
  /// Another triangle of the same flat face is nearer. Only where contact is area-weighted are such ones kept.
  static constexpr std::uint64_t covered = std::numeric_limits<std::uint64_t>::max();

  ContactPair pair(const CollisionMesh& mesh, double multiplicity) const {
    ContactPair pair;
    pair.offset = offset;
    pair.kind = static_cast<PairKind>(head >> 33);
    pair.mollified = (head >> 32 & 1) != 0;
    pair.vertex = {static_cast<int>(head), static_cast<int>(inner >> 32), static_cast<int>(inner), last};
    pair.multiplicity = multiplicity;
    if (pair.mollified) pair.mollifier_threshold = threshold_of(mesh, EdgeEdgeCandidate{}, pair.vertex);
    return pair;
  }
};

bool is_covered(const CollisionMesh& mesh, const FlatFaces& faces, const Vectors& positions,
                const PointTriangleCandidate& candidate, const ClosestFeatures& features) {
  return faces.covered(mesh, positions, candidate, features);
}

bool is_covered(const CollisionMesh&, const FlatFaces&, const Vectors&, const EdgeEdgeCandidate&,
                const ClosestFeatures&) {
  return false;
}

/// The vertices of closest features, in one order for one pair, so that equal pairs are recognised.
std::array<int, 4> named_in_order(const ClosestFeatures& features, const std::array<int, 4>& vertex) {
  std::array<int, 4> named = {-1, -1, -1, -1};
  for (int i = 0; i < 4; ++i) {
    if (features.vertex[i] >= 0) named[i] = vertex[features.vertex[i]];
  }
  if (features.kind == PairKind::point_point && named[0] > named[1]) std::swap(named[0], named[1]);
  if (features.kind == PairKind::point_edge && named[1] > named[2]) std::swap(named[1], named[2]);
  return named;
}

/// Appends the contact of a candidate, unless it is out of reach.
template <class Candidate>
void find_contact(const CollisionMesh& mesh, const FlatFaces& faces, const Vectors& positions,
                  const Candidate& candidate, std::uint32_t index, double reach, bool keep_covered,
                  std::vector<FoundContact>& found) {
  const std::array<int, 4> vertex = vertices_of(mesh, candidate);
  const std::array<Vector3, 4> x = positions_of(vertex, positions);
  const ClosestFeatures features = features_of(candidate, x);
  const double offset = pair_offset(mesh, candidate);
  if (squared_distance(features, x.data()) >= (reach + offset) * (reach + offset)) return;
  if (is_covered(mesh, faces, positions, candidate, features)) {
    if (keep_covered)
      found.emplace_back(features.kind, false, vertex, index, offset).head = FoundContact::covered;
    return;
  }
  const double threshold = threshold_of(mesh, candidate, vertex);
  if (threshold > 0 && edge_cross_squared_norm(x.data()) < threshold) {
    found.emplace_back(PairKind::edge_edge, true, vertex, index, offset);
    return;
  }
  found.emplace_back(features.kind, false, named_in_order(features, vertex), index, offset);
}

double plane_height(const CollisionMesh& mesh, const Vectors& positions,
                    const PointPlaneCandidate& candidate) {
  const CollisionPlane& plane = mesh.planes[candidate.plane];
  return plane.normal.dot(positions.col(candidate.point) - positions.col(plane.vertex));
}

/// The reach of the two bodies of a candidate; candidates of the same two follow each other.
class PairReach {
 public:
  PairReach(const CollisionMesh& mesh, const ContactScales& scales, bool any)
      : mesh_(mesh), scales_(scales), any_(any) {}
  double operator()(const std::array<int, 2>& vertex) {
    if (any_) return std::numeric_limits<double>::infinity();
    const std::array<int, 2> bodies = {mesh_.vertex_body[vertex[0]], mesh_.vertex_body[vertex[1]]};
    if (bodies != bodies_) {
      bodies_ = bodies;
      reach_ = scales_.range(bodies[0], bodies[1]).reach();
    }
    return reach_;
  }

 private:
  const CollisionMesh& mesh_;
  const ContactScales& scales_;
  bool any_;  ///< distance
  std::array<int, 2> bodies_ = {-1, -1};
  double reach_ = 0;
};

/// Contacts of the near candidates, in the order of these.
template <class Candidate>
std::vector<FoundContact> contacts_of(const CollisionMesh& mesh, const FlatFaces& faces,
                                      const Vectors& positions, const std::vector<Candidate>& candidates,
                                      const std::vector<std::uint32_t>& near, const ContactScales& scales,
                                      bool keep_covered, bool any_distance) {
  const std::size_t chunk_size = thread_count() == 1 ? std::max<std::size_t>(near.size(), 1) : 512;
  std::vector<std::vector<FoundContact>> parts((near.size() + chunk_size - 1) / chunk_size);
  parallel_chunks(near.size(), chunk_size, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
    std::vector<FoundContact>& own = parts[chunk];
    own.reserve(end - begin);
    PairReach reach(mesh, scales, any_distance);
    for (std::size_t k = begin; k < end; ++k) {
      const Candidate& candidate = candidates[near[k]];
      find_contact(mesh, faces, positions, candidate, near[k], reach(vertices_of_sides(mesh, candidate)),
                   keep_covered, own);
    }
  });
  if (parts.size() == 1) return std::move(parts[0]);
  std::vector<FoundContact> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// The contacts of two bodies where they count by their areas.
class AreaContacts {
 public:
  AreaContacts(const CollisionMesh& mesh, const FlatFaces& faces, const Vectors& positions,
               const Candidates& candidates, const ContactAreas& areas)
      : mesh_(mesh), faces_(faces), positions_(positions), candidates_(candidates), areas_(areas) {}

  /// Gives each contact its area, and adds what faces near the same point have in common. `own` has the
  /// contacts in the order of their candidates, those of points first.
  void weigh(std::vector<FoundContact>& own, std::size_t points, const ContactScales& scales,
             const BodyGroup& group) {
    const double distance = scales.full_range(group.body_a, group.body_b).distance;
    const double reach = scales.range(group.body_a, group.body_b).reach();
    weight_.clear();
    std::vector<FoundContact> shared;
    for (std::size_t k = 0; k < points;) {
      const int point = candidates_.point_triangle[own[k].candidate].point;
      near_.clear();
      for (; k < points && candidates_.point_triangle[own[k].candidate].point == point; ++k) {
        const PointTriangleCandidate& candidate = candidates_.point_triangle[own[k].candidate];
        weight_.push_back(areas_.of_pair(mesh_, candidate, distance));
        own[k].candidate = static_cast<std::uint32_t>(k);
        near_.push_back({mesh_.triangles[candidate.triangle], faces_.face_of(candidate.triangle),
                         weight_.back(), own[k].offset});
      }
      add_shared(point, reach, shared);
    }
    for (std::size_t k = points; k < own.size(); ++k) {
      weight_.push_back(areas_.of_pair(mesh_, candidates_.edge_edge[own[k].candidate], distance));
      own[k].candidate = static_cast<std::uint32_t>(k);
    }
    for (FoundContact& contact : shared) {
      weight_.push_back(shared_weight_[contact.candidate]);
      contact.candidate = static_cast<std::uint32_t>(weight_.size() - 1);
      own.push_back(contact);
    }
    shared_weight_.clear();
    std::erase_if(own, [](const FoundContact& c) { return c.head == FoundContact::covered; });
    // Areas are summed in the order of their candidates.
    std::sort(own.begin(), own.end(), [](const FoundContact& a, const FoundContact& b) {
      return a < b || (!(b < a) && a.candidate < b.candidate);
    });
  }

  /// The area of the equal contacts from begin to end; zero where they cancel.
  double area(const FoundContact* begin, const FoundContact* end) const {
    constexpr double rounding = 1e-12;
    double sum = 0, magnitude = 0;
    for (const FoundContact* c = begin; c != end; ++c) {
      sum += weight_[c->candidate];
      magnitude += std::abs(weight_[c->candidate]);
    }
    return std::abs(sum) > rounding * magnitude ? sum : 0;
  }

 private:
  void add_shared(int point, double reach, std::vector<FoundContact>& shared) {
    for (const SharedFeature& feature : shared_features(near_)) {
      const std::array<int, 4> vertex = {point, feature.edge[0], feature.edge[1], feature.edge[1]};
      const std::array<Vector3, 4> x = positions_of(vertex, positions_);
      const ClosestFeatures closest = is_lone_point(feature.edge)
                                          ? ClosestFeatures{PairKind::point_point, {0, 1, -1, -1}}
                                          : point_edge_features(x[0], x[1], x[2], 0, 1, 2);
      const double from = reach + feature.offset;
      if (squared_distance(closest, x.data()) >= from * from) continue;
      shared.emplace_back(closest.kind, false, named_in_order(closest, vertex),
                          static_cast<std::uint32_t>(shared_weight_.size()), feature.offset);
      shared_weight_.push_back(feature.weight);
    }
  }

  const CollisionMesh& mesh_;
  const FlatFaces& faces_;
  const Vectors& positions_;
  const Candidates& candidates_;
  const ContactAreas& areas_;
  std::vector<double> weight_, shared_weight_;
  std::vector<NearFace> near_;
};

std::array<Vector3, 4> vertices_of_pair(const ContactPair& pair, const Vectors& positions) {
  std::array<Vector3, 4> x;
  for (int i = 0; i < 4; ++i) {
    if (pair.vertex[i] >= 0) x[i] = positions.col(pair.vertex[i]);
  }
  return x;
}

}  // namespace

ClosestPoints closest_points(const ContactPair& pair, const Vectors& positions) {
  const std::array<Vector3, 4> x = vertices_of_pair(pair, positions);
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
  return first != second ? first < second
                         : std::tie(a.kind, a.mollified, a.vertex) < std::tie(b.kind, b.mollified, b.vertex);
}

SlidingPoints sliding_points(const ContactPair& pair, const Vectors& positions) {
  const std::array<Vector3, 4> x = vertices_of_pair(pair, positions);
  if (pair.mollified) return sliding_points_of_pair(edge_edge_features(x[0], x[1], x[2], x[3]), x.data());
  return sliding_points(pair.kind, x.data(), pair.plane_normal);
}

namespace {

std::vector<ContactPair> contacts_among(const CollisionMesh& mesh, const FlatFaces& faces,
                                        const Vectors& positions, const Candidates& candidates,
                                        const NearCandidates& near, const ContactScales& scales,
                                        const ContactAreas& areas, bool any_distance) {
  const bool by_area = !areas.empty();
  const std::vector<FoundContact> points = contacts_of(mesh, faces, positions, candidates.point_triangle,
                                                       near.point_triangle, scales, by_area, any_distance);
  const std::vector<FoundContact> edges = contacts_of(mesh, faces, positions, candidates.edge_edge,
                                                      near.edge_edge, scales, by_area, any_distance);
  AreaContacts area_contacts(mesh, faces, positions, candidates, areas);
  std::vector<ContactPair> contacts;
  std::vector<FoundContact> own;  // of one pair of bodies
  std::size_t p = 0, e = 0;
  for (const std::size_t g : near.groups) {
    const BodyGroup& group = candidates.groups[g];
    own.clear();
    for (; p < points.size() && points[p].candidate < group.point_end; ++p) own.push_back(points[p]);
    const std::size_t of_points = own.size();
    for (; e < edges.size() && edges[e].candidate < group.edge_end; ++e) own.push_back(edges[e]);
    if (by_area) {
      area_contacts.weigh(own, of_points, scales, group);
    } else {
      std::sort(own.begin(), own.end());
    }
    if (own.empty()) continue;
    const BarrierRange range = scales.range(group.body_a, group.body_b);
    double stiffness = scales.stiffness(group.body_a, group.body_b, own[0].offset);
    for (std::size_t k = 0; k < own.size();) {
      const std::size_t first = k;
      while (k < own.size() && own[k].is_equal(own[first])) ++k;
      if (first > 0 && own[first].offset != own[first - 1].offset)
        stiffness = scales.stiffness(group.body_a, group.body_b, own[first].offset);
      const double multiplicity =
          by_area ? area_contacts.area(own.data() + first, own.data() + k) : static_cast<double>(k - first);
      if (multiplicity == 0) continue;
      ContactPair& pair = contacts.emplace_back(own[first].pair(mesh, multiplicity));
      pair.range = range.beyond(pair.offset);
      pair.stiffness = stiffness;
    }
  }
  for (const std::uint32_t k : near.point_plane) {
    const PointPlaneCandidate& candidate = candidates.point_plane[k];
    const int body = mesh.vertex_body[candidate.point], plane_body = mesh.planes[candidate.plane].body;
    ContactPair pair;
    pair.offset = pair_offset(mesh, candidate);
    pair.range = scales.range(body, plane_body).beyond(pair.offset);
    if (!any_distance && plane_height(mesh, positions, candidate) >= pair.range.reach()) continue;
    pair.kind = PairKind::point_plane;
    pair.vertex = {candidate.point, mesh.planes[candidate.plane].vertex, -1, -1};
    pair.plane_normal = mesh.planes[candidate.plane].normal;
    if (by_area) pair.multiplicity = areas.of_pair(candidate, scales.full_range(body, plane_body).distance);
    pair.stiffness = scales.stiffness(body, plane_body, pair.offset);
    contacts.push_back(pair);
  }
  return contacts;
}

}  // namespace

std::vector<ContactPair> find_contacts(const CollisionMesh& mesh, const FlatFaces& faces,
                                       const Vectors& positions, const Candidates& candidates,
                                       const NearCandidates& near, const ContactScales& scales,
                                       const ContactAreas& areas) {
  return contacts_among(mesh, faces, positions, candidates, near, scales, areas, false);
}

std::vector<ContactPair> find_distant_contacts(const CollisionMesh& mesh, const FlatFaces& faces,
                                               const Vectors& positions, const Candidates& candidates,
                                               const NearCandidates& near, const ContactScales& scales,
                                               const ContactAreas& areas) {
  return contacts_among(mesh, faces, positions, candidates, near, scales, areas, true);
}

}  // namespace bulwark
