// Small random scenes in the plane: outlines, disks and capsules as stiff bodies and obstacles, soft bodies of triangles of
// all orders, particles, joints, scripts and loads.
#pragma once

#include <cstdint>
#include <string>

namespace bulwark::test {

std::string random_planar_scene_text(std::uint64_t seed);

}  // namespace bulwark::test
