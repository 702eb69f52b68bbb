#include <bulwark/base/error.hpp>
#include <bulwark/base/parallel.hpp>
#include <bulwark/output/vtu_writer.hpp>

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

}  // namespace

std::string VtuArrays::add(std::string_view name, std::span<const double> values, int components,
                           bool tuples) {
  return add_raw("Float64", name, values.data(), values.size(), sizeof(double), components, tuples);
}

std::string VtuArrays::add(std::string_view name, std::span<const int> values, int components, bool tuples) {
  static_assert(sizeof(int) == 4);
  return add_raw("Int32", name, values.data(), values.size(), sizeof(int), components, tuples);
}

std::string VtuArrays::add(std::string_view name, std::span<const std::uint8_t> values, int components,
                           bool tuples) {
  return add_raw("UInt8", name, values.data(), values.size(), 1, components, tuples);
}

// An array is: number of blocks, bytes per block, bytes of the last block (0 when it is full), compressed
// bytes of each block; then the blocks.
std::string VtuArrays::add_raw(std::string_view type, std::string_view name, const void* data,
                               std::size_t count, std::size_t item_size, int components, bool tuples) {
  const std::size_t size = count * item_size;
  const std::size_t blocks = (size + block_size - 1) / block_size;
  std::vector<std::string> compressed(blocks);
  std::vector<char> failed(blocks, 0);
  parallel_chunks(size, block_size, [&](std::size_t begin, std::size_t end, std::size_t block) {
    uLongf length = compressBound(end - begin);
    compressed[block].resize(length);
    failed[block] =
        compress2(reinterpret_cast<Bytef*>(compressed[block].data()), &length,
                  static_cast<const Bytef*>(data) + begin, end - begin, compression_level) != Z_OK;
    compressed[block].resize(length);
  });
  if (std::find(failed.begin(), failed.end(), 1) != failed.end()) {
    throw OutputError(fmt::format("cannot compress the array '{}': out of memory", name));
  }

  const std::size_t offset = bytes_.size();
  append_header(bytes_, blocks);
  append_header(bytes_, block_size);
  append_header(bytes_, size % block_size);
  for (const std::string& block : compressed) append_header(bytes_, block.size());
  for (const std::string& block : compressed) bytes_ += block;

  const std::string width = components > 1 ? fmt::format(" NumberOfComponents=\"{}\"", components) : "";
  const std::string length = tuples ? fmt::format(" NumberOfTuples=\"{}\"", count / components) : "";
  return fmt::format("<DataArray type=\"{}\" Name=\"{}\"{}{} format=\"appended\" offset=\"{}\"/>\n", type,
                     name, width, length, offset);
}

}  // namespace bulwark
