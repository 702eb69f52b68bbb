// The built-in shapes of a scene, as meshes. Each is centred at the origin with its axis along y; lengths are
// in metres and full sides, not halves. Solids come as tetrahedra, and their surface is the boundary of
// those.
#pragma once

#include <bulwark/geometry/mesh.hpp>

#include <string>
#include <variant>
#include <vector>

namespace bulwark {

struct BoxShape {
  Vector3 sides = Vector3::Ones();
  double rounding =
      0;  ///< radius of its edges and corners: the surface is that of a smaller box with a radius
};
struct SphereShape {
  double radius = 1;
};
struct CylinderShape {
  double radius = 1, height = 1;
};
/// A cylinder with round ends; `height` is measured from tip to tip, so it is at least twice the radius.
struct CapsuleShape {
  double radius = 1, height = 3;
};
/// Tip up; the base is at y = -height/2 and the tip at y = +height/2.
struct ConeShape {
  double radius = 1, height = 1;
};
/// The tube's centre line has radius `major`, the tube itself radius `minor`.
struct TorusShape {
  double major = 1, minor = 0.25;
};
/// A chain link: a torus cut in halves, moved apart along x and joined by straight sides of the given length.
struct RingShape {
  double major = 1, minor = 0.25, length = 1;
};
/// A regular tetrahedron, centroid at the origin, one face down.
struct TetrahedronShape {
  double edge = 1;
};
/// A spur gear with involute teeth: pressure angle 20 degrees, pitch radius module * teeth / 2, addendum one
/// module, dedendum 1.25 modules. Teeth are thinner than half the pitch by `gear_backlash` modules, so that
/// two gears at their ideal distance do not touch. The first tooth is centred on +x.
struct GearShape {
  int teeth = 20;
  double module = 0.1;
  double thickness = 0.2;
  double bore = 0.5;  ///< diameter of the hole; 0 for none
};
inline constexpr double gear_backlash = 0.05;

/// A bolt with a right-handed thread and a hexagonal head, which is up. The thread is a cosine wave of depth
/// thread_depth * pitch below `radius`; it is on a crest at y = 0 in the direction +x, and fades out over one
/// pitch below the head.
struct BoltShape {
  double radius = 0.5;
  double length = 2;  ///< of the threaded part, without the head
  double pitch = 0.25;
  double head_radius = 0.9;  ///< to the hexagon's corners
  double head_height = 0.5;
};
/// The hexagonal nut for a bolt of the same radius and pitch: its thread is the bolt's, wider by `clearance`.
/// It fits where the centres of both are a whole number of pitches apart.
struct NutShape {
  double radius = 0.5;
  double pitch = 0.25;
  double height = 0.5;
  double outer_radius = 0.9;  ///< to the hexagon's corners
  double clearance = 0.025;
};
inline constexpr double thread_depth = 0.6;

/// A rectangle in the xz plane, facing +y, of cells[0] by cells[1] squares of two triangles each.
struct GridShape {
  Vector2 size = Vector2::Ones();
  std::array<int, 2> cells = {1, 1};
};
/// A straight line of edges.
struct LineShape {
  Vector3 from = Vector3::Zero(), to = Vector3::UnitX();
  int segments = 1;
};
/// A cylinder's side without an inside or ends: a sheet.
struct TubeShape {
  double radius = 1, height = 1;
};
/// A closed loop of edges in the xz plane.
struct CircleShape {
  double radius = 1;
  int segments = 32;
};
/// A cloud of isolated points.
struct PointsShape {
  std::vector<Vector3> points;
};
/// A terrain over the rectangle `size` of the xz plane: heights[j][i] is y at the i-th place along x of the
/// j-th row along z. Faces +y.
struct HeightFieldShape {
  Vector2 size = Vector2::Ones();
  std::vector<std::vector<double>> heights;
};

using Shape = std::variant<BoxShape, SphereShape, CylinderShape, CapsuleShape, ConeShape, TorusShape,
                           RingShape, TetrahedronShape, GearShape, BoltShape, NutShape, GridShape, LineShape,
                           PointsShape, HeightFieldShape, TubeShape, CircleShape>;

/// The shape's name in a scene file.
std::string shape_name(const Shape& shape);

/// Whether solid_mesh can fill the shape.
bool is_solid(const Shape& shape);

/// The shape's surface, wires or points. `resolution` is the target edge length, 0 for a coarse default;
/// grids, lines, points and height fields bring their own and ignore it. Throws InputError for impossible
/// parameters.
SurfaceMesh surface_mesh(const Shape& shape, double resolution = 0);

/// A sphere or a capsule as it is: a point or an edge with a radius. Empty for all other shapes.
SurfaceMesh round_surface(const Shape& shape);

/// What is drawn of a shape with radii (round_skin.hpp); `around` vertices go around a sphere.
SurfaceMesh shape_skin(const Shape& shape, int around);

/// The shape filled with tetrahedra, all of positive volume. Throws InputError for a shape that has no
/// inside.
TetMesh solid_mesh(const Shape& shape, double resolution = 0);

/// The boundary of a solid as a surface of its own: only the vertices on it, in ascending order.
SurfaceMesh boundary_surface(const TetMesh& solid);

}  // namespace bulwark
