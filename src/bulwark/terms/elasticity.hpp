// Elastic energy of all linear tetrahedra.
#pragma once

#include <bulwark/terms/elastic_term.hpp>

#include <vector>

namespace bulwark {

class Elasticity : public ElasticTerm {
 public:
  /// Of the table's tetrahedra; rest holds the controls' rest positions.
  Elasticity(const ElementTable& elements, const Vectors& rest);
  ~Elasticity() override;

  double energy(const Vectors& q) const override;
  void add_energies(const Vectors& q, VectorX& at_controls) const override;
  void add_gradient(const Vectors& q, Vectors& gradient) const override;
  void hessian(const Vectors& q, const HessianModel& model, const BlockMap& map,
               HessianBlocks& blocks) const override;
  /// Tetrahedra of materials that resist inversion keep a fifth of their volume in one step.
  StepLimit largest_step(const ControlPath& path) override;

  void write_stress(const Vectors& q, std::vector<double>& of_elements) const override;

 private:
  struct Element;  ///< defined where it is used, so that users of this header need no stencils
  static double energy_of(const Element& element, const Vectors& q);

  std::vector<Element> elements_;
};

}  // namespace bulwark
