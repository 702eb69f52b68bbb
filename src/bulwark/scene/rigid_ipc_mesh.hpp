// The mesh files that a rigid-ipc file names: where they are, and what the importer has to know of them.
#pragma once

#include <bulwark/geometry/mesh.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace bulwark {

struct RigidIpcMesh {
  std::filesystem::path file;
  SurfaceMesh surface;
};

/// Finds and reads mesh files, each once.
class RigidIpcMeshes {
 public:
  /// `file` is the rigid-ipc file; `mesh_folder`, where not empty, is looked into first.
  RigidIpcMeshes(const std::filesystem::path& file, const std::filesystem::path& mesh_folder);

  /// The mesh of that name: in the given folder, beside the file, or in a folder `meshes` beside the file or
  /// any folder above it. Throws InputError.
  const RigidIpcMesh& get(const std::string& name);

 private:
  std::filesystem::path find(const std::string& name) const;

  std::vector<std::filesystem::path> folders_;
  std::map<std::string, RigidIpcMesh> meshes_;
};

/// What rigid-ipc multiplies a density by: the volume as if the surface were closed, sum a . (b x c) / 6
/// (about the middle of the vertices), m^3. Where that is not above 0, or there are fewer than 4 triangles,
/// the area times 1 m; without triangles the wires' length times 1 m^2; without those 1 m^3 for each point.
double rigid_ipc_volume(const SurfaceMesh& surface);

/// What a sheet, wires or points are made of here to have the mass that they have there. They are thin, so
/// that the thickness adds next to nothing to their inertia, and as dense as that takes.
struct ThinMaterial {
  double density = 0, thickness = 0;
};
ThinMaterial thin_material(const SurfaceMesh& surface, double density);

/// Pieces of a surface that are connected by edges, in the order of their first triangle.
std::vector<SurfaceMesh> connected_pieces(const SurfaceMesh& surface);

/// The surface with the axes of negative sign turned round, and its triangles' order where they would face
/// the other way.
SurfaceMesh mirrored(const SurfaceMesh& surface, const Vector3& signs);

/// The triangles, wires and points of a surface as the text of an .obj file, with every digit.
std::string surface_to_obj(const SurfaceMesh& surface);

}  // namespace bulwark
