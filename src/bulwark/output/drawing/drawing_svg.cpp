#include <bulwark/output/drawing/drawing.hpp>

#include <fmt/format.h>

namespace bulwark {
namespace {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return result;
}

std::string color(Ink ink) {
  return fmt::format("#{:06x}", ink);
}

std::string svg_of(const DrawnArea& area) {
  return fmt::format("<rect x=\"{:.6g}\" y=\"{:.6g}\" width=\"{:.6g}\" height=\"{:.6g}\" fill=\"{}\"/>\n",
                     area.corner[0], area.corner[1], area.width, area.height, color(area.ink));
}

std::string svg_of(const DrawnLine& line) {
  std::string text = fmt::format("<path fill=\"none\" stroke=\"{}\" stroke-width=\"{:.6g}\"{} d=\"",
                                 color(line.ink), line.width, line.dashed ? " stroke-dasharray=\"5 3\"" : "");
  const char* letter = "M";
  for (const Place& point : line.points) {
    text += fmt::format("{}{:.2f} {:.2f}", letter, point[0], point[1]);
    letter = "L";
  }
  return text + "\"/>\n";
}

std::string svg_of(const DrawnDot& dot) {
  return fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.6g}\" fill=\"{}\"/>\n", dot.center[0],
                     dot.center[1], dot.radius, color(dot.ink));
}

std::string svg_of(const DrawnText& label) {
  const std::string place =
      label.upward
          ? fmt::format("transform=\"translate({:.2f} {:.2f}) rotate(-90)\"", label.place[0], label.place[1])
          : fmt::format("x=\"{:.2f}\" y=\"{:.2f}\"", label.place[0], label.place[1]);
  const char* anchor = label.anchor == Anchor::start    ? ""
                       : label.anchor == Anchor::middle ? " text-anchor=\"middle\""
                                                        : " text-anchor=\"end\"";
  return fmt::format("<text {} font-size=\"{:.6g}\"{}{} fill=\"{}\">{}</text>\n", place, label.size, anchor,
                     label.bold ? " font-weight=\"600\"" : "", color(label.ink), escaped(label.text));
}

}  // namespace

std::string drawing_to_svg(const Drawing& drawing) {
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"system-ui, sans-serif\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      drawing.width, drawing.height);
  for (const DrawnShape& shape : drawing.shapes) {
    text += std::visit([](const auto& s) { return svg_of(s); }, shape);
  }
  return text + "</svg>\n";
}

}  // namespace bulwark
