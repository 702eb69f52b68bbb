// The structure of a .vtu file: its pieces and arrays, found and named but not yet decoded. The mesh reader
// takes points and cells from it, the frame reader the data on them as well.
#pragma once

#include <bulwark/geometry/vtk_data.hpp>

#include <vector>

namespace bulwark {

struct VtkPiece {
  std::size_t point_count = 0, cell_count = 0;
  std::vector<VtkArray> arrays;
};

/// Points into the bytes that it was made from.
struct VtkDocument {
  VtkEncoding encoding;
  std::vector<VtkPiece> pieces;
  std::vector<VtkArray> fields;  ///< arrays of the whole grid
};

/// Throws InputError when the bytes are no unstructured grid.
VtkDocument read_vtk_document(const MeshBytes& file);

/// Points and cells of all pieces of the document that the file holds.
FileMesh vtk_mesh(const MeshBytes& file, const VtkDocument& document);

}  // namespace bulwark
