// Elastic energy of all linear tetrahedra.
#pragma once

#include <bulwark/bodies/elastic_material.hpp>
#include <bulwark/geometry/mesh.hpp>
#include <bulwark/terms/term.hpp>

#include <vector>

namespace bulwark {

class Elasticity : public Term {
 public:
  /// material[t] is the material of tetrahedron t; rest holds the controls' rest positions.
  Elasticity(std::vector<Tetrahedron> tetrahedra, const Vectors& rest, const std::vector<int>& material,
             const std::vector<ElasticMaterial>& materials);
  ~Elasticity() override;

  double energy(const Vectors& q) const override;
  /// Adds the energy of each element at one of its controls: whose energy it is (J).
  void add_energies(const Vectors& q, VectorX& at_controls) const;
  void add_gradient(const Vectors& q, Vectors& gradient) const override;
  void hessian(const Vectors& q, const HessianModel& model, const BlockMap& map,
               HessianBlocks& blocks) const override;
  /// Tetrahedra of materials that resist inversion keep a fifth of their volume in one step.
  StepLimit largest_step(const ControlPath& path) override;

  /// Von Mises stress (of the Cauchy stress) of every tetrahedron, Pa.
  std::vector<double> von_mises_stress(const Vectors& q) const;

 private:
  struct Element;  ///< defined where it is used, so that users of this header need no stencils
  static double energy_of(const Element& element, const Vectors& q);

  std::vector<Element> elements_;
};

}  // namespace bulwark
