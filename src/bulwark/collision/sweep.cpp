#include <bulwark/collision/primitive_boxes.hpp>
#include <bulwark/collision/sweep.hpp>

namespace bulwark {
namespace {

class Sweep final : public BroadPhase {
 public:
  using BroadPhase::find;
  Candidates find(const CollisionMesh& mesh, const VertexBoxes& boxes, std::size_t limit) override {
    Candidates candidates;
    std::vector<SweptItem> items;
    append_items(items, point_boxes(mesh, boxes), false);
    append_items(items, triangle_boxes(mesh, boxes), true);
    PairCollector<PointTriangleCandidate> points(mesh, sweep_chunks(items.size()), limit);
    sweep(
        items, true,
        [&](std::size_t chunk, const SweptItem& a, const SweptItem& b) {
          points.add(chunk, a.second ? b.id : a.id, a.second ? a.id : b.id);
        },
        [&] { return points.full(); });

    items.clear();
    append_items(items, edge_boxes(mesh, boxes), false);
    PairCollector<EdgeEdgeCandidate> edges(mesh, sweep_chunks(items.size()), limit);
    sweep(
        items, false,
        [&](std::size_t chunk, const SweptItem& a, const SweptItem& b) {
          edges.add(chunk, std::min(a.id, b.id), std::max(a.id, b.id));
        },
        [&] { return edges.full(); });

    candidates.complete = !points.full() && !edges.full();
    if (!candidates.complete) return candidates;
    candidates.point_triangle = points.take();
    candidates.edge_edge = edges.take();
    candidates.point_plane = find_point_plane(mesh, boxes);
    return candidates;
  }
};

}  // namespace

std::unique_ptr<BroadPhase> make_sweep() {
  return std::make_unique<Sweep>();
}

}  // namespace bulwark
