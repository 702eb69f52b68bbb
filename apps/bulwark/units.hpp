// Numbers as people read them.
#pragma once

#include <string>

namespace bulwark::app {

/// Three digits and a prefix: with_unit(0.0012, "m") is "1.2 mm".
std::string with_unit(double value, const std::string& unit);

/// "850 ms", "12.3 s", "4 min 05 s", "2 h 10 min".
std::string duration(double seconds);

}  // namespace bulwark::app
