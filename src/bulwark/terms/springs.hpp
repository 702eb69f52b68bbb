// Elastic energy of all springs between particles: that of a rod's segment which resists stretching alone.
#pragma once

#include <bulwark/stencils/rod_stretch.hpp>
#include <bulwark/terms/elastic_term.hpp>

namespace bulwark {

class Springs : public ElasticTerm {
 public:
  /// Of the table's springs; rest holds the controls' rest positions.
  Springs(const ElementTable& elements, const Vectors& rest);

  double energy(const Vectors& q) const override;
  void add_energies(const Vectors& q, VectorX& at_controls) const override;
  void add_gradient(const Vectors& q, Vectors& gradient) const override;
  void hessian(const Vectors& q, const HessianModel& model, const BlockMap& map,
               HessianBlocks& blocks) const override;
  /// Springs keep a fifth of their length in one step.
  StepLimit largest_step(const ControlPath& path) override;

 private:
  struct Spring {
    int element = -1;  ///< in the table
    std::array<int, 2> ends;
    RodStretchRest rest;
    Vector3 vector(const Vectors& q) const { return q.col(ends[1]) - q.col(ends[0]); }
  };
  std::vector<Spring> springs_;
};

}  // namespace bulwark
