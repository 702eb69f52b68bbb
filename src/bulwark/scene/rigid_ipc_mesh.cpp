#include <bulwark/base/error.hpp>
#include <bulwark/base/joined_sets.hpp>
#include <bulwark/geometry/mass_moments.hpp>
#include <bulwark/geometry/mesh_file.hpp>
#include <bulwark/scene/rigid_ipc_mesh.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

namespace bulwark {
namespace {

/// Twice the area of a triangle, as a vector along its normal.
Vector3 doubled_area(const Vectors& vertices, const Triangle& triangle) {
  const Vector3 a = vertices.col(triangle[0]);
  return (vertices.col(triangle[1]) - a).cross(vertices.col(triangle[2]) - a);
}

double diagonal_of(const Vectors& vertices) {
  return (vertices.rowwise().maxCoeff() - vertices.rowwise().minCoeff()).norm();
}

/// The given triangles with the vertices that they use, in the order of the mesh.
SurfaceMesh part_of(const SurfaceMesh& surface, const std::vector<int>& triangles) {
  std::vector<int> used;
  for (const int t : triangles) {
    used.insert(used.end(), surface.triangles[t].begin(), surface.triangles[t].end());
  }
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  const auto new_index = [&](int vertex) {
    return static_cast<int>(std::lower_bound(used.begin(), used.end(), vertex) - used.begin());
  };
  SurfaceMesh part;
  part.vertices = surface.vertices(Eigen::all, used);
  for (const int t : triangles) {
    const Triangle& corners = surface.triangles[t];
    part.triangles.push_back({new_index(corners[0]), new_index(corners[1]), new_index(corners[2])});
  }
  return part;
}

}  // namespace

RigidIpcMeshes::RigidIpcMeshes(const std::filesystem::path& file, const std::filesystem::path& mesh_folder) {
  if (!mesh_folder.empty()) folders_.push_back(mesh_folder);
  std::filesystem::path folder = std::filesystem::absolute(file).lexically_normal().parent_path();
  folders_.push_back(folder);
  for (; true; folder = folder.parent_path()) {
    folders_.push_back(folder / "meshes");
    if (folder == folder.parent_path()) break;
  }
}

std::filesystem::path RigidIpcMeshes::find(const std::string& name) const {
  for (const std::filesystem::path& folder : folders_) {
    std::error_code error;
    if (std::filesystem::is_regular_file(folder / name, error)) return folder / name;
  }
  throw InputError(name, "there is no such mesh file",
                   "looked for beside the file and in a folder `meshes` there or above; name another by "
                   "--meshes DIR");
}

const RigidIpcMesh& RigidIpcMeshes::get(const std::string& name) {
  const auto known = meshes_.find(name);
  if (known != meshes_.end()) return known->second;
  RigidIpcMesh mesh;
  mesh.file = find(name);
  mesh.surface = read_surface_mesh(mesh.file);
  if (mesh.surface.vertices.cols() == 0) throw InputError(mesh.file.string(), "this mesh is empty");
  return meshes_.emplace(name, std::move(mesh)).first->second;
}

double rigid_ipc_volume(const SurfaceMesh& surface) {
  constexpr std::size_t fewest_of_a_volume = 4;
  const Vectors& vertices = surface.vertices;
  double area = 0, volume = 0, length = 0;
  const Vector3 middle = vertices.rowwise().mean();
  for (const Triangle& t : surface.triangles) {
    area += doubled_area(vertices, t).norm() / 2;
    volume += (vertices.col(t[0]) - middle).dot(doubled_area(vertices, t)) / 6;
  }
  for (const Edge& e : surface.edges) length += (vertices.col(e[1]) - vertices.col(e[0])).norm();
  // Flat sheets enclose nothing but rounding errors.
  constexpr double rounding = 1e-9;
  const bool encloses =
      surface.triangles.size() >= fewest_of_a_volume && volume > rounding * area * diagonal_of(vertices);
  if (encloses) return volume;
  if (area > 0) return area;
  return length > 0 ? length : static_cast<double>(surface.points.size());
}

ThinMaterial thin_material(const SurfaceMesh& surface, double density) {
  constexpr double part_of_the_diagonal = 0.01;
  const double diagonal = diagonal_of(surface.vertices);
  const double thickness = diagonal > 0 ? part_of_the_diagonal * diagonal : 1;
  const double volume = mass_moments(surface, 1, thickness).mass;
  return {density * rigid_ipc_volume(surface) / volume, thickness};
}

std::vector<SurfaceMesh> connected_pieces(const SurfaceMesh& surface) {
  std::map<Edge, int> triangle_at;
  JoinedSets pieces(surface.triangles.size());
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    for (int side = 0; side < 3; ++side) {
      const auto [a, b] = std::minmax(surface.triangles[t][side], surface.triangles[t][(side + 1) % 3]);
      const auto [at, is_new] = triangle_at.try_emplace(Edge{a, b}, static_cast<int>(t));
      if (!is_new) pieces.join(at->second, static_cast<int>(t));
    }
  }
  std::map<int, std::vector<int>> triangles_of_root;
  for (int t = 0; t < static_cast<int>(surface.triangles.size()); ++t) {
    triangles_of_root[pieces.find(t)].push_back(t);
  }
  std::vector<SurfaceMesh> result;
  for (const auto& [root, triangles] : triangles_of_root) result.push_back(part_of(surface, triangles));
  return result;
}

SurfaceMesh mirrored(const SurfaceMesh& surface, const Vector3& signs) {
  SurfaceMesh result = surface;
  result.vertices = signs.asDiagonal() * surface.vertices;
  if (signs.prod() < 0) {
    for (Triangle& triangle : result.triangles) std::swap(triangle[1], triangle[2]);
  }
  return result;
}

std::string surface_to_obj(const SurfaceMesh& surface) {
  std::string text;
  for (const auto& point : surface.vertices.colwise()) {
    text += fmt::format("v {} {} {}\n", point.x(), point.y(), point.z());
  }
  for (const Triangle& t : surface.triangles) {
    text += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  }
  for (const Edge& e : surface.edges) text += fmt::format("l {} {}\n", e[0] + 1, e[1] + 1);
  for (const int point : surface.points) text += fmt::format("p {}\n", point + 1);
  return text;
}

}  // namespace bulwark
