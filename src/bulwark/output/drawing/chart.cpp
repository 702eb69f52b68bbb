#include <bulwark/output/drawing/chart.hpp>
#include <bulwark/output/drawing/drawing.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace bulwark {
namespace {

constexpr double page_width = 900, panel_height = 300, panel_gap = 34;
constexpr double margin_left = 84, margin_right = 190, margin_top = 46,
                 margin_bottom = 54;  // margins; the legend is on the right

/// Dark enough on white, and told apart by the colour-blind.
constexpr std::array<Ink, 10> colors = {0x1f6fb4, 0xe07b1a, 0x2b9348, 0xc8373b, 0x7b53a6,
                                        0x8a5a3b, 0xd45d9e, 0x5f6b7a, 0xa8a420, 0x17a2b3};
constexpr Ink faint = 0xf0f2f4, light = 0xe6e9ed, zero_line = 0xb8bec6, frame = 0x8a929c;

/// Pixels of a picture for one unit of the drawing.
constexpr double picture_scale = 2;

/// Values beyond are those of a damaged table, and would overflow in the arithmetic of axes.
bool is_drawable(double value) {
  constexpr double largest = 1e100;
  return std::abs(value) <= largest;
}

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double value) {
    if (!is_drawable(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void widen_if_flat() {
    if (!(low <= high)) *this = {0, 1};
    if (low == high) {
      const double room = low == 0 ? 1 : 0.1 * std::abs(low);
      low -= room;
      high += room;
    }
  }
};

/// An axis: from values to places on the page.
struct Axis {
  Range range;
  double from = 0, to = 1;  ///< places of the range's ends
  bool logarithmic = false;
  double place(double value) const {
    const double low = logarithmic ? std::log10(range.low) : range.low;
    const double high = logarithmic ? std::log10(range.high) : range.high;
    return from + (to - from) * ((logarithmic ? std::log10(value) : value) - low) / (high - low);
  }
};

std::vector<double> ticks_of(const Axis& axis, int count) {
  if (!axis.logarithmic) return axis_ticks(axis.range.low, axis.range.high, count);
  const double low = std::ceil(std::log10(axis.range.low) - 1e-9);
  const double high = std::floor(std::log10(axis.range.high) + 1e-9);
  const double stride = std::max(1.0, std::ceil((high - low) / count));
  std::vector<double> ticks;
  for (double exponent = low; exponent <= high; exponent += stride) ticks.push_back(std::pow(10, exponent));
  return ticks.size() >= 2 ? ticks : axis_ticks(axis.range.low, axis.range.high, count);
}

/// The points that a screen needs of a line.
std::vector<Place> thinned(const std::vector<Place>& points) {
  constexpr std::size_t enough = 3000;
  if (points.size() <= enough) return points;
  std::vector<Place> kept;
  for (std::size_t begin = 0; begin < points.size();) {
    const double column = std::floor(points[begin][0]);
    std::size_t end = begin, low = begin, high = begin;
    for (; end == begin || (end < points.size() && std::floor(points[end][0]) == column); ++end) {
      if (points[end][1] < points[low][1]) low = end;
      if (points[end][1] > points[high][1]) high = end;
    }
    std::array<std::size_t, 4> chosen = {begin, low, high, end - 1};
    std::sort(chosen.begin(), chosen.end());
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (k == 0 || chosen[k] != chosen[k - 1]) kept.push_back(points[chosen[k]]);
    }
    begin = end;
  }
  return kept;
}

class ChartDrawer {
 public:
  explicit ChartDrawer(const Chart& chart) : chart_(chart) {}

  Drawing draw() {
    const double panels = static_cast<double>(chart_.panels.size());
    drawing_.width = page_width;
    drawing_.height = margin_top + panels * panel_height + (panels - 1) * panel_gap + margin_bottom;
    add(DrawnText{{margin_left, 28}, chart_.title, 16, Anchor::start, true});
    Axis x{{}, margin_left, page_width - margin_right};
    for (const ChartPanel& panel : chart_.panels) {
      for (const ChartLine& line : panel.lines) {
        for (const double value : line.x) x.range.add(value);
      }
    }
    x.range.widen_if_flat();
    const UnitPrefix x_prefix =
        unit_prefix(std::max(std::abs(x.range.low), std::abs(x.range.high)), chart_.x_unit);
    double y = margin_top;
    for (const ChartPanel& panel : chart_.panels) {
      draw_panel(panel, x, x_prefix, y, &panel == &chart_.panels.back());
      y += panel_height + panel_gap;
    }
    return std::move(drawing_);
  }

 private:
  void draw_panel(const ChartPanel& panel, const Axis& x, const UnitPrefix& x_prefix, double y_top,
                  bool last) {
    Axis y{{}, y_top + panel_height, y_top, panel.logarithmic};
    for (const ChartLine& line : panel.lines) {
      for (const double value : line.y) {
        if (!panel.logarithmic || value > 0) y.range.add(value);
      }
    }
    y.range.widen_if_flat();
    if (panel.logarithmic && !(y.range.low > 0)) y.range = {0.1, 1};
    if (!panel.logarithmic) {
      if (y.range.low > 0 && y.range.low < 0.5 * y.range.high) y.range.low = 0;
      const double room = 0.04 * (y.range.high - y.range.low);
      y.range = {y.range.low == 0 ? 0 : y.range.low - room, y.range.high + room};
    }
    const UnitPrefix prefix =
        unit_prefix(std::max(std::abs(y.range.low), std::abs(y.range.high)), panel.unit);
    const double y_bottom = y_top + panel_height;

    for (const double tick : ticks_of(y, 6)) {
      const double place = y.place(tick);
      add(DrawnLine{{{margin_left, place}, {page_width - margin_right, place}},
                    tick == 0 ? zero_line : light});
      add(DrawnText{{margin_left - 8, place + 4.5}, tick_text(tick / prefix.factor), 13, Anchor::end});
    }
    for (const double tick : ticks_of(x, 8)) {
      const double place = x.place(tick);
      add(DrawnLine{{{place, y_top}, {place, y_bottom}}, faint});
      if (last) {
        add(DrawnText{{place, y_bottom + 20}, tick_text(tick / x_prefix.factor), 13, Anchor::middle});
      }
    }
    add(DrawnLine{{{margin_left, y_top}, {margin_left, y_bottom}, {page_width - margin_right, y_bottom}},
                  frame});
    add(DrawnText{{20, y_top + panel_height / 2},
                  axis_label(panel.label, panel.unit, prefix),
                  13,
                  Anchor::middle,
                  false,
                  true});
    if (last) {
      add(DrawnText{{(margin_left + page_width - margin_right) / 2, y_bottom + 42},
                    axis_label(chart_.x_label, chart_.x_unit, x_prefix),
                    13,
                    Anchor::middle});
    }
    for (std::size_t i = 0; i < panel.lines.size(); ++i) draw_line(panel.lines[i], x, y, i, y_top);
  }

  static std::string axis_label(const std::string& label, const std::string& unit, const UnitPrefix& prefix) {
    return unit.empty() ? label : fmt::format("{} ({}{})", label, prefix.text, unit);
  }

  void draw_line(const ChartLine& line, const Axis& x, const Axis& y, std::size_t index, double y_top) {
    const Ink ink = colors[index % colors.size()];
    const bool dashed = index >= colors.size();
    const bool ascending = std::is_sorted(line.x.begin(), line.x.end(), std::less_equal<>());
    std::vector<Place> part;
    const auto end_part = [&] {
      if (ascending && part.size() > 1) {
        add(DrawnLine{thinned(part), ink, 1.6, dashed});
      } else {
        for (const Place& point : part) add(DrawnDot{point, 1.7, ink});
      }
      part.clear();
    };
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      const double px = x.place(line.x[i]), py = y.place(line.y[i]);
      const bool drawn = is_drawable(line.x[i]) && is_drawable(line.y[i]) &&
                         (!y.logarithmic || line.y[i] > 0) && std::isfinite(px) && std::isfinite(py);
      if (drawn) {
        part.push_back({px, py});
      } else {
        end_part();
      }
    }
    end_part();
    const double row = y_top + 10 + 19 * static_cast<double>(index);
    if (row > y_top + panel_height) return;
    add(DrawnLine{
        {{page_width - margin_right + 14, row}, {page_width - margin_right + 34, row}}, ink, 2.5, dashed});
    add(DrawnText{{page_width - margin_right + 40, row + 4.5}, line.name});
  }

  void add(DrawnShape shape) { drawing_.shapes.push_back(std::move(shape)); }

  const Chart& chart_;
  Drawing drawing_;
};

}  // namespace

std::vector<double> axis_ticks(double low, double high, int count) {
  const double raw = (high - low) / count;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  const double lead = raw / power;
  const double stride = power * (lead <= 1.5 ? 1 : lead <= 3 ? 2 : lead <= 7 ? 5 : 10);
  std::vector<double> ticks;
  const double first = std::ceil(low / stride - 1e-9), last = std::floor(high / stride + 1e-9);
  // Ends that differ by their last digits only have no round numbers between them.
  if (!(last - first <= 4 * count && std::abs(first) < 1e15)) return {low, high};
  for (double i = first; i <= last; ++i) ticks.push_back(i * stride);
  return ticks;
}

std::string tick_text(double value) {
  if (std::abs(value) < 1e-12) return "0";
  const double size = std::abs(value);
  if (size >= 1e6 || size < 1e-4) {
    std::string text = fmt::format("{:.3g}", value);
    const std::size_t e = text.find('e');
    if (e == std::string::npos) return text;
    const int exponent = std::stoi(text.substr(e + 1));
    return fmt::format("{}e{}", text.substr(0, e), exponent);
  }
  return fmt::format("{:.6g}", value);
}

UnitPrefix unit_prefix(double largest, const std::string& unit) {
  if (unit.empty() || unit.find('^') != std::string::npos || !(largest > 0)) return {};
  static const std::array<UnitPrefix, 8> prefixes = {
      {{"n", 1e-9}, {"\u00b5", 1e-6}, {"m", 1e-3}, {"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}}};
  UnitPrefix chosen = prefixes[0];
  for (const UnitPrefix& prefix : prefixes) {
    if (largest >= 0.9999 * prefix.factor) chosen = prefix;
  }
  return chosen;
}

std::string chart_to_svg(const Chart& chart) {
  return drawing_to_svg(ChartDrawer(chart).draw());
}

std::string chart_to_png(const Chart& chart) {
  return picture_to_png(drawing_to_picture(ChartDrawer(chart).draw(), picture_scale));
}

}  // namespace bulwark
