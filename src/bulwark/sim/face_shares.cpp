#include <bulwark/bodies/element_geometry.hpp>
#include <bulwark/sim/face_shares.hpp>

#include <Eigen/Geometry>
#include <algorithm>

namespace bulwark {
namespace {

/// A patch of a parent cell: origin + u first + v second, over the unit triangle or square.
struct ParentFace {
  Vector3 origin, first, second;
  bool triangle;
};

ParentFace parent_face(const CellFace& face) {
  auto corner = [&](int k) { return Vector3(face.corners[k][0], face.corners[k][1], face.corners[k][2]); };
  // The side of a triangle in the plane is as deep as that is thick.
  if (face.corner_count == 2) return {corner(0), corner(1) - corner(0), Vector3::UnitZ(), false};
  const int last = face.corner_count - 1;
  return {corner(0), corner(1) - corner(0), corner(last) - corner(0), face.corner_count == 3};
}

/// Adds the integral of each shape function over the face.
void add_face(const ElementGeometry& geometry, std::span<const int> controls, const ParentFace& face,
              int first_control, FaceShares& shares) {
  constexpr int count = 6;
  const QuadratureRule line = interval_rule(count);
  for (const QuadraturePoint& a : line) {
    for (const QuadraturePoint& b : line) {
      double u = 0.5 * (1 + a.place[0]), v = 0.5 * (1 + b.place[0]), weight = a.weight * b.weight / 4;
      if (face.triangle) {
        weight *= 1 - u;
        v *= 1 - u;
      }
      const ShapeFunctions f = geometry.functions(face.origin + u * face.first + v * face.second);
      const Matrix3 map = geometry.map(geometry.rest, f.gradient);
      const double area = weight * (map * face.first).cross(map * face.second).norm();
      for (std::size_t k = 0; k < controls.size(); ++k)
        shares.area[controls[k] - first_control] += area * f.value[static_cast<Eigen::Index>(k)];
    }
  }
  ++shares.count;
}

}  // namespace

FaceShares face_shares(const World& world, const Body& body, const std::vector<char>& chosen) {
  FaceShares shares;
  shares.area.assign(body.control_count, 0.0);
  const ElementTable& table = world.elements;
  SolidMesh solid;  // by the body's own numbers
  auto all_chosen = [&](std::span<const int> nodes, int shift) {
    return std::all_of(nodes.begin(), nodes.end(), [&](int node) { return chosen[node - shift]; });
  };
  for (int e = body.first_element; e < body.first_element + body.element_count; ++e) {
    const Element& element = table.elements[e];
    const std::span<const int> controls = table.controls_of(element);
    if (const auto cell = lagrange_cell(element.type)) {
      solid.shape = cell->shape;
      solid.order = cell->order;
      for (const int control : controls) solid.cells.push_back(control - body.first_control);
    } else if (element.type == ElementType::shell_triangle && all_chosen(controls, body.first_control)) {
      const Vector3 a = world.rest.col(controls[0]), b = world.rest.col(controls[1]),
                    c = world.rest.col(controls[2]);
      for (const int control : controls)
        shares.area[control - body.first_control] += (b - a).cross(c - a).norm() / 6;
      ++shares.count;
    } else if (element.type == ElementType::ancf_shell && all_chosen(controls.first(4), body.first_control)) {
      const ParentFace middle = {Vector3(-1, -1, 0), 2 * Vector3::UnitX(), 2 * Vector3::UnitY(), false};
      add_face(element_geometry(table, element, world.rest), controls, middle, body.first_control, shares);
    }
  }
  if (solid.cells.empty()) return shares;
  solid.vertices.resize(3, body.control_count);
  const auto faces = cell_faces(solid.shape);
  const auto lattice = lattice_nodes(solid.shape, solid.order);
  for (const BoundaryFace& of : boundary_faces(solid)) {
    const ParentFace face = parent_face(faces[of.face]);
    const Vector3 normal = face.first.cross(face.second);
    bool all = true;
    for (std::size_t a = 0; a < lattice.size(); ++a) {
      const Vector3 place = Vector3(lattice[a][0], lattice[a][1], lattice[a][2]) / solid.order;
      if (std::abs((place - face.origin).dot(normal)) < 1e-9) all = all && chosen[solid.cell(of.cell)[a]];
    }
    if (!all) continue;
    const Element& element = table.elements[body.first_element + of.cell];
    add_face(element_geometry(table, element, world.rest), table.controls_of(element), face,
             body.first_control, shares);
  }
  for (double& area : shares.area) {
    if (std::abs(area) < 1e-14) area = 0;
  }
  return shares;
}

}  // namespace bulwark
