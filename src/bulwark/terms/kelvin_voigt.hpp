// Kelvin-Voigt viscosity of all solid elements that have it (stencils/kelvin_voigt.hpp): the matrix C of the
// force -C q', for terms/rayleigh_damping.hpp to take when a step begins.
#pragma once

#include <bulwark/bodies/element.hpp>
#include <bulwark/math/block_matrix.hpp>

#include <functional>
#include <vector>

namespace bulwark {

class KelvinVoigt {
 public:
  /// Of the table's elements whose materials have a viscosity; `rest` holds the controls' rest positions.
  KelvinVoigt(const ElementTable& elements, const Vectors& rest);
  bool empty() const { return of_types_.empty(); }

  /// Fills `blocks` with C at q.
  void resistance(const Vectors& q, BlockList& blocks) const;

 private:
  /// Each fills a list with C of the elements of one type.
  std::vector<std::function<void(const Vectors&, BlockList&)>> of_types_;
};

}  // namespace bulwark
