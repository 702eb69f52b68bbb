#include "numbered_name.hpp"

#include <bulwark/base/error.hpp>

#include <fmt/printf.h>

namespace bulwark::app {

bool is_numbered(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  const std::size_t percent = name.find('%');
  if (percent == std::string::npos) return false;
  const std::size_t d = name.find_first_not_of("0123456789", percent + 1);
  constexpr std::size_t most_digits = 2;
  if (d == std::string::npos || name[d] != 'd' || d - percent > 1 + most_digits ||
      name.find('%', percent + 1) != std::string::npos) {
    throw InputError(file.string(), "the number in a name is written %d or %04d, once");
  }
  return true;
}

std::filesystem::path with_number(const std::filesystem::path& file, std::int64_t number) {
  return file.parent_path() / fmt::sprintf(file.filename().string(), number);
}

}  // namespace bulwark::app
