// The scale of a picture whose bodies are coloured by a quantity: a bar of its colours with numbers and unit.
#pragma once

#include <bulwark/output/drawing/png.hpp>

#include <string>

namespace bulwark {

struct ColorScale {
  std::string name, unit;
  double end = 1;          ///< the value of the last colour
  bool is_signed = false;  ///< the value of the first colour is -end, else 0
};

/// Pixels that the bar takes of the width of a picture; 0 where the picture is too small for one.
int color_bar_width(int picture_width, int picture_height);

/// The picture with the bar on its right: wider by `bar_width` pixels.
Picture with_color_bar(const Picture& picture, int bar_width, const ColorScale& scale);

}  // namespace bulwark
