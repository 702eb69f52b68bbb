#include <bulwark/scene/issues.hpp>
#include <bulwark/scene/nearest.hpp>
#include <bulwark/scene/rigid_ipc_body.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numbers>

namespace bulwark {
namespace {

RigidIpcBody::Type read_type(RigidIpcObject& object) {
  const std::string type = object.text("type", "dynamic");
  if (type == "static") return RigidIpcBody::Type::still;
  if (type == "kinematic") return RigidIpcBody::Type::kinematic;
  if (type == "dynamic") return RigidIpcBody::Type::dynamic;
  throw IssueFound(object.path_of("type"), "there is no type \"" + type + "\"",
                   suggestion(type, {"static", "kinematic", "dynamic"}, "types"));
}

Vector3 read_scale(RigidIpcObject& object) {
  const Json* value = object.find("scale");
  if (value == nullptr) return Vector3::Ones();
  const Vector3 scale = value->is_number() ? Vector3::Constant(value->get<double>())
                                           : read_rigid_ipc_vector(*value, object.path_of("scale"));
  if ((scale.array() == 0).any()) throw IssueFound(object.path_of("scale"), "a scale can't be 0");
  return scale;
}

std::vector<RigidIpcBody::Pose> read_poses(RigidIpcObject& object, ImportWarnings& warnings) {
  std::vector<RigidIpcBody::Pose> poses;
  const Json* list = object.find("kinematic_poses");
  if (list == nullptr) return poses;
  const std::string path = object.path_of("kinematic_poses");
  if (!list->is_array()) throw IssueFound(path, "expected a list of poses, found " + brief(*list));
  for (std::size_t i = 0; i < list->size(); ++i) {
    RigidIpcObject pose((*list)[i], pointer_to(path, i), warnings);
    poses.push_back({pose.vector("position", Vector3::Zero()), pose.vector("rotation", Vector3::Zero())});
    if (!poses.back().rotation.isZero(0)) {
      pose.warn(
          "rotation",
          "`rotation` of a kinematic pose is taken as a turn from the start, in radians: the file counts "
          "it from the body's principal axes");
    }
    pose.warn_of_unknown_keys();
  }
  return poses;
}

void require_mesh(RigidIpcObject& object) {
  if (object.has("mesh")) return;
  for (const char* key : {"vertices", "polygons"}) {
    if (object.has(key)) {
      throw IssueFound(object.path_of(key), "bodies written out vertex by vertex can't be imported",
                       "put the surface into a mesh file and name it by `mesh`");
    }
  }
  throw IssueFound(object.path(), "this body has no `mesh`", "name a mesh file");
}

}  // namespace

std::optional<RigidIpcBody> read_rigid_ipc_body(const Json& json, const std::string& path,
                                                ImportWarnings& warnings) {
  constexpr double radians_per_degree = std::numbers::pi / 180;
  RigidIpcObject object(json, path, warnings);
  if (!object.boolean("enabled", true)) return std::nullopt;
  require_mesh(object);
  RigidIpcBody body;
  body.path = path;
  body.mesh = object.text("mesh", "");
  body.type = read_type(object);
  body.position = object.vector("position", body.position);
  body.euler_degrees = object.vector("rotation", body.euler_degrees);
  body.scale = read_scale(object);
  if (object.has("dimensions")) body.dimensions = object.vector("dimensions", {});
  body.density = object.positive("density", body.density);
  body.velocity = object.vector("linear_velocity", body.velocity);
  body.angular_velocity_degrees = object.vector("angular_velocity", body.angular_velocity_degrees);
  body.force = object.vector("force", body.force);
  // The solver that wrote the format treats every angular quantity as degrees, torques included.
  body.torque = object.vector("torque", body.torque) * radians_per_degree;
  body.fixed = object.booleans("is_dof_fixed");
  body.group = object.integer("group_id", body.group);
  body.split_components = object.boolean("split_components", false);
  body.kinematic_max_time = object.number("kinematic_max_time", body.kinematic_max_time);
  body.kinematic_poses = read_poses(object, warnings);
  if (object.boolean("oriented", false)) object.leave_out("oriented", "it is for scenes in the plane");
  for (const char* unused : {"vertices", "edges", "faces", "polygons"}) {
    object.leave_out(unused, "the body has a `mesh`");
  }
  object.warn_of_unknown_keys();

  const bool all_fixed = std::all_of(body.fixed.begin(), body.fixed.end(), [](bool fixed) { return fixed; });
  if (all_fixed) body.type = RigidIpcBody::Type::still;
  for (int axis = 0; axis < 3; ++axis) {
    if (body.fixed[axis]) body.velocity[axis] = body.force[axis] = 0;
    if (body.fixed[axis + 3]) body.angular_velocity_degrees[axis] = body.torque[axis] = 0;
  }
  return body;
}

}  // namespace bulwark
