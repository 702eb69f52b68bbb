// Stress and strain at the nodes of solid bodies and at the vertices of their surfaces, for frames and programs.
// Each is evaluated where it lies in every element that has it (bodies/point_stress.hpp), and the mean is taken over
// those elements: plain, and never across bodies. Vertices that ride on a surface, such as those of ANCF bodies, lie
// in the elements that have all of their controls. Elements in which the law has no stress there, being inverted, do
// not count. The same at the points that the elastic energy is summed over, for those who want what the solver sees.
#pragma once

#include <bulwark/bodies/point_stress.hpp>
#include <bulwark/math/symmetric_tensors.hpp>
#include <bulwark/sim/world.hpp>

#include <span>
#include <vector>

namespace bulwark {

struct StressField {
  SymmetricTensors cauchy, second;  ///< Pa
  SymmetricTensors strain;          ///< Green's; xy, yz, xz are half of the shear angles
  VectorX energy_density;           ///< by volume at rest (J/m^3)

  /// Of the Cauchy stress (Pa).
  VectorX von_mises() const;
  Vectors principal_stresses() const;  ///< in descending order
};

/// At the integration points of the solid elements: in the order of the elements, then of each one's rule
/// (bodies/element_geometry.hpp). Of ANCF elements whose energy is in parts, at the points of the volume. The stress is 0
/// where an element is inverted and its law has none.
struct IntegrationPoints {
  std::vector<int> body;     ///< its number
  std::vector<int> element;  ///< its number in the body
  Vectors position;
  std::vector<double> volume;  ///< that the point stands for at rest (m^3)
  StressField stress;

  int count() const { return static_cast<int>(body.size()); }
};

/// The places of a world that have a stress. It serves until bodies come or go.
class StressPlaces {
 public:
  StressPlaces() = default;
  explicit StressPlaces(const World& world);

  /// Whether the world has no solid elements.
  bool empty() const { return laws_.empty(); }

  /// A column for each control, then for each vertex of the collision mesh; 0 where there is no solid, and for
  /// controls that are no points. `q` has the world's controls.
  StressField field(const World& world, const Vectors& q) const;

  IntegrationPoints integration_points(const World& world, const Vectors& q) const;

 private:
  /// One place as one of its elements has it.
  struct Visit {
    int element;
    int node;  ///< of the element; -1: none, but the place
    Vector3 parent;
  };
  void set_node_gradients(ElementType type);
  std::vector<Visit> visits_of_vertex(const World& world, int vertex, std::span<const int> candidates) const;
  PointStress stress_at(const World& world, const Vectors& q, const Visit& visit) const;

  std::vector<std::vector<ElasticLaw>> laws_;
  std::vector<int> law_of_element_;  ///< -1: not a solid
  std::vector<std::vector<Vectors>>
      node_gradients_;  ///< by type and node: of the shape functions, by the parent
  std::vector<Visit> visits_;
  std::vector<std::size_t> begin_;   ///< per column of the field: its first visit; one more at the end
  std::vector<int> node_of_vertex_;  ///< the control that a vertex is; -1: none
};

StressField stress_field(const World& world, const Vectors& q);
IntegrationPoints integration_points(const World& world, const Vectors& q);

}  // namespace bulwark
