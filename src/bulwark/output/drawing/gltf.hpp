// A whole run as one animated glTF file (.glb or .gltf), for the programs that make films and web pages.
#pragma once

#include <bulwark/math/types.hpp>
#include <bulwark/output/frame_list.hpp>

#include <string>
#include <vector>

namespace bulwark {

/// How many bodies move in which way.
struct GltfCounts {
  int still = 0, rigid = 0, deforming = 0;
};

enum class GltfForm { binary, text };  ///< .glb or .gltf; both have all in one file

/// The bytes of a glTF file: a node with its name for every body; infinite planes become large squares. A
/// body that moves as a rigid one, to within `rigid_tolerance` times its size, gets an animated translation
/// and rotation; one that deforms gets a morph target for each frame, between which viewers interpolate. glTF
/// has y up: where `up` is another direction, a root node turns the scene. Throws InputError when the cells
/// change from frame to frame.
std::string run_to_gltf(const std::vector<FrameEntry>& frames, const Vector3& up, GltfForm form,
                        GltfCounts* counts = nullptr);

/// Half of the contact distance by default, for a body as large as the scene.
inline constexpr double rigid_tolerance = 5e-4;

}  // namespace bulwark
