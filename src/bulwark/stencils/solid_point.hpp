// Elastic energy at one integration point of a solid element of any kind: weight * psi(F), with gradient and Hessian in
// the element's N controls. With the gradients h_i of its shape functions by the rest coordinates
//   F = sum_i x_i h_i^T,    gradient_i = weight P h_i,    K_ij = weight sum_JL h_iJ h_jL dP_J/dF_L.
// An element is a few such points: a linear tetrahedron one, a quadratic one four, ANCF elements tens. What differs
// between them is made once, at rest (bodies/element_geometry.hpp). Host and device.
#pragma once

#include <bulwark/stencils/elastic_models.hpp>

namespace bulwark {

template <int N>
using ElementControls = Eigen::Matrix<double, 3, N>;  ///< one column per control

template <int N>
struct SolidPoint {
  ElementControls<N> gradients;  ///< h_i
  double weight;                 ///< of the volume at rest, m^3
  double stretch_across = 0;  ///< added to F_33: 1 of elements in a plane, whose h_i have no third component
};

/// The blocks K_ij of an element, i <= j, in the order of `block_number`, each as nine numbers by columns.
template <int N>
using ElementBlocks = Eigen::Matrix<double, 9, N*(N + 1) / 2>;

BULWARK_HD constexpr int block_number(int i, int j) {
  return j * (j + 1) / 2 + i;
}

/// `x` may be shifted as a whole: relative to a node of the element its digits last far from the origin.
template <int N>
BULWARK_HD Matrix3 deformation_gradient(const SolidPoint<N>& point, const ElementControls<N>& x) {
  Matrix3 F = Matrix3::Zero();
  F(2, 2) = point.stretch_across;
  for (int i = 0; i < N; ++i) {
    for (int J = 0; J < 3; ++J) F.col(J) += point.gradients(J, i) * x.col(i);
  }
  return F;
}

template <class Model, int N>
BULWARK_HD double solid_energy(const SolidPoint<N>& point, const typename Model::Parameters& m,
                               const ElementControls<N>& x) {
  return point.weight * Model::energy(m, deformation_gradient<N>(point, x));
}

template <class Model, int N>
BULWARK_HD void add_solid_gradient(const SolidPoint<N>& point, const typename Model::Parameters& m,
                                   const ElementControls<N>& x, ElementControls<N>& gradient) {
  const Matrix3 stress = point.weight * Model::stress(m, deformation_gradient<N>(point, x));
  for (int i = 0; i < N; ++i) gradient.col(i) += stress * point.gradients.col(i);
}

/// Adds the blocks of a tangent dP/dF.
template <int N>
BULWARK_HD void add_solid_blocks(const SolidPoint<N>& point, const ElasticTangent& tangent,
                                 ElementBlocks<N>& blocks) {
  for (int j = 0; j < N; ++j) {
    const Vector3 h = point.weight * point.gradients.col(j);
    Eigen::Matrix<double, 9, 3> of_j;  // column J: sum_L h_jL dP_J/dF_L
    for (int J = 0; J < 3; ++J) {
      of_j.col(J) = h[0] * tangent.col(3 * J) + h[1] * tangent.col(3 * J + 1) + h[2] * tangent.col(3 * J + 2);
    }
    for (int i = 0; i <= j; ++i) {
      const auto g = point.gradients.col(i);
      blocks.col(block_number(i, j)) += g[0] * of_j.col(0) + g[1] * of_j.col(1) + g[2] * of_j.col(2);
    }
  }
}

template <class Model, int N>
BULWARK_HD void add_solid_hessian(const SolidPoint<N>& point, const typename Model::Parameters& m,
                                  const ElementControls<N>& x, Psd psd, ElementBlocks<N>& blocks) {
  add_solid_blocks<N>(point, elastic_tangent<Model>(m, deformation_gradient<N>(point, x), psd), blocks);
}

}  // namespace bulwark
