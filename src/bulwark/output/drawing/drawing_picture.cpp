#include <bulwark/output/drawing/drawing.hpp>
#include <bulwark/output/drawing/stroke_font.hpp>

#include <algorithm>
#include <cmath>

namespace bulwark {
namespace {

/// Of a font's size.
constexpr double stroke_width = 0.085, bold_stroke_width = 0.12;
constexpr double dash = 5, dash_gap = 3;

/// How much of each pixel a shape covers; it is then blended in once, however often its parts overlap.
class Coverage {
 public:
  explicit Coverage(Picture& picture)
      : picture_(picture), part_(static_cast<std::size_t>(picture.width) * picture.height, 0) {}

  /// A line of that width with round ends.
  void add_segment(Place a, Place b, double width) {
    // A line thinner than a pixel is a pixel wide and paler.
    const double half = std::max(width, 1.0) / 2, strength = std::min(width, 1.0);
    const double dx = b[0] - a[0], dy = b[1] - a[1], square = dx * dx + dy * dy;
    const double reach = half + 1;
    const int x_end = end(std::max(a[0], b[0]) + reach, picture_.width);
    const int y_end = end(std::max(a[1], b[1]) + reach, picture_.height);
    for (int y = begin(std::min(a[1], b[1]) - reach, picture_.height); y < y_end; ++y) {
      for (int x = begin(std::min(a[0], b[0]) - reach, picture_.width); x < x_end; ++x) {
        const double px = x + 0.5 - a[0], py = y + 0.5 - a[1];
        const double along = square > 0 ? std::clamp((px * dx + py * dy) / square, 0.0, 1.0) : 0;
        const double distance = std::hypot(px - along * dx, py - along * dy);
        add(x, y, strength * std::clamp(half + 0.5 - distance, 0.0, 1.0));
      }
    }
  }

  void add_area(Place corner, double width, double height) {
    const double right = corner[0] + width, bottom = corner[1] + height;
    for (int y = begin(corner[1], picture_.height); y < end(bottom, picture_.height); ++y) {
      for (int x = begin(corner[0], picture_.width); x < end(right, picture_.width); ++x) {
        const double across = std::min(x + 1.0, right) - std::max<double>(x, corner[0]);
        const double along = std::min(y + 1.0, bottom) - std::max<double>(y, corner[1]);
        add(x, y, std::clamp(across, 0.0, 1.0) * std::clamp(along, 0.0, 1.0));
      }
    }
  }

  void blend(Ink ink) {
    for (int y = top_; y < bottom_; ++y) {
      for (int x = left_; x < right_; ++x) {
        float& part = part_[static_cast<std::size_t>(y) * picture_.width + x];
        for (int channel = 0; part > 0 && channel < 3; ++channel) {
          std::uint8_t& value =
              picture_.rgb[3 * (static_cast<std::size_t>(y) * picture_.width + x) + channel];
          const double wanted = (ink >> (16 - 8 * channel)) & 0xFF;
          value = static_cast<std::uint8_t>(std::lround(value + part * (wanted - value)));
        }
        part = 0;
      }
    }
    left_ = picture_.width;
    top_ = picture_.height;
    right_ = bottom_ = 0;
  }

 private:
  static int begin(double place, int size) {
    return static_cast<int>(std::clamp(std::floor(place), 0.0, static_cast<double>(size)));
  }
  static int end(double place, int size) {
    return static_cast<int>(std::clamp(std::ceil(place), 0.0, static_cast<double>(size)));
  }
  void add(int x, int y, double part) {
    if (!(part > 0)) return;
    float& covered = part_[static_cast<std::size_t>(y) * picture_.width + x];
    covered = std::max(covered, static_cast<float>(part));
    left_ = std::min(left_, x);
    right_ = std::max(right_, x + 1);
    top_ = std::min(top_, y);
    bottom_ = std::max(bottom_, y + 1);
  }

  Picture& picture_;
  std::vector<float> part_;
  int left_ = picture_.width, top_ = picture_.height, right_ = 0, bottom_ = 0;  ///< of what is covered
};

class ChartPainter {
 public:
  ChartPainter(Picture& picture, double scale, Place origin)
      : coverage_(picture), scale_(scale), origin_(origin) {}

  void operator()(const DrawnArea& area) {
    coverage_.add_area(at(area.corner), scale_ * area.width, scale_ * area.height);
    coverage_.blend(area.ink);
  }

  void operator()(const DrawnLine& line) {
    double walked = 0;
    for (std::size_t i = 1; i < line.points.size(); ++i) {
      const Place &from = line.points[i - 1], &to = line.points[i];
      if (line.dashed) {
        walked = add_dashes(from, to, line.width, walked);
      } else {
        coverage_.add_segment(at(from), at(to), scale_ * line.width);
      }
    }
    coverage_.blend(line.ink);
  }

  void operator()(const DrawnDot& dot) {
    coverage_.add_segment(at(dot.center), at(dot.center), 2 * scale_ * dot.radius);
    coverage_.blend(dot.ink);
  }

  void operator()(const DrawnText& label) {
    const TextStrokes text = text_strokes(label.text);
    const double before = label.anchor == Anchor::start    ? 0
                          : label.anchor == Anchor::middle ? text.width / 2
                                                           : text.width;
    const double width = (label.bold ? bold_stroke_width : stroke_width) * label.size;
    const auto place = [&](const FontPoint& point) {
      const double along = label.size * (point.x - before), up = label.size * point.y;
      return label.upward ? at({label.place[0] - up, label.place[1] - along})
                          : at({label.place[0] + along, label.place[1] - up});
    };
    for (const std::vector<FontPoint>& stroke : text.strokes) {
      for (std::size_t i = 1; i < stroke.size(); ++i) {
        coverage_.add_segment(place(stroke[i - 1]), place(stroke[i]), scale_ * width);
      }
    }
    coverage_.blend(label.ink);
  }

 private:
  Place at(const Place& place) const {
    return {origin_[0] + scale_ * place[0], origin_[1] + scale_ * place[1]};
  }

  /// The dashes of one segment of a line; `walked` is the line's length before it, the result that after it.
  double add_dashes(const Place& from, const Place& to, double width, double walked) {
    const double length = std::hypot(to[0] - from[0], to[1] - from[1]);
    const auto point = [&](double distance) {
      const double part = length > 0 ? distance / length : 0;
      return Place{from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1])};
    };
    for (double place = -std::fmod(walked, dash + dash_gap); place < length; place += dash + dash_gap) {
      const double begin = std::max(0.0, place), end = std::min(length, place + dash);
      if (begin < end) coverage_.add_segment(at(point(begin)), at(point(end)), scale_ * width);
    }
    return walked + length;
  }

  Coverage coverage_;
  double scale_;
  Place origin_;
};

}  // namespace

void draw_onto(Picture& picture, const Drawing& drawing, double scale, Place origin) {
  ChartPainter painter(picture, scale, origin);
  for (const DrawnShape& shape : drawing.shapes) std::visit(painter, shape);
}

Picture drawing_to_picture(const Drawing& drawing, double scale) {
  const int width = static_cast<int>(std::lround(scale * drawing.width));
  const int height = static_cast<int>(std::lround(scale * drawing.height));
  Picture picture{width, height, std::vector<std::uint8_t>(std::size_t{3} * width * height, 255)};
  draw_onto(picture, drawing, scale);
  return picture;
}

}  // namespace bulwark
