#include <bulwark/base/error.hpp>
#include <bulwark/geometry/mesh_check.hpp>
#include <bulwark/geometry/mesh_file.hpp>
#include <bulwark/scene/rigid_ipc_mesh.hpp>
#include <bulwark/scene/urdf_meshes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace bulwark {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

std::string lower_case(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

bool is_readable_kind(const fs::path& path) {
  static const std::set<std::string> known = {".stl", ".obj", ".ply", ".off", ".msh", ".vtu", ".inp"};
  return known.contains(lower_case(path.extension().string()));
}

/// Takes out triangles without area, which contact can't work with; returns how many there were.
std::size_t remove_flat_triangles(SurfaceMesh& mesh) {
  if (!mesh.edges.empty()) return 0;  // wires count among the defects too
  const std::size_t before = mesh.triangles.size();
  while (true) {
    std::set<int, std::greater<>> flat;
    for (const MeshDefect& defect : check_surface(mesh)) {
      if (defect.kind == MeshDefectKind::degenerate_element) flat.insert(defect.element);
    }
    if (flat.empty() || mesh.triangles.empty()) return before - mesh.triangles.size();
    for (const int t : flat) {
      if (t < static_cast<int>(mesh.triangles.size())) mesh.triangles.erase(mesh.triangles.begin() + t);
    }
  }
}

}  // namespace

UrdfMeshes::UrdfMeshes(fs::path file, fs::path scene, std::vector<fs::path> package_paths, bool copy)
    : file_(std::move(file)),
      scene_(fs::absolute(scene).lexically_normal()),
      package_paths_(std::move(package_paths)),
      copy_(copy) {}

std::string UrdfMeshes::place_of(const UrdfShape& shape) const {
  return fmt::format("{}:{}: <mesh>", file_.string(), shape.line);
}

std::vector<fs::path> UrdfMeshes::candidates(const std::string& name) const {
  const fs::path folder = fs::absolute(file_).lexically_normal().parent_path();
  std::vector<fs::path> result;
  for (const std::string scheme : {"package://", "model://"}) {
    if (!name.starts_with(scheme)) continue;
    const std::string path = name.substr(scheme.size());
    const std::string package = path.substr(0, path.find('/'));
    const std::string rest = package.size() < path.size() ? path.substr(package.size() + 1) : "";
    for (const fs::path& given : package_paths_) {
      result.push_back(given / path);
      result.push_back(given / rest);
    }
    for (fs::path at = folder;; at = at.parent_path()) {
      if (at.filename() == package) result.push_back(at / rest);
      result.push_back(at / path);
      if (at == at.parent_path()) break;
    }
    result.push_back(folder / rest);
    return result;
  }
  const fs::path path = name.starts_with("file://") ? name.substr(7) : name;
  if (path.is_absolute()) return {path};
  result.push_back(folder / path);
  for (const fs::path& given : package_paths_) result.push_back(given / path);
  return result;
}

/// The file itself; of a kind that can't be read, one of the same name beside it that can.
fs::path UrdfMeshes::find(const UrdfShape& shape) const {
  const bool readable = is_readable_kind(shape.file);
  bool exists = false;
  for (fs::path path : candidates(shape.file)) {
    if (!is_file(path)) continue;
    if (readable) return path;
    exists = true;
    for (const char* kind : {".stl", ".obj", ".STL", ".OBJ"}) {
      if (is_file(path.replace_extension(kind))) return path;
    }
  }
  if (exists || !readable)
    throw InputError(
        place_of(shape),
        fmt::format("\"{}\" is in a format that can't be read (stl, obj, ply, off, msh, vtu, inp can)",
                    shape.file),
        "convert it to a .stl or .obj of the same name beside it: the import takes that instead");
  throw InputError(
      place_of(shape), fmt::format("there is no file \"{}\"", shape.file),
      shape.file.find("://") != std::string::npos
          ? "looked for in the folders above the URDF; name the folder of the package by --package-path DIR"
          : "paths are relative to the URDF; name another folder by --package-path DIR");
}

fs::path UrdfMeshes::place_beside_scene(const std::string& name) {
  const int taken = names_taken_[name]++;
  const fs::path given = name;
  const std::string own =
      taken == 0 ? name
                 : fmt::format("{}_{}{}", given.stem().string(), taken + 1, given.extension().string());
  return scene_.parent_path() / (scene_.stem().string() + "_meshes") / own;
}

UrdfMesh UrdfMeshes::make(const fs::path& found, const Vector3& signs) {
  UrdfMesh mesh;
  mesh.surface = read_surface_mesh(found);
  if (mesh.surface.vertices.cols() == 0) throw InputError(found.string(), "this mesh is empty");
  const std::size_t flat = remove_flat_triangles(mesh.surface);
  if (flat > 0)
    notes.push_back(fmt::format("{}: {} triangles without area are left out", found.string(), flat));
  const bool mirror = signs.minCoeff() < 0;
  if (mirror) mesh.surface = mirrored(mesh.surface, signs);
  fs::path used = fs::absolute(found).lexically_normal();
  if (flat > 0 || mirror) {
    used = place_beside_scene(found.stem().string() + (mirror ? "_mirrored.obj" : ".obj"));
    files.push_back({used, {}, surface_to_obj(mesh.surface)});
  } else if (copy_) {
    used = place_beside_scene(found.filename().string());
    files.push_back({used, found, ""});
  }
  const fs::path relative = used.lexically_relative(scene_.parent_path());
  mesh.name = (relative.empty() ? used : relative).generic_string();
  return mesh;
}

const UrdfMesh& UrdfMeshes::get(const UrdfShape& shape) {
  const fs::path found = find(shape);
  const Vector3 signs = shape.scale.cwiseSign();
  const std::string key = fmt::format("{} {} {} {}", found.string(), signs[0], signs[1], signs[2]);
  const auto known = meshes_.find(key);
  if (known != meshes_.end()) return known->second;
  try {
    return meshes_.emplace(key, make(found, signs)).first->second;
  } catch (const InputError& error) {
    throw InputError(place_of(shape), error.what());
  }
}

}  // namespace bulwark
