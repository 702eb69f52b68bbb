// The kinds of bodies, and their names in scenes and reports.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace bulwark {

enum class BodyKind { deformable, affine, rigid, shell, rod, particles, obstacle, ancf_beam, ancf_shell };

constexpr std::string_view body_kind_name(BodyKind kind) {
  constexpr std::array<std::string_view, 9> names = {
      "deformable", "affine", "rigid", "shell", "rod", "particles", "obstacle", "ancf-beam", "ancf-shell"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace bulwark
