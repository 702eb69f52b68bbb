#include "start.hpp"

#include "scene_library.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/base/log.hpp>
#include <bulwark/output/writing/atomic_file.hpp>
#include <bulwark/output/writing/intersections_obj.hpp>
#include <bulwark/scene/load.hpp>
#include <bulwark/scene/odd_values.hpp>

#include <fmt/format.h>

namespace bulwark::app {

LoadedScene load(const std::string& scene, const std::vector<std::string>& overrides) {
  const std::filesystem::path path = find_scene(scene);
  Scene loaded = load_scene(path, overrides);
  for (const std::string& remark : loaded.remarks) log_warning("{}", remark);
  return {std::move(loaded.world),
          std::move(loaded.settings),
          {path.string(), loaded.resolved_json, BULWARK_VERSION}};
}

Simulation start_simulation(const World& world, const Settings& settings,
                            const std::filesystem::path& offenders) {
  try {
    return Simulation(world, settings);
  } catch (const IntersectionError& error) {
    constexpr std::size_t most_pairs = 1000;
    const Vectors positions = vertex_positions(world.collision, world.state.position);
    const std::vector<Intersection> found = find_intersections(world.collision, positions, most_pairs);
    if (found.empty()) throw;  // closer than the minimum distance, but nothing that could be drawn
    if (offenders.empty()) {
      throw IntersectionError(std::string(error.what()) +
                              "\n  `validate -o FILE.obj` writes what intersects to a file");
    }
    std::vector<std::string> names;
    for (const Body& body : world.bodies) names.push_back(body.name);
    if (offenders.has_parent_path()) make_folder(offenders.parent_path());
    write_file_atomically(offenders, intersections_to_obj(found, world.collision, names, positions));
    throw IntersectionError(fmt::format("{}\n  what intersects is in {}", error.what(), offenders.string()));
  }
}

void warn_of_odd_values(const Simulation& simulation) {
  for (const std::string& text :
       odd_values(simulation.world(), simulation.settings(), simulation.derived())) {
    log_warning("{}", text);
  }
}

}  // namespace bulwark::app
