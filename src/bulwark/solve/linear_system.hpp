// A symmetric positive definite system of Newton's method, and its file (`run --record-systems`, `bench solve`).
#pragma once

#include <bulwark/math/block_matrix.hpp>
#include <bulwark/solve/rigid_mode.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bulwark {

struct LinearSystem {
  LinearSystem(const BlockMatrix& A, const VectorX& b, std::span<const RigidMode> rows = {},
               double remainder = 1e-6)
      : matrix(A), rhs(b), modes(rows), tolerance(remainder) {}

  const BlockMatrix& matrix;
  const VectorX& rhs;
  std::span<const RigidMode>
      modes;  ///< of each row; where there are none, all rows are points without a place
  /// Part of the right-hand side that may remain of it; what factorises leaves less.
  double tolerance;
};

/// A system that owns what it is made of.
struct StoredSystem {
  BlockMatrix matrix;
  VectorX rhs;
  std::vector<RigidMode> modes;
  LinearSystem view() const { return {matrix, rhs, modes}; }
};

/// The bytes of a file.
std::string bytes_of_system(const LinearSystem& system);
/// Throws InputError where they are none; `name` is the file's.
StoredSystem system_of_bytes(std::string_view bytes, const std::string& name);
StoredSystem read_system(const std::filesystem::path& file);

}  // namespace bulwark
