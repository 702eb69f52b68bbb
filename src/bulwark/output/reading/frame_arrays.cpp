#include <bulwark/base/hash.hpp>
#include <bulwark/base/input_file.hpp>
#include <bulwark/output/reading/frame_arrays.hpp>

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

FileCheck frame_check(const std::string& file) {
  return FileCheck(file, "this is not a frame written by Bulwark, or it is damaged");
}

FrameArrays::FrameArrays(const std::filesystem::path& path, const std::filesystem::path& within)
    : FrameArrays(read_file(path, within), path.string()) {}

FrameArrays::FrameArrays(std::string bytes, const std::string& name)
    : content_(std::move(bytes)),
      file_{name, content_},
      check_(frame_check(name)),
      document_(naming_file(name, [&] { return read_vtk_document(file_); })) {
  if (document_.pieces.size() != 1) check_.fail("it does not consist of one piece");
}

double FrameArrays::time() const {
  const std::vector<double> time = field_numbers("TimeValue");
  if (time.size() != 1) check_.fail("it gives no time");
  return time[0];
}

std::int64_t FrameArrays::step() const {
  const std::vector<double> step = field_numbers("step");
  if (step.size() != 1) check_.fail("it gives no step");
  return check_.whole(step[0], 0, largest_whole_double, "its step");
}

const VtkArray* FrameArrays::find(std::string_view section, std::string_view name) const {
  for (const VtkArray& array : document_.pieces.front().arrays) {
    if (array.section == section && array.name == name) return &array;
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

std::vector<double> FrameArrays::sized_numbers(const VtkArray* array, std::size_t count) const {
  std::vector<double> result = numbers(array);
  if (array != nullptr) check_.size(result.size(), count, array->name);
  return result;
}

std::vector<double> FrameArrays::field_numbers(std::string_view name) const {
  for (const VtkArray& array : document_.fields) {
    if (array.section == "FieldData" && array.name == name) return numbers(&array);
  }
  return {};
}

std::vector<double> FrameArrays::positions() const {
  const VtkArray* points = find("Points", "Points");
  if (points == nullptr) check_.fail("it has no points");
  return sized_numbers(points, 3 * point_count());
}

std::vector<double> FrameArrays::point_numbers(std::string_view name) const {
  return sized_numbers(find("PointData", name), point_count());
}

std::vector<double> FrameArrays::point_vectors(std::string_view name) const {
  return sized_numbers(find("PointData", name), 3 * point_count());
}

std::vector<double> FrameArrays::point_tensors(std::string_view name) const {
  return sized_numbers(find("PointData", name), 6 * point_count());
}

std::vector<double> FrameArrays::cell_numbers(std::string_view name) const {
  return sized_numbers(find("CellData", name), cell_count());
}

FileMesh FrameArrays::mesh() const {
  return naming_file(file_.name, [&] { return vtk_mesh(file_, document_); });
}

std::uint64_t FrameArrays::topology() const {
  std::vector<std::size_t> begins = {document_.encoding.appended.size()};
  const auto note = [&](const std::vector<VtkArray>& arrays) {
    for (const VtkArray& array : arrays) {
      if (const auto offset = offset_of(array)) begins.push_back(*offset);
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
    if (end > document_.encoding.appended.size()) check_.fail("it is truncated");
    hash.add(document_.encoding.appended.data() + *begin, end - *begin);
  };
  add("Cells", "connectivity");
  add("Cells", "types");
  add("PointData", "body");
  return hash.value();
}

}  // namespace bulwark
