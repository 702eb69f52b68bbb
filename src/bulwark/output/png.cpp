#include <bulwark/base/error.hpp>
#include <bulwark/output/png.hpp>

#include <zlib.h>

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

}  // namespace

std::string picture_to_png(const Picture& picture) {
  const std::size_t row_size = 3 * static_cast<std::size_t>(picture.width);
  std::string rows;
  rows.reserve((row_size + 1) * picture.height);
  for (int y = 0; y < picture.height; ++y) {
    rows += '\1';  // every byte is stored as its difference to the pixel on the left, which compresses well
    const std::uint8_t* row = picture.rgb.data() + y * row_size;
    for (std::size_t i = 0; i < row_size; ++i) rows += static_cast<char>(row[i] - (i >= 3 ? row[i - 3] : 0));
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
