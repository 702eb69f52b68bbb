// The mesh files that a URDF names: where they are, and how a scene names them.
#pragma once

#include <bulwark/geometry/mesh.hpp>
#include <bulwark/scene/imported_scene.hpp>
#include <bulwark/scene/urdf_model.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace bulwark {

/// A mesh as the scene will use it.
struct UrdfMesh {
  std::string name;     ///< of the file, relative to the scene
  SurfaceMesh surface;  ///< what that file holds
};

class UrdfMeshes {
 public:
  /// `file` is the URDF, `scene` the scene file to be; `package_paths` are folders that hold packages, or are
  /// one.
  UrdfMeshes(std::filesystem::path file, std::filesystem::path scene,
             std::vector<std::filesystem::path> package_paths, bool copy);

  /// The mesh of a shape; axes with a negative scale are mirrored in a file of their own, and so are meshes
  /// whose triangles without area had to go. Throws InputError.
  const UrdfMesh& get(const UrdfShape& shape);

  std::vector<ImportedFile> files;  ///< to be written beside the scene
  std::vector<std::string> notes;

 private:
  std::filesystem::path find(const UrdfShape& shape) const;
  std::vector<std::filesystem::path> candidates(const std::string& name) const;
  UrdfMesh make(const std::filesystem::path& found, const Vector3& signs);
  std::string place_of(const UrdfShape& shape) const;
  std::filesystem::path place_beside_scene(const std::string& name);

  std::filesystem::path file_, scene_;
  std::vector<std::filesystem::path> package_paths_;
  bool copy_ = false;
  std::map<std::string, UrdfMesh> meshes_;
  std::map<std::string, int> names_taken_;
};

}  // namespace bulwark
