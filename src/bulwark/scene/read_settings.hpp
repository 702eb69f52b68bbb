// The settings of a scene file, from JSON that the schema has accepted and filled with defaults.
#pragma once

#include <bulwark/scene/json_text.hpp>
#include <bulwark/sim/settings.hpp>

namespace bulwark {

/// Throws IssueFound when duration and step ask for more steps than can be counted.
Settings read_settings(const Json& scene);

}  // namespace bulwark
