#include <bulwark/base/error.hpp>
#include <bulwark/sim/contact_model.hpp>
#include <bulwark/sim/hydroelastic_contact.hpp>
#include <bulwark/sim/patch_penalty.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

namespace bulwark {
namespace {

/// Of pairs that are under another model than the barrier; each is kept apart from the others.
constexpr std::size_t most_unguarded_pairs = 10'000'000;

std::pair<int, int> ordered(int a, int b) {
  return {std::min(a, b), std::max(a, b)};
}

/// Of a pair that is not under the barrier.
ContactModelKind model_of(const World& world, const std::array<int, 2>& pair) {
  const auto found = world.model_pairs.find({pair[0], pair[1]});
  return found != world.model_pairs.end() ? found->second : world.contact_model;
}

void add_pairs_of_scene(World& world, std::vector<std::array<int, 2>>& pairs) {
  const int count = static_cast<int>(world.bodies.size());
  std::vector<char> able(count);
  for (int b = 0; b < count; ++b) able[b] = model_refusal(world, b, world.contact_model).empty();
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) {
      if (!able[a] || !able[b] || world.model_pairs.contains({a, b}) || !world.collision.may_collide(a, b))
        continue;
      if (pairs.size() == most_unguarded_pairs) {
        throw InputError("/contact/model",
                         fmt::format("more than {} pairs of bodies are under \"{}\"", most_unguarded_pairs,
                                     contact_model_name(world.contact_model)),
                         "leave the barrier to the scene, and name the pairs that touch in `contact.pairs`");
      }
      pairs.push_back({a, b});
    }
  }
}

}  // namespace

std::string model_refusal(const World& world, int body, ContactModelKind kind) {
  switch (kind) {
    case ContactModelKind::barrier:
    case ContactModelKind::none:
      return "";
    case ContactModelKind::hydroelastic:
      return pressure_refusal(world, body);
    case ContactModelKind::patch_penalty:
      return patch_penalty_refusal(world, body);
  }
  return "";
}

ContactModelKind contact_model_between(const World& world, int body_a, int body_b) {
  const auto found = world.model_pairs.find(ordered(body_a, body_b));
  if (found != world.model_pairs.end()) return found->second;
  const bool able = model_refusal(world, body_a, world.contact_model).empty() &&
                    model_refusal(world, body_b, world.contact_model).empty();
  return able ? world.contact_model : ContactModelKind::barrier;
}

void update_contact_models(World& world) {
  CollisionMesh& mesh = world.collision;
  mesh.unguarded_pairs.clear();
  mesh.mark_exempt();
  std::vector<std::array<int, 2>> pairs;
  for (const auto& [pair, model] : world.model_pairs) {
    if (model != ContactModelKind::barrier && pair.first != pair.second &&
        mesh.may_collide(pair.first, pair.second))
      pairs.push_back({pair.first, pair.second});
  }
  if (world.contact_model != ContactModelKind::barrier) add_pairs_of_scene(world, pairs);
  std::sort(pairs.begin(), pairs.end());
  mesh.unguarded_pairs = std::move(pairs);
  mesh.mark_exempt();
}

std::vector<std::array<int, 2>> pairs_under(const World& world, ContactModelKind kind) {
  std::vector<std::array<int, 2>> pairs;
  std::copy_if(world.collision.unguarded_pairs.begin(), world.collision.unguarded_pairs.end(),
               std::back_inserter(pairs),
               [&](const std::array<int, 2>& pair) { return model_of(world, pair) == kind; });
  return pairs;
}

void forget_other_models(World& world) {
  const std::vector<std::array<int, 2>>& pairs = world.collision.unguarded_pairs;
  std::erase_if(world.state.contact_history, [&](const ContactHistory& item) {
    const std::array<int, 2> pair = {item.body_a, item.body_b};
    return !std::binary_search(pairs.begin(), pairs.end(), pair) || model_of(world, pair) != item.model;
  });
}

void put_history(State& state, ContactModelKind kind, std::vector<ContactHistory> items) {
  std::vector<ContactHistory>& all = state.contact_history;
  std::erase_if(all, [&](const ContactHistory& item) { return item.model == kind; });
  std::move(items.begin(), items.end(), std::back_inserter(all));
  std::stable_sort(all.begin(), all.end(), [](const ContactHistory& a, const ContactHistory& b) {
    return std::tie(a.model, a.body_a, a.body_b) < std::tie(b.model, b.body_a, b.body_b);
  });
}

std::string missing_promise(const World& world, const ContactSettings& settings) {
  if (!settings.enabled) return "contact is off: nothing keeps bodies apart";
  const std::vector<std::array<int, 2>>& pairs = world.collision.unguarded_pairs;
  if (pairs.empty()) return "";
  std::array<std::size_t, contact_model_names.size()> counts{};
  for (const std::array<int, 2>& pair : pairs) ++counts[static_cast<std::size_t>(model_of(world, pair))];
  std::string models;
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    if (counts[kind] > 0)
      models +=
          fmt::format("{}{} under `{}`", models.empty() ? "" : ", ", counts[kind], contact_model_names[kind]);
  }
  return fmt::format("{} pair{} of bodies ('{}' and '{}'{}) {} not under the barrier ({}): {} may overlap",
                     pairs.size(), pairs.size() == 1 ? "" : "s", world.bodies[pairs[0][0]].name,
                     world.bodies[pairs[0][1]].name, pairs.size() == 1 ? "" : ", ..",
                     pairs.size() == 1 ? "is" : "are", models, pairs.size() == 1 ? "it" : "they");
}

std::vector<std::unique_ptr<ContactModel>> make_contact_models(const World& world, const Settings& settings,
                                                               const Derived& derived) {
  std::vector<std::unique_ptr<ContactModel>> models;
  if (!pairs_under(world, ContactModelKind::hydroelastic).empty())
    models.push_back(std::make_unique<HydroelasticContact>(world, settings, derived));
  if (!pairs_under(world, ContactModelKind::patch_penalty).empty())
    models.push_back(std::make_unique<PatchPenalty>(world, settings, derived));
  return models;
}

}  // namespace bulwark
