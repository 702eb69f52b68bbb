// Completion of commands and options in shells, made from the program's own description: it can't go stale.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace bulwark::app {

/// The text that a shell sources. `shell` is bash, zsh or fish.
std::string completion_script(const CLI::App& program, const std::string& shell);

}  // namespace bulwark::app
