#include <bulwark/base/error.hpp>
#include <bulwark/base/file_check.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace bulwark {

FileCheck::FileCheck(std::string file, std::string complaint, std::string remedy)
    : file_(std::move(file)), complaint_(std::move(complaint)), remedy_(std::move(remedy)) {}

void FileCheck::fail(const std::string& problem) const {
  throw InputError(file_, complaint_.empty() ? problem : complaint_ + ": " + problem, remedy_);
}

void FileCheck::size(std::size_t found, std::size_t wanted, std::string_view what) const {
  if (found != wanted) fail(fmt::format("{}: {} numbers instead of {}", what, found, wanted));
}

double FileCheck::finite(double number, std::string_view what) const {
  if (!std::isfinite(number)) fail(fmt::format("{} is {}, not a finite number", what, number));
  return number;
}

void FileCheck::finite(std::span<const double> numbers, std::string_view what) const {
  for (const double number : numbers) finite(number, what);
}

std::int64_t FileCheck::whole(double number, std::int64_t low, std::int64_t high,
                              std::string_view what) const {
  if (!(number >= static_cast<double>(low) && number <= static_cast<double>(high)) ||
      number != std::floor(number)) {
    fail(fmt::format("{} is {}, not a whole number from {} to {}", what, number, low, high));
  }
  return static_cast<std::int64_t>(number);
}

int FileCheck::index(double number, std::size_t count, std::string_view what) const {
  constexpr std::size_t most = std::numeric_limits<int>::max();
  if (count == 0) fail(fmt::format("{} is {}, which does not exist", what, number));
  return static_cast<int>(whole(number, 0, static_cast<std::int64_t>(std::min(count, most)) - 1, what));
}

}  // namespace bulwark
