// The types of elements of gmsh's .msh files, and the order of their nodes.
#pragma once

#include <bulwark/geometry/solid_mesh.hpp>

#include <optional>
#include <span>

namespace bulwark {

struct MshElement {
  int dimension;
  int nodes;
  int order;  ///< 1 of linear elements
};

/// Nothing for a type that is not read: prisms, pyramids, and solids of higher orders than ours.
std::optional<MshElement> msh_element(long long type);

/// gmsh's nodes of a solid element in the order of lattice_nodes. Hexahedra may have 20 nodes.
std::vector<int> in_lattice_order(CellShape shape, int order, std::span<const int> gmsh_nodes);

}  // namespace bulwark
