// Files that are given as a scene but are something else: robots, meshes, scenes of other programs, results.
// Each is answered with how to get a scene.
#pragma once

#include <filesystem>

namespace bulwark {

/// Throws InputError where the file's first bytes or its name say that it is no scene of Bulwark but
/// something known. Looks at the beginning of the file only.
void refuse_foreign_file(const std::filesystem::path& file);

}  // namespace bulwark
