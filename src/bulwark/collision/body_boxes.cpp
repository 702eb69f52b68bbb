// Culling by bodies, after affine body dynamics: where the boxes of two bodies overlap, only the primitives
// that reach into the overlap are looked at. Made for scenes of many bodies that touch in few places.
#include <bulwark/collision/primitive_boxes.hpp>
#include <bulwark/collision/sweep.hpp>

namespace bulwark {
namespace {

/// Positions of each body's primitives in a PrimitiveBoxes, and the box around them.
struct BodyList {
  std::vector<std::vector<int>> members;
  std::vector<Box> box;  ///< of bodies that have members

  BodyList(const PrimitiveBoxes& primitives, std::size_t bodies) : members(bodies), box(bodies) {
    for (std::size_t k = 0; k < primitives.size(); ++k) {
      const int body = primitives.body[k];
      if (members[body].empty()) {
        box[body] = primitives.box[k];
      } else {
        box[body].include(primitives.box[k]);
      }
      members[body].push_back(static_cast<int>(k));
    }
  }
};

Box common_part(const Box& a, const Box& b) {
  Box result{};
  for (int i = 0; i < 3; ++i) {
    result.lower[i] = std::max(a.lower[i], b.lower[i]);
    result.upper[i] = std::min(a.upper[i], b.upper[i]);
  }
  return result;
}

/// Pairs (a, b) of bodies whose boxes overlap and that may collide, a body with itself included.
std::vector<std::array<int, 2>> body_pairs(const CollisionMesh& mesh, const BodyList& first,
                                           const BodyList& second) {
  std::vector<SweptItem> items;
  for (std::size_t b = 0; b < mesh.bodies.size(); ++b) {
    if (!first.members[b].empty()) items.push_back({first.box[b], static_cast<int>(b), false});
    if (!second.members[b].empty()) items.push_back({second.box[b], static_cast<int>(b), true});
  }
  std::vector<std::vector<std::array<int, 2>>> parts(sweep_chunks(items.size()));
  sweep(
      items, true,
      [&](std::size_t chunk, const SweptItem& a, const SweptItem& b) {
        const int f = a.second ? b.id : a.id, s = a.second ? a.id : b.id;
        if (mesh.may_collide(f, s)) parts[chunk].push_back({f, s});
      },
      [] { return false; });
  std::vector<std::array<int, 2>> pairs;
  for (const auto& part : parts) pairs.insert(pairs.end(), part.begin(), part.end());
  return pairs;
}

/// Overlapping pairs between the primitives of body a in `first` and body b in `second`.
template <class Found, class Stop>
void search_pair(const PrimitiveBoxes& first, const std::vector<int>& members_a, const PrimitiveBoxes& second,
                 const std::vector<int>& members_b, const Box& part, Found&& found, Stop&& stop) {
  std::vector<int> near_b;
  for (int k : members_b) {
    if (overlap(second.box[k], part)) near_b.push_back(k);
  }
  if (near_b.empty()) return;
  auto lower = [&](int k) { return second.box[k].lower[0]; };
  std::sort(near_b.begin(), near_b.end(),
            [&](int x, int y) { return lower(x) != lower(y) ? lower(x) < lower(y) : x < y; });
  double widest = 0;
  for (int k : near_b) widest = std::max(widest, second.box[k].upper[0] - second.box[k].lower[0]);
  for (int k : members_a) {
    const Box& box = first.box[k];
    if (stop()) return;
    if (!overlap(box, part)) continue;
    // Boxes of b that may reach this one begin no more than the widest box before it.
    auto it = std::lower_bound(near_b.begin(), near_b.end(), box.lower[0] - widest,
                               [&](int x, double value) { return lower(x) < value; });
    for (; it != near_b.end() && lower(*it) <= box.upper[0]; ++it) {
      if (overlap(box, second.box[*it])) found(first.index[k], second.index[*it]);
    }
  }
}

template <class Candidate, class Add>
bool search_bodies(const CollisionMesh& mesh, const PrimitiveBoxes& first, const PrimitiveBoxes& second,
                   std::size_t limit, std::vector<Candidate>& result, Add&& add) {
  const BodyList bodies_first(first, mesh.bodies.size()), bodies_second(second, mesh.bodies.size());
  const auto pairs = body_pairs(mesh, bodies_first, bodies_second);
  PairCollector<Candidate> collector(mesh, pairs.size(), limit);
  parallel_for(pairs.size(), [&](std::size_t p) {
    const auto [a, b] = pairs[p];
    search_pair(
        first, bodies_first.members[a], second, bodies_second.members[b],
        common_part(bodies_first.box[a], bodies_second.box[b]),
        [&](int i, int j) { add(collector, p, i, j); }, [&] { return collector.full(); });
  });
  result = collector.take();
  return !collector.full();
}

class BodyBoxes final : public BroadPhase {
 public:
  using BroadPhase::find;
  Candidates find(const CollisionMesh& mesh, const VertexBoxes& boxes, std::size_t limit) override {
    Candidates candidates;
    candidates.complete = search_bodies(
        mesh, point_boxes(mesh, boxes), triangle_boxes(mesh, boxes), limit, candidates.point_triangle,
        [](auto& collector, std::size_t p, int i, int j) { collector.add(p, i, j); });
    if (candidates.complete) {
      const PrimitiveBoxes edges = edge_boxes(mesh, boxes);
      candidates.complete = search_bodies(mesh, edges, edges, limit, candidates.edge_edge,
                                          [](auto& collector, std::size_t p, int i, int j) {
                                            // Both orders of a pair are met; one is kept.
                                            if (i < j) collector.add(p, i, j);
                                          });
    }
    if (!candidates.complete) {
      candidates = {};
      candidates.complete = false;
      return candidates;
    }
    candidates.point_plane = find_point_plane(mesh, boxes);
    return candidates;
  }
};

}  // namespace

std::unique_ptr<BroadPhase> make_body_boxes() {
  return std::make_unique<BodyBoxes>();
}

}  // namespace bulwark
