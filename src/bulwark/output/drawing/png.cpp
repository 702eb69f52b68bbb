#include <bulwark/base/error.hpp>
#include <bulwark/output/drawing/png.hpp>

#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace bulwark {
namespace {

void append_big_endian(std::string& bytes, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xff);
}

/// A PNG chunk: length, type, data, checksum of type and data.
void append_chunk(std::string& png, const std::string& type, const std::string& data) {
  const std::string checked = type + data;
  append_big_endian(png, static_cast<std::uint32_t>(data.size()));
  png += checked;
  append_big_endian(png, static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(checked.data()),
                                                          static_cast<uInt>(checked.size()))));
}

/// What a byte is expected to be by its neighbours to the left, above, and above to the left: the filters 1
/// (left), 2 (above) and 4 (Paeth's: the neighbour nearest to left + above - above_left) of the standard.
int predicted(int filter, int left, int above, int above_left) {
  if (filter == 1) return left;
  if (filter == 2) return above;
  const int to_left = std::abs(above - above_left), to_above = std::abs(left - above_left);
  const int to_above_left = std::abs(left + above - 2 * above_left);
  if (to_left <= to_above && to_left <= to_above_left) return left;
  return to_above <= to_above_left ? above : above_left;
}

/// A row as its differences to what is expected, by the filter that leaves the smallest ones.
std::string filtered_row(const std::uint8_t* row, const std::uint8_t* above, std::size_t size) {
  std::string best;
  long smallest = std::numeric_limits<long>::max();
  for (const int filter : {1, 2, 4}) {
    std::string bytes(1, static_cast<char>(filter));
    long sum = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const int left = i >= 3 ? row[i - 3] : 0, up = above != nullptr ? above[i] : 0;
      const int corner = i >= 3 && above != nullptr ? above[i - 3] : 0;
      const auto difference = static_cast<signed char>(row[i] - predicted(filter, left, up, corner));
      sum += std::abs(difference);
      bytes += static_cast<char>(difference);
    }
    if (sum < smallest) best = std::move(bytes);
    smallest = std::min(smallest, sum);
  }
  return best;
}

}  // namespace

std::string picture_to_png(const Picture& picture) {
  const std::size_t row_size = 3 * static_cast<std::size_t>(picture.width);
  std::string rows;
  rows.reserve((row_size + 1) * picture.height);
  for (int y = 0; y < picture.height; ++y) {
    const std::uint8_t* row = picture.rgb.data() + y * row_size;
    rows += filtered_row(row, y > 0 ? row - row_size : nullptr, row_size);
  }
  uLongf length = compressBound(rows.size());
  std::string compressed(length, '\0');
  if (compress2(reinterpret_cast<Bytef*>(compressed.data()), &length,
                reinterpret_cast<const Bytef*>(rows.data()), rows.size(), Z_DEFAULT_COMPRESSION) != Z_OK) {
    throw OutputError("cannot compress the picture: out of memory");
  }
  compressed.resize(length);

  std::string header;
  append_big_endian(header, static_cast<std::uint32_t>(picture.width));
  append_big_endian(header, static_cast<std::uint32_t>(picture.height));
  header += std::string("\x08\x02\x00\x00\x00",
                        5);  // 8 bits, RGB, the only compression and filters, not interlaced
  std::string png = "\x89PNG\r\n\x1a\n";
  append_chunk(png, "IHDR", header);
  append_chunk(png, "IDAT", compressed);
  append_chunk(png, "IEND", "");
  return png;
}

}  // namespace bulwark
