#include "command_line.hpp"
#include "commands.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/base/input_file.hpp>
#include <bulwark/base/log.hpp>
#include <bulwark/output/writing/atomic_file.hpp>
#include <bulwark/scene/import_rigid_ipc.hpp>
#include <bulwark/scene/import_urdf.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace bulwark::app {
namespace {

struct ImportOptions {
  std::string file;   ///< a URDF, or a scene of rigid-ipc
  std::string scene;  ///< the scene file to write
  std::string mesh_folder;
  bool rigid = false;
  bool copy_meshes = false;
  // Of URDF files alone:
  std::vector<std::string> package_paths;
  std::vector<std::string> joint_values;  ///< NAME=VALUE
  bool free_base = false, ground = false, hold = false;
};

void write(const std::filesystem::path& path, const std::string& text) {
  if (path.has_parent_path()) make_folder(path.parent_path());
  write_file_atomically(path, text);
}

/// XML begins by `<`, JSON does not.
bool is_xml(const std::string& text) {
  const std::size_t first = text.find_first_not_of("\xef\xbb\xbf \t\r\n");
  return first != std::string::npos && text[first] == '<';
}

[[noreturn]] void refuse(const char* option, const char* why, const char* remedy) {
  throw InputError(option, why, remedy);
}

/// Whatever name or link leads there.
void require_another_file(const std::filesystem::path& written, const std::string& read) {
  std::error_code none;
  if (!std::filesystem::equivalent(written, read, none)) return;
  throw InputError(written.string(), "this is the file that is read, and it would be overwritten",
                   "give another name to -o");
}

ImportedScene import_robot(const std::string& text, const ImportOptions& options) {
  if (options.rigid) refuse("--rigid", "joints need affine bodies", "leave it out");
  if (!options.mesh_folder.empty())
    refuse("--meshes", "this is for rigid-ipc scenes", "use --package-path DIR");
  UrdfOptions import;
  import.file = options.file;
  import.scene = options.scene;
  import.package_paths.assign(options.package_paths.begin(), options.package_paths.end());
  import.copy_meshes = options.copy_meshes;
  import.free_base = options.free_base;
  import.ground = options.ground;
  import.hold = options.hold;
  for (const std::string& setting : options.joint_values) {
    const std::size_t mark = setting.rfind('=');
    const std::string name = setting.substr(0, mark);
    const char* const end = setting.data() + setting.size();
    double value = 0;
    const bool has_value = mark != std::string::npos && mark + 1 < setting.size();
    const auto [rest, error] =
        has_value ? std::from_chars(setting.data() + mark + 1, end, value) : std::from_chars_result{end, {}};
    if (!has_value || name.empty() || error != std::errc() || rest != end || !std::isfinite(value))
      throw InputError("--joint " + setting, "this is not NAME=VALUE",
                       "write e.g. --joint elbow=1.2 (rad or m)");
    import.joint_values[name] = value;
  }
  return import_urdf(text, import);
}

ImportedScene import_rigid_ipc_scene(const std::string& text, const ImportOptions& options) {
  const bool of_robots = !options.package_paths.empty() || options.free_base || options.ground ||
                         options.hold || !options.joint_values.empty();
  if (of_robots)
    throw InputError(options.file, "this is not a URDF file",
                     "--package-path, --free, --ground, --hold and --joint are for URDF files");
  RigidIpcOptions import;
  import.file = options.file;
  import.scene = options.scene;
  import.mesh_folder = options.mesh_folder;
  import.rigid = options.rigid;
  import.copy_meshes = options.copy_meshes;
  return import_rigid_ipc(text, import);
}

int import_scene(const ImportOptions& options) {
  const std::string text = read_file(options.file);
  require_another_file(options.scene, options.file);
  const ImportedScene imported = naming_file(options.file, [&] {
    return is_xml(text) ? import_robot(text, options) : import_rigid_ipc_scene(text, options);
  });
  for (const std::string& warning : imported.warnings) log_warning("{}", warning);
  for (const ImportedFile& file : imported.files) require_another_file(file.path, options.file);
  for (const ImportedFile& file : imported.files) {
    write(file.path, file.source.empty() ? file.text : read_file(file.source));
  }
  write(options.scene, imported.scene);
  fmt::print("{}: {} bodies from {}", options.scene, imported.body_count, options.file);
  if (!imported.files.empty()) fmt::print(", {} mesh files beside it", imported.files.size());
  fmt::print("\n");
  for (const std::string& note : imported.notes) fmt::print("  {}\n", note);
  return 0;
}

}  // namespace

void add_import_command(CommandLine& line) {
  auto [command, options] = line.add<ImportOptions>(
      "import", "Make a scene from a robot (URDF) or a scene of rigid-ipc", import_scene);
  command.add_option("FILE", options.file, "The file to read (URDF or JSON)")->required();
  command.add_option("-o,--output", options.scene, "The scene file to write")
      ->type_name("SCENE.json")
      ->required();
  command.add_flag("--rigid", options.rigid, "rigid-ipc: bodies of kind rigid (default: affine)");
  command.add_option("--meshes", options.mesh_folder, "rigid-ipc: where meshes are looked for first")
      ->type_name("DIR");
  command.add_flag("--copy-meshes", options.copy_meshes,
                   "Copy the mesh files into a folder beside the scene");
  command
      .add_option("--package-path", options.package_paths,
                  "URDF: a folder of the packages of package:// paths; repeatable")
      ->type_name("DIR")
      ->take_all()
      ->expected(1);
  command
      .add_option("--joint", options.joint_values,
                  "URDF: value of a joint at the start, rad or m; repeatable")
      ->type_name("NAME=VALUE")
      ->take_all()
      ->expected(1);
  command.add_flag("--free", options.free_base, "URDF: the root link moves (default: it is held)");
  command.add_flag("--ground", options.ground, "URDF: a plane just below the robot");
  command.add_flag("--hold", options.hold,
                   "URDF: motors hold the joints where they start, up to their effort");
  command.footer(
      "Example:\n  bulwark import robot.urdf -o robot.json --hold --joint elbow=1.2\n"
      "  bulwark import fixtures/3D/chain/3-links.json -o links.json");
}

}  // namespace bulwark::app
