#include <bulwark/base/parallel.hpp>
#include <bulwark/output/drawing/lighting.hpp>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace bulwark {
namespace {

constexpr int sun_lights = 36, sky_lights = 36;
constexpr int least_resolution = 256, most_resolution = 1024;  // pixels of a light's map
constexpr double sun_radius = 0.075;                           // of its disk, radians
constexpr double sun_strength = 0.78, sky_strength = 0.30, ground_strength = 0.09;

/// Directions spread evenly over a cap around `axis`: a golden spiral in (cosine, angle).
std::vector<Vector3> cap_directions(const Vector3& axis, double least_cosine, int count) {
  const Vector3 across = axis.unitOrthogonal(), along = axis.cross(across);
  std::vector<Vector3> directions;
  for (int i = 0; i < count; ++i) {
    const double cosine = 1 - (1 - least_cosine) * (i + 0.5) / count;
    const double sine = std::sqrt(1 - cosine * cosine);
    const double angle = 2 * std::numbers::pi * i / std::numbers::phi;
    directions.emplace_back(cosine * axis + sine * (std::cos(angle) * across + std::sin(angle) * along));
  }
  return directions;
}

}  // namespace

Lighting::Lighting(const Vector3& to_sun, const Vector3& up, const Sphere& casters, int detail,
                   const std::function<void(LightMap&)>& draw_casters)
    : up_(up) {
  const int sun_resolution = std::clamp(detail, least_resolution, most_resolution);
  const int sky_resolution =
      std::max(least_resolution, sun_resolution / 3);  // its shadows are faint and wide
  for (const Vector3& direction : cap_directions(to_sun, std::cos(sun_radius), sun_lights)) {
    sun_.emplace_back(direction, casters, sun_resolution);
  }
  // The lowest lights are left out: along the ground their shadows never end.
  constexpr double lowest = 0.12;
  for (const Vector3& direction : cap_directions(up, lowest, sky_lights)) {
    sky_.emplace_back(direction, casters, sky_resolution);
  }
  parallel_chunks(sun_lights + sky_lights, 1, [&](std::size_t light, std::size_t, std::size_t) {
    draw_casters(light < sun_lights ? sun_[light] : sky_[light - sun_lights]);
  });
}

void Lighting::find_light(std::vector<LitPoint>& points, int share, int shares) const {
  for (LitPoint& p : points) p.light = ground_strength * (1.5 - 0.5 * p.normal.dot(up_));
  // One light after the other: close points ask close pixels of its map.
  const auto gather = [&](const std::vector<LightMap>& lights, double strength) {
    const auto count = (lights.size() - static_cast<std::size_t>(share) + shares - 1) / shares;
    for (std::size_t i = share; i < lights.size(); i += shares) {
      const Vector3& to_light = lights[i].to_light();
      for (LitPoint& p : points) {
        const double slope = p.normal.dot(to_light);
        if (slope <= 0 || p.face_normal.dot(to_light) <= 0) continue;
        p.light += strength / static_cast<double>(count) * slope * lights[i].light(p.point, p.face_normal);
      }
    }
  };
  gather(sun_, sun_strength);
  // A level surface under the whole sky gets a mean slope of about a half.
  gather(sky_, 2 * sky_strength);
}

}  // namespace bulwark
