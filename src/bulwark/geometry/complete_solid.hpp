// The solid of a file: all nodes of its elements, numbered without gaps, and its named sets. Used by mesh_file.cpp
// after indices have been checked.
#pragma once

#include <bulwark/geometry/mesh_readers.hpp>

#include <string>

namespace bulwark {

/// Throws InputError where the file mixes elements of several kinds. Hexahedra of 20 nodes gain those inside faces and
/// cell where the elements of 20 nodes have these places:
///   face    sum of its edges' nodes / 2 - sum of its corners / 4
///   cell    sum of all edges' nodes / 4 - sum of all corners / 4.
/// Nodes that no element uses are left out, the others keep their order; sets are ascending, and left out where
/// no element has any of their nodes.
SolidMesh complete_solid(FileMesh mesh, const std::string& name);

}  // namespace bulwark
