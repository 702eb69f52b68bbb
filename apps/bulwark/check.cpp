#include "command_line.hpp"
#include "commands.hpp"
#include "run_frames.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/collision/exact_intersection.hpp>
#include <bulwark/output/frame_list.hpp>
#include <bulwark/output/reading/frame_reader.hpp>

#include <fmt/format.h>

#include <array>

namespace bulwark::app {
namespace {

struct CheckOptions {
  std::string folder;
};

constexpr std::size_t listed_per_frame = 5, limit_per_frame = 1000;
constexpr int exit_intersection = 4;

std::vector<Intersection> intersections_of(const FrameEntry& entry, const Frame& frame,
                                           const CollisionMesh& surface) {
  try {
    return find_intersections(surface, frame.position, limit_per_frame);
  } catch (const InputError& error) {
    throw InputError(entry.path.string(), error.what());
  }
}

int check(const CheckOptions& options) {
  std::size_t bad_frames = 0, pairs = 0, unguarded = 0;
  std::array<std::string, 2> first_unguarded;
  const std::vector<FrameEntry> entries = run_frames(options.folder);
  for (const FrameEntry& entry : entries) {
    const Frame frame = read_frame(entry.path);
    const CollisionMesh surface = collision_surface(frame);
    if (surface.unguarded_pairs.size() > unguarded) {
      unguarded = surface.unguarded_pairs.size();
      for (std::size_t side = 0; side < 2; ++side)
        first_unguarded[side] = frame.body_names[surface.unguarded_pairs[0][side]];
    }
    const std::vector<Intersection> found = intersections_of(entry, frame, surface);
    if (found.empty()) continue;
    ++bad_frames;
    pairs += found.size();
    fmt::print("{} (step {}, t = {} s): {}{} intersecting pairs\n", entry.path.string(), frame.step,
               frame.time, found.size() == limit_per_frame ? "at least " : "", found.size());
    for (std::size_t i = 0; i < std::min(found.size(), listed_per_frame); ++i) {
      fmt::print("  {}\n", describe(surface, frame.position, found[i], frame.body_names));
    }
    if (found.size() > listed_per_frame) fmt::print("  and {} more\n", found.size() - listed_per_frame);
  }
  fmt::print("{} frames checked exactly: {} with intersections, {} intersecting pairs\n", entries.size(),
             bad_frames, pairs);
  if (unguarded > 0) {
    fmt::print(
        "no promise: {} pair{} of bodies ('{}' and '{}'{} not under the barrier, which may overlap and {} "
        "not checked\n",
        unguarded, unguarded == 1 ? "" : "s", first_unguarded[0], first_unguarded[1],
        unguarded == 1 ? ") is" : ", ..) are", unguarded == 1 ? "was" : "were");
  }
  return bad_frames == 0 ? 0 : exit_intersection;
}

}  // namespace

void add_check_command(CommandLine& line) {
  auto [command, options] =
      line.add<CheckOptions>("check", "Exact intersection test over all frames of a run", check);
  command.add_option("DIR", options.folder, "Run folder, or one frame (.vtu)")->required();
  command.footer("Example:\n  bulwark check out/trial");
}

}  // namespace bulwark::app
