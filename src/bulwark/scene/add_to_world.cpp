#include <bulwark/base/error.hpp>
#include <bulwark/scene/add_to_world.hpp>
#include <bulwark/scene/old_keys.hpp>
#include <bulwark/scene/read_bodies.hpp>
#include <bulwark/scene/read_joints.hpp>
#include <bulwark/scene/schema.hpp>
#include <bulwark/scene/validate.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>

namespace bulwark {
namespace {

/// Keys that an addition can have.
constexpr std::array<const char*, 3> additions = {"bodies", "joints", "materials"};

void check_keys(const Json& addition, std::vector<Issue>& issues) {
  if (!addition.is_object()) {
    issues.push_back({"", "expected an object, found " + brief(addition), R"(as {"bodies": [...]})"});
    return;
  }
  for (const auto& [key, value] : addition.items()) {
    if (std::find(additions.begin(), additions.end(), key) != additions.end()) continue;
    issues.push_back({pointer_to("", key), fmt::format("\"{}\" can't be changed between steps", key),
                      "an addition has `bodies`, `materials` and `joints`"});
  }
  if (!addition.contains("bodies") && !addition.contains("joints"))
    issues.push_back({"", "the keys \"bodies\" and \"joints\" are both missing", ""});
}

void add_materials(Json& scene, const Json& addition, std::vector<Issue>& issues) {
  if (!addition.contains("materials") || !addition["materials"].is_object()) {
    if (addition.contains("materials"))
      scene["materials"] = addition["materials"];  // the schema will complain
    return;
  }
  for (const auto& [name, material] : addition["materials"].items()) {
    if (scene["materials"].contains(name)) {
      issues.push_back({pointer_to("/materials", name), "the scene has a material of this name already",
                        "choose another name"});
    } else {
      scene["materials"][name] = material;
    }
  }
}

/// The names of bodies or joints that are there, and those that stand for all copies of one.
template <class Item>
std::unordered_set<std::string> taken_names(const std::vector<Item>& items) {
  std::unordered_set<std::string> names;
  for (const Item& item : items) {
    names.insert(item.name);
    if (const std::size_t bracket = item.name.find('['); bracket != std::string::npos)
      names.insert(item.name.substr(0, bracket));
  }
  return names;
}

/// Names for bodies that have none, and complaints about names that are taken by a body or by its copies.
void name_bodies(Json& bodies, const World& world, std::vector<Issue>& issues) {
  const std::unordered_set<std::string> taken = taken_names(world.bodies);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Json& body = bodies[i];
    if (!body.is_object()) continue;
    if (!body.contains("name") && body.contains("kind") && body["kind"].is_string()) {
      body["name"] = fmt::format("{}-{}", body["kind"].get<std::string>(), world.next_body_id + i);
    }
    if (!body.contains("name") || !body["name"].is_string()) continue;
    const std::string name = body["name"].get<std::string>();
    if (taken.contains(name)) {
      issues.push_back({pointer_to(pointer_to("/bodies", i), "name"),
                        fmt::format("the world has a body \"{}\" already", name),
                        "names of bodies must differ"});
    }
  }
}

/// Names for joints that have none, and complaints about names that are taken by a joint or by its copies.
void name_joints(Json& joints, const World& world, std::vector<Issue>& issues) {
  const std::unordered_set<std::string> taken = taken_names(world.joints);
  for (std::size_t i = 0; i < joints.size(); ++i) {
    Json& joint = joints[i];
    if (!joint.contains("name")) {
      std::size_t number = world.joints.size() + i;
      const auto name = [&] { return fmt::format("{}-{}", joint["kind"].get<std::string>(), number); };
      while (taken.contains(name())) ++number;
      joint["name"] = name();
    } else if (const std::string name = joint["name"].get<std::string>(); taken.contains(name)) {
      issues.push_back({pointer_to(pointer_to("/joints", i), "name"),
                        fmt::format("the world has a joint \"{}\" already", name),
                        "names of joints must differ"});
    }
  }
}

}  // namespace

std::string add_to_world(World& world, const std::string& text, const std::string& name,
                         const std::string& resolved_scene, const LoadOptions& options) {
  const SceneSource source{name, options.name_lines ? text : "", {}};
  const Json addition = parse_json(text, name);
  std::vector<Issue> issues;
  check_keys(addition, issues);
  throw_issues(issues, source);

  Json scene = parse_json(resolved_scene, "the scene");
  const bool brings_bodies = addition.contains("bodies");
  if (brings_bodies) scene["bodies"] = addition["bodies"];
  scene["contact"]["pairs"] = Json::array();
  scene["joints"] = addition.value("joints", Json::array());
  add_materials(scene, addition, issues);
  if (brings_bodies && scene["bodies"].is_array()) name_bodies(scene["bodies"], world, issues);
  throw_issues(issues, source);
  std::vector<RenamedKey> renamed;
  std::vector<LiftedValue> lifted;
  issues = check_against_schema(scene, scene_schema_document(), &renamed, &lifted);
  throw_issues(issues, source);
  warn_of_old_keys(renamed, source);
  name_joints(scene["joints"], world, issues);
  throw_issues(issues, source);
  const Json plain = scene;
  lift_into_space(scene, lifted);
  if (!brings_bodies) scene["bodies"] = Json::array();
  std::vector<std::string> remarks;  // a program that adds bodies has no author to tell
  read_bodies(world, scene, options, issues, remarks);
  throw_issues(issues, source);
  const std::size_t had_drives = world.joint_drives.size();
  read_joints(world, scene, issues);
  throw_issues(issues, source);
  for (std::size_t i = had_drives; i < world.joint_drives.size(); ++i)
    world.joint_drives[i].drive.value.begin = world.state.time;

  Json resolved = {{"joints", plain["joints"]}};
  if (brings_bodies) resolved["bodies"] = plain["bodies"];
  if (addition.contains("materials")) {
    for (const auto& [material, value] : addition["materials"].items())
      resolved["materials"][material] = plain["materials"][material];
  }
  return resolved.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace bulwark
