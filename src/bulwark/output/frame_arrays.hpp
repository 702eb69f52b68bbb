// Single arrays of a frame's file, for the viewer: a picture needs the positions and one field, never the
// cells again.
#pragma once

#include <bulwark/base/file_check.hpp>
#include <bulwark/geometry/vtk_document.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace bulwark {

class FrameArrays {
 public:
  /// Opens a frame, in the folder `within` when one is given; arrays are decoded when asked for. Throws
  /// InputError when the file is damaged or not one of ours.
  explicit FrameArrays(const std::filesystem::path& path, const std::filesystem::path& within = {});
  /// Of the bytes of a file of that name.
  FrameArrays(std::string bytes, const std::string& name);
  FrameArrays(const FrameArrays&) = delete;
  FrameArrays& operator=(const FrameArrays&) = delete;

  std::size_t point_count() const { return document_.pieces.front().point_count; }
  std::size_t cell_count() const { return document_.pieces.front().cell_count; }
  double time() const;  ///< s

  /// Equal for two frames exactly when they hold the same cells of the same bodies (but for the chance of two
  /// hashes meeting).
  std::uint64_t topology() const { return topology_; }
  /// What fields of this frame are checked with.
  const FileCheck& check() const { return check_; }

  /// x, y, z of every point.
  std::vector<double> positions() const;
  /// Vectors on points, numbers on cells; empty when the frame has no such array.
  std::vector<double> point_vectors(std::string_view name) const;
  std::vector<double> cell_numbers(std::string_view name) const;
  /// Of the frame as a whole; empty when it has no such array.
  std::vector<double> field_numbers(std::string_view name) const;
  bool has_point_data(std::string_view name) const { return find("PointData", name) != nullptr; }
  bool has_cell_data(std::string_view name) const { return find("CellData", name) != nullptr; }

 private:
  const VtkArray* find(std::string_view section, std::string_view name) const;
  std::vector<double> numbers(const VtkArray* array) const;
  std::vector<double> vectors(const VtkArray* array) const;
  std::uint64_t hash_cells() const;

  std::string content_;
  MeshBytes file_;
  FileCheck check_;
  VtkDocument document_;
  std::uint64_t topology_ = 0;
};

}  // namespace bulwark
