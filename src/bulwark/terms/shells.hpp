// Elastic energy of all shells: membranes of triangles, which bend at the hinges between them.
#pragma once

#include <bulwark/bodies/shell_hinges.hpp>
#include <bulwark/terms/control_gather.hpp>
#include <bulwark/terms/elastic_term.hpp>

#include <vector>

namespace bulwark {

class Shells : public ElasticTerm {
 public:
  /// Of the table's shell triangles; rest holds the controls' rest positions.
  Shells(const ElementTable& elements, const Vectors& rest);
  ~Shells() override;

  double energy(const Vectors& q) const override;
  void add_energies(const Vectors& q, VectorX& at_controls) const override;
  void add_gradient(const Vectors& q, Vectors& gradient) const override;
  void hessian(const Vectors& q, const HessianModel& model, const BlockMap& map,
               HessianBlocks& blocks) const override;
  /// Triangles stay below their strain limit.
  StepLimit largest_step(const ControlPath& path) override;

  /// The largest stretch of any triangle; 1 where there are none.
  double largest_stretch_of_all(const Vectors& q) const;

 private:
  // Defined where they are used, so that users of this header need no stencils.
  struct Membrane;
  struct BentEdge;
  struct Bending;
  struct Bends;
  Bends bends_at(const Vectors& q) const;

  std::vector<Membrane> membranes_;
  std::vector<BentEdge> hinges_;
  std::vector<Bending> bending_;
  std::vector<std::size_t> without_bending_;  ///< the membranes of triangles that do not bend
  ControlGather membrane_gather_, hinge_gather_;
  bool limited_ = false;
};

}  // namespace bulwark
