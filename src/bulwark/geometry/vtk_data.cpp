#include <bulwark/base/error.hpp>
#include <bulwark/geometry/binary_number.hpp>
#include <bulwark/geometry/mesh_text.hpp>
#include <bulwark/geometry/vtk_data.hpp>

#include <zlib.h>

#include <charconv>
#include <new>

namespace bulwark {
namespace {

constexpr const char* damaged = "The file is truncated or damaged; export it again.";

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

/// How far the numbers of a file may grow when they are unpacked, in bytes of doubles. Meshes and fields that
/// are about something shrink to a twentieth at the best.
std::uint64_t largest_growth(const MeshBytes& file) {
  constexpr std::uint64_t always_allowed = std::uint64_t{64} << 20, greatest_ratio = 200;
  return always_allowed + greatest_ratio * file.bytes.size();
}

/// The plain bytes of a compressed array: [blocks][block size][last block's size][compressed sizes...] and
/// the blocks. All sizes are compared with what the file declares before anything is unpacked.
class CompressedArray {
 public:
  CompressedArray(ByteStream& stream, const VtkEncoding& encoding, const MeshBytes& file,
                  const std::string& place)
      : stream_(stream), place_(place) {
    HeaderReader header(stream, encoding);
    const std::uint64_t blocks = header.next();
    block_size_ = header.next();
    last_size_ = header.next();
    if (blocks > file.bytes.size()) fail("more compressed blocks than the file can hold");
    for (std::uint64_t i = 0; i < blocks; ++i) packed_sizes_.push_back(header.next());
    constexpr std::uint64_t largest_block = std::uint64_t{1} << 40;  // their sum stays below 2^64
    if (block_size_ > largest_block || last_size_ > largest_block || blocks > (std::uint64_t{1} << 23)) {
      fail("a block's size is invalid");
    }
    for (std::size_t i = 0; i < packed_sizes_.size(); ++i) size_ += size_of_block(i);
  }

  std::uint64_t size() const { return size_; }

  void require_size(std::uint64_t item_size, std::optional<std::size_t> count, std::uint64_t limit) const {
    if (count && (size_ % item_size != 0 || size_ / item_size != *count)) {
      fail("its compressed data declare " + std::to_string(size_) + " bytes, and the file's header " +
           std::to_string(*count) + " numbers of " + std::to_string(item_size));
    }
    if (size_ / item_size > limit / sizeof(double)) {
      fail("its data would grow to " + std::to_string(size_) +
           " bytes, far more than a file of this size holds");
    }
  }

  std::string unpacked() {
    std::string result(static_cast<std::size_t>(size_), '\0');
    std::size_t begin = 0;
    for (std::size_t i = 0; i < packed_sizes_.size(); ++i) {
      const std::string packed = stream_.take(packed_sizes_[i]);
      const std::uint64_t size = size_of_block(i);
      uLongf written = uLongf(size);
      const int status = uncompress(reinterpret_cast<Bytef*>(result.data() + begin), &written,
                                    reinterpret_cast<const Bytef*>(packed.data()), uLong(packed.size()));
      if (status == Z_MEM_ERROR) throw std::bad_alloc();
      if (status != Z_OK || written != size) fail("compressed data cannot be unpacked");
      begin += std::size_t(size);
    }
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const { throw InputError(place_, problem, damaged); }
  std::uint64_t size_of_block(std::size_t i) const {
    return i + 1 == packed_sizes_.size() && last_size_ != 0 ? last_size_ : block_size_;
  }

  ByteStream& stream_;
  const std::string& place_;
  std::uint64_t block_size_ = 0, last_size_ = 0, size_ = 0;
  std::vector<std::uint64_t> packed_sizes_;
};

/// Bytes of one number of a type; 0 for types that are not read.
std::size_t size_of_type(std::string_view type) {
  if (type == "Float64" || type == "Int64" || type == "UInt64") return 8;
  if (type == "Float32" || type == "Int32" || type == "UInt32") return 4;
  if (type == "Int16" || type == "UInt16") return 2;
  return type == "Int8" || type == "UInt8" ? 1 : 0;
}

template <class T>
std::vector<double> numbers_of(const std::string& bytes, bool big_endian) {
  std::vector<double> numbers(bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = double(binary_number<T>(bytes.data() + i * sizeof(T), big_endian));
  }
  return numbers;
}

}  // namespace

std::vector<double> vtk_numbers(const MeshBytes& file, const VtkEncoding& encoding, const VtkArray& array) {
  const std::string place = file.name + ", array " + (array.name.empty() ? "of points" : array.name);
  if (array.format == "ascii" || array.format.empty()) {
    std::vector<double> numbers;
    MeshText text({place, array.content});
    for (std::string_view word = text.word(); !word.empty(); word = text.word()) {
      numbers.push_back(text.number(word, "an item"));
    }
    return numbers;
  }
  std::string_view source = array.content;
  bool base64 = true;
  if (array.format == "appended") {
    const std::string& offset = array.offset;
    std::size_t begin = 0;
    const auto [end, error] = std::from_chars(offset.data(), offset.data() + offset.size(), begin);
    if (error != std::errc() || end != offset.data() + offset.size() || begin > encoding.appended.size()) {
      throw InputError(place, "its offset '" + offset + "' is not within the appended data", damaged);
    }
    source = encoding.appended.substr(begin);
    base64 = encoding.appended_is_base64;
  } else if (array.format != "binary") {
    throw InputError(place, "format '" + array.format + "' is not read",
                     "Supported are ascii, binary and appended.");
  }
  const std::string& type = array.type;
  const std::size_t item_size = size_of_type(type);
  if (item_size == 0) {
    throw InputError(place, "type '" + type + "' is not read",
                     "Supported are Float32, Float64 and the integers of 8 to 64 bits.");
  }
  ByteStream stream(place, source, base64);
  std::string bytes;
  if (encoding.compressed) {
    CompressedArray compressed(stream, encoding, file, place);
    compressed.require_size(item_size, array.count, largest_growth(file));
    bytes = compressed.unpacked();
  } else {
    bytes = stream.take(HeaderReader(stream, encoding).next());
  }
  if (type == "Float64") return numbers_of<double>(bytes, encoding.big_endian);
  if (type == "Float32") return numbers_of<float>(bytes, encoding.big_endian);
  if (type == "Int64") return numbers_of<std::int64_t>(bytes, encoding.big_endian);
  if (type == "UInt64") return numbers_of<std::uint64_t>(bytes, encoding.big_endian);
  if (type == "Int32") return numbers_of<std::int32_t>(bytes, encoding.big_endian);
  if (type == "UInt32") return numbers_of<std::uint32_t>(bytes, encoding.big_endian);
  if (type == "Int16") return numbers_of<std::int16_t>(bytes, encoding.big_endian);
  if (type == "UInt16") return numbers_of<std::uint16_t>(bytes, encoding.big_endian);
  if (type == "Int8") return numbers_of<std::int8_t>(bytes, encoding.big_endian);
  return numbers_of<std::uint8_t>(bytes, encoding.big_endian);
}

}  // namespace bulwark
