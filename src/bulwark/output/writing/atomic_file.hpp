// Files that appear whole or not at all: written aside, flushed to the disk, then renamed into place.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace bulwark {

/// Ends the names of files that are being written. One that is left over comes from a killed process; the
/// next write of the same file replaces it.
inline constexpr std::string_view partial_suffix = ".partial";

/// Replaces the file at `path` by `content`. Whoever opens `path` at any moment, or after any crash, finds
/// the old file or the new one. Throws OutputError naming the path and the reason.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// Returns once the names of the files in a folder are on the disk: a rename lives in the folder, not in the
/// file.
void flush_folder(const std::filesystem::path& folder);

/// A file that grows at its end and can be cut back: the CSV files of a run.
class AppendedFile {
 public:
  AppendedFile() = default;
  /// Opens the file, makes it when there is none, and cuts it to `length` bytes. Throws OutputError.
  AppendedFile(std::filesystem::path path, std::size_t length);
  ~AppendedFile();
  AppendedFile(AppendedFile&& other) noexcept;
  AppendedFile& operator=(AppendedFile&& other) noexcept;

  /// Adds whole lines in one write, so that other programs can read along.
  void append(std::string_view text);
  /// Returns once everything appended is on the disk.
  void flush();
  std::size_t length() const { return length_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::size_t length_ = 0;
};

/// Makes a folder and its parents. Throws OutputError.
void make_folder(const std::filesystem::path& path);

/// Removes a file or a folder with its content, if it is there. Throws OutputError.
void remove_path(const std::filesystem::path& path);

}  // namespace bulwark
