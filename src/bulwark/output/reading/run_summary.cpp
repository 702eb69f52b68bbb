#include <bulwark/base/file_check.hpp>
#include <bulwark/base/input_file.hpp>
#include <bulwark/output/reading/run_summary.hpp>

#include <cmath>
#include <nlohmann/json.hpp>

namespace bulwark {
namespace {

using SummaryJson = nlohmann::json;

/// The value at a JSON pointer, or null.
const SummaryJson& at(const SummaryJson& json, const char* pointer) {
  static const SummaryJson nothing;
  const SummaryJson::json_pointer place(pointer);
  return json.contains(place) ? json.at(place) : nothing;
}

std::string text(const SummaryJson& json, const char* pointer) {
  const SummaryJson& value = at(json, pointer);
  return value.is_string() ? value.get<std::string>() : "";
}

/// A number in [low, high].
double number(const SummaryJson& json, const char* pointer, double low, double high, double otherwise = 0) {
  const SummaryJson& value = at(json, pointer);
  if (!value.is_number()) return otherwise;
  const double number = value.get<double>();
  return number >= low && number <= high ? number : otherwise;
}

constexpr double largest_quantity = 1e30;  // lengths, times and coefficients

double quantity(const SummaryJson& json, const char* pointer) {
  return number(json, pointer, 0, largest_quantity);
}

std::int64_t count(const SummaryJson& json, const char* pointer) {
  return static_cast<std::int64_t>(number(json, pointer, 0, largest_whole_double));
}

std::optional<Vector3> vector(const SummaryJson& value) {
  if (!value.is_array() || value.size() != 3) return std::nullopt;
  Vector3 result;
  for (int k = 0; k < 3; ++k) {
    if (!value[k].is_number()) return std::nullopt;
    result[k] = value[k].get<double>();
    if (!(std::abs(result[k]) <= largest_quantity)) return std::nullopt;
  }
  return result;
}

}  // namespace

RunSummary run_summary_from_text(std::string_view text_of_file) {
  RunSummary summary;
  const SummaryJson json = SummaryJson::parse(text_of_file, nullptr, false);
  if (!json.is_object()) return summary;
  summary.title = text(json, "/scene/title");
  summary.scene_file = text(json, "/scene/file");
  summary.version = text(json, "/version");
  summary.state = text(json, "/state");
  summary.message = text(json, "/message");
  summary.not_promised = text(json, "/contact/not_promised");
  summary.step_length = quantity(json, "/scene/resolved/time/step");
  summary.gravity = vector(at(json, "/scene/resolved/gravity")).value_or(summary.gravity);
  summary.length = quantity(json, "/derived/length");
  summary.contact_distance = quantity(json, "/derived/contact_distance");
  summary.tolerance_speed = quantity(json, "/derived/tolerance_speed");
  summary.friction = quantity(json, "/scene/resolved/contact/friction");
  if (text(json, "/scene/resolved/solver/minimiser") == "adamw") summary.minimiser = "adamw";
  summary.max_iterations = count(json, "/scene/resolved/solver/max_iterations");
  summary.controls = count(json, "/counts/controls");
  summary.surface_triangles = count(json, "/counts/surface_triangles");
  constexpr double most_threads = 1e6;
  summary.threads_used = static_cast<int>(number(json, "/machine/threads_used", 0, most_threads));
  const std::optional<Vector3> position = vector(at(json, "/scene/resolved/camera/position"));
  const std::optional<Vector3> target = vector(at(json, "/scene/resolved/camera/target"));
  if (position && target && *position != *target) {
    constexpr double smallest_angle = 0.01, largest_angle = 179;
    summary.camera = {*position, *target,
                      number(json, "/scene/resolved/camera/field_of_view_degrees", smallest_angle,
                             largest_angle, CameraSettings().field_of_view_degrees)};
  }
  const SummaryJson& bodies = at(json, "/scene/resolved/bodies");
  if (bodies.is_array()) {
    for (const SummaryJson& body : bodies) summary.kinds[text(body, "/name")] = text(body, "/kind");
  }
  return summary;
}

RunSummary read_run_summary(const std::filesystem::path& folder, const std::filesystem::path& within) {
  const std::filesystem::path file = folder / "summary.json";
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return {};
  return naming_file(file.string(), [&] { return run_summary_from_text(read_file(file, within)); });
}

Vector3 up_direction(const RunSummary& summary) {
  const double strength = summary.gravity.norm();
  return strength > 0 ? Vector3(-summary.gravity / strength) : Vector3::UnitY();
}

}  // namespace bulwark
