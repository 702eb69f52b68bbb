// A surface of triangles that rides on a body of elements: each of its vertices is a fixed combination of the body's
// controls. The collision surface of curved faces, of ANCF elements, and of any other mesh that a body carries.
#pragma once

#include <bulwark/bodies/body_layout.hpp>
#include <bulwark/bodies/element_geometry.hpp>
#include <bulwark/geometry/solid_mesh.hpp>

#include <array>
#include <vector>

namespace bulwark {

/// Where a triangle of the surface lies on an element: parent coordinates of its corners.
struct FacePart {
  int element;
  int face;  ///< that it is a part of, by a number of its own
  std::array<Vector3, 3> parent;
  std::array<double, 3>
      weight;  ///< of its corners' vertices in an integral over the face, by its area (face_weights.hpp)
};

struct RidingSurface {
  std::vector<Triangle> triangles;
  std::vector<std::vector<SurfaceWeight>> weights;  ///< of each vertex, by ascending control
  std::vector<FacePart> parts;  ///< of each triangle; none where the surface is a carried mesh
};

/// The boundary of a solid, each face cut into triangles by `cuts` parts along its edges. With as many parts as the
/// order the vertices are the nodes themselves.
RidingSurface cut_boundary(const SolidMesh& mesh, int cuts);

/// A mesh that rides on the solid: vertices take the shape functions of the element that they lie in, or nearest to.
/// `farthest` gets the largest distance of a vertex from the solid (in units of an element).
RidingSurface carried_mesh(const SolidMesh& mesh, const SurfaceMesh& carried, double& farthest);

/// Makes it the layout's surface; `radius` is that of the solid around it.
void use_riding_surface(BodyLayout& layout, const RidingSurface& surface, double radius);

}  // namespace bulwark
