#include <bulwark/base/error.hpp>
#include <bulwark/scene/add_to_world.hpp>
#include <bulwark/scene/read_bodies.hpp>
#include <bulwark/scene/schema.hpp>
#include <bulwark/scene/validate.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace bulwark {
namespace {

/// Keys that an addition can have.
constexpr std::array<const char*, 2> additions = {"bodies", "materials"};

void check_keys(const Json& addition, std::vector<Issue>& issues) {
  if (!addition.is_object()) {
    issues.push_back({"", "expected an object, found " + brief(addition), R"(as {"bodies": [...]})"});
    return;
  }
  for (const auto& [key, value] : addition.items()) {
    if (std::find(additions.begin(), additions.end(), key) != additions.end()) continue;
    issues.push_back({pointer_to("", key), fmt::format("\"{}\" can't be changed between steps", key),
                      "an addition has `bodies` and `materials`"});
  }
  if (!addition.contains("bodies")) issues.push_back({"", "the key \"bodies\" is missing", ""});
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

/// Names for bodies that have none, and complaints about names that are taken by a body or by its copies.
void name_bodies(Json& bodies, const World& world, std::vector<Issue>& issues) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Json& body = bodies[i];
    if (!body.is_object()) continue;
    if (!body.contains("name") && body.contains("kind") && body["kind"].is_string()) {
      body["name"] = fmt::format("{}-{}", body["kind"].get<std::string>(), world.next_body_id + i);
    }
    if (!body.contains("name") || !body["name"].is_string()) continue;
    const std::string name = body["name"].get<std::string>();
    const bool taken = std::any_of(world.bodies.begin(), world.bodies.end(), [&](const Body& other) {
      return other.name == name || other.name.starts_with(name + "[");
    });
    if (taken) {
      issues.push_back({pointer_to(pointer_to("/bodies", i), "name"),
                        fmt::format("the world has a body \"{}\" already", name),
                        "names of bodies must differ"});
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
  scene["bodies"] = addition["bodies"];
  scene["contact"]["pairs"] = Json::array();
  scene.erase("joints");  // they are those of the scene's own bodies
  add_materials(scene, addition, issues);
  name_bodies(scene["bodies"], world, issues);
  throw_issues(issues, source);
  issues = check_against_schema(scene, scene_schema_document());
  throw_issues(issues, source);
  read_bodies(world, scene, options, issues);
  throw_issues(issues, source);

  Json resolved = {{"bodies", scene["bodies"]}};
  if (addition.contains("materials")) {
    for (const auto& [material, value] : addition["materials"].items())
      resolved["materials"][material] = scene["materials"][material];
  }
  return resolved.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace bulwark
