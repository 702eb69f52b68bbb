// One JSON object of a rigid-ipc file: typed values by key, a warning for each key that nobody asked for, and
// an IssueFound (JSON path, remedy) for a value of the wrong form. Used by the rigid-ipc importer only.
#pragma once

#include <bulwark/math/types.hpp>
#include <bulwark/scene/json_text.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace bulwark {

/// What the importer could not carry over. The same text at several places counts as one warning.
class ImportWarnings {
 public:
  void add(const std::string& path, const std::string& text);

  struct Warning {
    std::string path;  ///< JSON pointer of the first place
    std::string text;
    int places = 1;
  };
  const std::vector<Warning>& list() const { return list_; }

 private:
  std::vector<Warning> list_;
};

class RigidIpcObject {
 public:
  /// Throws IssueFound unless `json` is an object.
  RigidIpcObject(const Json& json, std::string path, ImportWarnings& warnings);

  const std::string& path() const { return path_; }
  std::string path_of(const std::string& key) const { return pointer_to(path_, key); }

  /// The value, or null where the key is absent or null. The key counts as known from here on.
  const Json* find(const std::string& key);
  bool has(const std::string& key) { return find(key) != nullptr; }

  double number(const std::string& key, double otherwise);
  /// A number above zero.
  double positive(const std::string& key, double otherwise);
  int integer(const std::string& key, int otherwise);
  bool boolean(const std::string& key, bool otherwise);
  std::string text(const std::string& key, const std::string& otherwise);
  Vector3 vector(const std::string& key, const Vector3& otherwise);
  /// One value for all, or a list with at least `Count`.
  std::array<bool, 6> booleans(const std::string& key);

  /// The key is known, but has no counterpart here; `why` completes "is not carried over: ...".
  void leave_out(const std::string& key, const std::string& why);
  /// The key is known, and what it says makes no difference here.
  void skip(const std::string& key) { find(key); }
  void warn(const std::string& key, const std::string& text);

  /// Warns of the keys that were never asked for; those that begin with '#' are comments.
  void warn_of_unknown_keys();

 private:
  const Json& json_;
  std::string path_;
  ImportWarnings& warnings_;
  std::vector<std::string> known_;
};

/// Three numbers. Throws IssueFound.
Vector3 read_rigid_ipc_vector(const Json& value, const std::string& path);

}  // namespace bulwark
