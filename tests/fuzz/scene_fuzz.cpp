// libFuzzer target: any bytes given as a scene must be built or answered by an InputError, never crash or
// hang. Mesh files are looked for in a folder that does not exist, and scenes are kept small so that runs are
// fast.
#include <bulwark/base/error.hpp>
#include <bulwark/scene/load.hpp>

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  bulwark::LoadOptions options;
  options.base_folder = "/nonexistent";
  options.max_vertices = 5000;
  options.max_bodies = 50;
  try {
    bulwark::parse_scene({reinterpret_cast<const char*>(data), size}, "fuzz.json", options);
  } catch (const bulwark::InputError&) {
    // bad input, answered
  }
  return 0;
}
