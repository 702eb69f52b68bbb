#include <bulwark/scene/imported_scene.hpp>

#include <nlohmann/json.hpp>

namespace bulwark {
namespace {

std::string compact(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string imported_scene_text(const Json& scene) {
  std::string text = "{";
  for (const auto& [key, value] : scene.items()) {
    text += (text.size() > 1 ? ",\n  " : "\n  ") + compact(key) + ": ";
    if (!value.is_array() || value.empty() || !value[0].is_object()) {
      text += compact(value);
      continue;
    }
    text += "[\n";
    for (std::size_t i = 0; i < value.size(); ++i) {
      text += "    " + compact(value[i]) + (i + 1 < value.size() ? ",\n" : "\n  ]");
    }
  }
  return text + "\n}\n";
}

Json to_json(const Vector3& vector) {
  return Json::array({vector.x(), vector.y(), vector.z()});
}

}  // namespace bulwark
