#include <bulwark/output/run_summary.hpp>

#include <fstream>
#include <nlohmann/json.hpp>

namespace bulwark {
namespace {

using Json = nlohmann::json;

/// The value at a JSON pointer, or null.
const Json& at(const Json& json, const char* pointer) {
  static const Json nothing;
  const Json::json_pointer place(pointer);
  return json.contains(place) ? json.at(place) : nothing;
}

std::string text(const Json& json, const char* pointer) {
  const Json& value = at(json, pointer);
  return value.is_string() ? value.get<std::string>() : "";
}

double number(const Json& json, const char* pointer, double otherwise = 0) {
  const Json& value = at(json, pointer);
  return value.is_number() ? value.get<double>() : otherwise;
}

std::optional<Vector3> vector(const Json& value) {
  if (!value.is_array() || value.size() != 3) return std::nullopt;
  Vector3 result;
  for (int k = 0; k < 3; ++k) {
    if (!value[k].is_number()) return std::nullopt;
    result[k] = value[k].get<double>();
  }
  return result;
}

}  // namespace

RunSummary read_run_summary(const std::filesystem::path& folder) {
  RunSummary summary;
  std::ifstream file(folder / "summary.json");
  const Json json = Json::parse(file, nullptr, false);
  if (!json.is_object()) return summary;
  summary.title = text(json, "/scene/title");
  summary.scene_file = text(json, "/scene/file");
  summary.state = text(json, "/state");
  summary.message = text(json, "/message");
  summary.step_length = number(json, "/scene/resolved/time/step");
  summary.gravity = vector(at(json, "/scene/resolved/gravity")).value_or(summary.gravity);
  summary.length = number(json, "/derived/length");
  summary.contact_distance = number(json, "/derived/contact_distance");
  summary.tolerance_speed = number(json, "/derived/tolerance_speed");
  summary.friction = number(json, "/scene/resolved/contact/friction");
  summary.max_iterations = static_cast<std::int64_t>(number(json, "/scene/resolved/solver/max_iterations"));
  summary.controls = static_cast<std::int64_t>(number(json, "/counts/controls"));
  summary.surface_triangles = static_cast<std::int64_t>(number(json, "/counts/surface_triangles"));
  summary.threads_used = static_cast<int>(number(json, "/machine/threads_used"));
  const std::optional<Vector3> position = vector(at(json, "/scene/resolved/camera/position"));
  const std::optional<Vector3> target = vector(at(json, "/scene/resolved/camera/target"));
  if (position && target && *position != *target) {
    summary.camera = {
        *position, *target,
        number(json, "/scene/resolved/camera/field_of_view_degrees", CameraSettings().field_of_view_degrees)};
  }
  const Json& bodies = at(json, "/scene/resolved/bodies");
  if (bodies.is_array()) {
    for (const Json& body : bodies) summary.kinds[text(body, "/name")] = text(body, "/kind");
  }
  return summary;
}

Vector3 up_direction(const RunSummary& summary) {
  const double strength = summary.gravity.norm();
  return strength > 0 ? Vector3(-summary.gravity / strength) : Vector3::UnitY();
}

}  // namespace bulwark
