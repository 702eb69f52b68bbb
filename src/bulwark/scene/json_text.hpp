// Scene text and its JSON: parsing with comments and limits, finding a value's line, overriding a value,
// renaming keys.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace bulwark {

/// Keys keep the order of the file, so that what is written back reads like what was given.
using Json = nlohmann::ordered_json;

/// Parses JSON with // and /* */ comments. Throws InputError "name:line:column: ..." for anything else:
/// broken syntax, a number that does not fit a double, a key given twice, nesting deeper than 100, text over
/// 256 MiB.
Json parse_json(const std::string& text, const std::string& name);

/// The line (from 1) of the value at a JSON pointer in text that parse_json accepts, or of its nearest
/// ancestor where the value itself is not in the text.
int line_of(const std::string& text, const std::string& pointer);

/// A key with the name that it had in the last version, and the one that it has now.
struct RenamedKey {
  std::string path;  ///< JSON pointer, with the old name
  std::string before, now;
};

/// Text that parse_json accepts with some of its keys renamed; all else, comments and spaces too, stays.
std::string with_keys_renamed(const std::string& text, const std::vector<RenamedKey>& keys);

/// Applies "POINTER=VALUE" (as /time/step=0.005): VALUE is JSON, else a string; null removes a key. Missing
/// objects on the way are made, list items must exist. Returns the pointer.
std::string apply_override(Json& document, const std::string& assignment);

/// `parent` extended by one key, with the characters '~' and '/' escaped.
std::string pointer_to(const std::string& parent, const std::string& key);
std::string pointer_to(const std::string& parent, std::size_t index);

/// A value in a few words for a message: `-1`, `"abc"`, `a list of 3`, `an object`.
std::string brief(const Json& value);

}  // namespace bulwark
