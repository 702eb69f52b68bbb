#include <bulwark/base/error.hpp>
#include <bulwark/base/packed_bytes.hpp>
#include <bulwark/output/viewing/viewed_frame.hpp>

#include <algorithm>
#include <cmath>

namespace bulwark {
namespace {

std::string_view point_array(ViewedField field) {
  return field == ViewedField::speed ? "velocity" : field_name(field);
}

constexpr std::string_view stress_array = "von_mises_stress", point_stress_array = "von_mises";

Vector3 vector_at(const std::vector<double>& vectors, const ViewedSurface& surface, std::size_t vertex) {
  return surface.at_vertex(
      vertex, [&](int point) -> Vector3 { return Vector3::Map(vectors.data() + std::size_t{3} * point); });
}

std::vector<float> lengths(const std::vector<double>& vectors, const ViewedSurface& surface) {
  std::vector<float> result;
  result.reserve(surface.vertex_count());
  for (std::size_t i = 0; i < surface.vertex_count(); ++i)
    result.push_back(static_cast<float>(vector_at(vectors, surface, i).norm()));
  return result;
}

std::vector<float> at_vertices(const std::vector<double>& numbers, const ViewedSurface& surface) {
  std::vector<float> result;
  result.reserve(surface.vertex_count());
  for (std::size_t v = 0; v < surface.vertex_count(); ++v) {
    const double value = surface.at_vertex(v, [&](int point) { return numbers[point]; });
    result.push_back(
        static_cast<float>(std::max(0.0, value)));  // shape functions overshoot near steep changes
  }
  return result;
}

std::vector<float> means_of_cells(const std::vector<double>& stress, const ViewedSurface& surface) {
  std::vector<float> result;
  result.reserve(surface.vertex_count());
  for (std::size_t v = 0; v < surface.vertex_count(); ++v) {
    const int begin = surface.cell_begin[v], end = surface.cell_begin[v + 1];
    double sum = 0;
    for (int i = begin; i < end; ++i) sum += stress[surface.cells[i]];
    result.push_back(begin == end ? 0.0F : static_cast<float>(sum / (end - begin)));
  }
  return result;
}

/// A damaged file could claim the topology of another.
void require_same_mesh(const FrameArrays& frame, const ViewedSurface& surface) {
  if (frame.point_count() == surface.point_count && frame.cell_count() == surface.cell_count) return;
  throw InputError("this frame is damaged: its points are not those of its cells");
}

}  // namespace

std::string_view field_name(ViewedField field) {
  switch (field) {
    case ViewedField::speed:
      return "speed";
    case ViewedField::von_mises_stress:
      return "von_mises_stress";
    case ViewedField::contact_force:
      return "contact_force";
    case ViewedField::contact_pressure:
      return "contact_pressure";
  }
  return "";
}

std::optional<ViewedField> field_by_name(std::string_view name) {
  for (const ViewedField field : viewed_fields) {
    if (field_name(field) == name) return field;
  }
  return std::nullopt;
}

bool has_field(const FrameArrays& frame, ViewedField field) {
  return field == ViewedField::von_mises_stress ? frame.has_cell_data(stress_array)
                                                : frame.has_point_data(point_array(field));
}

std::vector<float> vertex_positions(const FrameArrays& frame, const ViewedSurface& surface) {
  require_same_mesh(frame, surface);
  const std::vector<double> position = frame.positions();
  std::vector<float> result;
  result.reserve(3 * surface.vertex_count());
  for (std::size_t v = 0; v < surface.vertex_count(); ++v) {
    const Vector3 x = vector_at(position, surface, v);
    for (int k = 0; k < 3; ++k) result.push_back(static_cast<float>(x[k]));
  }
  return result;
}

std::vector<float> vertex_field(const FrameArrays& frame, const ViewedSurface& surface, ViewedField field) {
  if (!has_field(frame, field)) return {};
  require_same_mesh(frame, surface);
  if (field == ViewedField::von_mises_stress && frame.has_point_data(point_stress_array))
    return at_vertices(frame.point_numbers(point_stress_array), surface);
  if (field == ViewedField::von_mises_stress)
    return means_of_cells(frame.cell_numbers(stress_array), surface);
  if (field == ViewedField::contact_pressure)
    return at_vertices(frame.point_numbers(point_array(field)), surface);
  return lengths(frame.point_vectors(point_array(field)), surface);
}

float scale_end(ViewedField field, std::vector<float> values) {
  // Contact forces have far tails: with few vertices beyond the scale, the others would all look alike.
  const bool of_contact = field == ViewedField::contact_force || field == ViewedField::contact_pressure;
  const double part_within = of_contact ? 0.8 : 0.95;
  std::erase_if(values, [](float value) { return !(value > 0) || !std::isfinite(value); });
  if (values.empty()) return 0;
  const auto place = static_cast<std::ptrdiff_t>(part_within * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

std::string pack_frame(std::uint64_t topology, double time, const std::vector<float>& positions,
                       const std::vector<float>& values) {
  std::string bytes = "BWF1";
  append_number(bytes, static_cast<std::uint32_t>(positions.size() / 3));
  append_number(bytes, static_cast<std::uint32_t>(values.size()));
  append_number(bytes, std::uint32_t{0});
  append_number(bytes, topology);
  append_number(bytes, time);
  append_array(bytes, positions);
  append_array(bytes, values);
  return bytes;
}

}  // namespace bulwark
