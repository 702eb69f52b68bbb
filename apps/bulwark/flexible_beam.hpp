// The beam that `bench flexible` has in common with other programs: 3 x 2 x 1 m, held at its least x, 5000 N along x shared
// equally by the nodes of the opposite face, of tetrahedra of order 2, 50 steps of 1 ms; and what a side makes of it.
#pragma once

#include <bulwark/base/profile.hpp>
#include <bulwark/bodies/elastic_material.hpp>
#include <bulwark/geometry/solid_mesh.hpp>
#include <bulwark/sim/settings.hpp>
#include <bulwark/sim/world.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace bulwark::app {

struct FlexibleBeam {
  SolidMesh mesh;  ///< order 2, straight; its corners come first
  ElasticMaterial material;
  Vector3 force = {5000, 0, 0};  ///< N
  bool ramped = false;           ///< the force grows from zero over all steps instead of being there at once
  double step = 1e-3;            ///< s
  int steps = 50;
  std::vector<int> held, loaded;  ///< nodes at the least and at the greatest x
  int tip = 0;                    ///< the node whose motion is compared: a corner of the loaded face

  int corner_count() const;
};

/// A box around the origin of so many cells, five tetrahedra each, raised to the order.
SolidMesh tetrahedral_box(const Vector3& sides, const std::array<int, 3>& cells, int order);
FlexibleBeam flexible_beam(const std::array<int, 3>& cells, const ElasticMaterial& material);
/// St. Venant-Kirchhoff and Mooney-Rivlin with the same shear modulus.
ElasticMaterial svk_beam_material();
ElasticMaterial mooney_rivlin_beam_material();

/// What one side made of it.
struct BeamRun {
  double seconds = 0;        ///< of the stepping loop: processor time on one thread, else wall time
  int solves = 0;            ///< linear ones
  Profile profile;           ///< of ours
  std::vector<Vector3> tip;  ///< its displacement after each step, m
  std::string about;         ///< version and solver of a peer
};

/// The beam as a scene of ours, without contact.
World beam_world(const FlexibleBeam& beam);
Settings beam_settings(const FlexibleBeam& beam, const std::string& integrator, int threads);

/// For times of stepping loops: of the processor on one thread, else of the wall (s).
double loop_seconds(int threads);

/// Ours by an integrator of the scene file. `tolerance` is the Newton step that ends a solve, over the tip's greatest displacement.
BeamRun run_beam(const FlexibleBeam& beam, const std::string& integrator, int threads, double tolerance);

/// A peer's run, or why there is none.
struct PeerBeamRun {
  std::optional<BeamRun> run;
  std::string failure;
};
/// FEniCSx by scripts/peers/fenicsx_beam.py: the same implicit Euler, the fastest of its direct solvers. Several
/// threads are processes of MPI.
PeerBeamRun run_fenicsx(const FlexibleBeam& beam, int threads, double tolerance);
/// CalculiX: Newmark's rule (*DYNAMIC with ALPHA=0), C3D10. A ramped force needs no acceleration at the start, which it finds in its own way. Its time is that of a run less that of one with a single step.
PeerBeamRun run_calculix(const FlexibleBeam& beam, int threads);

/// The displacement of the tip at rest, by CalculiX; a history of one entry. Its time is that of the whole program.
PeerBeamRun run_calculix_static(const FlexibleBeam& beam, int threads);

/// The largest difference of two histories over the largest displacement of the second.
double largest_difference(const std::vector<Vector3>& history, const std::vector<Vector3>& reference);

}  // namespace bulwark::app
