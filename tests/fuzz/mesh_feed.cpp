// The mesh readers and the mesh checker. The first digit picks the format: 0 obj, 1 stl, 2 ply, 3 off, 4 msh,
// 5 vtu, 6 inp.
#include <bulwark/base/error.hpp>
#include <bulwark/geometry/mesh_check.hpp>
#include <bulwark/geometry/mesh_file.hpp>

#include <fuzz/feeds.hpp>

namespace bulwark::fuzz {

void feed_mesh(std::string_view bytes) {
  static constexpr const char* extensions[] = {"obj", "stl", "ply", "off", "msh", "vtu", "inp"};
  if (bytes.empty()) return;
  const char* extension = extensions[static_cast<unsigned char>(bytes[0] - '0') % 7];
  try {
    const AnyMesh mesh = read_mesh_from_memory(bytes.substr(1), extension, "fuzz");
    if (const auto* solid = std::get_if<TetMesh>(&mesh)) {
      check_tets(*solid);
    } else if (const auto* cells = std::get_if<SolidMesh>(&mesh)) {
      check_solid(*cells);
      boundary_triangles(*cells);
    } else {
      check_surface(std::get<SurfaceMesh>(mesh));
    }
  } catch (const InputError&) {
  }
}

}  // namespace bulwark::fuzz
