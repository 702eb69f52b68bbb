#include <bulwark/base/parallel.hpp>
#include <bulwark/output/lighting.hpp>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace bulwark {
namespace {

constexpr int sun_lights = 36, sky_lights = 36;
constexpr int sun_resolution = 1024, sky_resolution = 384;  // pixels of a light's map
constexpr double sun_radius = 0.075;                        // of its disk, radians
constexpr double sun_strength = 0.70, sky_strength = 0.40, ground_strength = 0.10;

/// Directions spread evenly over a cap around `axis`: a golden spiral in (cosine, angle).
std::vector<Vector3> cap_directions(const Vector3& axis, double least_cosine, int count) {
  const Vector3 across = axis.unitOrthogonal(), along = axis.cross(across);
  std::vector<Vector3> directions;
  for (int i = 0; i < count; ++i) {
    const double cosine = 1 - (1 - least_cosine) * (i + 0.5) / count;
    const double sine = std::sqrt(1 - cosine * cosine);
    const double angle = 2 * std::numbers::pi * i / std::numbers::phi;
    directions.emplace_back(cosine * axis +
                            sine * (std::cos(angle) * across + std::sin(angle) * along));
  }
  return directions;
}

}  // namespace

Lighting::Lighting(const Vector3& to_sun, const Vector3& up, const Sphere& casters,
                   const std::function<void(LightMap&)>& draw_casters)
    : up_(up) {
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

double Lighting::at(const Vector3& point, const Vector3& normal, const Vector3& face_normal, int sample,
                    int sample_count) const {
  const auto gathered = [&](const std::vector<LightMap>& lights) {
    double light = 0;
    int count = 0;
    for (std::size_t i = sample; i < lights.size(); i += sample_count) {
      ++count;
      const double slope = normal.dot(lights[i].to_light());
      if (slope <= 0 || face_normal.dot(lights[i].to_light()) <= 0) continue;
      light += slope * lights[i].light(point, face_normal);
    }
    return count == 0 ? 0.0 : light / count;
  };
  // A level surface under the whole sky gets a mean slope of about a half.
  const double sky = 2 * gathered(sky_);
  const double ground = 0.5 - 0.5 * normal.dot(up_);
  return sun_strength * gathered(sun_) + sky_strength * sky + ground_strength * (1 + ground);
}

}  // namespace bulwark
