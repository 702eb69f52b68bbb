#include <bulwark/scene/nearest.hpp>
#include <bulwark/scene/read_contact_pairs.hpp>
#include <bulwark/scene/read_patch_penalty.hpp>
#include <bulwark/sim/contact_model.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

namespace bulwark {
namespace {

constexpr std::size_t max_pairs = 10'000'000;

void require_two_bodies(const std::vector<int>& first, const std::vector<int>& second,
                        const std::string& path) {
  if (first == second && first.size() == 1)
    throw IssueFound(path, "the pair is one body twice", "name two bodies");
}

class ContactPairReader {
 public:
  ContactPairReader(World& world, const BodiesOfName& bodies) : world_(world), bodies_(bodies) {}

  void read(const Json& pair, const std::string& path) {
    const std::string between = pointer_to(path, "between");
    const std::vector<int>& first =
        bodies_named(pair["between"][0].get<std::string>(), pointer_to(between, 0));
    const std::vector<int>& second =
        bodies_named(pair["between"][1].get<std::string>(), pointer_to(between, 1));
    const bool friction = pair.contains("friction"), model = pair.contains("model");
    if (!model && pair.contains("patch_penalty"))
      throw IssueFound(pointer_to(path, "patch_penalty"), "the pair has no model of its own",
                       "give it \"model\": \"patch-penalty\" as well");
    if (first.size() * second.size() + world_.friction_pairs.size() + world_.model_pairs.size() +
            exempt_.size() >
        max_pairs) {
      throw IssueFound(path, fmt::format("more than {} pairs of bodies", max_pairs),
                       friction ? "give the bodies a `friction` of their own instead"
                       : model  ? "give the model to the whole scene instead (`contact.model`)"
                                : "give the bodies a common `group` instead");
    }
    if (model) return read_model(first, second, pair, path);
    if (!friction) return exempt(first, second, between);
    for (const int a : first) {
      for (const int b : second) world_.friction_pairs[std::minmax(a, b)] = pair["friction"].get<double>();
    }
  }

  /// Exempts the pairs that do not collide: one by one, each would move those after it.
  void finish() {
    CollisionMesh& mesh = world_.collision;
    mesh.exempt_pairs.insert(mesh.exempt_pairs.end(), exempt_.begin(), exempt_.end());
    std::sort(mesh.exempt_pairs.begin(), mesh.exempt_pairs.end());
    mesh.exempt_pairs.erase(std::unique(mesh.exempt_pairs.begin(), mesh.exempt_pairs.end()),
                            mesh.exempt_pairs.end());
    for (const auto& [a, b] : exempt_) mesh.bodies[a].exempt = mesh.bodies[b].exempt = true;
  }

 private:
  const std::vector<int>& bodies_named(const std::string& name, const std::string& path) const {
    const auto found = bodies_.find(name);
    if (found != bodies_.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [other, indices] : bodies_) known.push_back(other);
    throw IssueFound(path, fmt::format("there is no body \"{}\"", name), suggestion(name, known, "bodies"));
  }

  void read_model(const std::vector<int>& first, const std::vector<int>& second, const Json& pair,
                  const std::string& path) {
    const std::string name = pair["model"].get<std::string>();
    const ContactModelKind model = *contact_model_of(name);
    std::optional<PatchPenaltySettings> patches;
    if (pair.contains("patch_penalty")) {
      const std::string place = pointer_to(path, "patch_penalty");
      if (model != ContactModelKind::patch_penalty)
        throw IssueFound(place, fmt::format("the pair's model is \"{}\"", name),
                         "leave it out, or give the pair the model \"patch-penalty\"");
      patches = read_patch_penalty(pair["patch_penalty"], place);
    }
    require_two_bodies(first, second, pointer_to(path, "between"));
    for (const std::vector<int>* bodies : {&first, &second}) {
      for (const int body : *bodies) {
        const std::string refusal = model_refusal(world_, body, model);
        if (refusal.empty()) continue;
        throw IssueFound(
            pointer_to(path, "model"),
            fmt::format(R"(body "{}" can't touch by "{}": {})", world_.bodies[body].name, name, refusal),
            "leave the pair to the barrier, or change the body");
      }
    }
    for (const int a : first) {
      for (const int b : second) {
        if (a == b) continue;
        world_.model_pairs[std::minmax(a, b)] = model;
        world_.patch_pairs.erase(std::minmax(a, b));  // of an earlier entry
        if (patches) world_.patch_pairs[std::minmax(a, b)] = *patches;
      }
    }
  }

  void exempt(const std::vector<int>& first, const std::vector<int>& second, const std::string& path) {
    require_two_bodies(first, second, path);
    for (const int a : first) {
      for (const int b : second) {
        if (a != b) exempt_.push_back({std::min(a, b), std::max(a, b)});
      }
    }
  }

  World& world_;
  const BodiesOfName& bodies_;
  std::vector<std::array<int, 2>> exempt_;  ///< bodies that do not collide
};

}  // namespace

void read_contact_pairs(World& world, const Json& pairs, const BodiesOfName& bodies,
                        std::vector<Issue>& issues) {
  ContactPairReader reader(world, bodies);
  for (std::size_t i = 0; i < pairs.size() && issues.size() <= max_issues; ++i) {
    const std::string path = pointer_to("/contact/pairs", i);
    collect_issue(issues, path, [&] { reader.read(pairs[i], path); });
  }
  reader.finish();
}

}  // namespace bulwark
