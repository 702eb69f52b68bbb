#include "running_scene.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/output/writing/checkpoint.hpp>
#include <bulwark/scene/add_to_world.hpp>
#include <bulwark/sim/remove_body.hpp>
#include <bulwark/sim/remove_joint.hpp>
#include <bulwark/sim/state_check.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

namespace bulwark::python {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* addition_name = "addition";

LoadOptions load_options(const std::string& base_folder, const std::vector<std::string>& overrides = {},
                         bool name_lines = false) {
  LoadOptions options;
  options.base_folder = base_folder;
  options.overrides = overrides;
  options.name_lines = name_lines;
  return options;
}

Settings adjusted(Settings settings, std::optional<int> threads, const std::shared_ptr<SignalWatch>& watch) {
  if (threads) settings.solver.threads = *threads;
  settings.stop = [watch] { return (*watch)(); };
  return settings;
}

/// Ctrl-C may end the start check as well.
Simulation started(Scene scene, std::optional<int> threads, const std::shared_ptr<SignalWatch>& watch) {
  const SignalWatch::Work work(*watch);
  return Simulation(std::move(scene.world), adjusted(std::move(scene.settings), threads, watch));
}

/// Marks those of the items whose names are listed; `missing` tells what to say of one that is not there.
template <class Item, class Missing>
std::vector<char> marked(const std::vector<Item>& items, const std::string& names, Missing&& missing) {
  std::unordered_multimap<std::string, std::size_t> places;
  for (std::size_t i = 0; i < items.size(); ++i) places.emplace(items[i].name, i);
  std::vector<char> gone(items.size(), 0);
  for (const Json& name : Json::parse(names)) {
    const auto [begin, end] = places.equal_range(name.get<std::string>());
    if (begin == end) throw missing(name.get<std::string>());
    for (auto place = begin; place != end; ++place) gone[place->second] = 1;
  }
  return gone;
}

void remove_named(World& world, const std::string& names) {
  remove_bodies(world, marked(world.bodies, names, [](const std::string&) {
                  return InputError("the saved changes remove a body that is not there");
                }));
}

void remove_named_joints(World& world, const std::string& names) {
  bulwark::remove_joints(world, marked(world.joints, names, [](const std::string& name) {
                           return InputError("joint '" + name + "'", "there is no such joint");
                         }));
}

/// The controls of those of the first `had` bodies that joints of the addition tie: the joints can't be made
/// again without. "" when there are none.
std::string joined_bodies(const World& world, std::size_t had, const std::string& addition) {
  Json placed = Json::object();
  const Json json = Json::parse(addition);
  for (const Json& joint : json.value("joints", Json::array())) {
    for (const Json& named : joint.value("bodies", Json::array())) {
      const std::string name = named.get<std::string>();
      for (std::size_t i = 0; i < had; ++i) {
        const Body& body = world.bodies[i];
        if (body.name != name && !body.name.starts_with(name + "[")) continue;
        const Vectors q = world.state.position.middleCols(body.first_control, body.control_count);
        placed[body.name] = std::vector<double>(q.data(), q.data() + q.size());
      }
    }
  }
  return placed.empty() ? "" : placed.dump();
}

void place_bodies(World& world, const std::string& placed) {
  const Json bodies = Json::parse(placed);
  for (const auto& [name, numbers] : bodies.items()) {
    for (const Body& body : world.bodies) {
      if (body.name != name) continue;
      const auto q = numbers.get<std::vector<double>>();
      if (q.size() != 3 * static_cast<std::size_t>(body.control_count))
        throw InputError("body '" + name + "'", "the saved changes do not fit it",
                         "was a mesh file changed since they were saved?");
      world.state.position.middleCols(body.first_control, body.control_count) =
          Eigen::Map<const Vectors>(q.data(), 3, body.control_count);
    }
  }
}

std::string with_materials(const std::string& scene_text, const std::string& addition_text) {
  const Json addition = Json::parse(addition_text);
  if (!addition.contains("materials")) return scene_text;
  Json scene = Json::parse(scene_text);
  scene["materials"].update(addition["materials"]);
  return scene.dump();
}

}  // namespace

RunningScene::RunningScene(const std::string& text, const std::string& name, const std::string& base_folder,
                           const std::vector<std::string>& overrides, std::optional<int> threads,
                           bool is_file)
    : RunningScene(parse_scene(text, name, load_options(base_folder, overrides, is_file)), name, base_folder,
                   threads) {}

RunningScene::RunningScene(Scene scene, const std::string& name, const std::string& base_folder,
                           std::optional<int> threads)
    : name_(name),
      base_folder_(base_folder),
      resolved_(scene.resolved_json),
      context_(resolved_),
      simulation_(started(std::move(scene), threads, watch_)) {}

StepReport RunningScene::step() {
  const Vectors& applied = world().applied_to_controls;
  if (!applied.allFinite()) {
    throw InputError("control_forces", "a force is not finite", "write finite numbers (N)");
  }
  const SignalWatch::Work work(*watch_);
  return simulation_.step();
}

void RunningScene::edit(const std::function<void(World&)>& edit) {
  World before = simulation_.change(edit);
  kept_->position = std::move(before.state.position);
  kept_->velocity = std::move(before.state.velocity);
  kept_->applied = std::move(before.applied_to_controls);
  kept_ = std::make_shared<KeptArrays>();
}

std::vector<int> RunningScene::add(const std::string& text) {
  std::string resolved;
  const std::size_t had = world().bodies.size();
  edit([&](World& world) {
    resolved = add_to_world(world, text, addition_name, context_, load_options(base_folder_));
  });
  context_ = with_materials(context_, resolved);
  const std::string joined = joined_bodies(world(), had, resolved);
  if (!joined.empty()) changes_.push_back({world().state.time, "placed", joined});
  changes_.push_back({world().state.time, "added", resolved});
  std::vector<int> added;
  for (std::size_t i = had; i < world().bodies.size(); ++i) added.push_back(static_cast<int>(i));
  return added;
}

void RunningScene::remove(const std::vector<int>& bodies) {
  Json names = Json::array();
  for (const int body : bodies) names.push_back(world().bodies[body].name);
  edit([&](World& world) { remove_named(world, names.dump()); });
  changes_.push_back({world().state.time, "removed", names.dump()});
}

void RunningScene::remove_joints(const std::vector<std::string>& names) {
  const std::string what = Json(names).dump();
  edit([&](World& world) { remove_named_joints(world, what); });
  changes_.push_back({world().state.time, "removed_joints", what});
}

void RunningScene::replay(const std::vector<Change>& changes, const std::string& checkpoint,
                          const std::string& place) {
  const Checkpoint saved = decode_checkpoint(checkpoint, place);
  std::string context = resolved_;
  edit([&](World& world) {
    for (const Change& change : changes) {
      world.state.time = change.time;  // motions and tables of what comes begin then
      if (change.kind == "added") {
        add_to_world(world, change.what, place, context, load_options(base_folder_));
        context = with_materials(context, change.what);
      } else if (change.kind == "placed") {
        place_bodies(world, change.what);
      } else if (change.kind == "removed_joints") {
        remove_named_joints(world, change.what);
      } else {
        remove_named(world, change.what);
      }
    }
    if (saved.state.position.cols() != world.control_count()) {
      throw InputError(place, "its state does not fit its scene",
                       "was a mesh file changed since it was saved?");
    }
    require_state_fits(saved.state, world, place);
    world.state = saved.state;
  });
  simulation_.restore(saved.state);
  context_ = context;
  changes_ = changes;
}

std::string RunningScene::checkpoint() const {
  Checkpoint checkpoint;
  checkpoint.fingerprint = scene_fingerprint(origin().resolved_scene, world());
  checkpoint.state = world().state;
  return encode_checkpoint(checkpoint);
}

RunOrigin RunningScene::origin() const {
  RunOrigin origin{name_, resolved_, BULWARK_VERSION};
  if (changes_.empty()) return origin;
  Json scene = Json::parse(resolved_);
  Json& list = scene["changes"] = Json::array();
  for (const Change& change : changes_) {
    list.push_back({{"time", change.time}, {change.kind, Json::parse(change.what)}});
  }
  origin.resolved_scene = scene.dump(2);
  return origin;
}

int index_of(const World& world, std::int64_t id) {
  const auto found = std::lower_bound(world.bodies.begin(), world.bodies.end(), id,
                                      [](const Body& body, std::int64_t wanted) { return body.id < wanted; });
  return found != world.bodies.end() && found->id == id ? static_cast<int>(found - world.bodies.begin()) : -1;
}

}  // namespace bulwark::python
