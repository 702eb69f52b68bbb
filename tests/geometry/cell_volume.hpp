// The volume of solids of any order, by quadrature, for tests.
#pragma once

#include <bulwark/geometry/lagrange_cell.hpp>

#include <Eigen/LU>

#include <array>
#include <functional>

namespace bulwark {

/// Gauss's rule of five points on each side of a cube, squeezed into the tetrahedron for one: exact enough for
/// Jacobians of order 4.
inline double solid_volume(const SolidMesh& mesh) {
  static constexpr std::array<double, 5> place = {0.046910077030668004, 0.23076534494715845, 0.5,
                                                  0.76923465505284155, 0.95308992296933200};
  static constexpr std::array<double, 5> weight = {0.11846344252809454, 0.23931433524968323,
                                                   0.28444444444444444, 0.23931433524968323,
                                                   0.11846344252809454};
  double volume = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      for (std::size_t k = 0; k < 5; ++k) {
        Vector3 xi(place[i], place[j], place[k]);
        double w = weight[i] * weight[j] * weight[k];
        if (mesh.shape == CellShape::tetrahedron) {
          w *= (1 - xi[0]) * (1 - xi[0]) * (1 - xi[1]);
          xi = {xi[0], xi[1] * (1 - xi[0]), xi[2] * (1 - xi[0]) * (1 - xi[1])};
        }
        const Vectors gradients = lagrange_gradients(mesh.shape, mesh.order, xi);
        for (int c = 0; c < mesh.cell_count(); ++c) {
          Matrix3 jacobian = Matrix3::Zero();
          for (std::size_t a = 0; a < mesh.cell(c).size(); ++a)
            jacobian += mesh.vertices.col(mesh.cell(c)[a]) * gradients.col(Eigen::Index(a)).transpose();
          volume += w * jacobian.determinant();
        }
      }
    }
  }
  return volume;
}

}  // namespace bulwark
