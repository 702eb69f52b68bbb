// Scenes. Mesh files are looked for in a folder that does not exist, and scenes are kept small so that runs
// are fast.
#include <bulwark/base/error.hpp>
#include <bulwark/scene/load.hpp>

#include <fuzz/feeds.hpp>

namespace bulwark::fuzz {

void feed_scene(std::string_view bytes) {
  LoadOptions options;
  options.base_folder = "/nonexistent";
  options.max_vertices = 5000;
  options.max_bodies = 50;
  try {
    parse_scene(std::string(bytes), "fuzz.json", options);
  } catch (const InputError&) {
  }
}

}  // namespace bulwark::fuzz
