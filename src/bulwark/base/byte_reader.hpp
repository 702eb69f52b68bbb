// Takes the bytes of a binary file apart, one item after another, never past their end: counts are compared
// with what is left of the file before memory is taken for them, numbers are checked where they are read.
#pragma once

#include <bulwark/base/file_check.hpp>

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace bulwark {

class ByteReader {
 public:
  ByteReader(std::string_view bytes, const FileCheck& check) : rest_(bytes), check_(check) {}

  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) check_.fail("it is truncated");
    const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(size));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  /// A number as this machine holds it (little-endian).
  template <class T>
  T number() {
    static_assert(std::is_arithmetic_v<T>);
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }

  double finite(std::string_view what) { return check_.finite(number<double>(), what); }

  /// How many items of that many bytes follow, by a 64-bit count before them.
  std::size_t count(std::size_t item_size, std::string_view what) {
    const auto count = number<std::uint64_t>();
    if (count > rest_.size() / item_size)
      check_.fail(std::string(what) + ": the file declares more of them than it can hold");
    return static_cast<std::size_t>(count);
  }

  /// Finite doubles.
  std::vector<double> numbers(std::size_t count, std::string_view what) {
    if (count > rest_.size() / sizeof(double)) check_.fail("it is truncated");
    std::vector<double> values(count);
    const std::string_view bytes = take(count * sizeof(double));
    if (count > 0) std::memcpy(values.data(), bytes.data(), bytes.size());
    check_.finite(values, what);
    return values;
  }

  std::string text(std::string_view what) { return std::string(take(count(1, what))); }

  bool at_end() const { return rest_.empty(); }
  const FileCheck& check() const { return check_; }

 private:
  std::string_view rest_;
  const FileCheck& check_;
};

}  // namespace bulwark
