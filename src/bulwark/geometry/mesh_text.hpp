// Reads words, lines and numbers from the text of a mesh file, and says where it was when something is wrong.
#pragma once

#include <bulwark/geometry/mesh_readers.hpp>

#include <optional>

namespace bulwark {

class MeshText {
 public:
  explicit MeshText(const MeshBytes& file) : name_(file.name), text_(file.bytes) {}

  /// The next word on any line; empty at the end of the file.
  std::string_view word();
  /// The next word, or nothing when the line has no more.
  std::string_view word_on_line();
  /// The rest of the line, without its end; nothing at the end of the file.
  std::optional<std::string_view> line();

  /// The next bytes as they are; fewer at the end of the file.
  std::string_view take(std::size_t count);

  /// The next word as a number; `what` names it in the error.
  double number(const char* what);
  long long integer(const char* what);
  /// A count of things that take at least two bytes each of the rest of the file, or it is an error.
  std::size_t count(const char* what);

  /// The word as a number, or an error that names it.
  double number(std::string_view word, const char* what) const;
  long long integer(std::string_view word, const char* what) const;

  std::size_t position() const { return at_; }
  std::string_view rest() const { return text_.substr(at_); }
  [[noreturn]] void fail(const std::string& problem, const std::string& remedy = "") const;

 private:
  void finish_line();

  std::string name_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  bool line_is_read_ = false;  ///< a whole line was taken: errors are still on it
};

/// A file's integer as a vertex index, with the format's first index taken away. Any that cannot be an index
/// becomes -1, which is reported with its element when the mesh is checked.
inline int vertex_index(long long value, int first_index = 0) {
  value -= first_index;
  return value >= 0 && value < 2147483647 ? int(value) : -1;
}

}  // namespace bulwark
