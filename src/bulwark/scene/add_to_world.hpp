// Adds to a world, between steps, what a piece of a scene file describes: the same names, defaults and errors
// as in the file itself.
#pragma once

#include <bulwark/scene/load.hpp>

#include <string>

namespace bulwark {

/// `text` is JSON with `bodies`, with `materials` beside those of the scene that the world came from, and
/// with `joints` between any bodies, whose points and axes are in the world at this moment; the scene's resolved
/// JSON fills in everything else. Bodies and joints without a name get one that is new. Throws InputError as
/// parse_scene does, also for names that the world has already; the world may then be half changed, so this
/// is for the copy that Simulation::change gives. Returns the addition with all defaults, as JSON.
std::string add_to_world(World& world, const std::string& text, const std::string& name,
                         const std::string& resolved_scene, const LoadOptions& options = {});

}  // namespace bulwark
