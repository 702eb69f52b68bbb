// A number from the bytes of a file, whatever its alignment and byte order; used by the readers of binary
// meshes.
#pragma once

#include <algorithm>
#include <cstring>

namespace bulwark {

template <class T>
T binary_number(const char* bytes, bool big_endian) {
  char raw[sizeof(T)];
  std::memcpy(raw, bytes, sizeof(T));
  if (big_endian) std::reverse(raw, raw + sizeof(T));
  T value;
  std::memcpy(&value, raw, sizeof(T));
  return value;
}

}  // namespace bulwark
