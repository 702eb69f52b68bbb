#include <bulwark/base/error.hpp>
#include <bulwark/base/parallel.hpp>
#include <bulwark/output/writing/vtu_writer.hpp>

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <vector>

namespace bulwark {
namespace {

/// Blocks are compressed side by side; this many bytes keep the cores busy and the headers small.
constexpr std::size_t block_size = std::size_t{1} << 18;

/// Doubles hardly shrink, whatever the effort; the lists of cells shrink at any.
constexpr int compression_level = 1;

void append_header(std::string& bytes, std::uint64_t value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// An array is: number of blocks, bytes per block, bytes of the last block (0 when it is full), compressed
/// bytes of each block; then the blocks.
std::string compressed(std::string_view raw, std::string_view name) {
  const std::size_t size = raw.size();
  const std::size_t blocks = (size + block_size - 1) / block_size;
  std::vector<std::string> parts(blocks);
  std::vector<char> failed(blocks, 0);
  parallel_chunks(size, block_size, [&](std::size_t begin, std::size_t end, std::size_t block) {
    uLongf length = compressBound(end - begin);
    parts[block].resize(length);
    failed[block] =
        compress2(reinterpret_cast<Bytef*>(parts[block].data()), &length,
                  reinterpret_cast<const Bytef*>(raw.data()) + begin, end - begin, compression_level) != Z_OK;
    parts[block].resize(length);
  });
  if (std::find(failed.begin(), failed.end(), 1) != failed.end()) {
    throw OutputError(fmt::format("cannot compress the array '{}': out of memory", name));
  }
  std::string bytes;
  append_header(bytes, blocks);
  append_header(bytes, block_size);
  append_header(bytes, size % block_size);
  for (const std::string& part : parts) append_header(bytes, part.size());
  for (const std::string& part : parts) bytes += part;
  return bytes;
}

}  // namespace

std::string VtuArrays::add(std::string_view name, std::span<const double> values, int components,
                           bool tuples) {
  return add_raw("Float64", name, values.data(), values.size(), sizeof(double), components, tuples, false);
}

std::string VtuArrays::add(std::string_view name, std::span<const int> values, int components, bool tuples) {
  static_assert(sizeof(int) == 4);
  return add_raw("Int32", name, values.data(), values.size(), sizeof(int), components, tuples, true);
}

std::string VtuArrays::add(std::string_view name, std::span<const std::uint8_t> values, int components,
                           bool tuples) {
  return add_raw("UInt8", name, values.data(), values.size(), 1, components, tuples, true);
}

std::string VtuArrays::add_raw(std::string_view type, std::string_view name, const void* data,
                               std::size_t count, std::size_t item_size, int components, bool tuples,
                               bool may_repeat) {
  const std::string_view raw(static_cast<const char*>(data), count * item_size);
  const std::size_t offset = bytes_.size();
  if (cache_ != nullptr && may_repeat) {
    if (cached_ == cache_->arrays.size()) cache_->arrays.emplace_back();
    VtuCache::Array& known = cache_->arrays[cached_++];
    if (known.compressed.empty() || known.raw != raw) known = {std::string(raw), compressed(raw, name)};
    bytes_ += known.compressed;
  } else {
    bytes_ += compressed(raw, name);
  }

  const std::string width = components > 1 ? fmt::format(" NumberOfComponents=\"{}\"", components) : "";
  const std::string length = tuples ? fmt::format(" NumberOfTuples=\"{}\"", count / components) : "";
  return fmt::format("<DataArray type=\"{}\" Name=\"{}\"{}{} format=\"appended\" offset=\"{}\"/>\n", type,
                     name, width, length, offset);
}

std::string vtu_file(const VtuGrid& grid, const VtuArrays& arrays) {
  std::string xml =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\""
      " compressor=\"vtkZLibDataCompressor\">\n<UnstructuredGrid>\n";
  xml += "<FieldData>\n" + grid.field_data + "</FieldData>\n";
  xml += fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n", grid.points, grid.cells);
  xml += "<Points>\n" + grid.positions + "</Points>\n";
  xml += "<Cells>\n" + grid.topology + "</Cells>\n";
  xml += "<PointData>\n" + grid.point_data + "</PointData>\n";
  xml += "<CellData>\n" + grid.cell_data + "</CellData>\n";
  xml += "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
  xml += arrays.bytes();
  xml += "\n</AppendedData>\n</VTKFile>\n";
  return xml;
}

}  // namespace bulwark
