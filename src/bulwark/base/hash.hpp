// A 64-bit FNV-1a hash: tells damaged or foreign bytes from good ones. Not against attackers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bulwark {

class Hash {
 public:
  void add(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) value_ = (value_ ^ bytes[i]) * 0x100000001b3u;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace bulwark
