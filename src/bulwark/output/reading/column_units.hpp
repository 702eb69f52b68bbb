// The units of the columns of a run's CSV files, by their names.
#pragma once

#include <string>
#include <string_view>

namespace bulwark {

/// "J" for kinetic, "m/s" for vx; "" for counts and for columns that are not known.
std::string column_unit(std::string_view column);

}  // namespace bulwark
