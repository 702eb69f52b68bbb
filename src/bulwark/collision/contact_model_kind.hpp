// The models by which two bodies push on each other (docs/contact-models.md). Only the barrier promises that
// they never pass through each other.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace bulwark {

enum class ContactModelKind : std::uint8_t { barrier, hydroelastic, patch_penalty, none };

/// As scene files and summaries have them, in the order of the kinds.
inline constexpr std::array<std::string_view, 4> contact_model_names = {"barrier", "hydroelastic",
                                                                        "patch-penalty", "none"};

constexpr std::string_view contact_model_name(ContactModelKind kind) {
  return contact_model_names[static_cast<std::size_t>(kind)];
}

constexpr std::optional<ContactModelKind> contact_model_of(std::string_view name) {
  for (std::size_t kind = 0; kind < contact_model_names.size(); ++kind) {
    if (contact_model_names[kind] == name) return static_cast<ContactModelKind>(kind);
  }
  return std::nullopt;
}

}  // namespace bulwark
