// Files that are read: every reader opens its file here. It must be a plain file (no pipe to wait for), no
// larger than the machine's memory, and where a folder is given, inside of it after all links are followed.
#pragma once

#include <bulwark/base/error.hpp>

#include <cstdint>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>

namespace bulwark {

class InputFile {
 public:
  /// Throws InputError. `within`: the folder that the file must lie in; empty: anywhere.
  explicit InputFile(const std::filesystem::path& path, const std::filesystem::path& within = {});
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// In bytes, when it was opened.
  std::uint64_t size() const { return size_; }
  /// Bytes [begin, end), or as many of them as there are.
  std::string read(std::uint64_t begin, std::uint64_t end) const;

 private:
  std::string name_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

/// The whole file.
std::string read_file(const std::filesystem::path& path, const std::filesystem::path& within = {});

/// Whether the path, after all links are followed, leads to something in the folder.
bool leads_into(const std::filesystem::path& path, const std::filesystem::path& folder);

/// What this machine has, in bytes.
std::uint64_t machine_memory();

[[noreturn]] void fail_for_memory(const std::string& file);

/// Calls `read`, which reads the file of that name. When memory runs out in it, the error names the file.
template <class Read>
auto naming_file(const std::string& file, Read&& read) {
  try {
    return read();
  } catch (const std::bad_alloc&) {
    fail_for_memory(file);
  } catch (const std::length_error&) {  // a size that no memory could hold
    fail_for_memory(file);
  }
}

}  // namespace bulwark
