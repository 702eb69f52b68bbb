#include <bulwark/output/drawing/picture_colors.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace bulwark {
namespace {

/// The stops from 0 to 1, mixed between.
template <std::size_t N>
Color between(const std::array<Color, N>& stops, double value) {
  const double place = (std::isfinite(value) ? std::clamp(value, 0.0, 1.0) : 1.0) * (N - 1);
  const auto left = std::min(static_cast<std::size_t>(place), N - 2);
  const double part = place - static_cast<double>(left);
  return stops[left] * (1 - part) + stops[left + 1] * part;
}

}  // namespace

Color srgb(double r, double g, double b) {
  return Color(r, g, b).pow(2.2);
}

Color body_color(int index) {
  static const std::array<Color, 12> palette = {
      Color(0.29, 0.56, 0.86), Color(0.96, 0.58, 0.27), Color(0.43, 0.72, 0.37), Color(0.86, 0.36, 0.38),
      Color(0.62, 0.49, 0.80), Color(0.95, 0.78, 0.29), Color(0.30, 0.70, 0.70), Color(0.90, 0.53, 0.70),
      Color(0.65, 0.51, 0.40), Color(0.53, 0.64, 0.82), Color(0.70, 0.76, 0.30), Color(0.75, 0.60, 0.86)};
  // When these are used up, their dark, light and dull versions follow: times and plus.
  struct Version {
    double factor, light;
  };
  constexpr std::array<Version, body_color_count / 12> versions = {
      {{1, 0}, {0.62, 0}, {0.55, 0.44}, {0.36, 0.1}}};
  const Version& version = versions[index / palette.size() % versions.size()];
  const Color color = version.factor * palette[index % palette.size()] + version.light;
  return srgb(color[0], color[1], color[2]);
}

Color obstacle_color() {
  static const Color grey = srgb(0.78, 0.78, 0.77);
  return grey;
}

Color scale_color(double value) {
  static const std::array<Color, 6> stops = {srgb(0.23, 0.18, 0.47), srgb(0.20, 0.37, 0.63),
                                             srgb(0.13, 0.57, 0.60), srgb(0.32, 0.74, 0.47),
                                             srgb(0.69, 0.86, 0.31), srgb(0.99, 0.92, 0.36)};
  return between(stops, value);
}

Color signed_scale_color(double value) {
  static const std::array<Color, 5> stops = {srgb(0.13, 0.27, 0.55), srgb(0.43, 0.65, 0.85),
                                             srgb(0.93, 0.93, 0.91), srgb(0.92, 0.58, 0.45),
                                             srgb(0.62, 0.10, 0.16)};
  return between(stops, 0.5 + 0.5 * value);
}

}  // namespace bulwark
