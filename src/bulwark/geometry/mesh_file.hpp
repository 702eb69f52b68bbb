// Meshes from files: obj, stl, ply and off surfaces; surfaces and solids of gmsh (.msh, text and binary, versions
// 2.2 and 4.1), VTK (.vtu), and Abaqus or CalculiX (.inp).
// Scenes name such files; everything that can be wrong with one is answered by an InputError that names file,
// place and remedy. The readers are our own: they must survive any bytes, and never take more memory than the
// file justifies.
#pragma once

#include <bulwark/geometry/solid_mesh.hpp>

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bulwark {

using AnyMesh = std::variant<SurfaceMesh, TetMesh, SolidMesh>;

/// Reads a file by its extension. A file with solid elements gives those alone, in the file's order and
/// numbering: a TetMesh of tetrahedra of order 1, a SolidMesh of others; any other file a SurfaceMesh. On the way
/// - polygons are cut into triangles;
/// - in a surface, vertices with the very same coordinates become one (stl knows no other way to share them),
/// and
///   triangles between such copies vanish;
/// - vertices that no element uses are left out, and the others keep their order; a file of vertices alone is
/// a cloud
///   of points;
/// - of a .msh file, only the elements of the highest dimension count: gmsh writes boundaries and corners as
/// well.
AnyMesh read_mesh(const std::filesystem::path& path);

/// The same, for a surface: of a solid, its boundary, with flat triangles between the nodes of curved faces.
SurfaceMesh read_surface_mesh(const std::filesystem::path& path);

/// Four corners each, counterclockwise.
struct QuadMesh {
  Vectors vertices;
  std::vector<std::array<int, 4>> quads;
};
/// The quads of a surface, as shells want them: throws InputError when the file holds solids or other polygons.
/// Vertices with the very same coordinates become one, and those that no quad uses are left out.
QuadMesh read_quad_mesh(const std::filesystem::path& path);

/// The same, for a solid of elements of any kind, with the sets that the file names: physical groups of .msh, NSET and
/// ELSET of .inp. Throws InputError when the file holds no solid elements.
SolidMesh read_solid_mesh(const std::filesystem::path& path);

/// The same, for a solid of tetrahedra of order 1: throws InputError when the file holds others or none.
TetMesh read_tet_mesh(const std::filesystem::path& path);

/// Reads a mesh from the bytes of a file. `extension` is one of obj, stl, ply, off, msh, vtu, inp; errors call it
/// `name`.
AnyMesh read_mesh_from_memory(std::string_view bytes, std::string_view extension, const std::string& name);
SolidMesh read_solid_mesh_from_memory(std::string_view bytes, std::string_view extension,
                                      const std::string& name);

}  // namespace bulwark
