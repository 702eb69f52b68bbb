// Numbers as the bytes that this machine holds them in (little-endian), one after another: what the viewer's
// page reads as typed arrays.
#pragma once

#include <bit>
#include <string>
#include <type_traits>
#include <vector>

namespace bulwark {

static_assert(std::endian::native == std::endian::little, "the viewer's format is little-endian");

template <class T>
void append_number(std::string& bytes, T number) {
  static_assert(std::is_arithmetic_v<T>);
  bytes.append(reinterpret_cast<const char*>(&number), sizeof(T));
}

/// Works for vectors of std::array too: their numbers lie side by side.
template <class T>
void append_array(std::string& bytes, const std::vector<T>& numbers) {
  static_assert(std::is_trivially_copyable_v<T>);
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T));
}

}  // namespace bulwark
