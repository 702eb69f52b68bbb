// Symmetric sparse matrices of 3x3 blocks, and their assembly from the stencils of many terms.
#pragma once

#include <bulwark/math/types.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace bulwark {

/// Upper triangle (row <= column) in compressed rows; every diagonal block is present. Read by columns, the
/// same arrays are the lower triangle.
struct BlockMatrix {
  int rows = 0;
  std::vector<int> row_start;
  std::vector<int> column;
  std::vector<Matrix3> value;
  std::uint64_t pattern_version = 0;  ///< changes whenever row_start or column do

  /// y = A x.
  void multiply(const VectorX& x, VectorX& y) const;
};

/// Blocks to be added into a matrix: entry k adds value[k] at (row[k], column[k]), row <= column.
struct BlockList {
  std::vector<std::uint64_t> key;  ///< row << 32 | column
  std::vector<Matrix3> value;

  static std::uint64_t make_key(int row, int column) {
    return static_cast<std::uint64_t>(row) << 32 | static_cast<std::uint32_t>(column);
  }
  void resize(std::size_t count) {
    key.resize(count);
    value.resize(count);
  }
  /// Entry k becomes the block H(i, j) of a stencil at controls a and b, together with its mirror H(j, i).
  void set(std::size_t k, int a, int b, const Matrix3& block) {
    if (a < b) {
      key[k] = make_key(a, b);
      value[k] = block;
    } else {
      key[k] = make_key(b, a);
      value[k] = block.transpose();
    }
  }
};

/// Where the blocks of controls go in a matrix: B at the controls (i, j) enters the rows (row[i], row[j]) as
/// factor[i]^T B factor[j]. A control that follows others has a part in each of their rows instead, and
/// enters every pair of rows (parts[i][a].row, parts[j][b].row) so.
struct BlockMap {
  struct Part {
    int row;
    Matrix3 factor;
  };
  int rows = 0;
  std::vector<int> row;     ///< per control: its own block row, or -1 when it has none
  std::vector<char> plain;  ///< 1 where the factor is the identity and no axis is held
  std::vector<Matrix3> factor;
  std::vector<unsigned char> held;       ///< axes that are out, one bit each (coordinates.hpp)
  std::vector<int> follower;             ///< per control: its place in parts, or -1; empty when none follows
  std::vector<std::vector<Part>> parts;  ///< of the controls that follow others, by rising row
  std::uint64_t version = 0;             ///< changes with the rows, the parts' rows and what is plain

  bool follows(int control) const { return !follower.empty() && follower[control] >= 0; }
};

/// Sums block lists into one matrix over the unknowns. Sorting is repeated only for a list whose keys
/// changed, and the matrix keeps its pattern as long as new blocks fit into it without much waste.
class BlockAssembler {
 public:
  struct Source {
    const BlockList* list;
    double scale;
    bool mapped = false;  ///< the map's factors are in the values already, but for held axes
  };
  /// The sources come in the same order every time. The caller may add to the diagonal of the result.
  BlockMatrix& assemble(std::span<const Source> sources, const BlockMap& map);
  const BlockMatrix& matrix() const { return matrix_; }

  /// Forgets earlier patterns: the next matrix has just the blocks that it needs. Called at the start of a
  /// time step, so that a step's numbers depend on its start state alone, not on how that was reached.
  void begin_step() { fresh_ = true; }

 private:
  /// Entry k of a list as it enters one place of the matrix: by the parts a and b of its two controls (-1:
  /// the control's own row).
  struct Entry {
    std::uint32_t k;
    std::int16_t a = -1, b = -1;
    bool operator<(const Entry& other) const {
      return k != other.k ? k < other.k : a != other.a ? a < other.a : b < other.b;
    }
  };
  /// An entry with its place in the matrix.
  struct Placed {
    int row, column;
    Entry entry;
  };
  struct SortedList {
    std::vector<std::uint64_t> key;       ///< as last given
    std::vector<Entry> order;             ///< entries sorted by key
    std::vector<std::uint32_t> start;     ///< first entry of each distinct key, and the end
    std::vector<std::uint64_t> distinct;  ///< in rows of the matrix
    std::vector<std::uint32_t> row;       ///< first distinct key of each row, and the end
    std::vector<char> plain;              ///< of each distinct key: all its entries enter as they are
    std::vector<std::uint32_t> position;  ///< of each distinct key in the matrix
    std::uint64_t placed_in = 0;          ///< pattern_version that position belongs to
  };
  static std::vector<Placed> placed(const BlockList& list, const BlockMap& map);
  static void sort(SortedList& sorted, const BlockList& list, const BlockMap& map);
  void update_pattern(int rows);

  std::vector<SortedList> lists_;
  std::vector<int> row_of_;
  std::uint64_t map_version_ = 0;
  bool fresh_ = true;
  BlockMatrix matrix_;
};

}  // namespace bulwark
