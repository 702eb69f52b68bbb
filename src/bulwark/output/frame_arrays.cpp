#include <bulwark/base/input_file.hpp>
#include <bulwark/output/frame_arrays.hpp>
#include <bulwark/output/frame_file.hpp>
#include <bulwark/output/hash.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

namespace bulwark {
namespace {

/// Where an appended array begins; empty for arrays that are written as text.
std::optional<std::size_t> offset_of(const VtkArray& array) {
  std::size_t offset = 0;
  const char* end = array.offset.data() + array.offset.size();
  if (std::from_chars(array.offset.data(), end, offset).ec != std::errc()) return std::nullopt;
  return offset;
}

}  // namespace

FrameArrays::FrameArrays(const std::filesystem::path& path, const std::filesystem::path& within)
    : FrameArrays(read_file(path, within), path.string()) {}

FrameArrays::FrameArrays(std::string bytes, const std::string& name)
    : content_(std::move(bytes)),
      file_{name, content_},
      check_(frame_check(name)),
      document_(naming_file(name, [&] { return read_vtk_document(file_); })) {
  if (document_.pieces.size() != 1) check_.fail("it does not hold one piece");
  topology_ = hash_cells();
}

double FrameArrays::time() const {
  const std::vector<double> time = field_numbers("TimeValue");
  if (time.size() != 1) check_.fail("it states no time");
  return time[0];
}

std::vector<double> FrameArrays::field_numbers(std::string_view name) const {
  for (const VtkArray& field : document_.fields) {
    if (field.name == name) return numbers(&field);
  }
  return {};
}

const VtkArray* FrameArrays::find(std::string_view section, std::string_view name) const {
  for (const VtkArray& named : document_.pieces.front().arrays) {
    if (named.section == section && named.name == name) return &named;
  }
  return nullptr;
}

std::vector<double> FrameArrays::numbers(const VtkArray* array) const {
  if (array == nullptr) return {};
  return naming_file(file_.name, [&] {
    std::vector<double> values = vtk_numbers(file_, document_.encoding, *array);
    check_.finite(values, array->name);
    return values;
  });
}

std::vector<double> FrameArrays::vectors(const VtkArray* array) const {
  std::vector<double> result = numbers(array);
  if (array != nullptr) check_.size(result.size(), 3 * point_count(), array->name);
  return result;
}

std::vector<double> FrameArrays::positions() const {
  const VtkArray* points = find("Points", "Points");
  if (points == nullptr) check_.fail("it has no points");
  return vectors(points);
}

std::vector<double> FrameArrays::point_vectors(std::string_view name) const {
  return vectors(find("PointData", name));
}

std::vector<double> FrameArrays::cell_numbers(std::string_view name) const {
  const VtkArray* array = find("CellData", name);
  std::vector<double> result = numbers(array);
  if (array != nullptr) check_.size(result.size(), cell_count(), name);
  return result;
}

std::uint64_t FrameArrays::hash_cells() const {
  std::vector<std::size_t> begins = {document_.encoding.appended.size()};
  const auto note = [&](const std::vector<VtkArray>& arrays) {
    for (const VtkArray& named : arrays) {
      if (const auto offset = offset_of(named)) begins.push_back(*offset);
    }
  };
  note(document_.fields);
  note(document_.pieces.front().arrays);
  std::sort(begins.begin(), begins.end());

  // The same numbers are stored as the same bytes, so there is no need to unpack them.
  Hash hash;
  const auto add = [&](const char* section, const char* name) {
    const VtkArray* array = find(section, name);
    const auto begin = array == nullptr ? std::nullopt : offset_of(*array);
    if (!begin || *begin >= begins.back()) check_.fail(std::string("it has no ") + name);
    const std::size_t end = *std::upper_bound(begins.begin(), begins.end(), *begin);
    if (end > document_.encoding.appended.size()) check_.fail("it is cut short");
    hash.add(document_.encoding.appended.data() + *begin, end - *begin);
  };
  add("Cells", "connectivity");
  add("Cells", "types");
  add("PointData", "body");
  return hash.value();
}

}  // namespace bulwark
