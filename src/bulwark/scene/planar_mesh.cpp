#include <bulwark/base/error.hpp>
#include <bulwark/collision/self_crossing.hpp>
#include <bulwark/geometry/append_surface.hpp>
#include <bulwark/geometry/mesh_file.hpp>
#include <bulwark/geometry/planar_outline.hpp>
#include <bulwark/geometry/planar_triangles.hpp>
#include <bulwark/scene/issues.hpp>
#include <bulwark/scene/planar_mesh.hpp>
#include <bulwark/scene/read_shape.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>

namespace bulwark {
namespace {

/// Corners of a disk that is not round, where no resolution says otherwise.
constexpr int default_corners = 32;

std::vector<Vector2> read_points(const Json& list) {
  std::vector<Vector2> points;
  for (const Json& point : list) points.emplace_back(read_vector(point).head<2>());
  return points;
}

SurfaceMesh lone_points(const std::vector<Vector2>& places, double radius) {
  SurfaceMesh mesh = planar_curve(places, false);
  mesh.edges.clear();
  for (int k = 0; k < static_cast<int>(places.size()); ++k) mesh.points.push_back(k);
  if (radius > 0) mesh.radius.assign(places.size(), radius);
  return mesh;
}

SurfaceMesh capsule(const Json& json, const std::string& path) {
  const double radius = json["radius"].get<double>(), half = 0.5 * json["height"].get<double>() - radius;
  if (!(half > 0))
    throw IssueFound(pointer_to(path, "height"), "a capsule is higher than twice its radius",
                     "give a larger height, or a `disk`");
  SurfaceMesh mesh = planar_curve({{0, -half}, {0, half}}, false);
  mesh.radius.assign(2, radius);
  return mesh;
}

SurfaceMesh straight_line(const Json& json) {
  const Vector2 from = read_vector(json["from"]).head<2>(), to = read_vector(json["to"]).head<2>();
  const int segments = json["segments"].get<int>();
  std::vector<Vector2> points;
  for (int k = 0; k <= segments; ++k)
    points.emplace_back(from + (to - from) * (static_cast<double>(k) / segments));
  return planar_curve(points, false);
}

/// Points that no segment has are left out.
SurfaceMesh free_outline(const Json& json, const std::string& path) {
  const std::vector<Vector2> points = read_points(json["points"]);
  const Json& segments = json["segments"];
  std::vector<int> number(points.size(), -1);
  std::vector<Vector2> used;
  SurfaceMesh mesh;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    Edge edge;
    for (std::size_t end = 0; end < 2; ++end) {
      const auto at = segments[i][end].get<std::size_t>();
      if (at >= points.size())
        throw IssueFound(pointer_to(pointer_to(path, "segments"), i), fmt::format("there is no point {}", at),
                         fmt::format("the points are numbered from 0 to {}", points.size() - 1));
      if (number[at] < 0) {
        number[at] = static_cast<int>(used.size());
        used.push_back(points[at]);
      }
      edge[end] = number[at];
    }
    mesh.edges.push_back(edge);
  }
  mesh.vertices = planar_curve(used, false).vertices;
  return mesh;
}

/// The corners of a disk that is taken as a polygon.
int corners_of_disk(const Json& shape, double radius, const std::string& path, const MeshBudget& budget) {
  if (!shape.contains("resolution")) return default_corners;
  const double corners = std::ceil(2 * std::numbers::pi * radius / shape["resolution"].get<double>());
  require_fits(corners, budget, path, "give a larger `resolution`");
  return std::max(3, static_cast<int>(corners));
}

SurfaceMesh shape_outline(const Json& shape, const std::string& path, const MeshBudget& budget) {
  if (shape.contains("half_plane"))
    throw IssueFound(path, "a half-plane has no outline", "half-planes can only be obstacles");
  if (shape.contains("rectangle")) {
    const double x = 0.5 * shape["rectangle"][0].get<double>(), y = 0.5 * shape["rectangle"][1].get<double>();
    return planar_curve({{-x, -y}, {x, -y}, {x, y}, {-x, y}}, true);
  }
  if (shape.contains("disk")) {
    const double radius = shape["disk"].get<double>();
    if (shape["round"].get<bool>()) return lone_points({Vector2::Zero()}, radius);
    return planar_curve(regular_polygon(radius, corners_of_disk(shape, radius, path, budget)), true);
  }
  if (shape.contains("capsule")) return capsule(shape["capsule"], pointer_to(path, "capsule"));
  if (shape.contains("regular_polygon")) {
    const Json& polygon = shape["regular_polygon"];
    require_fits(polygon["corners"].get<double>(), budget, path, "give fewer corners");
    return planar_curve(regular_polygon(polygon["radius"].get<double>(), polygon["corners"].get<int>()),
                        true);
  }
  if (shape.contains("polygon")) return planar_curve(read_points(shape["polygon"]), true);
  if (shape.contains("outline")) return free_outline(shape["outline"], pointer_to(path, "outline"));
  if (shape.contains("polyline")) return planar_curve(read_points(shape["polyline"]), false);
  if (shape.contains("line")) {
    require_fits(shape["line"]["segments"].get<double>() + 1, budget, path, "lower its `segments`");
    return straight_line(shape["line"]);
  }
  return lone_points(read_points(shape["points"]), 0);
}

SurfaceMesh planar_file(const Json& body, const std::filesystem::path& base_folder) {
  const std::filesystem::path file = mesh_path(body, base_folder);
  const AnyMesh mesh = read_mesh(file);
  const auto* surface = std::get_if<SurfaceMesh>(&mesh);
  if (surface == nullptr)
    throw InputError(file.string(), "this is a solid", "a scene of dimension 2 has outlines and triangles");
  for (Eigen::Index v = 0; v < surface->vertices.cols(); ++v) {
    if (surface->vertices(2, v) == 0) continue;
    throw InputError(file.string(), fmt::format("vertex {} lies at z = {:.6g}", v, surface->vertices(2, v)),
                     "a scene of dimension 2 lies in the plane z = 0");
  }
  return *surface;
}

void require_sound_segments(const SurfaceMesh& mesh) {
  if (!mesh.vertices.allFinite()) throw InputError("outline", "a coordinate is not finite", "give numbers");
  for (const Edge& e : mesh.edges) {
    if (mesh.vertices.col(e[0]) != mesh.vertices.col(e[1])) continue;
    throw InputError("outline", fmt::format("its points {} and {} are in the same place", e[0], e[1]),
                     "leave one of them out; a closed curve closes by itself");
  }
}

void require_no_crossing(const SurfaceMesh& mesh) {
  const std::vector<SelfCrossing> crossings = find_crossing_segments(mesh);
  if (crossings.empty()) return;
  const SelfCrossing& c = crossings[0];
  const Edge &a = mesh.edges[c.first], &b = mesh.edges[c.second];
  throw InputError(
      "outline",
      fmt::format("its segments {}-{} and {}-{} cross near ({:.6g}, {:.6g}), so the area that it bounds "
                  "is not known",
                  a[0], a[1], b[0], b[1], c.place[0], c.place[1]),
      "keep its curves apart, list overlapping parts as `shapes`, or give the body a `mass` with an "
      "`inertia`");
}

/// One shape or mesh file, before `pose`, which is looked at for what it makes of it.
SurfaceMesh one_planar_part(const Json& body, const std::string& path, const Pose& pose,
                            const std::filesystem::path& base_folder, const MeshBudget& budget,
                            bool bounds_mass) {
  const std::string key = pointer_to(path, body.contains("mesh") ? "mesh" : "shape");
  try {
    SurfaceMesh mesh = body.contains("mesh") ? outline_of(planar_file(body, base_folder))
                                             : shape_outline(body["shape"], key, budget);
    require_fits(static_cast<double>(mesh.vertices.cols()), budget, key, "");
    if (!mesh.radius.empty() && std::abs(pose.scale.x() - pose.scale.y()) > 1e-12 * pose.scale.x())
      throw InputError("scale", "a shape that its `scale` stretches is not round",
                       "use one number, or set `round` of a disk to false");
    SurfaceMesh placed = mesh;
    placed.vertices = transformed(pose, mesh.vertices);
    require_sound_segments(placed);
    if (bounds_mass && is_closed_outline(mesh)) require_no_crossing(mesh);
    return mesh;
  } catch (const InputError& error) {
    throw IssueFound(key, error.what());
  }
}

/// The triangles of a mesh file, each with an area, no side in more than two of them.
SolidMesh file_triangles(const Json& body, const std::filesystem::path& base_folder) {
  const std::string name = body["mesh"].get<std::string>();
  const SurfaceMesh surface = planar_file(body, base_folder);
  if (surface.triangles.empty() || !surface.edges.empty() || !surface.points.empty())
    throw InputError(name, "a soft body of a scene of dimension 2 is made of triangles alone",
                     "fill the outline with triangles, or make the body stiff");
  std::map<Edge, int> sides;
  for (const Triangle& t : surface.triangles) {
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      if (++sides[{std::min(a, b), std::max(a, b)}] > 2)
        throw InputError(
            name, fmt::format("the side between vertices {} and {} belongs to more than two triangles", a, b),
            "repair the mesh: triangles may not overlap");
    }
  }
  return planar_solid(surface);
}

/// Parts that a length is cut into, at least one.
int parts_of(double length, double resolution, const MeshBudget& budget, const std::string& path) {
  const double parts = std::ceil(length / resolution - 1e-9);
  require_fits(parts * parts, budget, path, "give a larger `resolution`");
  return std::max(1, static_cast<int>(parts));
}

SolidMesh filled_shape(const Json& shape, const std::string& path, const MeshBudget& budget) {
  const double wanted = read_resolution(shape);
  if (shape.contains("rectangle")) {
    const Vector2 sides(shape["rectangle"][0].get<double>(), shape["rectangle"][1].get<double>());
    const double resolution = wanted > 0 ? wanted : sides.minCoeff();
    require_fits((sides.array() / resolution + 1).prod(), budget, path, "give a larger `resolution`");
    const MeshBudget sides_budget{budget.vertices * budget.vertices, 1};
    return triangulated_rectangle(sides, {parts_of(sides.x(), resolution, sides_budget, path),
                                          parts_of(sides.y(), resolution, sides_budget, path)});
  }
  if (shape.contains("disk")) {
    const double radius = shape["disk"].get<double>();
    return triangulated_disk(radius, parts_of(radius, wanted > 0 ? wanted : radius / 3, budget, path));
  }
  if (shape.contains("regular_polygon")) {
    const Json& polygon = shape["regular_polygon"];
    const double radius = polygon["radius"].get<double>();
    require_fits(polygon["corners"].get<double>(), budget, path, "give fewer corners");
    const int parts = wanted > 0 ? parts_of(radius, wanted, budget, path) : 1;
    require_fits(0.5 * polygon["corners"].get<double>() * parts * (parts + 1), budget, path,
                 "give a larger `resolution`");
    return triangulated_regular_polygon(radius, polygon["corners"].get<int>(), parts);
  }
  if (shape.contains("polygon")) {
    const std::vector<Vector2> corners = read_points(shape["polygon"]);
    constexpr std::size_t most_corners = 64;
    if (corners.size() > most_corners)
      throw IssueFound(pointer_to(path, "polygon"),
                       fmt::format("a soft body's polygon has at most {} corners", most_corners),
                       "give a mesh file of triangles");
    const SurfaceMesh outline = planar_curve(corners, true);
    require_sound_segments(outline);
    require_no_crossing(outline);
    if (wanted > 0) {
      const Vector3 box = outline.vertices.rowwise().maxCoeff() - outline.vertices.rowwise().minCoeff();
      require_fits(4 * box.squaredNorm() / (wanted * wanted), budget, path, "give a larger `resolution`");
    }
    return triangulated_polygon(corners, wanted);
  }
  throw IssueFound(path, "a soft body needs a shape that bounds an area",
                   "use a `rectangle`, `disk`, `regular_polygon` or `polygon`, or a mesh file of triangles");
}

}  // namespace

SurfaceMesh planar_surface_for_body(const Json& body, const std::string& path, const Pose& pose,
                                    const std::filesystem::path& base_folder, const MeshBudget& budget,
                                    bool bounds_mass) {
  if (!body.contains("shapes")) return one_planar_part(body, path, pose, base_folder, budget, bounds_mass);
  SurfaceMesh all;
  MeshBudget left = budget;
  for (std::size_t i = 0; i < body["shapes"].size(); ++i) {
    const Json& part = body["shapes"][i];
    const std::string part_path = pointer_to(pointer_to(path, "shapes"), i);
    const Pose own = read_pose(part, part_path);
    Pose both = own;
    both.scale = own.scale.cwiseProduct(pose.scale);
    SurfaceMesh mesh = one_planar_part(part, part_path, both, base_folder, left, bounds_mass);
    mesh.vertices = transformed(own, mesh.vertices);
    for (double& radius : mesh.radius) radius *= own.scale.maxCoeff();
    left.vertices -= static_cast<std::int64_t>(mesh.vertices.cols()) * budget.copies;
    append_surface(all, mesh);
  }
  return all;
}

SolidMesh planar_solid_for_body(const Json& body, const std::string& path,
                                const std::filesystem::path& base_folder, const MeshBudget& budget) {
  const std::string key = pointer_to(path, body.contains("mesh") ? "mesh" : "shape");
  try {
    SolidMesh mesh =
        body.contains("mesh") ? file_triangles(body, base_folder) : filled_shape(body["shape"], key, budget);
    const int order = body["order"].get<int>();
    require_fits(0.5 * order * order * mesh.cell_count(), budget, key, "give a larger `resolution`");
    return raised(mesh, order);
  } catch (const InputError& error) {
    throw IssueFound(key, error.what());
  }
}

}  // namespace bulwark
