#include <bulwark/output/drawing/chart.hpp>
#include <bulwark/output/reading/column_units.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace bulwark {
namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Chart, TicksAreRoundAndCoverTheRange) {
  EXPECT_EQ(axis_ticks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  const std::vector<double> ticks = axis_ticks(-0.37, 0.91, 6);
  EXPECT_GE(ticks.size(), 4u);
  EXPECT_GE(ticks.front(), -0.37 - 1e-9);
  EXPECT_LE(ticks.back(), 0.91 + 1e-9);
}

TEST(Chart, HasAxesWithUnitsAndALegend) {
  const std::string svg = chart_to_svg(
      {"Run <1>", "time", "s", {{"energy", "J", {{"kinetic", {0, 1, 2}, {0, 5000, 2000}}}, false}}});
  EXPECT_NE(svg.find("Run &lt;1&gt;"), std::string::npos);
  EXPECT_NE(svg.find("energy (kJ)"), std::string::npos) << svg;
  EXPECT_NE(svg.find("time (s)"), std::string::npos);
  EXPECT_NE(svg.find(">kinetic<"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(Chart, ALineHasGapsWhereValuesAreNotFinite) {
  const double none = std::numeric_limits<double>::infinity();
  const std::string svg =
      chart_to_svg({"", "x", "", {{"y", "", {{"a", {0, 1, 2, 3, 4, 5}, {1, 2, none, none, 3, 4}}}, false}}});
  EXPECT_EQ(count_of(svg, "stroke=\"#1f6fb4\" stroke-width=\"1.6\""), 2u);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(Chart, NothingToDrawIsStillAChart) {
  for (const bool logarithmic : {false, true}) {
    const std::string svg = chart_to_svg({"", "x", "s", {{"y", "m", {{"a", {}, {}}}, logarithmic}}});
    EXPECT_EQ(svg.find("nan"), std::string::npos) << svg;
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
  }
}

TEST(Chart, LongLinesAreThinnedButKeepTheirPeaks) {
  ChartLine line{"a", {}, {}};
  for (int i = 0; i < 200000; ++i) {
    line.x.push_back(i);
    line.y.push_back(i == 123456 ? 10 : 0);
  }
  const std::string svg = chart_to_svg({"", "x", "", {{"y", "", {line}, false}}});
  EXPECT_LT(svg.size(), 100000u);
  EXPECT_GE(count_of(svg, " 57.5"), 1u) << "the peak is near the upper rim";
}

TEST(Chart, AsPngShowsItsLines) {
  const std::string flat = chart_to_png({"", "x", "s", {{"y", "m", {{"a", {0, 1, 2}, {1, 1, 1}}}, false}}});
  const std::string bent = chart_to_png({"", "x", "s", {{"y", "m", {{"a", {0, 1, 2}, {1, 3, 1}}}, false}}});
  EXPECT_TRUE(flat.starts_with("\x89PNG"));
  EXPECT_NE(flat, bent);
}

TEST(ColumnUnits, OfKnownColumns) {
  EXPECT_EQ(column_unit("kinetic"), "J");
  EXPECT_EQ(column_unit("seconds_ccd"), "s");
  EXPECT_EQ(column_unit("contacts"), "");
  EXPECT_EQ(column_unit("angle_degrees"), "degrees");
  EXPECT_EQ(column_unit("angle_3_degrees"), "degrees");
  EXPECT_EQ(column_unit("error"), "m");
}

}  // namespace
}  // namespace bulwark
