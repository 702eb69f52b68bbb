#include <bulwark/collision/sweep.hpp>

namespace bulwark {
namespace {

class Sweep final : public BroadPhase {
 public:
  Candidates find_pairs(const CollisionMesh& mesh, const VertexBoxes& boxes, std::size_t limit) override {
    return find_by_items(mesh, boxes,
                         [&]<class Candidate>(std::vector<SweptItem>& items, bool between, auto&& make_pair,
                                              std::vector<Candidate>& result) {
                           PairCollector<Candidate> collector(mesh, sweep_chunks(items.size()), limit);
                           sweep(
                               items, between,
                               [&](std::size_t chunk, const SweptItem& a, const SweptItem& b) {
                                 const auto [i, j] = make_pair(a, b);
                                 collector.add(chunk, i, j);
                               },
                               [&] { return collector.full(); });
                           result = collector.take();
                           return !collector.full();
                         });
  }
};

}  // namespace

std::unique_ptr<BroadPhase> make_sweep() {
  return std::make_unique<Sweep>();
}

}  // namespace bulwark
