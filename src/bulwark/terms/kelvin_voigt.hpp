// Kelvin-Voigt viscosity of all tetrahedra that have it (stencils/kelvin_voigt.hpp): the matrix C of the
// force -C q', for terms/rayleigh_damping.hpp to take when a step begins.
#pragma once

#include <bulwark/bodies/element.hpp>
#include <bulwark/geometry/mesh.hpp>
#include <bulwark/math/block_matrix.hpp>
#include <bulwark/stencils/kelvin_voigt.hpp>

#include <vector>

namespace bulwark {

class KelvinVoigt {
 public:
  /// Of the table's tetrahedra whose materials have a viscosity; `rest` holds the controls' rest positions.
  KelvinVoigt(const ElementTable& elements, const Vectors& rest);
  bool empty() const { return elements_.empty(); }

  /// Fills `blocks` with C at q.
  void resistance(const Vectors& q, BlockList& blocks) const;

 private:
  struct Viscous {
    Tetrahedron vertices;
    TetRest rest;
    Viscosity viscosity;
  };
  std::vector<Viscous> elements_;
};

}  // namespace bulwark
