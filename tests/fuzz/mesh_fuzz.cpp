// libFuzzer target for the mesh readers and the mesh checker. The first byte picks the format, the rest is
// the file. Any bytes must give a mesh or an InputError: no crash, no hang, no other exception.
#include <bulwark/base/error.hpp>
#include <bulwark/geometry/mesh_check.hpp>
#include <bulwark/geometry/mesh_file.hpp>

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static constexpr const char* extensions[] = {"obj", "stl", "ply", "off", "msh", "vtu"};
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    const bulwark::AnyMesh mesh = bulwark::read_mesh_from_memory(bytes, extensions[data[0] % 6], "fuzz");
    if (const auto* solid = std::get_if<bulwark::TetMesh>(&mesh)) {
      bulwark::check_tets(*solid);
    } else {
      bulwark::check_surface(std::get<bulwark::SurfaceMesh>(mesh));
    }
  } catch (const bulwark::InputError&) {
  }
  return 0;
}
