// Checks of what was read from a file, made before it is used: sizes, ranges, finite numbers. What fails is
// an InputError that names the file, what it was taken for, and the item that is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace bulwark {

class FileCheck {
 public:
  /// `complaint` begins every message, as "this frame is damaged"; it may be empty.
  explicit FileCheck(std::string file, std::string complaint = "", std::string remedy = "");

  [[noreturn]] void fail(const std::string& problem) const;

  /// The file's array `what` has that many numbers.
  void size(std::size_t found, std::size_t wanted, std::string_view what) const;
  double finite(double number, std::string_view what) const;
  void finite(std::span<const double> numbers, std::string_view what) const;
  /// The number as a whole one in [low, high].
  std::int64_t whole(double number, std::int64_t low, std::int64_t high, std::string_view what) const;
  /// The number as the index of one of `count` things.
  int index(double number, std::size_t count, std::string_view what) const;

  const std::string& file() const { return file_; }

 private:
  std::string file_, complaint_, remedy_;
};

/// Whole numbers up to here are doubles without loss.
inline constexpr std::int64_t largest_whole_double = std::int64_t{1} << 53;

}  // namespace bulwark
