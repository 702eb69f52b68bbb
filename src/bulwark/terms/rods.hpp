// Elastic energy of all rods: stretching of segments, bending and twisting at the vertices between them.
#pragma once

#include <bulwark/bodies/rod_segment.hpp>
#include <bulwark/stencils/rod_bend_twist.hpp>
#include <bulwark/stencils/rod_stretch.hpp>
#include <bulwark/terms/elastic_term.hpp>

#include <vector>

namespace bulwark {

class Rods : public ElasticTerm {
 public:
  /// Of the table's rod segments; rest holds the controls' rest positions, and the directors at rest.
  Rods(const ElementTable& elements, const Vectors& rest);

  /// Frames turn from those of the controls q, which a time step begins at.
  void begin_at(const Vectors& q) override;
  /// Writes the frames' directors at q into q.
  void end_at(Vectors& q) const override;

  double energy(const Vectors& q) const override;
  void add_energies(const Vectors& q, VectorX& at_controls) const override;
  void add_gradient(const Vectors& q, Vectors& gradient) const override;
  void hessian(const Vectors& q, const HessianModel& model, const BlockMap& map,
               HessianBlocks& blocks) const override;
  /// Segments keep a fifth of their length in one step.
  StepLimit largest_step(const ControlPath& path) override;

 private:
  struct Segment {
    int element = -1;  ///< in the table
    RodSegment place;
    RodStretchRest rest;
    RodFrame start;         ///< at the start of the step
    double start_turn = 0;  ///< the turn control's value then
  };
  /// Two segments that meet. The sign is -1 for one that runs against the path from the first to the second.
  struct Joint {
    std::array<int, 2> segments;
    std::array<double, 2> signs;
    std::array<int, 5> controls;  ///< the vertices before, between and after; both turns
    RodVertexRest rest;
  };
  static Vector3 vector_of(const Segment& segment, const Vectors& q) {
    return q.col(segment.place.vertices[1]) - q.col(segment.place.vertices[0]);
  }
  std::array<RodFrame, 2> frames(const Joint& joint) const;
  RodVariables variables(const Joint& joint, const Vectors& q) const;
  JetVector<double> director_at(const Segment& segment, const Vectors& q) const;

  std::vector<Segment> segments_;
  std::vector<Joint> joints_;
};

}  // namespace bulwark
