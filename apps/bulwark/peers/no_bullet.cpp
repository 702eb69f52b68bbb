// Stands in for bullet_peer.cpp where Bullet is not installed.
#include "bullet_peer.hpp"

#include <bulwark/base/error.hpp>

namespace bulwark::app {

struct BulletPeer::Impl {};

BulletPeer::BulletPeer(const World&, const Settings&, BulletShapes, double) {
  throw InputError("Bullet", "this program was built without it",
                   "install libbullet-dev and configure again with -DBULWARK_BULLET=ON");
}
BulletPeer::~BulletPeer() = default;
BulletPeer::BulletPeer(BulletPeer&&) noexcept = default;

void BulletPeer::step(double) {}

Vectors BulletPeer::vertex_positions() const {
  return {};
}

double BulletPeer::deepest_penetration() const {
  return 0;
}

std::optional<std::string> bullet_version() {
  return {};
}

}  // namespace bulwark::app
