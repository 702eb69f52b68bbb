// The same scene in Bullet, for benchmarks: a World's stiff bodies and obstacles as Bullet's rigid bodies,
// and their surfaces read back, so that both sides are judged by one exact check.
//
// Everything is Bullet's default (sequential impulses, 10 iterations, warm starts, no continuous collision
// detection), but for two things. No body is ever put to sleep. And the smaller of two bodies' frictions
// holds between them, as it does here, instead of the product.
//
// Shapes and margins. All shapes are larger than the bodies by `skin`: with half the contact distance, both
// sides begin to push at the same distance, and Bullet may err by twice the skin before two bodies intersect.
// Bullet rounds a hull by a margin that comes on top of its vertices; so the vertices are moved inward by the
// margin less the skin. The margin is Bullet's 4 cm, but at most a tenth of the body's inner radius (Bullet's
// own rule for boxes) and twice the skin: then even the right-angled corners of a body, sqrt(3) skins from
// the moved ones, are inside of the rounded hull, and what Bullet keeps apart does not intersect.
#pragma once

#include <bulwark/sim/settings.hpp>
#include <bulwark/sim/world.hpp>

#include <memory>
#include <optional>

namespace bulwark::app {

/// Which shapes Bullet gets: the hulls of the bodies' vertices, or its own boxes and balls where a body is
/// one.
enum class BulletShapes { hulls, primitives };

class BulletPeer {
 public:
  /// Throws InputError for what Bullet does not get here: stiff bodies that are not convex, soft bodies,
  /// friction by pairs, scripted motion, joints other than hinges, points and welds.
  BulletPeer(const World& world, const Settings& settings, BulletShapes shapes, double skin);
  ~BulletPeer();
  BulletPeer(BulletPeer&&) noexcept;

  /// One step of exactly `duration` seconds.
  void step(double duration);

  /// Where the world's collision vertices are now.
  Vectors vertex_positions() const;
  /// How deep any two bodies (not their skins) are in each other by Bullet's own contact points, m.
  double deepest_penetration() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// "3.24" (in double precision); empty where this build has no Bullet: constructing a BulletPeer then throws.
std::optional<std::string> bullet_version();

}  // namespace bulwark::app
