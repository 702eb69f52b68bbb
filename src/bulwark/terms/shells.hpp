// Elastic energy of all shells: membranes of triangles, which bend at the hinges between them.
#pragma once

#include <bulwark/bodies/shell_hinges.hpp>
#include <bulwark/terms/elastic_term.hpp>

#include <vector>

namespace bulwark {

class Shells : public ElasticTerm {
 public:
  /// Of the table's shell triangles; rest holds the controls' rest positions.
  Shells(const ElementTable& elements, const Vectors& rest);
  ~Shells() override;

  double energy(const Vectors& q) override;
  void add_energies(const Vectors& q, VectorX& at_controls) override;
  void add_gradient(const Vectors& q, Vectors& gradient) override;
  void hessian(const Vectors& q, Psd psd, const BlockMap& map, HessianBlocks& blocks) override;
  /// Triangles stay below their strain limit.
  StepLimit largest_step(const ControlPath& path) override;

  /// The largest stretch of any triangle; 1 where there are none.
  double largest_stretch_of_all(const Vectors& q) const;

 private:
  // Defined where they are used, so that users of this header need no stencils.
  struct Membrane;
  struct BentEdge;
  struct Bending;
  /// Angles since rest into bend_, and the energy's slopes in them into slope_.
  void find_bends(const Vectors& q);

  std::vector<Membrane> membranes_;
  std::vector<BentEdge> hinges_;
  std::vector<Bending> bending_;
  std::vector<double> bend_, slope_;
  std::vector<Matrix3> membrane_gradients_;
  std::vector<Eigen::Matrix<double, 3, 4>> hinge_gradients_;
  bool limited_ = false;
};

}  // namespace bulwark
