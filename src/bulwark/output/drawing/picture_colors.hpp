// The colours of pictures: one per body, and a scale for quantities. In linear light.
#pragma once

#include <Eigen/Core>

namespace bulwark {

using Color = Eigen::Array3d;

/// From the numbers that pictures are written in, 0 to 1 each.
Color srgb(double r, double g, double b);

/// So many bodies have different colours; then they begin again.
inline constexpr int body_color_count = 48;

/// The colour of the moving body with that number among moving bodies; neighbours differ well.
Color body_color(int index);

Color obstacle_color();

/// From dark blue (0) over green to yellow (1): ever brighter, so that it reads in grey too.
Color scale_color(double value);

/// From blue (-1) over light grey (0) to red (1): the darker, the farther from zero.
Color signed_scale_color(double value);

}  // namespace bulwark
