#include "commands.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/base/log.hpp>
#include <bulwark/output/atomic_file.hpp>
#include <bulwark/scene/import_rigid_ipc.hpp>

#include <fmt/format.h>

#include <fstream>
#include <iterator>

namespace bulwark::app {
namespace {

std::string read_all(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    throw InputError(file.string(), "there is no such file");
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (!stream) throw InputError(file.string(), "the file can't be read", "check its permissions");
  return text;
}

void write(const std::filesystem::path& path, const std::string& text) {
  if (path.has_parent_path()) make_folder(path.parent_path());
  write_file_atomically(path, text);
}

}  // namespace

int import_scene(const ImportOptions& options) {
  RigidIpcOptions import;
  import.file = options.file;
  import.scene = options.scene;
  import.mesh_folder = options.mesh_folder;
  import.rigid = options.rigid;
  import.copy_meshes = options.copy_meshes;
  const ImportedScene imported = import_rigid_ipc(read_all(options.file), import);
  for (const std::string& warning : imported.warnings) log_warning("{}", warning);
  for (const ImportedFile& file : imported.files) {
    write(file.path, file.source.empty() ? file.text : read_all(file.source));
  }
  write(options.scene, imported.scene);
  fmt::print("{}: {} bodies from {}", options.scene, imported.body_count, options.file);
  if (!imported.files.empty()) fmt::print(", {} mesh files beside it", imported.files.size());
  fmt::print("\n");
  return 0;
}

}  // namespace bulwark::app
