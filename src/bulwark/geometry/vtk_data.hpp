// The arrays of a VTK XML file: numbers as text, as base64, or as raw bytes at the file's end, compressed by
// zlib or not.
#pragma once

#include <bulwark/geometry/mesh_readers.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bulwark {

/// Properties of the whole file that its arrays are stored by.
struct VtkEncoding {
  bool big_endian = false;
  bool long_headers = false;  ///< sizes are 64-bit rather than 32-bit
  bool compressed = false;    ///< by zlib
  bool appended_is_base64 = false;
  /// Lagrange hexahedra of files before version 2.1 have the last two upright edges exchanged.
  bool exchanged_upright_edges = false;
  std::string_view appended;  ///< the data at the file's end, behind its underscore
};

/// One DataArray: what its tag says, and the text between its tags.
struct VtkArray {
  std::string section;  ///< Points, Cells, PointData, CellData or FieldData
  std::string name, type, format, offset;
  std::string_view content;
  std::optional<std::size_t> count;  ///< of its numbers, where the file tells
};

/// The array's numbers. Integers beyond 2^53 lose digits, but no mesh that fits in memory has any. Compressed
/// data that would grow to another size than the array's count, or to far more than the file could be about,
/// are refused before they are unpacked. Throws InputError.
std::vector<double> vtk_numbers(const MeshBytes& file, const VtkEncoding& encoding, const VtkArray& array);

}  // namespace bulwark
