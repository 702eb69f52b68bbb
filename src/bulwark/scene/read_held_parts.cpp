#include <bulwark/scene/issues.hpp>
#include <bulwark/scene/read_held_parts.hpp>

#include <nlohmann/json.hpp>

#include <array>

namespace bulwark {
namespace {

LoadedPart read_load(const Json& load, const std::string& path, bool is_traction, const NodeSets& sets) {
  LoadedPart part{SelectAll{}, read_table(load, path), is_traction, path};
  if (load.is_object() && load.contains("selection")) {
    part.selection = read_selection(load["selection"], pointer_to(path, "selection"), sets);
  }
  return part;
}

/// The axes along which a part is held.
HeldAxes read_axes(const Json& part, const std::string& path) {
  const auto flags = part["axes"].get<std::array<bool, 3>>();
  HeldAxes axes = 0;
  for (int axis = 0; axis < 3; ++axis) axes |= static_cast<HeldAxes>(flags[axis] << axis);
  if (axes == 0) {
    throw IssueFound(pointer_to(path, "axes"), "the part is held along no axis",
                     "set one of them to true, or leave the part out");
  }
  if (axes != all_axes && part.contains("motion")) {
    throw IssueFound(pointer_to(path, "motion"),
                     "a part that is held along some axes alone can't follow a motion",
                     "leave out `axes`, or `motion`");
  }
  return axes;
}

}  // namespace

std::vector<HeldPart> read_held_parts(const Json& body, const std::string& path, const Vector3& origin,
                                      const NodeSets& sets) {
  const Json& fixed = body["fixed"];
  const std::string fixed_path = pointer_to(path, "fixed");
  const std::string motion_path = pointer_to(path, "motion");
  std::vector<HeldPart> parts;
  if (fixed.is_array()) {
    if (body.contains("motion")) {
      throw IssueFound(motion_path, "`fixed` is a list of parts, each with a motion of its own",
                       "put the motion into the parts");
    }
    for (std::size_t i = 0; i < fixed.size(); ++i) {
      const std::string part_path = pointer_to(fixed_path, i);
      HeldPart part{
          read_selection(fixed[i]["selection"], pointer_to(part_path, "selection"), sets), {}, part_path};
      if (fixed[i].contains("axes")) part.axes = read_axes(fixed[i], part_path);
      if (fixed[i].contains("motion")) {
        part.motion = read_motion(fixed[i]["motion"], pointer_to(part_path, "motion"), origin);
      }
      part.hinged = fixed[i]["hinged"].get<bool>();
      parts.push_back(part);
    }
    return parts;
  }
  if (fixed == false) {
    if (body.contains("motion")) {
      throw IssueFound(motion_path, "only what is held can follow a motion, but `fixed` is false",
                       "set `fixed` to true or to a selection");
    }
    return parts;
  }
  HeldPart part{SelectAll{}, {}, fixed_path};
  if (fixed.is_object()) part.selection = read_selection(fixed, fixed_path, sets);
  if (body.contains("motion")) part.motion = read_motion(body["motion"], motion_path, origin);
  parts.push_back(part);
  return parts;
}

std::vector<LoadedPart> read_loads(const Json& body, const std::string& path, const NodeSets& sets) {
  std::vector<LoadedPart> parts;
  for (const bool is_traction : {false, true}) {
    const char* key = is_traction ? "traction" : "force";
    if (!body.contains(key)) continue;
    const Json& loads = body[key];
    const std::string loads_path = pointer_to(path, key);
    if (loads.is_array() && loads[0].is_object()) {
      for (std::size_t i = 0; i < loads.size(); ++i) {
        parts.push_back(read_load(loads[i], pointer_to(loads_path, i), is_traction, sets));
      }
    } else {
      parts.push_back(read_load(loads, loads_path, is_traction, sets));
    }
  }
  return parts;
}

}  // namespace bulwark
