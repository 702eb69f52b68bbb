// A frame's file, opened: its arrays are decoded one by one, when asked for. The viewer takes the positions
// and one field of it, never the cells again; frame_reader makes the whole frame of it.
#pragma once

#include <bulwark/base/file_check.hpp>
#include <bulwark/geometry/vtk_document.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace bulwark {

/// What frames are checked with, and complained of by.
FileCheck frame_check(const std::string& file);

class FrameArrays {
 public:
  /// Opens a frame, in the folder `within` when one is given. Throws InputError, here and wherever arrays are
  /// decoded, when the file is damaged or not one of ours.
  explicit FrameArrays(const std::filesystem::path& path, const std::filesystem::path& within = {});
  /// Of the bytes of a file of that name.
  FrameArrays(std::string bytes, const std::string& name);
  FrameArrays(const FrameArrays&) = delete;
  FrameArrays& operator=(const FrameArrays&) = delete;

  std::size_t point_count() const { return document_.pieces.front().point_count; }
  std::size_t cell_count() const { return document_.pieces.front().cell_count; }
  double time() const;  ///< s
  std::int64_t step() const;

  /// Equal for two frames exactly when they hold the same cells of the same bodies (but for the chance of two
  /// hashes meeting). Found by the bytes of the file, which hold cells as frame_to_vtu writes them.
  std::uint64_t topology() const;
  /// What fields of this frame are checked with.
  const FileCheck& check() const { return check_; }

  /// x, y, z of every point.
  std::vector<double> positions() const;
  /// Numbers, vectors and symmetric tensors on points, numbers on cells; empty when the frame has no such array.
  std::vector<double> point_numbers(std::string_view name) const;
  std::vector<double> point_vectors(std::string_view name) const;
  std::vector<double> point_tensors(std::string_view name) const;
  std::vector<double> cell_numbers(std::string_view name) const;
  /// Of the frame as a whole; empty when it has no such array.
  std::vector<double> field_numbers(std::string_view name) const;
  /// Points and cells.
  FileMesh mesh() const;
  bool has_point_data(std::string_view name) const { return find("PointData", name) != nullptr; }
  bool has_cell_data(std::string_view name) const { return find("CellData", name) != nullptr; }

 private:
  const VtkArray* find(std::string_view section, std::string_view name) const;
  /// All of them finite; none where there is no array.
  std::vector<double> numbers(const VtkArray* array) const;
  std::vector<double> sized_numbers(const VtkArray* array, std::size_t count) const;

  std::string content_;
  MeshBytes file_;
  FileCheck check_;
  VtkDocument document_;
};

}  // namespace bulwark
