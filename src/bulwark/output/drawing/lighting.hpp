// The light of a picture: a sun with a disk, which gives soft shadows that harden where things touch, and a
// bright sky, which darkens what lies close to the ground. Both are averages over many far lights, each with
// a map of its own; a pixel's samples share the lights among them.
#pragma once

#include <bulwark/output/drawing/light_map.hpp>

#include <functional>
#include <vector>

namespace bulwark {

struct LitPoint {
  Vector3 point, normal;  ///< `normal` shades
  Vector3 face_normal;    ///< of the flat triangle
  double light = 0;
};

class Lighting {
 public:
  /// `draw_casters` draws all that casts shadows into one map; it is called for many maps at once. Shadows
  /// have about as much detail as a picture of `detail` rows.
  Lighting(const Vector3& to_sun, const Vector3& up, const Sphere& casters, int detail,
           const std::function<void(LightMap&)>& draw_casters);

  /// Finds the light on points that lie close together, 1 in full sun. The points share the lights out among
  /// them: those of share k ask every `shares`-th light from the k-th on. Only the mean over all shares is
  /// free of grain.
  void find_light(std::vector<LitPoint>& points, int share, int shares) const;

 private:
  std::vector<LightMap> sun_, sky_;
  Vector3 up_;
};

}  // namespace bulwark
