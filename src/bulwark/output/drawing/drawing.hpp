// Flat drawings of lines, areas and text: what charts and colour bars are made of. They become SVG text, or
// pixels of a picture.
#pragma once

#include <bulwark/output/drawing/png.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace bulwark {

/// 0xRRGGBB.
using Ink = std::uint32_t;

/// A place on the drawing: x to the right, y down.
using Place = std::array<double, 2>;

struct DrawnLine {
  std::vector<Place> points;
  Ink ink = 0;
  double width = 1;
  bool dashed = false;
};

struct DrawnDot {
  Place center = {0, 0};
  double radius = 1;
  Ink ink = 0;
};

struct DrawnArea {
  Place corner = {0, 0};  ///< left and top
  double width = 0, height = 0;
  Ink ink = 0;
};

enum class Anchor { start, middle, end };

struct DrawnText {
  Place place = {0, 0};  ///< on the base line
  std::string text;      ///< UTF-8
  double size = 13;
  Anchor anchor = Anchor::start;
  bool bold = false;
  bool upward = false;  ///< turned to be read from below to above
  Ink ink = 0x333333;
};

using DrawnShape = std::variant<DrawnArea, DrawnLine, DrawnDot, DrawnText>;

struct Drawing {
  double width = 0, height = 0;
  std::vector<DrawnShape> shapes;  ///< later ones cover earlier ones
};

std::string drawing_to_svg(const Drawing& drawing);

/// Draws onto a picture, with `scale` pixels for one unit of the drawing and its left top corner at `origin`
/// (in pixels).
void draw_onto(Picture& picture, const Drawing& drawing, double scale, Place origin = {0, 0});

/// A picture of the drawing on white.
Picture drawing_to_picture(const Drawing& drawing, double scale);

}  // namespace bulwark
