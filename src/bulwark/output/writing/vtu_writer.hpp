// The VTU format of ParaView, as far as writing it goes: an XML head that describes arrays, then the arrays
// themselves, raw and compressed by zlib in blocks. Numbers are written bit by bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bulwark {

/// Arrays of whole numbers as the last file had them, with their compressed bytes: cells and names mostly
/// stay the same from one file to the next, and need not be compressed again.
struct VtuCache {
  struct Array {
    std::string raw, compressed;
  };
  std::vector<Array> arrays;  ///< in the order in which they are added to a file
};

/// Collects the arrays of one file and the bytes that its head points to.
class VtuArrays {
 public:
  explicit VtuArrays(VtuCache* cache = nullptr) : cache_(cache) {}

  /// Adds an array and returns the DataArray element that describes it. `tuples` states the length of arrays
  /// that are not one per point or cell (those in FieldData).
  std::string add(std::string_view name, std::span<const double> values, int components = 1,
                  bool tuples = false);
  std::string add(std::string_view name, std::span<const int> values, int components = 1,
                  bool tuples = false);
  std::string add(std::string_view name, std::span<const std::uint8_t> values, int components = 1,
                  bool tuples = false);

  /// What follows `_` in the AppendedData element.
  const std::string& bytes() const { return bytes_; }

 private:
  std::string add_raw(std::string_view type, std::string_view name, const void* data, std::size_t count,
                      std::size_t item_size, int components, bool tuples, bool may_repeat);
  std::string bytes_;
  VtuCache* cache_;
  std::size_t cached_ = 0;  ///< arrays of this file that went through the cache
};

/// A file's parts as XML, whose arrays are in `arrays`.
struct VtuGrid {
  std::size_t points = 0, cells = 0;
  std::string field_data, positions, topology, point_data, cell_data;
};

/// The bytes of the file.
std::string vtu_file(const VtuGrid& grid, const VtuArrays& arrays);

}  // namespace bulwark
