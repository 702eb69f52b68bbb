// Checks a JSON document against a schema and fills in the defaults. Understands the part of JSON Schema that
// scene/schema.json uses; unlike a general validator it names the one thing that is wrong, not all the ways
// in which an alternative failed.
#pragma once

#include <bulwark/scene/issues.hpp>
#include <bulwark/scene/json_text.hpp>

#include <vector>

namespace bulwark {

/// A value of a scene in the plane that means one in space.
struct LiftedValue {
  std::string path;  ///< JSON pointer
  std::string way;   ///< such as "vector": [x, y] means [x, y, 0]
};

/// Everything wrong with the document, at most max_issues + 1 of them. Missing keys that have a default are
/// added.
///
/// Where a schema has alternatives ("oneOf"), the one to speak about is picked by the value's type, then by a
/// key with a constant value (`kind`), then by the type of a list's items. In an object, "oneOf" of
/// "required" lists means: exactly one of these sets of keys.
///
/// Keys with the names of the last version ("renamed" in the schema) get their new ones, and are added to `renamed`
/// where that is given.
///
/// A document whose `dimension` is 2 is held against the schemas that `in_plane` names in place of those beside it; keys
/// for which that is false may only have their defaults. Values that readers want as in space are added to `lifted`,
/// each with the word for its way there ("lift" in the schema); lift_into_space() goes it.
std::vector<Issue> check_against_schema(Json& document, const Json& schema,
                                        std::vector<RenamedKey>* renamed = nullptr,
                                        std::vector<LiftedValue>* lifted = nullptr);

/// Whether the document says that its scene lies in a plane.
bool is_planar(const Json& document);

/// Makes the values of a planar scene that were noted those of the same scene in space, in the plane z = 0.
void lift_into_space(Json& document, const std::vector<LiftedValue>& lifted);

}  // namespace bulwark
