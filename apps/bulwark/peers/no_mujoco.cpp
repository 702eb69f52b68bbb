// Stands in for mujoco_peer.cpp where MuJoCo is not installed.
#include "mujoco_peer.hpp"

#include <bulwark/base/error.hpp>

namespace bulwark::app {

struct MujocoPeer::Impl {};

MujocoPeer::MujocoPeer(const World&, const Settings&, double) {
  throw InputError("MuJoCo", "this program was built without it",
                   "install libmujoco-dev and configure again with -DBULWARK_MUJOCO=ON");
}
MujocoPeer::~MujocoPeer() = default;
MujocoPeer::MujocoPeer(MujocoPeer&&) noexcept = default;

void MujocoPeer::step() {}

Vectors MujocoPeer::vertex_positions() const {
  return {};
}

int MujocoPeer::contacts() const {
  return 0;
}

std::optional<std::string> mujoco_version() {
  return {};
}

}  // namespace bulwark::app
