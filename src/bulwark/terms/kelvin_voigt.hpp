// Kelvin-Voigt viscosity of all tetrahedra that have it (stencils/kelvin_voigt.hpp): the matrix C of the
// force -C q', for terms/rayleigh_damping.hpp to take when a step begins.
#pragma once

#include <bulwark/geometry/mesh.hpp>
#include <bulwark/math/block_matrix.hpp>
#include <bulwark/stencils/kelvin_voigt.hpp>

#include <vector>

namespace bulwark {

class KelvinVoigt {
 public:
  /// One viscosity per tetrahedron; `rest` holds the controls' rest positions.
  KelvinVoigt(std::vector<Tetrahedron> tetrahedra, const Vectors& rest, std::vector<Viscosity> viscosity);

  /// Fills `blocks` with C at q.
  void resistance(const Vectors& q, BlockList& blocks) const;

 private:
  struct Element {
    Tetrahedron vertices;
    TetRest rest;
    Viscosity viscosity;
  };
  std::vector<Element> elements_;
};

}  // namespace bulwark
