// Other programs of the machine that commands make use of.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace bulwark::app {

/// Where the shell would find a program of that name; empty when it would not.
std::optional<std::filesystem::path> find_program(const std::string& name);

}  // namespace bulwark::app
