// Beams and shells of ANCF elements (ancf_shape.hpp): thick, with an outer surface that collides, and with
// rotations of any size in their slopes.
#pragma once

#include <bulwark/bodies/body_layout.hpp>

#include <array>
#include <vector>

namespace bulwark {

/// Nodes with their slopes, and elements between them: two nodes each of a beam, four of a shell.
struct AncfMesh {
  ElementType type = ElementType::ancf_beam;
  Vectors nodes;
  Vectors slopes;  ///< r_u, r_v, r_w of each node in turn
  std::vector<int> elements;

  int nodes_per_element() const { return shape_of(type).nodes; }
  int element_count() const { return static_cast<int>(elements.size()) / nodes_per_element(); }
};

/// A beam along the edges of a mesh. The width is measured along `across` where that is not zero, else along a
/// direction that is carried along the beam. Throws where more than two edges meet.
AncfMesh ancf_beam_mesh(const SurfaceMesh& wires, const Vector3& across, const std::string& name);

/// A shell over quads whose sides run alike in neighbours; they are turned to do so. Throws where that can't be.
AncfMesh ancf_shell_mesh(const Vectors& nodes, const std::vector<std::array<int, 4>>& quads,
                         const std::string& name);

/// A flat shell in the xz plane, centered, its normal along y.
AncfMesh ancf_plate(double size_x, double size_z, int cells_x, int cells_z);
/// A shell along a part of a cylinder about y, from angle 0 at x on; closed where `radians` is a whole turn.
AncfMesh ancf_cylinder(double radius, double length, double radians, int cells_around, int cells_along);

/// The layout of either; the material has the width and height of the section, or the thickness. `cuts` are the parts
/// along the side of an element that its outer surface is made of; 0: chosen by its shape.
BodyLayout ancf_body(const AncfMesh& mesh, const ElasticMaterial& material, const BodyOptions& options,
                     int cuts = 0);

}  // namespace bulwark
