// Culling by bodies, after affine body dynamics: where the boxes of two bodies overlap, only the primitives
// that reach into the overlap are looked at. Made for scenes of many bodies that touch in few places.
#include <bulwark/collision/pair_rules.hpp>
#include <bulwark/collision/primitive_boxes.hpp>
#include <bulwark/collision/sweep.hpp>

#include <atomic>

namespace bulwark {
namespace {

/// The primitives of one kind in the order of their bodies, ascending within a body.
struct ByBody {
  std::vector<int> start;  ///< per body, and the end
  std::vector<int> item;

  template <class Body>
  ByBody(std::size_t bodies, std::size_t count, Body&& body_of) : start(bodies + 1, 0), item(count) {
    for (std::size_t k = 0; k < count; ++k) ++start[body_of(k) + 1];
    for (std::size_t b = 0; b < bodies; ++b) start[b + 1] += start[b];
    std::vector<int> next(start.begin(), start.end() - 1);
    for (std::size_t k = 0; k < count; ++k) item[next[body_of(k)]++] = static_cast<int>(k);
  }
};

struct Placed {
  Box box;
  int index;
};

Box common_part(const Box& a, const Box& b) {
  Box result{};
  for (int i = 0; i < 3; ++i) {
    result.lower[i] = std::max(a.lower[i], b.lower[i]);
    result.upper[i] = std::min(a.upper[i], b.upper[i]);
  }
  return result;
}

/// Calls found(i, j) for the primitives of two lists whose boxes overlap, ascending where the lists are and
/// short. stop() ends the search.
template <class Found, class Stop>
void match(const std::vector<Placed>& first, std::vector<Placed>& second, Found&& found, Stop&& stop) {
  constexpr std::size_t few = 4096;
  if (first.size() * second.size() <= few) {
    for (const Placed& a : first) {
      for (const Placed& b : second) {
        if (overlap(a.box, b.box)) found(a.index, b.index);
      }
    }
    return;
  }
  std::sort(second.begin(), second.end(), [](const Placed& x, const Placed& y) {
    return x.box.lower[0] != y.box.lower[0] ? x.box.lower[0] < y.box.lower[0] : x.index < y.index;
  });
  double widest = 0;
  for (const Placed& b : second) widest = std::max(widest, b.box.upper[0] - b.box.lower[0]);
  for (const Placed& a : first) {
    if (stop()) return;
    // Boxes that may reach this one begin no more than the widest box before it.
    auto it = std::lower_bound(second.begin(), second.end(), a.box.lower[0] - widest,
                               [](const Placed& b, double value) { return b.box.lower[0] < value; });
    for (; it != second.end() && it->box.lower[0] <= a.box.upper[0]; ++it) {
      if (overlap(a.box, it->box)) found(a.index, it->index);
    }
  }
}

class BodySearch {
 public:
  BodySearch(const CollisionMesh& mesh, const VertexBoxes& boxes)
      : mesh_(mesh),
        boxes_(boxes),
        points_(mesh.bodies.size(), mesh.points.size(),
                [&](std::size_t k) { return mesh.vertex_body[mesh.points[k]]; }),
        triangles_(mesh.bodies.size(), mesh.triangles.size(),
                   [&](std::size_t k) { return mesh.vertex_body[mesh.triangles[k][0]]; }),
        edges_(mesh.bodies.size(), mesh.edges.size(),
               [&](std::size_t k) { return mesh.vertex_body[mesh.edges[k][0]]; }) {
    triangle_box_.resize(mesh.triangles.size());
    parallel_for(triangle_box_.size(),
                 [&](std::size_t k) { triangle_box_[k] = box_around(boxes, mesh.triangles[k]); });
    edge_box_.resize(mesh.edges.size());
    parallel_for(edge_box_.size(), [&](std::size_t k) { edge_box_[k] = box_around(boxes, mesh.edges[k]); });
    const VertexBoxes around = body_boxes(mesh, boxes);
    body_box_.resize(mesh.bodies.size());
    for (std::size_t b = 0; b < body_box_.size(); ++b) {
      body_box_[b] = box_around(around, std::array<int, 1>{static_cast<int>(b)});
    }
  }

  /// Pairs (a <= b) of bodies whose boxes overlap and that may collide, ascending.
  std::vector<std::array<int, 2>> body_pairs() const {
    std::vector<SweptItem> items;
    std::vector<std::array<int, 2>> pairs;
    for (std::size_t b = 0; b < body_box_.size(); ++b) {
      if (points_.start[b] == points_.start[b + 1]) continue;
      const int body = static_cast<int>(b);
      items.push_back({body_box_[b], body});
      if (mesh_.may_collide(body, body)) pairs.push_back({body, body});
    }
    std::vector<std::vector<std::array<int, 2>>> parts(sweep_chunks(items.size()));
    sweep(items, [&](std::size_t chunk, const SweptItem& a, const SweptItem& b) {
      if (mesh_.may_collide(a.id, b.id)) parts[chunk].push_back({std::min(a.id, b.id), std::max(a.id, b.id)});
    });
    for (const auto& part : parts) pairs.insert(pairs.end(), part.begin(), part.end());
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  }

  /// Lists that serve one pair of bodies after the other.
  struct Lists {
    std::vector<Placed> first, second;
  };

  /// Appends what two bodies have in common; not all of it where a list gets longer than `limit`.
  void search(int a, int b, std::size_t limit, Lists& lists,
              std::vector<PointTriangleCandidate>& point_triangle,
              std::vector<EdgeEdgeCandidate>& edge_edge) const {
    const Box part = common_part(body_box_[a], body_box_[b]);
    const auto first_point = static_cast<std::ptrdiff_t>(point_triangle.size()),
               first_edge = static_cast<std::ptrdiff_t>(edge_edge.size());
    auto pair_points = [&](int of_points, int of_triangles) {
      place(
          triangles_, of_triangles, part, [&](int k) -> const Box& { return triangle_box_[k]; },
          lists.second);
      if (lists.second.empty()) return;
      place(
          points_, of_points, part,
          [&](int k) { return box_around(boxes_, std::array<int, 1>{mesh_.points[k]}); }, lists.first);
      match(
          lists.first, lists.second,
          [&](int i, int j) {
            if (a != b || !share_vertex(mesh_.points[i], mesh_.triangles[j]))
              point_triangle.push_back({mesh_.points[i], j});
          },
          [&] { return point_triangle.size() > limit; });
    };
    pair_points(a, b);
    if (a != b) pair_points(b, a);
    auto edge_box = [&](int k) -> const Box& { return edge_box_[k]; };
    place(edges_, b, part, edge_box, lists.second);
    if (!lists.second.empty()) {
      place(edges_, a, part, edge_box, lists.first);
      match(
          lists.first, lists.second,
          [&](int i, int j) {
            // Within one body both orders of a pair are met; one is kept.
            if (a == b && (i >= j || share_vertex(mesh_.edges[i], mesh_.edges[j]))) return;
            if (!edges_meet(mesh_, i, j)) return;
            edge_edge.push_back({std::min(i, j), std::max(i, j)});
          },
          [&] { return edge_edge.size() > limit; });
    }
    // Mostly they are sorted as they come.
    if (!std::is_sorted(point_triangle.begin() + first_point, point_triangle.end()))
      std::sort(point_triangle.begin() + first_point, point_triangle.end());
    if (!std::is_sorted(edge_edge.begin() + first_edge, edge_edge.end()))
      std::sort(edge_edge.begin() + first_edge, edge_edge.end());
  }

 private:
  /// The primitives of a body that reach into a box.
  template <class BoxOf>
  void place(const ByBody& primitives, int body, const Box& part, BoxOf&& box_of,
             std::vector<Placed>& result) const {
    result.clear();
    for (int k = primitives.start[body]; k < primitives.start[body + 1]; ++k) {
      const Box& box = box_of(primitives.item[k]);
      if (overlap(box, part)) result.push_back({box, primitives.item[k]});
    }
  }

  const CollisionMesh& mesh_;
  const VertexBoxes& boxes_;
  ByBody points_, triangles_, edges_;
  std::vector<Box> body_box_, triangle_box_, edge_box_;
};

/// What is found for some pairs of bodies, in their order.
struct FoundPairs {
  std::vector<PointTriangleCandidate> point_triangle;
  std::vector<EdgeEdgeCandidate> edge_edge;
  std::vector<BodyGroup> groups;
};

class BodyBoxes final : public BroadPhase {
 public:
  /// Only pairs with a body whose boxes changed are searched again.
  Candidates update(const CollisionMesh& mesh, const VertexBoxes& boxes, const std::vector<char>& changed,
                    const Candidates& earlier, std::size_t limit) override {
    const BodySearch bodies(mesh, boxes);
    std::vector<std::array<int, 2>> pairs = bodies.body_pairs();
    std::erase_if(pairs, [&](const std::array<int, 2>& p) { return !changed[p[0]] && !changed[p[1]]; });
    const std::vector<FoundPairs> parts = search(bodies, pairs, limit);
    // Both lists of groups ascend.
    Joined joined;
    auto old = earlier.groups.begin();
    auto append_old = [&](auto&& until) {
      for (; old != earlier.groups.end() && until(*old); ++old) {
        if (!changed[old->body_a] && !changed[old->body_b])
          joined.append(*old, earlier.point_triangle, earlier.edge_edge);
      }
    };
    for (const FoundPairs& part : parts) {
      for (const BodyGroup& group : part.groups) {
        append_old([&](const BodyGroup& g) {
          return std::array{g.body_a, g.body_b} < std::array{group.body_a, group.body_b};
        });
        joined.append(group, part.point_triangle, part.edge_edge);
      }
    }
    append_old([](const BodyGroup&) { return true; });
    return joined.result(mesh, boxes, limit);
  }

 private:
  Candidates find_pairs(const CollisionMesh& mesh, const VertexBoxes& boxes, std::size_t limit) override {
    const BodySearch bodies(mesh, boxes);
    Joined joined;
    for (const FoundPairs& part : search(bodies, bodies.body_pairs(), limit)) {
      for (const BodyGroup& group : part.groups) joined.append(group, part.point_triangle, part.edge_edge);
    }
    return joined.result(mesh, boxes, limit);
  }

  /// Groups one after the other.
  struct Joined {
    Candidates all;

    void append(BodyGroup group, const std::vector<PointTriangleCandidate>& points,
                const std::vector<EdgeEdgeCandidate>& edges) {
      auto copy = [](const auto& from, auto& to, std::size_t& begin, std::size_t& end) {
        const std::size_t start = to.size();
        to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(begin),
                  from.begin() + static_cast<std::ptrdiff_t>(end));
        begin = start;
        end = to.size();
      };
      copy(points, all.point_triangle, group.point_begin, group.point_end);
      copy(edges, all.edge_edge, group.edge_begin, group.edge_end);
      all.groups.push_back(group);
    }
    Candidates result(const CollisionMesh& mesh, const VertexBoxes& boxes, std::size_t limit) {
      if (all.point_triangle.size() > limit || all.edge_edge.size() > limit) {
        all = {};
        all.complete = false;
        return std::move(all);
      }
      all.point_plane = find_point_plane(mesh, boxes);
      return std::move(all);
    }
  };

  /// What pairs of bodies have in common, in chunks; not all of it where that is more than `limit`.
  static std::vector<FoundPairs> search(const BodySearch& bodies,
                                        const std::vector<std::array<int, 2>>& pairs, std::size_t limit) {
    constexpr std::size_t chunk_size = 16;
    std::vector<FoundPairs> parts((pairs.size() + chunk_size - 1) / chunk_size);
    std::atomic<std::size_t> points = 0, edges = 0;
    parallel_chunks(pairs.size(), chunk_size, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
      FoundPairs& own = parts[chunk];
      BodySearch::Lists lists;
      for (std::size_t p = begin; p < end && points <= limit && edges <= limit; ++p) {
        const std::size_t point_begin = own.point_triangle.size(), edge_begin = own.edge_edge.size();
        bodies.search(pairs[p][0], pairs[p][1], limit, lists, own.point_triangle, own.edge_edge);
        const std::size_t point_end = own.point_triangle.size(), edge_end = own.edge_edge.size();
        points += point_end - point_begin;
        edges += edge_end - edge_begin;
        if (point_end > point_begin || edge_end > edge_begin)
          own.groups.push_back({pairs[p][0], pairs[p][1], point_begin, point_end, edge_begin, edge_end});
      }
    });
    return parts;
  }
};

}  // namespace

std::unique_ptr<BroadPhase> make_body_boxes() {
  return std::make_unique<BodyBoxes>();
}

}  // namespace bulwark
