#include <bulwark/output/drawing/chart.hpp>
#include <bulwark/output/drawing/color_bar.hpp>
#include <bulwark/output/drawing/drawing.hpp>
#include <bulwark/output/drawing/picture_colors.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <vector>

namespace bulwark {
namespace {

// In units of which 720 make the height of a usual picture.
constexpr double strip = 104, bar_left = 14, bar_width = 20, margin = 18, text_size = 15, line_height = 19;
constexpr Ink paper = 0xf7f8fa, text_ink = 0x2b3138, rim = 0x8a929c;
constexpr std::size_t letters_in_a_line = 10;
constexpr int ticks = 5, bands = 256;

double units_to_pixels(int picture_height) {
  return std::clamp(picture_height / 720.0, 0.5, 4.0);
}

Ink ink_of(const Color& linear) {
  Ink ink = 0;
  for (int channel = 0; channel < 3; ++channel) {
    const double value = std::pow(std::clamp(linear[channel], 0.0, 1.0), 1 / 2.2);
    ink = (ink << 8) | static_cast<Ink>(std::lround(255 * value));
  }
  return ink;
}

std::vector<std::string> in_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!lines.empty() && lines.back().size() + 1 + word.size() <= letters_in_a_line) {
      lines.back() += " " + word;
    } else {
      lines.push_back(word);
    }
  }
  return lines;
}

Drawing bar_drawing(const ColorScale& scale, double width, double height) {
  Drawing drawing{width, height, {DrawnArea{{0, 0}, width, height, paper}}};
  const auto add = [&](DrawnShape shape) { drawing.shapes.push_back(std::move(shape)); };
  const UnitPrefix prefix = unit_prefix(scale.end, scale.unit);
  double y = margin + text_size / 2;
  const std::string title =
      scale.unit.empty() ? scale.name : fmt::format("{} ({}{})", scale.name, prefix.text, scale.unit);
  for (const std::string& line : in_lines(title)) {
    add(DrawnText{{bar_left, y}, line, text_size, Anchor::start, false, false, text_ink});
    y += line_height;
  }
  const double top = y + line_height / 2, bottom = height - margin;
  const double begin = scale.is_signed ? -scale.end : 0;
  const auto place = [&](double value) {
    return bottom - (bottom - top) * (value - begin) / (scale.end - begin);
  };
  // Each band reaches down to the end of the bar, and the next one covers its rest: no seams between them.
  for (int band = 0; band < bands; ++band) {
    const double from = top + (bottom - top) * band / bands;
    const double part = 1 - (band + 0.5) / bands;
    add(DrawnArea{{bar_left, from},
                  bar_width,
                  bottom - from,
                  ink_of(scale.is_signed ? signed_scale_color(2 * part - 1) : scale_color(part))});
  }
  add(DrawnLine{{{bar_left, top},
                 {bar_left + bar_width, top},
                 {bar_left + bar_width, bottom},
                 {bar_left, bottom},
                 {bar_left, top}},
                rim});
  std::vector<double> values = axis_ticks(begin, scale.end, ticks);
  std::erase_if(values, [&](double value) {
    return place(value) - top < line_height || (scale.is_signed && bottom - place(value) < line_height);
  });
  values.push_back(scale.end);
  if (scale.is_signed) values.push_back(begin);
  for (const double value : values) {
    add(DrawnLine{{{bar_left + bar_width, place(value)}, {bar_left + bar_width + 5, place(value)}}, rim});
    // The end of the scale is hardly a round number: three digits of it.
    const double shown = value / prefix.factor;
    const std::string text = std::abs(value) == scale.end ? fmt::format("{:.3g}", shown) : tick_text(shown);
    add(DrawnText{{bar_left + bar_width + 9, place(value) + 0.36 * text_size},
                  text,
                  text_size,
                  Anchor::start,
                  false,
                  false,
                  text_ink});
  }
  return drawing;
}

}  // namespace

int color_bar_width(int picture_width, int picture_height) {
  const int width = static_cast<int>(std::lround(strip * units_to_pixels(picture_height)));
  constexpr int least_share = 3, least_height = 120;
  return picture_height < least_height || picture_width < least_share * width ? 0 : width;
}

Picture with_color_bar(const Picture& picture, int bar_width, const ColorScale& scale) {
  const int width = picture.width + bar_width;
  Picture wide{width, picture.height, std::vector<std::uint8_t>(std::size_t{3} * width * picture.height)};
  for (int row = 0; row < picture.height; ++row) {
    const auto from = picture.rgb.begin() + std::ptrdiff_t{3} * row * picture.width;
    std::copy(from, from + std::ptrdiff_t{3} * picture.width,
              wide.rgb.begin() + std::ptrdiff_t{3} * row * width);
  }
  const double pixels = units_to_pixels(picture.height);
  draw_onto(wide, bar_drawing(scale, bar_width / pixels, picture.height / pixels), pixels,
            {static_cast<double>(picture.width), 0});
  return wide;
}

}  // namespace bulwark
