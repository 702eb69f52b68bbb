#include "programs.hpp"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace bulwark::app {

std::optional<std::filesystem::path> find_program(const std::string& name) {
  const char* folders = std::getenv("PATH");
  std::istringstream list(folders == nullptr ? "/usr/local/bin:/usr/bin:/bin" : folders);
  for (std::string folder; std::getline(list, folder, ':');) {
    const std::filesystem::path file = std::filesystem::path(folder) / name;
    std::error_code error;
    if (std::filesystem::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0) return file;
  }
  return std::nullopt;
}

}  // namespace bulwark::app
