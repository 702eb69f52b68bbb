#include <bulwark/base/error.hpp>
#include <bulwark/base/packed_bytes.hpp>
#include <bulwark/output/viewing/viewed_frame.hpp>

#include <algorithm>
#include <cmath>

namespace bulwark {
namespace {

/// The von Mises stress of whole cells, of frames without it at points.
constexpr std::string_view cell_stress_array = "von_mises_stress";

Vector3 vector_at(const std::vector<double>& vectors, const ViewedSurface& surface, std::size_t vertex) {
  return surface.at_vertex(
      vertex, [&](int point) -> Vector3 { return Vector3::Map(vectors.data() + std::size_t{3} * point); });
}

std::vector<double> numbers_of(const FrameArrays& frame, const FieldSource& source) {
  return source.width == 1   ? frame.point_numbers(source.array)
         : source.width == 3 ? frame.point_vectors(source.array)
                             : frame.point_tensors(source.array);
}

std::vector<float> at_vertices(const FrameArrays& frame, const ViewedSurface& surface,
                               const FieldDescription& field) {
  const auto width = static_cast<std::size_t>(field.source.width);
  const int component = field.source.component;
  const std::vector<double> numbers = numbers_of(frame, field.source);
  std::vector<float> result;
  result.reserve(surface.vertex_count());
  for (std::size_t v = 0; v < surface.vertex_count(); ++v) {
    if (component == FieldSource::length) {
      result.push_back(static_cast<float>(vector_at(numbers, surface, v).norm()));
      continue;
    }
    const double value = surface.at_vertex(v, [&, width = width, component = component](int point) {
      return numbers[width * point + component];
    });
    // Between points, shape functions overshoot near steep changes.
    result.push_back(static_cast<float>(field.is_signed() ? value : std::max(0.0, value)));
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

bool has_field(const FrameArrays& frame, ViewedField field) {
  return frame.has_point_data(described(field).source.array) ||
         (field == ViewedField::von_mises_stress && frame.has_cell_data(cell_stress_array));
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
  const FieldDescription& of = described(field);
  return frame.has_point_data(of.source.array)
             ? at_vertices(frame, surface, of)
             : means_of_cells(frame.cell_numbers(cell_stress_array), surface);
}

float scale_end(ViewedField field, std::vector<float> values) {
  // Contact forces have far tails: with few vertices beyond the scale, the others would all look alike.
  const double part_within = described(field).group == "Contact" ? 0.8 : 0.95;
  for (float& value : values) value = std::abs(value);
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
