// Spheres and planes of a World in MuJoCo, for benchmarks: sphere geoms with free joints, and their positions
// read back, so that both sides are judged by one exact check.
//
// The model is MuJoCo's default (soft contacts, semi-implicit Euler) but for four things. Geoms have the margin that
// is asked for: with the contact distance, both sides begin to push at the same distance. Jacobians are sparse in
// use, though not in memory. Cones of friction are elliptic, as the law is, with three rows to a contact in place
// of four. And the solver is conjugate gradients, the fastest here: 14 ms a step with 500
// spheres in a heap, against 54 ms of projected Gauss-Seidel; Newton's method gave no result of seven steps in 100 s.
#pragma once

#include <bulwark/sim/settings.hpp>
#include <bulwark/sim/world.hpp>

#include <memory>
#include <optional>
#include <string>

namespace bulwark::app {

class MujocoPeer {
 public:
  /// The step is that of the settings. Throws InputError for what MuJoCo does not get here: bodies that are neither
  /// spheres nor planes at rest, joints, friction that differs between bodies; and where its arrays, which have
  /// an entry for every constraint and unknown, take more memory than they may.
  MujocoPeer(const World& world, const Settings& settings, double margin);
  ~MujocoPeer();
  MujocoPeer(MujocoPeer&&) noexcept;

  /// One step of the settings' length. Throws SolveError where MuJoCo ran out of the room for contacts or warns.
  void step();

  /// Where the world's collision vertices are now.
  Vectors vertex_positions() const;
  /// How many pairs MuJoCo had in contact in the last step.
  int contacts() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// "2.2.2"; empty where this build has no MuJoCo: constructing a MujocoPeer then throws.
std::optional<std::string> mujoco_version();

}  // namespace bulwark::app
