// A font of straight strokes, for text in pictures. It has the characters of ASCII and some of units; others
// are drawn as a box.
#pragma once

#include <string_view>
#include <vector>

namespace bulwark {

struct FontPoint {
  double x = 0, y = 0;  ///< to the right, and up from the base line
};

struct TextStrokes {
  std::vector<std::vector<FontPoint>> strokes;  ///< a stroke of one point twice is a dot
  double width = 0;
};

/// The strokes of a line of UTF-8 text of size 1, from x = 0 on. Capitals are 0.72 high, as in usual fonts.
TextStrokes text_strokes(std::string_view text);

}  // namespace bulwark
