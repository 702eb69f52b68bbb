#include <bulwark/scene/issues.hpp>
#include <bulwark/scene/nearest.hpp>
#include <bulwark/scene/rigid_ipc_planar.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace bulwark {
namespace {

constexpr double plane_radians_per_degree = std::numbers::pi / 180;

Vector2 read_plane_vector(const Json& value, const std::string& path) {
  if (!value.is_array() || value.size() != 2 || !value[0].is_number() || !value[1].is_number())
    throw IssueFound(path, "expected 2 numbers, found " + brief(value), "the scene is one in the plane");
  return {value[0].get<double>(), value[1].get<double>()};
}

Vector2 plane_vector(RigidIpcObject& object, const char* key) {
  const Json* value = object.find(key);
  return value == nullptr ? Vector2::Zero() : read_plane_vector(*value, object.path_of(key));
}

/// An angle: a number, or a list of one.
double angle(RigidIpcObject& object, const char* key) {
  const Json* value = object.find(key);
  if (value == nullptr) return 0;
  const Json& number = value->is_array() && value->size() == 1 ? (*value)[0] : *value;
  if (!number.is_number())
    throw IssueFound(object.path_of(key), "expected a number, found " + brief(*value),
                     "the scene is one in the plane");
  return number.get<double>();
}

/// Along x and y, and about z.
std::array<bool, 3> held_axes(RigidIpcObject& object) {
  const Json* value = object.find("is_dof_fixed");
  std::array<bool, 3> held = {};
  if (value == nullptr) return held;
  if (value->is_boolean()) {
    held.fill(value->get<bool>());
    return held;
  }
  const bool three =
      value->is_array() && value->size() == 3 &&
      std::all_of(value->begin(), value->end(), [](const Json& item) { return item.is_boolean(); });
  if (!three)
    throw IssueFound(object.path_of("is_dof_fixed"),
                     "expected true, false or 3 of them, found " + brief(*value));
  for (std::size_t i = 0; i < 3; ++i) held[i] = (*value)[i].get<bool>();
  return held;
}

/// The vertices and edges of a body, from the file or its mesh.
struct Lines {
  std::vector<Vector2> vertices;
  std::vector<Edge> edges;
};

Lines written_lines(RigidIpcObject& object) {
  Lines lines;
  const Json* vertices = object.find("vertices");
  const Json* edges = object.find("edges");
  if (!vertices->is_array())
    throw IssueFound(object.path_of("vertices"), "expected a list, found " + brief(*vertices));
  for (std::size_t i = 0; i < vertices->size(); ++i)
    lines.vertices.push_back(read_plane_vector((*vertices)[i], pointer_to(object.path_of("vertices"), i)));
  if (edges == nullptr || !edges->is_array())
    throw IssueFound(object.path_of("edges"), "expected a list of edges",
                     "a body in the plane has `vertices` and `edges`");
  for (std::size_t i = 0; i < edges->size(); ++i) {
    const Json& edge = (*edges)[i];
    const auto is_end = [&](const Json& end) {
      return end.is_number_integer() && end >= 0 && end < static_cast<std::int64_t>(lines.vertices.size());
    };
    if (!edge.is_array() || edge.size() != 2 || !is_end(edge[0]) || !is_end(edge[1]))
      throw IssueFound(pointer_to(object.path_of("edges"), i),
                       "expected the numbers of two vertices, found " + brief(edge));
    lines.edges.push_back({edge[0].get<int>(), edge[1].get<int>()});
  }
  return lines;
}

Lines mesh_lines(const RigidIpcMesh& mesh, const std::string& path) {
  if (mesh.surface.edges.empty())
    throw IssueFound(path, "the mesh has no lines", "give an .obj file with lines (l)");
  Lines lines;
  for (Eigen::Index v = 0; v < mesh.surface.vertices.cols(); ++v)
    lines.vertices.emplace_back(mesh.surface.vertices.col(v).head<2>());
  lines.edges = mesh.surface.edges;
  return lines;
}

/// Vertices in the very same place as one, without the edges between them: some of that program's outlines are written
/// so, and an edge without length has no direction.
Lines merged(const Lines& lines) {
  Lines result;
  std::map<std::pair<double, double>, int> numbers;
  std::vector<int> number;
  for (const Vector2& vertex : lines.vertices) {
    const auto [entry, is_new] =
        numbers.emplace(std::pair(vertex.x(), vertex.y()), static_cast<int>(result.vertices.size()));
    if (is_new) result.vertices.push_back(vertex);
    number.push_back(entry->second);
  }
  for (const Edge& edge : lines.edges) {
    if (number[edge[0]] != number[edge[1]]) result.edges.push_back({number[edge[0]], number[edge[1]]});
  }
  return result;
}

/// Half of each edge's length at either end.
struct LineMoments {
  double length = 0, polar = 0;  ///< polar: sum of shares times squared distances from the center
  Vector2 center = Vector2::Zero();
};

LineMoments moments_of(const Lines& lines) {
  std::vector<double> share(lines.vertices.size(), 0);
  LineMoments moments;
  for (const auto& [a, b] : lines.edges) {
    const double half = 0.5 * (lines.vertices[a] - lines.vertices[b]).norm();
    share[a] += half;
    share[b] += half;
    moments.length += 2 * half;
  }
  for (std::size_t v = 0; v < share.size(); ++v)
    moments.center += share[v] / moments.length * lines.vertices[v];
  for (std::size_t v = 0; v < share.size(); ++v)
    moments.polar += share[v] * (lines.vertices[v] - moments.center).squaredNorm();
  return moments;
}

Json plane_json(const Vector2& vector) {
  return Json::array({vector.x(), vector.y()});
}

Json outline_json(const Lines& lines, const Vector2& shift) {
  Json points = Json::array(), segments = Json::array();
  for (const Vector2& vertex : lines.vertices) points.push_back(plane_json(vertex - shift));
  for (const Edge& edge : lines.edges) segments.push_back({edge[0], edge[1]});
  return {{"outline", {{"points", points}, {"segments", segments}}}};
}

/// Motion with constant velocities, until the end where there is one.
Json motion_json(const Vector2& velocity, double spin, double end) {
  if (velocity.isZero(0) && spin == 0) return nullptr;
  if (end < 0) return {{"linear", plane_json(velocity)}, {"angular_degrees", spin}};
  return Json::array({{{"time", end}, {"position", plane_json(end * velocity)}, {"rotation", end * spin}}});
}

std::string checked_type(RigidIpcObject& object) {
  const std::vector<std::string> types = {"static", "kinematic", "dynamic"};
  std::string type = object.text("type", "dynamic");
  if (std::find(types.begin(), types.end(), type) == types.end())
    throw IssueFound(object.path_of("type"), "there is no type \"" + type + "\"",
                     suggestion(type, types, "types"));
  return type;
}

}  // namespace

bool is_planar_rigid_ipc(const Json& problem) {
  const auto is_pair = [](const Json& object, const char* key) {
    const auto value = object.find(key);
    return value != object.end() && value->is_array() && value->size() == 2 && (*value)[0].is_number();
  };
  if (!problem.is_object()) return false;
  if (is_pair(problem, "gravity")) return true;
  const auto bodies = problem.find("rigid_bodies");
  if (bodies == problem.end() || !bodies->is_array() || bodies->empty() || !(*bodies)[0].is_object())
    return false;
  const Json& first = (*bodies)[0];
  const auto vertices = first.find("vertices");
  const bool flat_vertices = vertices != first.end() && vertices->is_array() && !vertices->empty() &&
                             (*vertices)[0].is_array() && (*vertices)[0].size() == 2;
  return flat_vertices || is_pair(first, "linear_velocity");
}

void RigidIpcPlanarWriter::add(const Json& json, const std::string& path, ImportWarnings& warnings) {
  RigidIpcObject object(json, path, warnings);
  if (!object.boolean("enabled", true)) return;
  if (!object.has("mesh") && !object.has("vertices"))
    throw IssueFound(path, "this body has neither `vertices` nor a `mesh`", "give it one of them");
  const Lines lines =
      merged(object.has("mesh") ? mesh_lines(meshes_.get(object.text("mesh", "")), object.path_of("mesh"))
                                : written_lines(object));
  const LineMoments moments = moments_of(lines);
  if (!(moments.length > 0))
    throw IssueFound(path, "the body has no edge with a length, so it has no mass", "give it edges");
  std::string type = checked_type(object);
  const std::array<bool, 3> held = held_axes(object);
  if (type == "dynamic" && held == std::array{true, true, true}) type = "static";
  const double density = object.positive("density", 1000), rotation = angle(object, "rotation");
  Vector2 velocity = plane_vector(object, "linear_velocity");
  double spin = angle(object, "angular_velocity");
  const Vector2 force = plane_vector(object, "force");
  // The solver that wrote the format treats every angular quantity as degrees, torques included.
  const double torque = angle(object, "torque") * plane_radians_per_degree;
  const double end = object.number("kinematic_max_time", -1);
  const Vector2 position = plane_vector(object, "position");
  object.skip("oriented");
  object.skip("polygons");  // what the lines enclose: it makes no difference
  object.leave_out("masses", "mass and inertia are those of the body's lines, as in that program");
  object.leave_out("time_stepper", "all bodies follow the scene's integrator");
  object.leave_out("group_id", "bodies in the plane all collide");
  object.warn_of_unknown_keys();

  Json body;
  const Eigen::Rotation2Dd turn(rotation * plane_radians_per_degree);
  // A motion turns about the body's position: that of a scripted body is its center.
  const Vector2 origin = type == "kinematic" ? moments.center : Vector2::Zero().eval();
  body["kind"] = type != "dynamic" ? "obstacle" : options_.rigid ? "rigid" : "affine";
  body["shape"] = outline_json(lines, origin);
  body["position"] = plane_json(position + turn * origin);
  if (rotation != 0) body["rotation"] = rotation;
  if (type == "kinematic") {
    const Json motion = motion_json(velocity, spin, end < 0 ? -1 : std::min(end, duration_));
    if (!motion.is_null()) body["motion"] = motion;
  }
  if (type == "dynamic") {
    for (int axis = 0; axis < 2; ++axis) velocity[axis] = held[axis] ? 0 : velocity[axis];
    spin = held[2] ? 0 : spin;
    body["mass"] = {{"mass", density * moments.length},
                    {"center", plane_json(moments.center)},
                    {"inertia", density * moments.polar}};
    if (!velocity.isZero(0)) body["velocity"] = plane_json(velocity);
    if (spin != 0) body["angular_velocity_degrees"] = spin;
    if (!force.isZero(0)) body["force"] = plane_json(force);
    if (torque != 0 && !held[2]) body["torque"] = torque;
    if (held[0] || held[1] || held[2])
      body["fixed"] = {{"translation", {held[0], held[1]}}, {"rotation", held[2]}};
    Vectors places = Vectors::Zero(3, static_cast<Eigen::Index>(lines.vertices.size()));
    for (std::size_t v = 0; v < lines.vertices.size(); ++v)
      places.col(static_cast<Eigen::Index>(v)).head<2>() = position + turn * lines.vertices[v];
    moving.add(places);
  }
  bodies.push_back(std::move(body));
}

}  // namespace bulwark
