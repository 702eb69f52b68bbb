// A part of the collision mesh by its kind and number: how filters and terms name what they found.
#pragma once

namespace bulwark {

enum class PrimitiveKind : unsigned char { vertex, edge, triangle, plane };

struct Primitive {
  PrimitiveKind kind = PrimitiveKind::vertex;
  int number = -1;  ///< in the mesh's list of the kind
};

}  // namespace bulwark
