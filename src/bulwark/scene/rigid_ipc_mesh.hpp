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
  bool closed = false;
};

/// Whether a surface is closed and faces outward.
bool encloses_volume(const SurfaceMesh& surface);

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

/// The center of mass of a body of even density: of the volume where the surface is closed, else of the
/// triangles' area, else of the edges' length, else of the points.
Vector3 center_of_mass(const RigidIpcMesh& mesh, const Vectors& vertices);

/// The thickness that gives an open surface the mass which rigid-ipc gives it. There, the volume is
/// V = sum over triangles of a . (b x c) / 6, as if the surface were closed; where this is not above 0, or
/// with fewer than 4 triangles, the area (of wires: the length) times 1 m (of wires: 1 m^2) is taken.
double equivalent_thickness(const SurfaceMesh& surface, const Vectors& vertices);

/// Pieces of a surface that are connected by edges, in the order of their first triangle.
std::vector<SurfaceMesh> connected_pieces(const SurfaceMesh& surface);

/// The surface with the axes of negative sign turned round, and its triangles' order where they would face
/// the other way.
SurfaceMesh mirrored(const SurfaceMesh& surface, const Vector3& signs);

/// The triangles, wires and points of a surface as the text of an .obj file, with every digit.
std::string surface_to_obj(const SurfaceMesh& surface);

}  // namespace bulwark
