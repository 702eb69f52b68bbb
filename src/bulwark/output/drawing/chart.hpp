// Line charts: panels over one another that share the horizontal axis.
#pragma once

#include <string>
#include <vector>

namespace bulwark {

struct ChartLine {
  std::string name;
  std::vector<double> x, y;  ///< gaps are drawn where a value is not finite
};

struct ChartPanel {
  std::string label;  ///< what the vertical axis shows
  std::string unit;   ///< "" for counts; the axis gets a prefix (kJ, mm) that suits the values
  std::vector<ChartLine> lines;
  bool logarithmic = false;  ///< values that are not positive are gaps then
};

struct Chart {
  std::string title;
  std::string x_label, x_unit;
  std::vector<ChartPanel> panels;
};

/// The chart as an SVG document. Long lines are thinned to what a screen shows: of each column of pixels the
/// first, the smallest, the largest and the last value stay.
std::string chart_to_svg(const Chart& chart);
/// The same as a PNG picture.
std::string chart_to_png(const Chart& chart);

/// Round values about `count` in number that cover a range: 1, 2 or 5 times a power of ten apart.
std::vector<double> axis_ticks(double low, double high, int count);

/// The number beside a tick.
std::string tick_text(double value);

struct UnitPrefix {
  std::string text;  ///< "k", "m", ...
  double factor = 1;
};

/// The prefix of a unit under which values up to `largest` have few digits before the point.
UnitPrefix unit_prefix(double largest, const std::string& unit);

}  // namespace bulwark
