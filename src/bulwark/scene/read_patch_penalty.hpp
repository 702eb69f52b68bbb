// Reads the settings of patch-penalty contact, of a scene or of a pair of bodies.
#pragma once

#include <bulwark/scene/json_text.hpp>
#include <bulwark/sim/patch_penalty_settings.hpp>

#include <string>

namespace bulwark {

/// `path`: where the object is in the file, for messages.
PatchPenaltySettings read_patch_penalty(const Json& json, const std::string& path);

}  // namespace bulwark
