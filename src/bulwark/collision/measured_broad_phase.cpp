#include <bulwark/collision/broad_phase.hpp>

#include <algorithm>
#include <array>
#include <chrono>

namespace bulwark {
namespace {

/// Calls of each method whose least time counts; the first builds what later ones refit.
constexpr int trials = 2;
/// A method that took this many times the least so far is not tried again.
constexpr double hopeless = 3;
/// Calls after which the choice is measured again.
constexpr int calls_between_trials = 500;
/// Primitives of a mesh, and then of one of its bodies, above which bodies are not searched as a whole: that
/// grows faster than the tree does.
constexpr std::size_t large_mesh = 20'000, large_body = 5'000;

class Measured final : public BroadPhase {
 public:
  Candidates find_pairs(const CollisionMesh& mesh, const VertexBoxes& boxes, std::size_t limit) override {
    const int method = next_trial(mesh);
    if (method < 0) {
      if (++since_ == calls_between_trials) {
        since_ = 0;
        calls_.fill(0);
        least_.fill(1e30);
      }
      return methods_[best_]->find(mesh, boxes, limit);
    }
    ++calls_[method];
    const auto begin = std::chrono::steady_clock::now();
    Candidates found = methods_[method]->find(mesh, boxes, limit);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    least_[method] = std::min(least_[method], seconds);
    if (least_[method] < least_[best_]) best_ = static_cast<std::size_t>(method);
    return found;
  }

  Candidates update(const CollisionMesh& mesh, const VertexBoxes& boxes, const std::vector<char>& changed,
                    const Candidates& earlier, std::size_t limit) override {
    if (next_trial(mesh) >= 0) return find(mesh, boxes, limit);
    return methods_[best_]->update(mesh, boxes, changed, earlier, limit);
  }

 private:
  /// The method to be measured next; -1 when the choice is made.
  int next_trial(const CollisionMesh& mesh) {
    if (mesh.triangles.size() != triangles_ || mesh.edges.size() != edges_) look_at(mesh);
    for (int trial = 0; trial < trials; ++trial) {
      for (std::size_t m = 0; m < methods_.size(); ++m) {
        if (usable_[m] && calls_[m] <= trial && !(least_[m] < 1e30 && least_[m] > hopeless * least_[best_]))
          return static_cast<int>(m);
      }
    }
    return -1;
  }

  void look_at(const CollisionMesh& mesh) {
    triangles_ = mesh.triangles.size();
    edges_ = mesh.edges.size();
    std::vector<std::size_t> size(mesh.bodies.size(), 0);
    for (const Triangle& t : mesh.triangles) ++size[mesh.vertex_body[t[0]]];
    for (const Edge& e : mesh.edges) ++size[mesh.vertex_body[e[0]]];
    const bool small = triangles_ + edges_ <= large_mesh;
    const bool small_bodies =
        std::all_of(size.begin(), size.end(), [](std::size_t s) { return s <= large_body; });
    usable_ = {true, small || small_bodies};
  }

  std::array<std::unique_ptr<BroadPhase>, 2> methods_ = {make_bvh(), make_body_boxes()};
  std::array<double, 2> least_ = {1e30, 1e30};
  std::array<int, 2> calls_ = {0, 0};
  std::array<bool, 2> usable_ = {true, true};
  std::size_t triangles_ = 0, edges_ = 0;  ///< of the mesh that `usable_` is for
  std::size_t best_ = 0;
  int since_ = 0;
};

}  // namespace

std::unique_ptr<BroadPhase> make_measured_broad_phase() {
  return std::make_unique<Measured>();
}

}  // namespace bulwark
