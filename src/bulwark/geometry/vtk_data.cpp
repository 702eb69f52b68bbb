#include <bulwark/base/error.hpp>
#include <bulwark/geometry/binary_number.hpp>
#include <bulwark/geometry/mesh_text.hpp>
#include <bulwark/geometry/vtk_data.hpp>

#include <zlib.h>

#include <charconv>

namespace bulwark {
namespace {

constexpr const char* damaged = "The file is cut short or damaged; export it again.";

int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/// Bytes taken one after another from raw data or from base64. Writers encode the header and the data of an
/// array in one piece or in two; padding in the middle is therefore no end.
class ByteStream {
 public:
  ByteStream(std::string place, std::string_view source, bool base64)
      : place_(std::move(place)), source_(source), base64_(base64) {}

  std::string take(std::uint64_t count) {
    if (count > source_.size() + pending_.size()) fail();
    if (!base64_) {
      std::string bytes(source_.substr(0, std::size_t(count)));
      source_.remove_prefix(std::size_t(count));
      return bytes;
    }
    while (pending_.size() < count) decode_four();
    std::string bytes = pending_.substr(0, std::size_t(count));
    pending_.erase(0, std::size_t(count));
    return bytes;
  }

 private:
  [[noreturn]] void fail() const { throw InputError(place_, "the data end too early", damaged); }

  void decode_four() {
    unsigned bits = 0;
    int digits = 0, padding = 0;
    while (digits + padding < 4) {
      if (source_.empty()) fail();
      const char c = source_.front();
      source_.remove_prefix(1);
      if (c == '=') {
        ++padding;
      } else if (base64_digit(c) >= 0 && padding == 0) {
        bits = bits << 6 | unsigned(base64_digit(c));
        ++digits;
      } else if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
        throw InputError(place_, "the data are not base64", damaged);
      }
    }
    bits <<= 6 * padding;
    for (int k = 0; k < digits - 1; ++k) pending_ += char(bits >> (16 - 8 * k) & 255);
  }

  std::string place_;
  std::string_view source_;
  bool base64_;
  std::string pending_;
};

class HeaderReader {
 public:
  HeaderReader(ByteStream& stream, const VtkEncoding& encoding) : stream_(stream), encoding_(encoding) {}

  std::uint64_t next() {
    const std::string bytes = stream_.take(encoding_.long_headers ? 8 : 4);
    return encoding_.long_headers ? binary_number<std::uint64_t>(bytes.data(), encoding_.big_endian)
                                  : binary_number<std::uint32_t>(bytes.data(), encoding_.big_endian);
  }

 private:
  ByteStream& stream_;
  const VtkEncoding& encoding_;
};

/// The plain bytes of a compressed array: [blocks][block size][last block's size][compressed sizes...] and
/// the blocks.
std::string decompressed(ByteStream& stream, const VtkEncoding& encoding, const std::string& place,
                         std::size_t file_size) {
  HeaderReader header(stream, encoding);
  const std::uint64_t blocks = header.next(), block_size = header.next(), last_size = header.next();
  if (blocks > file_size)
    throw InputError(place, "more compressed blocks than the file has room for", damaged);
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t i = 0; i < blocks; ++i) sizes.push_back(header.next());
  std::string result;
  for (std::uint64_t i = 0; i < blocks; ++i) {
    const std::string packed = stream.take(sizes[i]);
    const std::uint64_t size = i + 1 == blocks && last_size != 0 ? last_size : block_size;
    constexpr std::uint64_t greatest_ratio = 1100;  // zlib cannot shrink further, so a greater size is a lie
    if (size > greatest_ratio * (packed.size() + 1))
      throw InputError(place, "a block's size is impossible", damaged);
    const std::size_t begin = result.size();
    result.resize(begin + std::size_t(size));
    uLongf written = uLongf(size);
    const int status = uncompress(reinterpret_cast<Bytef*>(result.data() + begin), &written,
                                  reinterpret_cast<const Bytef*>(packed.data()), uLong(packed.size()));
    if (status != Z_OK || written != size)
      throw InputError(place, "compressed data cannot be unpacked", damaged);
  }
  return result;
}

template <class T>
std::vector<double> numbers_of(const std::string& bytes, bool big_endian) {
  std::vector<double> numbers(bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = double(binary_number<T>(bytes.data() + i * sizeof(T), big_endian));
  }
  return numbers;
}

std::string attribute(const VtkArray& array, std::string_view name) {
  const auto found = array.attributes.find(name);
  return found == array.attributes.end() ? "" : found->second;
}

}  // namespace

std::vector<double> vtk_numbers(const MeshBytes& file, const VtkEncoding& encoding, const VtkArray& array) {
  const std::string name = attribute(array, "Name");
  const std::string place = file.name + ", array " + (name.empty() ? "of points" : name);
  const std::string format = attribute(array, "format");
  if (format == "ascii" || format.empty()) {
    std::vector<double> numbers;
    MeshText text({place, array.content});
    for (std::string_view word = text.word(); !word.empty(); word = text.word()) {
      numbers.push_back(text.number(word, "an item"));
    }
    return numbers;
  }
  std::string_view source = array.content;
  bool base64 = true;
  if (format == "appended") {
    const std::string offset = attribute(array, "offset");
    std::size_t begin = 0;
    const auto [end, error] = std::from_chars(offset.data(), offset.data() + offset.size(), begin);
    if (error != std::errc() || end != offset.data() + offset.size() || begin > encoding.appended.size()) {
      throw InputError(place, "its offset '" + offset + "' is not within the appended data", damaged);
    }
    source = encoding.appended.substr(begin);
    base64 = encoding.appended_is_base64;
  } else if (format != "binary") {
    throw InputError(place, "format '" + format + "' is not read", "Known are ascii, binary and appended.");
  }
  ByteStream stream(place, source, base64);
  std::string bytes;
  if (encoding.compressed) {
    bytes = decompressed(stream, encoding, place, file.bytes.size());
  } else {
    bytes = stream.take(HeaderReader(stream, encoding).next());
  }
  const std::string type = attribute(array, "type");
  if (type == "Float64") return numbers_of<double>(bytes, encoding.big_endian);
  if (type == "Float32") return numbers_of<float>(bytes, encoding.big_endian);
  if (type == "Int64") return numbers_of<std::int64_t>(bytes, encoding.big_endian);
  if (type == "UInt64") return numbers_of<std::uint64_t>(bytes, encoding.big_endian);
  if (type == "Int32") return numbers_of<std::int32_t>(bytes, encoding.big_endian);
  if (type == "UInt32") return numbers_of<std::uint32_t>(bytes, encoding.big_endian);
  if (type == "Int16") return numbers_of<std::int16_t>(bytes, encoding.big_endian);
  if (type == "UInt16") return numbers_of<std::uint16_t>(bytes, encoding.big_endian);
  if (type == "Int8") return numbers_of<std::int8_t>(bytes, encoding.big_endian);
  if (type == "UInt8") return numbers_of<std::uint8_t>(bytes, encoding.big_endian);
  throw InputError(place, "type '" + type + "' is not read",
                   "Known are Float32, Float64 and the integers of 8 to 64 bits.");
}

}  // namespace bulwark
