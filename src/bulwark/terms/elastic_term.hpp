// A term of the elastic energy of elements of some types.
#pragma once

#include <bulwark/bodies/element.hpp>
#include <bulwark/terms/term.hpp>

#include <memory>
#include <vector>

namespace bulwark {

class ElasticTerm : public Term {
 public:
  /// Adds the energy of each element at one of its controls: whose energy it is (J).
  virtual void add_energies(const Vectors& q, VectorX& at_controls) const = 0;
  /// A time step begins at q: what the term carries on from step to step is that of q.
  virtual void begin_at(const Vectors& /*q*/) {}
  /// A time step ends at q: writes what it carries on into q.
  virtual void end_at(Vectors& /*q*/) const {}
  /// Writes the von Mises stress (of the Cauchy stress, Pa) of the elements that have one, by their place in
  /// the table.
  virtual void write_stress(const Vectors& /*q*/, std::vector<double>& /*of_elements*/) const {}
};

/// The terms of all elements in the table; rest holds the controls' rest positions. A new type of element has
/// its term made here.
std::vector<std::unique_ptr<ElasticTerm>> make_elastic_terms(const ElementTable& elements,
                                                             const Vectors& rest);

}  // namespace bulwark
