// The light of a picture: a sun with a disk, which gives soft shadows that harden where things touch, and a
// bright sky, which darkens what lies close to the ground. Both are averages over many far lights, each with
// a map of its own; a pixel's samples share the lights among them.
#pragma once

#include <bulwark/output/light_map.hpp>

#include <functional>
#include <vector>

namespace bulwark {

class Lighting {
 public:
  /// `draw_casters` draws all that casts shadows into one map; it is called for many maps at once.
  Lighting(const Vector3& to_sun, const Vector3& up, const Sphere& casters,
           const std::function<void(LightMap&)>& draw_casters);

  /// The light that a surface gets, 1 in full sun: `normal` shades, `face_normal` is that of the flat
  /// triangle. Samples with other numbers ask other lights; only the mean over all numbers from 0 to
  /// `sample_count` - 1 is free of grain.
  double at(const Vector3& point, const Vector3& normal, const Vector3& face_normal, int sample,
            int sample_count) const;

 private:
  std::vector<LightMap> sun_, sky_;
  Vector3 up_;
};

}  // namespace bulwark
