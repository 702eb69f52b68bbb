// The one machine-readable description of the scene format: checks, defaults, the reference page and editors'
// completion all come from it. JSON Schema (2020-12) with two keywords of our own: `unit`, and `renamed` of an
// object, which has the names that keys had in the last version and those that they have now.
#pragma once

#include <bulwark/scene/json_text.hpp>

#include <string>

namespace bulwark {

/// The text of schema.json.
const std::string& scene_schema();

/// The same, parsed.
const Json& scene_schema_document();

/// Follows "$ref" (of the form "#/...") to the schema meant.
const Json& resolved(const Json& schema, const Json& root);

/// An annotation (description, unit, default, title) of a schema: its own, else that of what it refers to;
/// null when there is none.
const Json& annotation(const Json& schema, const Json& root, const char* keyword);

/// What a schema accepts, in words: "a number > 0", "3 numbers", "\"lumped\" or \"consistent\"".
std::string expectation(const Json& schema, const Json& root);

}  // namespace bulwark
