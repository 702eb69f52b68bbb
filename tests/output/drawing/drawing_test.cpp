#include <bulwark/output/drawing/color_bar.hpp>
#include <bulwark/output/drawing/drawing.hpp>
#include <bulwark/output/drawing/picture_colors.hpp>
#include <bulwark/output/drawing/stroke_font.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

namespace bulwark {
namespace {

Ink pixel(const Picture& picture, int x, int y) {
  const std::uint8_t* p = picture.rgb.data() + 3 * (static_cast<std::size_t>(y) * picture.width + x);
  return Ink{p[0]} << 16 | Ink{p[1]} << 8 | p[2];
}

int pixels_that_differ(const Picture& a, const Picture& b) {
  int count = 0;
  for (int y = 0; y < a.height; ++y) {
    for (int x = 0; x < a.width; ++x) count += pixel(a, x, y) != pixel(b, x, y);
  }
  return count;
}

Picture picture_of(const DrawnShape& shape, double scale = 1) {
  return drawing_to_picture({60, 40, {shape}}, scale);
}

TEST(Drawing, AreasLinesAndDotsAreWhereTheyShouldBe) {
  const Picture area = picture_of(DrawnArea{{10, 5}, 20, 10, 0x123456});
  EXPECT_EQ(pixel(area, 10, 5), 0x123456u);
  EXPECT_EQ(pixel(area, 29, 14), 0x123456u);
  EXPECT_EQ(pixel(area, 9, 5), 0xffffffu);
  EXPECT_EQ(pixel(area, 30, 14), 0xffffffu);
  const Picture line = picture_of(DrawnLine{{{5, 20}, {55, 20}}, 0xff0000, 4});
  EXPECT_EQ(pixel(line, 30, 19), 0xff0000u);
  EXPECT_EQ(pixel(line, 30, 24), 0xffffffu);
  EXPECT_EQ(pixel(picture_of(DrawnDot{{30, 20}, 5, 0x00ff00}), 30, 20), 0x00ff00u);
}

TEST(Drawing, AScaleOfTwoGivesTwiceThePixels) {
  const Picture picture = picture_of(DrawnArea{{10, 5}, 20, 10, 0}, 2);
  EXPECT_EQ(picture.width, 120);
  EXPECT_EQ(pixel(picture, 20, 10), 0u);
  EXPECT_EQ(pixel(picture, 59, 29), 0u);
  EXPECT_EQ(pixel(picture, 60, 30), 0xffffffu);
}

TEST(Drawing, WhatLiesOutsideOfThePictureIsLeftOut) {
  EXPECT_NO_THROW(picture_of(DrawnArea{{-1e9, -1e9}, 4e9, 4e9, 0}));
  EXPECT_NO_THROW(picture_of(DrawnLine{{{-1e12, 3}, {1e12, 3}}, 0}));
  EXPECT_NO_THROW(picture_of(DrawnText{{-500, 900}, "away"}));
}

TEST(Drawing, DashedLinesHaveGaps) {
  const Picture picture = picture_of(DrawnLine{{{0, 20}, {60, 20}}, 0, 2, true});
  int dark = 0;
  for (int x = 0; x < 60; ++x) dark += pixel(picture, x, 20) == 0;
  EXPECT_GT(dark, 20);
  EXPECT_LT(dark, 50);
}

TEST(Drawing, TextStandsWhereItsAnchorSays) {
  const auto columns = [](Anchor anchor) {
    const Picture picture = picture_of(DrawnText{{30, 25}, "wide", 13, anchor});
    std::pair<int, int> range{60, -1};
    for (int x = 0; x < 60; ++x) {
      for (int y = 0; y < 40; ++y) {
        if (pixel(picture, x, y) == 0xffffff) continue;
        range = {std::min(range.first, x), std::max(range.second, x)};
      }
    }
    return range;
  };
  EXPECT_GE(columns(Anchor::start).first, 29);
  EXPECT_LE(columns(Anchor::end).second, 31);
  const auto [low, high] = columns(Anchor::middle);
  EXPECT_NEAR(low + high, 60, 2);
}

TEST(StrokeFont, EveryPrintableCharacterLooksDifferent) {
  std::set<std::vector<std::uint8_t>> looks;
  int count = 0;
  for (char c = '!'; c <= '~'; ++c) {
    const Picture picture = picture_of(DrawnText{{10, 28}, std::string(1, c), 26});
    // The letter O and the figure 0 share their shape, as in many fonts.
    if (c == 'O') continue;
    ++count;
    looks.insert(picture.rgb);
  }
  for (const char* unit : {"\u00b5", "\u00b0", "\u00b2", "\u00b3", "\u00b7", "\u00d7", "\u4f60"}) {
    ++count;
    looks.insert(picture_of(DrawnText{{10, 28}, unit, 26}).rgb);
  }
  EXPECT_EQ(looks.size(), static_cast<std::size_t>(count));
}

TEST(StrokeFont, TextThatIsNoUtf8IsDrawnAllTheSame) {
  for (const std::string& text : {std::string("\xff\xfe"), std::string("\xc3"), std::string("a\xe4\xbd"),
                                  std::string(3, '\0'), std::string("\xf0\x9f\x98\x80")}) {
    EXPECT_GE(text_strokes(text).width, 0);
  }
  EXPECT_EQ(text_strokes("").strokes.size(), 0u);
}

TEST(ColorBar, HasTheColorsOfTheScaleFromBottomToTop) {
  const Picture scene{900, 720, std::vector<std::uint8_t>(std::size_t{3} * 900 * 720, 10)};
  const int width = color_bar_width(1004, 720);
  ASSERT_EQ(width, 104);
  const Picture picture = with_color_bar(scene, width, {"speed", "m/s", 3.7});
  EXPECT_EQ(picture.width, 1004);
  EXPECT_EQ(pixel(picture, 899, 300), 0x0a0a0au) << "nothing of the scene is covered";
  const auto brightness = [&](int y) {
    const Ink ink = pixel(picture, 900 + 24, y);
    return (ink >> 16) + (ink >> 8 & 0xFF) + (ink & 0xFF);
  };
  EXPECT_GT(brightness(120), brightness(400));
  EXPECT_GT(brightness(400), brightness(690));
}

TEST(ColorBar, TellsItsNumbersAndUnit) {
  const Picture scene{900, 720, std::vector<std::uint8_t>(std::size_t{3} * 900 * 720, 10)};
  const Picture one = with_color_bar(scene, 104, {"speed", "m/s", 3.7});
  EXPECT_GT(pixels_that_differ(one, with_color_bar(scene, 104, {"speed", "m/s", 3.1})), 20);
  EXPECT_GT(pixels_that_differ(one, with_color_bar(scene, 104, {"speed", "N", 3.7})), 10);
  EXPECT_GT(pixels_that_differ(one, with_color_bar(scene, 104, {"force", "m/s", 3.7})), 10);
}

TEST(ColorBar, TinyPicturesHaveNone) {
  EXPECT_EQ(color_bar_width(64, 48), 0);
  EXPECT_EQ(color_bar_width(100, 720), 0);
  EXPECT_GT(color_bar_width(480, 270), 0);
}

}  // namespace
}  // namespace bulwark
