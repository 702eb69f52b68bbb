// PNG pictures, 8 bits per channel, written with zlib alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bulwark {

struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  ///< rows from the top, 3 bytes per pixel
};

std::string picture_to_png(const Picture& picture);

}  // namespace bulwark
