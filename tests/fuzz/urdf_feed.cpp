// Robots: imported, and the scene that they become is built. Mesh files are looked for in a folder that does
// not exist.
#include <bulwark/base/error.hpp>
#include <bulwark/scene/import_urdf.hpp>
#include <bulwark/scene/load.hpp>

#include <fuzz/feeds.hpp>

namespace bulwark::fuzz {

void feed_urdf(std::string_view bytes) {
  UrdfOptions options;
  options.file = "/nonexistent/robot.urdf";
  options.scene = "/nonexistent/robot.json";
  options.hold = bytes.size() % 2 == 1;
  options.ground = bytes.size() % 3 == 1;
  LoadOptions load;
  load.base_folder = "/nonexistent";
  load.max_vertices = 5000;
  load.max_bodies = 50;
  try {
    const ImportedScene imported = import_urdf(std::string(bytes), options);
    parse_scene(imported.scene, "robot.json", load);
  } catch (const InputError&) {
  }
}

}  // namespace bulwark::fuzz
