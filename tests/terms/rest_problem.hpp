// The linear problem of elastic elements at rest: their stiffness, what holds them, loads, and the displacements that
// follow. For tests against closed forms, without a simulation in between.
#pragma once

#include <bulwark/bodies/element_geometry.hpp>
#include <bulwark/terms/elastic_term.hpp>

#include <Eigen/SparseCholesky>
#include <cmath>
#include <utility>
#include <vector>

namespace bulwark::test {

/// The Hessian of the energy of all elements at q, with all controls.
inline Eigen::SparseMatrix<double> stiffness(const ElementTable& table, const Vectors& rest,
                                             const Vectors& q) {
  std::vector<Eigen::Triplet<double>> entries;
  auto add = [&](Eigen::Index row, Eigen::Index column, const Matrix3& block) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) entries.emplace_back(3 * row + i, 3 * column + j, block(i, j));
    }
  };
  for (const auto& term : make_elastic_terms(table, rest)) {
    HessianBlocks blocks;
    term->hessian(q, HessianModel::exact(), BlockMap{}, blocks);
    for (std::size_t k = 0; k < blocks.controls.key.size(); ++k) {
      const auto row = static_cast<Eigen::Index>(blocks.controls.key[k] >> 32),
                 column = static_cast<Eigen::Index>(blocks.controls.key[k] & 0xffffffffu);
      add(row, column, blocks.controls.value[k]);
      if (row != column) add(column, row, blocks.controls.value[k].transpose());
    }
  }
  Eigen::SparseMatrix<double> matrix(3 * rest.cols(), 3 * rest.cols());
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

class RestProblem {
 public:
  RestProblem(ElementTable elements, Vectors controls)
      : table(std::move(elements)),
        rest(std::move(controls)),
        force(Vectors::Zero(3, rest.cols())),
        given_(Vectors::Zero(3, rest.cols())),
        held_(3 * rest.cols(), 0) {}

  ElementTable table;
  Vectors rest;
  Vectors force;  ///< on the controls

  /// The displacement of a control along an axis is given.
  void hold(int control, int axis, double displacement = 0) {
    held_[3 * static_cast<std::size_t>(control) + static_cast<std::size_t>(axis)] = 1;
    given_(axis, control) = displacement;
  }
  void hold(int control, const Vector3& displacement = Vector3::Zero()) {
    for (int axis = 0; axis < 3; ++axis) hold(control, axis, displacement[axis]);
  }

  Vectors solve() const {
    const Eigen::SparseMatrix<double> whole = stiffness(table, rest, rest);
    std::vector<Eigen::Triplet<double>> entries;
    VectorX right = flat(force);
    const VectorX given = flat(given_);
    for (Eigen::Index column = 0; column < whole.outerSize(); ++column) {
      for (Eigen::SparseMatrix<double>::InnerIterator it(whole, column); it; ++it) {
        if (held_[it.row()]) continue;
        if (held_[it.col()]) right[it.row()] -= it.value() * given[it.col()];
        if (!held_[it.col()]) entries.emplace_back(it.row(), it.col(), it.value());
      }
    }
    for (Eigen::Index i = 0; i < right.size(); ++i) {
      if (!held_[i]) continue;
      entries.emplace_back(i, i, 1);
      right[i] = given[i];
    }
    Eigen::SparseMatrix<double> matrix(whole.rows(), whole.cols());
    matrix.setFromTriplets(entries.begin(), entries.end());
    const VectorX solution = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(matrix).solve(right);
    return Eigen::Map<const Vectors>(solution.data(), 3, rest.cols());
  }

  /// look(element, its controls, point at rest, volume of the point) over a rule on the parents of all elements.
  template <class Look>
  void over(const QuadratureRule& rule, Look&& look) const {
    for (const Element& element : table.elements) {
      const ElementGeometry geometry = element_geometry(table, element, rest);
      for (const QuadraturePoint& q : rule) {
        const ElementPoint point = element_point(geometry, q.place);
        look(table.controls_of(element), Vector3(geometry.rest * point.value), point.value,
             q.weight * point.determinant);
      }
    }
  }

 private:
  Vectors given_;
  std::vector<char> held_;
};

/// A field of the controls at a point with these shape functions.
inline Vector3 value_at(const Vectors& field, std::span<const int> controls, const VectorX& functions) {
  Vector3 sum = Vector3::Zero();
  for (std::size_t a = 0; a < controls.size(); ++a)
    sum += functions[static_cast<Eigen::Index>(a)] * field.col(controls[a]);
  return sum;
}

/// The order by which an error falls from a coarse to a fine mesh.
inline double order_of(double coarse_error, double fine_error, double refinement = 2) {
  return std::log(coarse_error / fine_error) / std::log(refinement);
}

}  // namespace bulwark::test
