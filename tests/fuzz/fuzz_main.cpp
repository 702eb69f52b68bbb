// A libFuzzer target of one feed, whose name CMake gives.
#include <fuzz/feeds.hpp>

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  bulwark::fuzz::BULWARK_FEED({reinterpret_cast<const char*>(data), size});
  return 0;
}
