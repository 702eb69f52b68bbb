#include <bulwark/scene/issues.hpp>
#include <bulwark/scene/read_patch_penalty.hpp>

#include <nlohmann/json.hpp>

namespace bulwark {

PatchPenaltySettings read_patch_penalty(const Json& json, const std::string& path) {
  const auto number = [&](const char* key) {
    return json.contains(key) ? std::optional(json[key].get<double>()) : std::nullopt;
  };
  PatchPenaltySettings settings;
  settings.young = number("young");
  settings.stiffness = number("stiffness");
  settings.area_stiffness = number("area_stiffness");
  if (settings.young.has_value() + settings.stiffness.has_value() + settings.area_stiffness.has_value() > 1)
    throw IssueFound(path, "it has more than one stiffness",
                     "give one of `young`, `stiffness` and `area_stiffness`");
  settings.poisson = number("poisson");
  settings.restitution = number("restitution");
  settings.static_friction = number("static_friction");
  if (json.contains("detection_ahead")) settings.detection_ahead = json["detection_ahead"].get<int>();
  return settings;
}

}  // namespace bulwark
