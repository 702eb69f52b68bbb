#include <bulwark/base/error.hpp>
#include <bulwark/output/frame_arrays.hpp>
#include <bulwark/output/hash.hpp>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>

namespace bulwark {
namespace {

std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw InputError(path.string(), "this frame cannot be opened");
  std::string bytes(static_cast<std::size_t>(file.tellg()), '\0');
  file.seekg(0);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

/// Where an appended array begins; empty for arrays that are written as text.
std::optional<std::size_t> offset_of(const VtkArray& array) {
  const auto found = array.attributes.find("offset");
  if (found == array.attributes.end()) return std::nullopt;
  std::size_t offset = 0;
  const char* end = found->second.data() + found->second.size();
  if (std::from_chars(found->second.data(), end, offset).ec != std::errc()) return std::nullopt;
  return offset;
}

}  // namespace

FrameArrays::FrameArrays(const std::filesystem::path& path)
    : content_(read_bytes(path)), file_{path.string(), content_}, document_(read_vtk_document(file_)) {
  if (document_.pieces.size() != 1) fail("it does not hold one piece");
  topology_ = hash_cells();
}

void FrameArrays::fail(const std::string& problem) const {
  throw InputError(file_.name, "this is no frame written by Bulwark, or a damaged one: " + problem);
}

double FrameArrays::time() const {
  const std::vector<double> time = field_numbers("TimeValue");
  if (time.size() != 1) fail("it states no time");
  return time[0];
}

std::vector<double> FrameArrays::field_numbers(std::string_view name) const {
  for (const VtkNamedArray& field : document_.fields) {
    if (field.name == name) return numbers(&field.array);
  }
  return {};
}

const VtkArray* FrameArrays::find(std::string_view section, std::string_view name) const {
  for (const VtkNamedArray& named : document_.pieces.front().arrays) {
    if (named.section == section && named.name == name) return &named.array;
  }
  return nullptr;
}

std::vector<double> FrameArrays::numbers(const VtkArray* array) const {
  return array == nullptr ? std::vector<double>() : vtk_numbers(file_, document_.encoding, *array);
}

std::vector<double> FrameArrays::vectors(const VtkArray* array) const {
  std::vector<double> result = numbers(array);
  if (array != nullptr && result.size() != 3 * point_count()) fail("an array is too short");
  return result;
}

std::vector<double> FrameArrays::positions() const {
  const VtkArray* points = find("Points", "Points");
  if (points == nullptr) fail("it has no points");
  return vectors(points);
}

std::vector<double> FrameArrays::point_vectors(std::string_view name) const {
  return vectors(find("PointData", name));
}

std::vector<double> FrameArrays::cell_numbers(std::string_view name) const {
  std::vector<double> result = numbers(find("CellData", name));
  if (!result.empty() && result.size() != cell_count()) fail("an array is too short");
  return result;
}

std::uint64_t FrameArrays::hash_cells() const {
  std::vector<std::size_t> begins = {document_.encoding.appended.size()};
  const auto note = [&](const std::vector<VtkNamedArray>& arrays) {
    for (const VtkNamedArray& named : arrays) {
      if (const auto offset = offset_of(named.array)) begins.push_back(*offset);
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
    if (!begin || *begin >= begins.back()) fail(std::string("it has no ") + name);
    const std::size_t end = *std::upper_bound(begins.begin(), begins.end(), *begin);
    if (end > document_.encoding.appended.size()) fail("it is cut short");
    hash.add(document_.encoding.appended.data() + *begin, end - *begin);
  };
  add("Cells", "connectivity");
  add("Cells", "types");
  add("PointData", "body");
  return hash.value();
}

}  // namespace bulwark
