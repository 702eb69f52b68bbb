// The mesh checker: names what is wrong with a mesh, element by element, before a simulation trips over it.
#pragma once

#include <bulwark/geometry/solid_mesh.hpp>

#include <string>
#include <vector>

namespace bulwark {

enum class MeshDefectKind {
  index_out_of_range,        ///< an element uses a vertex that does not exist; nothing else is checked then
  non_finite_vertex,         ///< NaN or infinite coordinates
  duplicate_vertex,          ///< two vertices at the very same place
  unreferenced_vertex,       ///< no element uses it
  degenerate_element,        ///< no length, area or volume
  inverted_element,          ///< a tetrahedron of negative volume, a curved cell of negative Jacobian
  duplicate_element,         ///< the same vertices as an earlier element
  t_junction,                ///< a vertex in the middle of another triangle's open edge
  non_manifold_edge,         ///< more than two triangles meet
  inconsistent_orientation,  ///< flipped triangles, or tetrahedra that overlap
  open_edge,                 ///< only one triangle: right for cloth, wrong for a closed surface
  inside_out                 ///< a closed surface that faces inward
};

struct MeshDefect {
  MeshDefectKind kind;
  std::string message;  ///< one sentence, with element numbers and coordinates
  int element;  ///< the vertex, edge, triangle or tetrahedron, as the kind says; for edges, a triangle at it
};

/// At most this many defects of one kind are listed, the first ones.
inline constexpr std::size_t max_listed_defects = 100;

/// All defects of a surface, graver kinds first. open_edge is among them: ignore it where a boundary is
/// meant.
std::vector<MeshDefect> check_surface(const SurfaceMesh& mesh);

/// All defects of a solid and of its boundary, graver kinds first.
std::vector<MeshDefect> check_tets(const TetMesh& mesh);

/// The same of elements of any shape and order: an element is inverted where its Jacobian determinant is negative
/// somewhere (cell_jacobian.hpp).
std::vector<MeshDefect> check_solid(const SolidMesh& mesh);

/// Throws InputError with the first defects and the remedy, unless the mesh can be a deformable body.
void require_valid_solid(const TetMesh& mesh, const std::string& place);
void require_valid_solid(const SolidMesh& mesh, const std::string& place);

/// Throws InputError with the first of these defects, of which there is at least one, and the remedy.
[[noreturn]] void refuse_mesh(const std::vector<MeshDefect>& defects, const std::string& place,
                              const char* what);

/// Throws InputError with the first defects and the remedy, unless the surface encloses a volume.
void require_closed_surface(const SurfaceMesh& mesh, const std::string& place);

/// Throws InputError that names the flipped triangles of a surface without open edges. Open ones may face any
/// side.
void require_orientable(const SurfaceMesh& mesh, const std::string& place);

}  // namespace bulwark
