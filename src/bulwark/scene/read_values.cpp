#include <bulwark/scene/issues.hpp>
#include <bulwark/scene/nearest.hpp>
#include <bulwark/scene/read_values.hpp>

#include <fmt/format.h>
#include <Eigen/Geometry>
#include <nlohmann/json.hpp>
#include <numbers>

namespace bulwark {
namespace {

constexpr double radians_per_degree = std::numbers::pi / 180;

Vector3 rotation_vector(const Eigen::Quaterniond& rotation) {
  const Eigen::AngleAxisd turn(rotation);
  return turn.angle() * turn.axis();
}

/// Length of a vector, safe against overflow and underflow of the squares.
double length_of(const Vector3& vector) {
  return vector.stableNorm();
}

}  // namespace

Vector3 read_vector(const Json& value) {
  return {value[0].get<double>(), value[1].get<double>(), value[2].get<double>()};
}

Vector3 read_direction(const Json& value, const std::string& path) {
  const Vector3 vector = read_vector(value);
  const double length = length_of(vector);
  if (!(length > 0)) throw IssueFound(path, "a direction can't have zero length", "for example [0, 1, 0]");
  return (vector / length).normalized();
}

Scaled read_scaled(const Json& value) {
  if (value.is_object()) return {value["relative"].get<double>(), true};
  return {value.get<double>(), false};
}

Vector3 read_rotation_vector(const Json& value, const std::string& path) {
  if (value.contains("axis")) {
    const Vector3 axis = read_direction(value["axis"], pointer_to(path, "axis"));
    return axis * (value["degrees"].get<double>() * radians_per_degree);
  }
  if (value.contains("quaternion")) {
    const Json& q = value["quaternion"];
    Eigen::Vector4d parts(q[0].get<double>(), q[1].get<double>(), q[2].get<double>(), q[3].get<double>());
    const double length = parts.stableNorm();
    if (!(length > 0)) {
      throw IssueFound(pointer_to(path, "quaternion"), "a quaternion can't have zero length",
                       "no rotation is [1, 0, 0, 0]");
    }
    parts /= length;
    return rotation_vector(Eigen::Quaterniond(parts[0], parts[1], parts[2], parts[3]).normalized());
  }
  const Vector3 angles = read_vector(value["euler_degrees"]) * radians_per_degree;
  return rotation_vector(Eigen::AngleAxisd(angles.z(), Vector3::UnitZ()) *
                         Eigen::AngleAxisd(angles.y(), Vector3::UnitY()) *
                         Eigen::AngleAxisd(angles.x(), Vector3::UnitX()));
}

Pose read_pose(const Json& body, const std::string& path) {
  Pose pose;
  pose.position = read_vector(body["position"]);
  if (body.contains("rotation")) {
    const Vector3 turn = read_rotation_vector(body["rotation"], pointer_to(path, "rotation"));
    const double angle = turn.norm();
    if (angle > 0) pose.rotation = Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix();
  }
  const Json& scale = body["scale"];
  pose.scale = scale.is_array() ? read_vector(scale) : Vector3::Constant(scale.get<double>());
  return pose;
}

Selection read_selection(const Json& value, const std::string& path, const NodeSets& sets) {
  if (value.contains("box")) {
    SelectBox box{read_vector(value["box"][0]), read_vector(value["box"][1])};
    if ((box.lower.array() > box.upper.array()).any()) {
      throw IssueFound(pointer_to(path, "box"), "the first corner is not below the second",
                       "give [[min x, min y, min z], [max x, max y, max z]]");
    }
    return box;
  }
  if (value.contains("sphere"))
    return SelectSphere{read_vector(value["sphere"][0]), value["sphere"][1].get<double>()};
  if (value.contains("plane")) {
    const Json& plane = value["plane"];
    return SelectHalfSpace{read_vector(plane[0]),
                           read_direction(plane[1], pointer_to(pointer_to(path, "plane"), 1))};
  }
  if (value.contains("set")) {
    const std::string name = value["set"].get<std::string>();
    const auto found = sets.find(name);
    if (found != sets.end()) return SelectNodes{found->second};
    if (sets.empty()) {
      throw IssueFound(pointer_to(path, "set"), fmt::format("the body has no set '{}' of points", name),
                       "only solid meshes in .msh and .inp files of deformable bodies name sets");
    }
    std::vector<std::string> known;
    known.reserve(sets.size());
    for (const auto& [set, nodes] : sets) known.push_back(set);
    throw IssueFound(pointer_to(path, "set"), fmt::format("the mesh file has no set '{}'", name),
                     suggestion(name, known, "sets"));
  }
  SelectNodes nodes;
  for (const Json& node : value["nodes"]) nodes.nodes.push_back(node.get<int>());
  return nodes;
}

Motion read_motion(const Json& value, const std::string& path, const Vector3& origin) {
  Motion motion;
  motion.pivot = origin;
  if (value.is_object()) {
    motion.linear_velocity = read_vector(value["linear"]);
    motion.angular_velocity = read_vector(value["angular_degrees"]) * radians_per_degree;
    if (value.contains("pivot")) motion.pivot = read_vector(value["pivot"]);
    return motion;
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string key_path = pointer_to(path, i);
    Keyframe key;
    key.time = value[i]["time"].get<double>();
    key.displacement = read_vector(value[i]["position"]);
    if (value[i].contains("rotation")) {
      key.rotation = read_rotation_vector(value[i]["rotation"], pointer_to(key_path, "rotation"));
    }
    if (i == 0 && key.time > 0) motion.keyframes.emplace_back();  // the start pose
    if (i == 0 && key.time == 0 && !(key.displacement.isZero(0) && key.rotation.isZero(0))) {
      throw IssueFound(
          key_path, "a motion must begin at the start pose, but this key is elsewhere at time 0",
          "move the body by its own `position` and `rotation`; those of keyframes are relative to them");
    }
    if (i > 0 && !(key.time > motion.keyframes.back().time)) {
      throw IssueFound(pointer_to(key_path, "time"), "the times of keyframes must ascend",
                       "this one is not later than the one before");
    }
    motion.keyframes.push_back(key);
  }
  return motion;
}

Table read_table(const Json& value, const std::string& path) {
  if (value.is_array()) return Table::constant(read_vector(value));
  if (value.contains("value")) return Table::constant(read_vector(value["value"]));
  Table table;
  for (const Json& time : value["times"]) table.times.push_back(time.get<double>());
  for (const Json& vector : value["values"]) table.values.push_back(read_vector(vector));
  if (table.times.size() != table.values.size()) {
    throw IssueFound(
        pointer_to(path, "values"),
        std::to_string(table.times.size()) + " times but " + std::to_string(table.values.size()) + " values",
        "give one value for each time");
  }
  for (std::size_t i = 1; i < table.times.size(); ++i) {
    if (!(table.times[i] > table.times[i - 1])) {
      throw IssueFound(pointer_to(pointer_to(path, "times"), i), "the times of a table must ascend",
                       "this one is not later than the one before");
    }
  }
  return table;
}

Selection shifted(const Selection& selection, const Vector3& offset) {
  Selection result = selection;
  if (auto* box = std::get_if<SelectBox>(&result)) {
    box->lower += offset;
    box->upper += offset;
  } else if (auto* sphere = std::get_if<SelectSphere>(&result)) {
    sphere->center += offset;
  } else if (auto* half = std::get_if<SelectHalfSpace>(&result)) {
    half->point += offset;
  }
  return result;
}

Motion shifted(Motion motion, const Vector3& offset) {
  motion.pivot += offset;
  return motion;
}

}  // namespace bulwark
