#include <bulwark/base/error.hpp>
#include <bulwark/scene/foreign_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <string>

namespace bulwark {
namespace {

constexpr std::array readable_meshes = {"obj", "stl", "ply", "off", "msh", "vtu", "inp"};
constexpr std::array other_meshes = {"glb", "gltf", "fbx",  "dae",  "blend", "3ds",  "step", "stp", "iges",
                                     "igs", "usd",  "usda", "usdc", "vtk",   "mesh", "3mf",  "x3d", "wrl"};

std::string beginning_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text(4096, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, stream.gcount())));
  return text;
}

std::string extension_of(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  if (!extension.empty()) extension.erase(0, 1);
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

/// A scene around a mesh, to begin with. It stands beside the mesh.
std::string scene_around(const std::filesystem::path& mesh) {
  return fmt::format(
      "a scene names it as the mesh of a body. Save this beside it as scene.json, and run that:\n"
      "    {{ \"bulwark\": 1, \"time\": {{ \"duration\": 1 }}, \"bodies\": [\n"
      "      {{ \"kind\": \"obstacle\", \"shape\": {{ \"plane\": {{ \"point\": [0, -1, 0] }} }} }},\n"
      "      {{ \"kind\": \"rigid\", \"mesh\": \"{}\", \"material\": {{ \"model\": \"rigid\", \"density\": "
      "1000 }} }}\n"
      "    ] }}",
      mesh.filename().string());
}

template <class List>
bool has(const List& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace

void refuse_foreign_file(const std::filesystem::path& file) {
  const std::string text = beginning_of(file), name = file.string(), extension = extension_of(file);
  const std::size_t start = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  const char first = start == std::string::npos ? '\0' : text[start];
  const auto holds = [&](const char* part) { return text.find(part) != std::string::npos; };
  const std::string import = fmt::format("`bulwark import {} -o {}`", name, file.stem().string() + ".json");
  if (first == '{' || first == '/') {  // JSON, perhaps after a comment
    if (holds("\"rigid_body_problem\"") || holds("\"distance_barrier_rb_problem\"")) {
      throw InputError(name, "this is a rigid-ipc scene", "convert it: " + import);
    }
    if (holds("\"asset\"") && extension == "gltf")
      throw InputError(name, "this is a mesh (glTF), which Bulwark does not read", "export it as obj");
    return;
  }
  if (first == '<') {
    if (holds("<robot"))
      throw InputError(name, "this is a robot (URDF), not a scene", "make a scene from it: " + import);
    for (const auto& [tag, what] :
         {std::pair{"<mujoco", "a MuJoCo model"}, std::pair{"<sdf", "an SDF model"}}) {
      if (holds(tag))
        throw InputError(name, fmt::format("this is {}, which Bulwark does not read", what),
                         "convert it to URDF, which `bulwark import` reads");
    }
  }
  if (has(readable_meshes, extension))
    throw InputError(name, "this is a mesh, not a scene", scene_around(file));
  if (has(other_meshes, extension)) {
    throw InputError(name, "this is a mesh, in a format that Bulwark does not read",
                     "export it as obj, stl, ply, off, msh, vtu or inp, and name that in a scene");
  }
  if (extension == "py")
    throw InputError(name, "this is a Python program, not a scene", "run it with python3");
  if (extension == "csv" || extension == "mp4" || extension == "svg" || extension == "png")
    throw InputError(name, "this is a result, not a scene", "give the scene file (JSON) that made it");
}

}  // namespace bulwark
