#include <bulwark/output/chart.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace bulwark {
namespace {

constexpr double width = 900, panel_height = 300, panel_gap = 34;
constexpr double left = 84, right = 190, top = 46, bottom = 54;  // margins; the legend is on the right

/// Dark enough on white, and told apart by the colour-blind.
constexpr std::array<const char*, 10> colors = {"#1f6fb4", "#e07b1a", "#2b9348", "#c8373b", "#7b53a6",
                                                "#8a5a3b", "#d45d9e", "#5f6b7a", "#a8a420", "#17a2b3"};

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

struct Prefix {
  std::string text;
  double factor = 1;
};

/// The prefix of a unit under which values have few digits before the point.
Prefix prefix_for(double largest, const std::string& unit) {
  if (unit.empty() || unit.find('^') != std::string::npos || !(largest > 0)) return {};
  static const std::array<Prefix, 8> prefixes = {
      {{"n", 1e-9}, {"&#181;", 1e-6}, {"m", 1e-3}, {"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}}};
  Prefix chosen = prefixes[0];
  for (const Prefix& prefix : prefixes) {
    if (largest >= 0.9999 * prefix.factor) chosen = prefix;
  }
  return chosen;
}

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double value) {
    if (!std::isfinite(value)) return;
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
std::vector<std::pair<double, double>> thinned(const std::vector<std::pair<double, double>>& points) {
  constexpr std::size_t enough = 3000;
  if (points.size() <= enough) return points;
  std::vector<std::pair<double, double>> kept;
  for (std::size_t begin = 0; begin < points.size();) {
    const double column = std::floor(points[begin].first);
    std::size_t end = begin, low = begin, high = begin;
    for (; end < points.size() && std::floor(points[end].first) == column; ++end) {
      if (points[end].second < points[low].second) low = end;
      if (points[end].second > points[high].second) high = end;
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

class Drawing {
 public:
  explicit Drawing(const Chart& chart) : chart_(chart) {}

  std::string svg() {
    const double panels = static_cast<double>(chart_.panels.size());
    const double height = top + panels * panel_height + (panels - 1) * panel_gap + bottom;
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "font-family=\"system-ui, sans-serif\" font-size=\"13\" fill=\"#333\">\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
        width, height);
    text_ += fmt::format("<text x=\"{}\" y=\"28\" font-size=\"16\" font-weight=\"600\">{}</text>\n", left,
                         escaped(chart_.title));
    Axis x{{}, left, width - right};
    for (const ChartPanel& panel : chart_.panels) {
      for (const ChartLine& line : panel.lines) {
        for (const double value : line.x) x.range.add(value);
      }
    }
    x.range.widen_if_flat();
    const Prefix x_prefix =
        prefix_for(std::max(std::abs(x.range.low), std::abs(x.range.high)), chart_.x_unit);
    double y = top;
    for (const ChartPanel& panel : chart_.panels) {
      draw_panel(panel, x, x_prefix, y, &panel == &chart_.panels.back());
      y += panel_height + panel_gap;
    }
    return text_ + "</svg>\n";
  }

 private:
  void draw_panel(const ChartPanel& panel, const Axis& x, const Prefix& x_prefix, double y_top, bool last) {
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
    const Prefix prefix = prefix_for(std::max(std::abs(y.range.low), std::abs(y.range.high)), panel.unit);

    for (const double tick : ticks_of(y, 6)) {
      const double place = y.place(tick);
      text_ += fmt::format("<path d=\"M{} {:.2f}H{}\" stroke=\"{}\"/>\n", left, place, width - right,
                           tick == 0 ? "#b8bec6" : "#e6e9ed");
      text_ += fmt::format("<text x=\"{}\" y=\"{:.2f}\" text-anchor=\"end\">{}</text>\n", left - 8,
                           place + 4.5, tick_text(tick / prefix.factor));
    }
    for (const double tick : ticks_of(x, 8)) {
      const double place = x.place(tick);
      text_ +=
          fmt::format("<path d=\"M{:.2f} {}V{}\" stroke=\"#f0f2f4\"/>\n", place, y_top, y_top + panel_height);
      if (last) {
        text_ += fmt::format("<text x=\"{:.2f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", place,
                             y_top + panel_height + 20, tick_text(tick / x_prefix.factor));
      }
    }
    text_ += fmt::format("<path d=\"M{0} {1}V{2}H{3}\" fill=\"none\" stroke=\"#8a929c\"/>\n", left, y_top,
                         y_top + panel_height, width - right);
    axis_label(panel.label, panel.unit, prefix,
               fmt::format("transform=\"translate(20 {}) rotate(-90)\"", y_top + panel_height / 2));
    if (last) {
      axis_label(chart_.x_label, chart_.x_unit, x_prefix,
                 fmt::format("x=\"{}\" y=\"{}\"", (left + width - right) / 2, y_top + panel_height + 42));
    }
    for (std::size_t i = 0; i < panel.lines.size(); ++i) draw_line(panel.lines[i], x, y, i, y_top);
  }

  void axis_label(const std::string& label, const std::string& unit, const Prefix& prefix,
                  const std::string& place) {
    const std::string in = unit.empty() ? "" : fmt::format(" ({}{})", prefix.text, escaped(unit));
    text_ += fmt::format("<text {} text-anchor=\"middle\">{}{}</text>\n", place, escaped(label), in);
  }

  void draw_line(const ChartLine& line, const Axis& x, const Axis& y, std::size_t index, double y_top) {
    const char* color = colors[index % colors.size()];
    const char* dash = index < colors.size() ? "" : " stroke-dasharray=\"5 3\"";
    const bool ascending = std::is_sorted(line.x.begin(), line.x.end(), std::less_equal<>());
    std::vector<std::pair<double, double>> part;
    const auto end_part = [&] {
      if (ascending && part.size() > 1) {
        text_ += fmt::format("<path fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"{} d=\"", color, dash);
        const char* letter = "M";
        for (const auto& [px, py] : thinned(part)) {
          text_ += fmt::format("{}{:.2f} {:.2f}", letter, px, py);
          letter = "L";
        }
        text_ += "\"/>\n";
      } else {
        for (const auto& [px, py] : part) {
          text_ +=
              fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"1.7\" fill=\"{}\"/>\n", px, py, color);
        }
      }
      part.clear();
    };
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      const bool drawn =
          std::isfinite(line.x[i]) && std::isfinite(line.y[i]) && (!y.logarithmic || line.y[i] > 0);
      if (drawn) {
        part.emplace_back(x.place(line.x[i]), y.place(line.y[i]));
      } else {
        end_part();
      }
    }
    end_part();
    const double row = y_top + 10 + 19 * static_cast<double>(index);
    if (row > y_top + panel_height) return;
    text_ += fmt::format("<path d=\"M{} {}h20\" stroke=\"{}\" stroke-width=\"2.5\"{}/>\n", width - right + 14,
                         row, color, dash);
    text_ +=
        fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", width - right + 40, row + 4.5, escaped(line.name));
  }

  const Chart& chart_;
  std::string text_;
};

}  // namespace

std::vector<double> axis_ticks(double low, double high, int count) {
  const double raw = (high - low) / count;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  const double lead = raw / power;
  const double stride = power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
  std::vector<double> ticks;
  const double first = std::ceil(low / stride - 1e-9), last = std::floor(high / stride + 1e-9);
  for (double i = first; i <= last; ++i) ticks.push_back(i * stride);
  return ticks;
}

std::string chart_to_svg(const Chart& chart) {
  return Drawing(chart).svg();
}

}  // namespace bulwark
