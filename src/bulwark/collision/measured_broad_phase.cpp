#include <bulwark/collision/broad_phase.hpp>

#include <array>
#include <chrono>

namespace bulwark {
namespace {

/// Calls of each method whose least time counts; the first builds what later ones refit.
constexpr int trials = 2;
/// Calls after which the choice is measured again.
constexpr int calls_between_trials = 500;
/// Primitives above which only methods that grow slowly are tried.
constexpr std::size_t large_mesh = 20'000;

class Measured final : public BroadPhase {
 public:
  Candidates find_pairs(const CollisionMesh& mesh, const VertexBoxes& boxes, std::size_t limit) override {
    const std::size_t methods = methods_for(mesh);
    if (is_chosen(methods)) {
      if (++since_ == calls_between_trials) {
        call_ = since_ = 0;
        least_.fill(1e30);
      }
      return methods_[best_]->find(mesh, boxes, limit);
    }
    const std::size_t method = static_cast<std::size_t>(call_) % methods;
    ++call_;
    const auto begin = std::chrono::steady_clock::now();
    Candidates found = methods_[method]->find(mesh, boxes, limit);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (seconds < least_[method]) least_[method] = seconds;
    if (least_[method] < least_[best_]) best_ = method;
    return found;
  }

  Candidates update(const CollisionMesh& mesh, const VertexBoxes& boxes, const std::vector<char>& changed,
                    const Candidates& earlier, std::size_t limit) override {
    if (!is_chosen(methods_for(mesh))) return find(mesh, boxes, limit);
    return methods_[best_]->update(mesh, boxes, changed, earlier, limit);
  }

 private:
  std::size_t methods_for(const CollisionMesh& mesh) const {
    return mesh.triangles.size() + mesh.edges.size() > large_mesh ? 2 : methods_.size();
  }
  bool is_chosen(std::size_t methods) const { return call_ >= static_cast<int>(methods) * trials; }

  /// The two that serve meshes of any size come first.
  std::array<std::unique_ptr<BroadPhase>, 4> methods_ = {make_bvh(), make_hash_grid(), make_body_boxes(),
                                                         make_sweep()};
  std::array<double, 4> least_ = {1e30, 1e30, 1e30, 1e30};
  std::size_t best_ = 0;
  int call_ = 0;
  int since_ = 0;
};

}  // namespace

std::unique_ptr<BroadPhase> make_measured_broad_phase() {
  return std::make_unique<Measured>();
}

}  // namespace bulwark
