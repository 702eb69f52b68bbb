// The reference page of the scene format, made from the schema.
#pragma once

#include <string>

namespace bulwark {

/// Markdown: a section per kind of object, a table row per key. docs/scene-reference.md is this text.
std::string scene_reference_markdown();

}  // namespace bulwark
