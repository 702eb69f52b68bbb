#include <bulwark/output/reading/column_units.hpp>

#include <map>

namespace bulwark {

std::string column_unit(std::string_view column) {
  static const std::map<std::string_view, std::string_view> units = {{"time", "s"},
                                                                     {"seconds", "s"},
                                                                     {"min_distance", "m"},
                                                                     {"distance", "m"},
                                                                     {"kinetic", "J"},
                                                                     {"elastic", "J"},
                                                                     {"gravity", "J"},
                                                                     {"contact", "J"},
                                                                     {"total", "J"},
                                                                     {"angle_degrees", "degrees"},
                                                                     {"angle_2_degrees", "degrees"},
                                                                     {"angle_3_degrees", "degrees"},
                                                                     {"position", "m"},
                                                                     {"error", "m"},
                                                                     {"x", "m"},
                                                                     {"y", "m"},
                                                                     {"z", "m"},
                                                                     {"vx", "m/s"},
                                                                     {"vy", "m/s"},
                                                                     {"vz", "m/s"},
                                                                     {"wx", "rad/s"},
                                                                     {"wy", "rad/s"},
                                                                     {"wz", "rad/s"},
                                                                     {"fx", "N"},
                                                                     {"fy", "N"},
                                                                     {"fz", "N"},
                                                                     {"tx", "N m"},
                                                                     {"ty", "N m"},
                                                                     {"tz", "N m"},
                                                                     {"newton_speed", "m/s"},
                                                                     {"barrier_stiffness", "J/m^4"}};
  const auto found = units.find(column);
  if (found != units.end()) return std::string(found->second);
  if (column.starts_with("seconds_")) return "s";
  if (column.starts_with("normal_force_") || column.starts_with("friction_force_")) return "N";
  return "";
}

}  // namespace bulwark
