// The scenes of the rigid-ipc solver, where they are at hand: $BULWARK_RIGID_IPC_DATA, or beside the source.
#pragma once

#include <bulwark/output/writing/atomic_file.hpp>
#include <bulwark/scene/import_rigid_ipc.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace bulwark::test {

inline std::filesystem::path rigid_ipc_folder() {
  const char* given = std::getenv("BULWARK_RIGID_IPC_DATA");
  return given != nullptr ? given : BULWARK_SOURCE_DIR "/../shared/data/rigid-ipc";
}

/// All scenes in space ("3D"), or in the plane ("2D"), sorted; none where there is no such folder.
inline std::vector<std::filesystem::path> rigid_ipc_fixtures(const std::string& dimension = "3D") {
  std::vector<std::filesystem::path> files;
  const std::filesystem::path folder = rigid_ipc_folder() / "fixtures" / dimension;
  if (!std::filesystem::exists(folder)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Imports a fixture and writes the scene and its meshes.
inline ImportedScene import_fixture(const std::filesystem::path& file,
                                    const std::filesystem::path& scene_file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  RigidIpcOptions options;
  options.file = file;
  options.scene = scene_file;
  const ImportedScene made = import_rigid_ipc(text, options);
  for (const ImportedFile& extra : made.files) {
    make_folder(extra.path.parent_path());
    write_file_atomically(extra.path, extra.text);
  }
  write_file_atomically(scene_file, made.scene);
  return made;
}

}  // namespace bulwark::test
