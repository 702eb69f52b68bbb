#include "viewer_routes.hpp"

#include "viewer_page.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/base/packed_bytes.hpp>

#include <fmt/format.h>

#include <charconv>

namespace bulwark::app {
namespace {

constexpr const char* json_type = "application/json";
constexpr const char* bytes_type = "application/octet-stream";

template <class Number>
Number parse_number(const std::string& text, int base = 10) {
  Number number = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number, base);
  if (result.ec != std::errc() || result.ptr != end || text.starts_with('-'))
    throw InputError("'" + text + "' is not a number");
  return number;
}

std::uint64_t from(const HttpRequest& request) {
  const auto found = request.query.find("from");
  return found == request.query.end() ? 0 : parse_number<std::uint64_t>(found->second);
}

ViewedField parse_field(const std::string& name) {
  const std::optional<ViewedField> field = field_by_name(name);
  if (!field) throw InputError("there is no field '" + name + "'");
  return *field;
}

/// "/api/frame/12/speed" as {"api", "frame", "12", "speed"}.
std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  for (std::size_t begin = 1; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    parts.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

HttpResponse floats(const std::vector<float>& numbers) {
  HttpResponse response{200, bytes_type, ""};
  append_array(response.body, numbers);
  return response;
}

}  // namespace

HttpResponse answer_viewer(ViewedRun& run, const HttpRequest& request) {
  if (request.path == "/") return {200, "text/html; charset=utf-8", std::string(viewer_page())};
  const std::vector<std::string> parts = parts_of(request.path);
  const std::string what = parts.size() >= 2 && parts[0] == "api" ? parts[1] : "";
  if (parts.size() == 2) {
    if (what == "run") return {200, json_type, run.description(from(request))};
    if (what == "steps") return {200, "text/csv; charset=utf-8", run.steps_from(from(request))};
  }
  if (parts.size() == 3) {
    if (what == "surface") {
      const auto surface = run.surface(parse_number<std::uint64_t>(parts[2], 16));
      return {200, bytes_type, pack_surface(surface->surface, surface->bodies.size())};
    }
    if (what == "scale") {
      return {200, json_type, fmt::format("{{\"end\":{}}}", run.scale_end_of(parse_field(parts[2])))};
    }
    if (what == "frame")
      return {200, bytes_type, run.packed_frame(parse_number<std::int64_t>(parts[2]), std::nullopt)};
    if (what == "bodies") return floats(run.bodies_at(parse_number<std::int64_t>(parts[2])));
    if (what == "joints") return floats(run.joints_at(parse_number<std::int64_t>(parts[2])));
    if (what == "contacts") return floats(run.contacts_at(parse_number<std::int64_t>(parts[2])));
  }
  if (parts.size() == 4 && what == "frame") {
    return {200, bytes_type, run.packed_frame(parse_number<std::int64_t>(parts[2]), parse_field(parts[3]))};
  }
  throw InputError(request.path, "there is nothing here");
}

}  // namespace bulwark::app
