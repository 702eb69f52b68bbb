// Parts of bodies that are held, moved or loaded, as the scene file gives them.
#pragma once

#include <bulwark/bodies/held_axes.hpp>
#include <bulwark/geometry/motion.hpp>
#include <bulwark/geometry/selection.hpp>
#include <bulwark/scene/read_values.hpp>

#include <string>
#include <vector>

namespace bulwark {

/// A part of a body that is held or moved.
struct HeldPart {
  Selection selection;
  Motion motion;
  std::string path;
  bool hinged = false;
  HeldAxes axes = all_axes;
};

struct LoadedPart {
  Selection selection;
  Table value;
  bool is_traction = false;
  std::string path;
};

/// What `fixed` and `motion` of a body say; motions turn about `origin`. `sets` are those of its mesh file.
std::vector<HeldPart> read_held_parts(const Json& body, const std::string& path, const Vector3& origin,
                                      const NodeSets& sets = {});

/// What `force` and `traction` of a body say.
std::vector<LoadedPart> read_loads(const Json& body, const std::string& path, const NodeSets& sets = {});

}  // namespace bulwark
