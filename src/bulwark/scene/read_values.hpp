// The small values of a scene file, from JSON that the schema has accepted. What a schema can't say is
// checked here (an axis of zero length, times that do not ascend) and thrown as IssueFound with the JSON
// path.
#pragma once

#include <bulwark/geometry/motion.hpp>
#include <bulwark/geometry/pose.hpp>
#include <bulwark/geometry/selection.hpp>
#include <bulwark/scene/json_text.hpp>
#include <bulwark/sim/settings.hpp>

#include <map>
#include <string>
#include <vector>

namespace bulwark {

Vector3 read_vector(const Json& value);

/// A vector that gives a direction, as a unit vector.
Vector3 read_direction(const Json& value, const std::string& path);

Scaled read_scaled(const Json& value);

/// A rotation as a rotation vector (axis times radians). {axis, degrees} may exceed a full turn.
Vector3 read_rotation_vector(const Json& value, const std::string& path);

/// The keys `position`, `rotation` and `scale` of a body.
Pose read_pose(const Json& body, const std::string& path);

/// Sets of a mesh file by their names: ascending nodes.
using NodeSets = std::map<std::string, std::vector<int>>;

/// A selection of points; `sets` are those of the body's mesh file.
Selection read_selection(const Json& value, const std::string& path, const NodeSets& sets = {});

/// A motion; `origin` is the body's position at the start, the pivot where none is given.
Motion read_motion(const Json& value, const std::string& path, const Vector3& origin);

/// A load's value over time: a plain vector, {value} or {times, values}.
Table read_table(const Json& value, const std::string& path);

/// The same selection or motion for a copy of the body that starts elsewhere.
Selection shifted(const Selection& selection, const Vector3& offset);
Motion shifted(Motion motion, const Vector3& offset);

}  // namespace bulwark
