// The order of a cell's nodes in words that several conventions share: its edges and faces in turn, by their
// corners. solid_mesh.hpp has that of VTK, the reader of .msh files that of gmsh.
#pragma once

#include <bulwark/geometry/solid_mesh.hpp>

#include <array>
#include <vector>

namespace bulwark {

struct CellPattern {
  CellShape shape;
  std::vector<std::array<int, 2>> edges;  ///< inner nodes go from the first corner to the second
  std::vector<std::vector<int>> faces;
};

/// Lattice places of all nodes: corners, inner nodes of the edges, of the faces, and of the cell. Of a triangle of
/// order 4 the three inner nodes follow its corners; quadrangles and cells have at most one.
std::vector<std::array<int, 3>> lattice_of(const CellPattern& pattern, int order);

}  // namespace bulwark
