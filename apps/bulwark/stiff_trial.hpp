// One side of a comparison of stiff bodies: a scene run over a simulated time on one thread, with what it
// took and how many bodies intersected on the way.
#pragma once

#include "bench_table.hpp"

#include <bullet_peer.hpp>
#include <bulwark/scene/load.hpp>
#include <bulwark/sim/simulation.hpp>
#include <mujoco_peer.hpp>

#include <filesystem>
#include <string>

namespace bulwark::app {

struct TrialOptions {
  double step = 0.01;       ///< s
  double duration = 1;      ///< s of simulated time
  bool only_sound = false;  ///< end at the first pair that intersects or passes
  double settling = 0;      ///< s before that, neither timed nor looked at
  int threads = 1;          ///< of ours; 0 means all
  double patience = 0;      ///< s of wall time that ours may take in all; 0 means any
};

struct Trial {
  double step = 0;  ///< s
  int steps = 0;
  double seconds = 0;  ///< in the steps alone: processor time, or wall time with several threads
  double iterations = 0, contacts = 0;  ///< of ours: summed over the steps
  Profile profile;                      ///< of ours, wall time
  double wall_seconds = 0;              ///< of ours: what the profile's times are parts of
  int most_pairs = 0;                   ///< intersecting pairs of bodies at one moment, by the exact check
  double deepest_overlap = 0;           ///< of these, where primitives have radii, m
  int passed = 0;                       ///< pairs of bodies that got past each other inside of a step
  double energy_gain = 0;               ///< of ours: from nothing, J
  double error = 0;     ///< ours: the largest rigidity error; Bullet: the deepest penetration, m
  std::string failure;  ///< why it ended early; "" when it did not

  double milliseconds_a_step() const { return 1e3 * seconds / steps; }
  double seconds_a_second() const { return seconds / (steps * step); }
  bool sound() const { return most_pairs == 0 && passed == 0 && !(energy_gain > 0) && failure.empty(); }
};

/// The exact check looks at states this far apart in simulated time (or at every step, if those are longer).
inline constexpr double check_interval = 0.01;

Trial run_ours(const Scene& scene, const TrialOptions& options);
/// `contact_distance`: at which ours begins to push; half of it is the skin of Bullet's shapes.
Trial run_bullet(const Scene& scene, double contact_distance, BulletShapes shapes,
                 const TrialOptions& options);

/// Spheres in MuJoCo; `contact_distance` is the margin of its geoms.
Trial run_mujoco(const Scene& scene, double contact_distance, const TrialOptions& options);

/// Where our time goes: "8.8 iterations, 1200 contacts a step; ms: assembly 1.2, ..". Phases are measured in
/// wall time; their shares of it, times the processor time, are what is printed.
std::string breakdown(const Trial& trial);
/// "; ended after 12 steps: why", or nothing.
std::string failure_note(const Trial& trial);
BenchRow time_row(const std::string& case_name, const std::string& metric, double ours,
                  const std::string& peer_name, double peer, const std::string& note);
BenchRow own_row(const std::string& case_name, const std::string& metric, double ours,
                 const std::string& note);

/// Bullet as one of the table's peers; none where this build has no Bullet.
struct BulletColumn {
  const char* name;
  BulletShapes shapes;
};
const std::vector<BulletColumn>& bullet_columns();

/// A scene file with all its affine bodies made of the given kind, "affine" or "rigid".
Scene load_stiff_scene(const std::filesystem::path& file, const std::string& kind);

}  // namespace bulwark::app
