#include "units.hpp"

#include <fmt/format.h>

#include <cmath>

namespace bulwark::app {

std::string with_unit(double value, const std::string& unit) {
  struct Prefix {
    double factor;
    const char* name;
  };
  static constexpr Prefix prefixes[] = {{1e9, "G"},  {1e6, "M"},  {1e3, "k"}, {1, ""},
                                        {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}};
  for (const Prefix& prefix : prefixes) {
    if (std::abs(value) >= prefix.factor * (1 - 1e-9) && std::abs(value) < 1000 * prefix.factor) {
      return fmt::format("{:.3g} {}{}", value / prefix.factor, prefix.name, unit);
    }
  }
  return fmt::format("{:.3g} {}", value, unit);
}

std::string duration(double seconds) {
  if (seconds < 1) return fmt::format("{:.0f} ms", 1000 * seconds);
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const long whole = std::lround(seconds);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace bulwark::app
