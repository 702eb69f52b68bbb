// From a running simulation to frames.
#pragma once

#include <bulwark/output/frame.hpp>
#include <bulwark/output/writing/frame_skin.hpp>
#include <bulwark/sim/simulation.hpp>
#include <bulwark/sim/stress_field.hpp>

#include <array>
#include <vector>

namespace bulwark {

/// What the frames of a world have in common, found once: points, cells, names, rules. It serves until bodies
/// or joints come or go.
class FrameCapture {
 public:
  explicit FrameCapture(const World& world);

  /// The simulation's current state, with the fields that its settings ask for.
  Frame capture(const Simulation& simulation) const;
  /// None where the settings do not ask for them.
  IntegrationPoints integration_points(const Simulation& simulation) const;

 private:
  /// Values at the points, from those at the controls and at the collision vertices; at the skin's as given.
  Vectors at_points(const World& world, const Vectors& controls, const Vectors& vertices,
                    const Vectors& at_skin) const;
  PointStresses stresses(const Simulation& simulation) const;

  Frame frame_;  ///< without what moves
  StressPlaces stress_places_;
  FrameSkin skin_;          ///< its points come after the bodies' own
  std::vector<int> first_;  ///< per body: its first point
  std::vector<std::vector<std::array<int, 2>>>
      riding_;  ///< per body: vertices that are no nodes, and their points
};

Frame capture_frame(const Simulation& simulation);

}  // namespace bulwark
