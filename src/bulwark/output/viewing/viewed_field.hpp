// The quantities that pictures colour bodies by: names, units, and the array of a frame that each is made from. The
// page, `render` and pages that carry their run go by this list.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace bulwark {

enum class ViewedField : unsigned char {
  speed,
  von_mises_stress,
  contact_force,
  contact_pressure,
  contact_traction,
  velocity_x,
  velocity_y,
  velocity_z,
  principal_stress_1,
  principal_stress_2,
  principal_stress_3,
  stress_xx,
  stress_yy,
  stress_zz,
  stress_xy,
  stress_yz,
  stress_xz,
  second_stress_xx,
  second_stress_yy,
  second_stress_zz,
  second_stress_xy,
  second_stress_yz,
  second_stress_xz,
  strain_xx,
  strain_yy,
  strain_zz,
  strain_xy,
  strain_yz,
  strain_xz,
  energy_density
};

/// Numbers of a frame's points.
struct FieldSource {
  std::string_view array;
  int width;      ///< numbers of a point
  int component;  ///< which of them; or the `length` of the vector
  static constexpr int length = -1;
};

/// From 0 to its end, or from minus its end to its end.
enum class FieldScale : unsigned char { from_zero, around_zero };

struct FieldDescription {
  std::string_view name;   ///< in requests and options
  std::string_view title;  ///< beside its colours
  std::string_view group;  ///< in the page's list
  std::string_view unit;
  FieldSource source;
  FieldScale scale;

  constexpr bool is_signed() const { return scale == FieldScale::around_zero; }
};

/// In the order of ViewedField, in which they are offered.
inline constexpr auto viewed_field_table = [] {
  using Of = FieldDescription;
  using enum FieldScale;
  constexpr int length = FieldSource::length;
  constexpr std::string_view piola_kirchhoff = "Second Piola-Kirchhoff stress";
  // clang-format off
  return std::array{
    Of{"speed", "Speed", "Motion", "m/s", {"velocity", 3, length}, from_zero},
    Of{"von_mises_stress", "Von Mises stress", "Stress", "Pa", {"von_mises", 1, 0}, from_zero},
    Of{"contact_force", "Contact force", "Contact", "N", {"contact_force", 3, length}, from_zero},
    Of{"contact_pressure", "Contact pressure", "Contact", "Pa", {"contact_pressure", 1, 0}, from_zero},
    Of{"contact_traction", "Friction per area", "Contact", "Pa", {"contact_traction", 3, length}, from_zero},
    Of{"velocity_x", "Velocity along x", "Motion", "m/s", {"velocity", 3, 0}, around_zero},
    Of{"velocity_y", "Velocity along y", "Motion", "m/s", {"velocity", 3, 1}, around_zero},
    Of{"velocity_z", "Velocity along z", "Motion", "m/s", {"velocity", 3, 2}, around_zero},
    Of{"principal_stress_1", "Largest principal stress", "Stress", "Pa", {"principal_stress", 3, 0}, around_zero},
    Of{"principal_stress_2", "Middle principal stress", "Stress", "Pa", {"principal_stress", 3, 1}, around_zero},
    Of{"principal_stress_3", "Smallest principal stress", "Stress", "Pa", {"principal_stress", 3, 2}, around_zero},
    Of{"stress_xx", "Stress xx", "Stress", "Pa", {"stress_tensor", 6, 0}, around_zero},
    Of{"stress_yy", "Stress yy", "Stress", "Pa", {"stress_tensor", 6, 1}, around_zero},
    Of{"stress_zz", "Stress zz", "Stress", "Pa", {"stress_tensor", 6, 2}, around_zero},
    Of{"stress_xy", "Stress xy", "Stress", "Pa", {"stress_tensor", 6, 3}, around_zero},
    Of{"stress_yz", "Stress yz", "Stress", "Pa", {"stress_tensor", 6, 4}, around_zero},
    Of{"stress_xz", "Stress xz", "Stress", "Pa", {"stress_tensor", 6, 5}, around_zero},
    Of{"second_stress_xx", "Second stress xx", piola_kirchhoff, "Pa", {"second_stress", 6, 0}, around_zero},
    Of{"second_stress_yy", "Second stress yy", piola_kirchhoff, "Pa", {"second_stress", 6, 1}, around_zero},
    Of{"second_stress_zz", "Second stress zz", piola_kirchhoff, "Pa", {"second_stress", 6, 2}, around_zero},
    Of{"second_stress_xy", "Second stress xy", piola_kirchhoff, "Pa", {"second_stress", 6, 3}, around_zero},
    Of{"second_stress_yz", "Second stress yz", piola_kirchhoff, "Pa", {"second_stress", 6, 4}, around_zero},
    Of{"second_stress_xz", "Second stress xz", piola_kirchhoff, "Pa", {"second_stress", 6, 5}, around_zero},
    Of{"strain_xx", "Strain xx", "Strain", "", {"strain", 6, 0}, around_zero},
    Of{"strain_yy", "Strain yy", "Strain", "", {"strain", 6, 1}, around_zero},
    Of{"strain_zz", "Strain zz", "Strain", "", {"strain", 6, 2}, around_zero},
    Of{"strain_xy", "Strain xy", "Strain", "", {"strain", 6, 3}, around_zero},
    Of{"strain_yz", "Strain yz", "Strain", "", {"strain", 6, 4}, around_zero},
    Of{"strain_xz", "Strain xz", "Strain", "", {"strain", 6, 5}, around_zero},
    Of{"energy_density", "Strain energy per volume", "Strain", "J/m^3", {"energy_density", 1, 0}, from_zero}};
  // clang-format on
}();

inline constexpr auto viewed_fields = [] {
  std::array<ViewedField, viewed_field_table.size()> fields{};
  for (std::size_t i = 0; i < fields.size(); ++i) fields[i] = static_cast<ViewedField>(i);
  return fields;
}();

constexpr const FieldDescription& described(ViewedField field) {
  return viewed_field_table[static_cast<std::size_t>(field)];
}

constexpr std::optional<ViewedField> field_by_name(std::string_view name) {
  for (const ViewedField field : viewed_fields) {
    if (described(field).name == name) return field;
  }
  return std::nullopt;
}

}  // namespace bulwark
