// Checks a JSON document against a schema and fills in the defaults. Understands the part of JSON Schema that
// scene/schema.json uses; unlike a general validator it names the one thing that is wrong, not all the ways
// in which an alternative failed.
#pragma once

#include <bulwark/scene/issues.hpp>
#include <bulwark/scene/json_text.hpp>

#include <vector>

namespace bulwark {

/// Everything wrong with the document, at most max_issues + 1 of them. Missing keys that have a default are
/// added.
///
/// Where a schema has alternatives ("oneOf"), the one to speak about is picked by the value's type, then by a
/// key with a constant value (`kind`), then by the type of a list's items. In an object, "oneOf" of
/// "required" lists means: exactly one of these sets of keys.
///
/// Keys with the names of the last version ("renamed" in the schema) get their new ones, and are added to `renamed`
/// where that is given.
std::vector<Issue> check_against_schema(Json& document, const Json& schema,
                                        std::vector<RenamedKey>* renamed = nullptr);

}  // namespace bulwark
