// Names of files that carry a number: frame_%04d.png.
#pragma once

#include <cstdint>
#include <filesystem>

namespace bulwark::app {

/// Whether the file's name has a place for a number. Throws InputError when it has one that is not %d or
/// %04d, or more than one.
bool is_numbered(const std::filesystem::path& file);

/// The name with that number.
std::filesystem::path with_number(const std::filesystem::path& file, std::int64_t number);

}  // namespace bulwark::app
