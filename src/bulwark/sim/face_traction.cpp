#include <bulwark/bodies/face_surface.hpp>
#include <bulwark/math/quadrature.hpp>
#include <bulwark/sim/face_traction.hpp>

#include <Eigen/Geometry>
#include <Eigen/SparseCholesky>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace bulwark {
namespace {

/// Flags the triangles that forces act on: of those at a vertex what faces the force at least half as much as the one
/// that faces it most. What a pressed face's rim has beside it does not count.
std::vector<char> pressed_triangles(const RidingSurface& surface, const Vectors& positions,
                                    const Vectors& force) {
  constexpr double part_of_most = 0.5;
  std::vector<Vector3> normal;
  std::vector<double> most(positions.cols(), 0);
  const auto facing = [&](std::size_t t, int v) { return -normal[t].dot(force.col(v)); };
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const Triangle& of = surface.triangles[t];
    const Vector3 a = positions.col(of[0]), b = positions.col(of[1]), c = positions.col(of[2]);
    normal.push_back((b - a).cross(c - a).normalized());
    for (const int v : of) most[v] = std::max(most[v], facing(t, v));
  }
  std::vector<char> pressed(surface.triangles.size(), 0);
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    for (const int v : surface.triangles[t])
      pressed[t] |= most[v] > 0 && facing(t, v) >= part_of_most * most[v] ? 1 : 0;
  }
  return pressed;
}

/// A number per vertex that those of triangles which hang together share: the smallest of their vertices.
std::vector<int> connected_parts(const RidingSurface& surface, const std::vector<char>& counts,
                                 int vertices) {
  std::vector<int> above(vertices);
  std::iota(above.begin(), above.end(), 0);
  const auto root = [&](int v) {
    while (above[v] != v) v = above[v] = above[above[v]];
    return v;
  };
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    if (!counts[t]) continue;
    const Triangle& of = surface.triangles[t];
    for (const int v : of) {
      const int a = root(of[0]), b = root(v);
      above[std::max(a, b)] = std::min(a, b);
    }
  }
  for (int v = 0; v < vertices; ++v) above[v] = root(v);
  return above;
}

/// Shape functions at the points of a triangle of a face, with the areas that the points stand for.
template <class Look>
void for_each_point(const ElementGeometry& geometry, const FacePart& part, Look&& look) {
  constexpr int count = 5;
  static const QuadratureRule line = interval_rule(count);
  const Vector3 first = part.parent[1] - part.parent[0], second = part.parent[2] - part.parent[0];
  for (const QuadraturePoint& a : line) {
    for (const QuadraturePoint& b : line) {
      const double u = 0.5 * (1 + a.place[0]), v = 0.5 * (1 + b.place[0]) * (1 - u);
      const ShapeFunctions s = geometry.functions(part.parent[0] + u * first + v * second);
      const Matrix3 map = geometry.rest * s.gradient.transpose();
      look(s.value, 0.25 * a.weight * b.weight * (1 - u) * (map * first).cross(map * second).norm());
    }
  }
}

/// The pressed faces of one connected part.
struct PressedPart {
  std::vector<int> triangles, vertices;
};

/// Values of the fields at the controls that they depend on: the first three columns the normal traction, then
/// friction's.
struct ControlTraction {
  std::map<int, int> row;
  MatrixX value;
  Eigen::Vector<double, 6> force = Eigen::Vector<double, 6>::Zero();  ///< their integrals
};

ControlTraction solve_part(const ElementTable& elements, const Vectors& rest, const Vectors& now,
                           const RidingSurface& surface, const PressedPart& part, const Vectors& normal,
                           const Vectors& friction) {
  constexpr double negligible =
      1e-24;  // the square of a shape function that vanishes on the face, but for rounding
  ControlTraction result;
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<std::pair<int, double>> integrals;  // of the functions over the faces, by row
  const auto row = [&](int control) {
    return result.row.emplace(control, static_cast<int>(result.row.size())).first->second;
  };
  for (const int t : part.triangles) {
    const Element& element = elements.elements[surface.parts[t].element];
    const std::span<const int> controls = elements.controls_of(element);
    ElementGeometry geometry = element_geometry(elements, element, rest);
    for (std::size_t a = 0; a < controls.size(); ++a)
      geometry.rest.col(static_cast<Eigen::Index>(a)) = now.col(controls[a]);
    MatrixX mass = MatrixX::Zero(geometry.rest.cols(), geometry.rest.cols());
    VectorX integral = VectorX::Zero(geometry.rest.cols());
    for_each_point(geometry, surface.parts[t], [&](const VectorX& s, double area) {
      mass += area * s * s.transpose();
      integral += area * s;
    });
    const double threshold = negligible * mass.diagonal().maxCoeff();
    for (Eigen::Index a = 0; a < mass.rows(); ++a) {
      if (!(mass(a, a) > threshold)) continue;
      for (Eigen::Index b = 0; b < mass.rows(); ++b) {
        if (mass(b, b) > threshold) entries.emplace_back(row(controls[a]), row(controls[b]), mass(a, b));
      }
      integrals.emplace_back(row(controls[a]), integral[a]);
    }
  }
  const auto size = static_cast<Eigen::Index>(result.row.size());
  MatrixX force = MatrixX::Zero(size, 6);
  for (const int v : part.vertices) {
    for (const SurfaceWeight& weight : surface.weights[v]) {
      const auto found = result.row.find(weight.control);
      if (found == result.row.end()) continue;
      force.row(found->second).head<3>() += weight.value * normal.col(v).transpose();
      force.row(found->second).tail<3>() += weight.value * friction.col(v).transpose();
    }
  }
  Eigen::SparseMatrix<double> mass(size, size);
  mass.setFromTriplets(entries.begin(), entries.end());
  // Functions of places and of slopes across depend on each other on one side of a shell: forces do so alike, and a
  // little of the diagonal picks one of the solutions that give the same field.
  constexpr double independence = 1e-11;
  Eigen::SparseMatrix<double> definite = mass;
  for (Eigen::Index k = 0; k < size; ++k) definite.coeffRef(k, k) *= 1 + independence;
  result.value = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(definite).solve(force);
  for (const auto& [k, integral] : integrals) result.force += integral * result.value.row(k).transpose();
  return result;
}

}  // namespace

bool has_traction_fields(const World& world, const Body& body) {
  return body.face_cuts && world.elements.elements[body.first_element].type != ElementType::tetrahedron;
}

FaceTraction face_traction(const World& world, const Body& body, const VertexForces& forces) {
  const ElementTable elements =
      own_elements(world.elements, body.first_element, body.element_count, body.first_control);
  const Vectors rest = world.rest.middleCols(body.first_control, body.control_count),
                now = world.state.position.middleCols(body.first_control, body.control_count);
  const RidingSurface surface = face_surface(elements, rest, *body.face_cuts);
  const Vectors normal = forces.normal.middleCols(body.first_vertex, body.vertex_count),
                friction = forces.friction.middleCols(body.first_vertex, body.vertex_count);
  Vectors positions = Vectors::Zero(3, body.vertex_count);
  for (int v = 0; v < body.vertex_count; ++v) {
    for (const SurfaceWeight& weight : surface.weights[v])
      positions.col(v) += weight.value * now.col(weight.control);
  }

  const std::vector<char> pressed = pressed_triangles(surface, positions, normal);
  std::set<int> faces;
  for (std::size_t t = 0; t < pressed.size(); ++t) {
    if (pressed[t]) faces.insert(surface.parts[t].face);
  }
  std::vector<char> counts(pressed.size());  // all triangles of these faces
  for (std::size_t t = 0; t < pressed.size(); ++t) counts[t] = faces.contains(surface.parts[t].face) ? 1 : 0;
  const std::vector<int> part_of = connected_parts(surface, counts, body.vertex_count);
  std::map<int, PressedPart> parts;
  Vectors inward = Vectors::Zero(3, body.vertex_count);
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    if (!counts[t]) continue;
    const Triangle& of = surface.triangles[t];
    parts[part_of[of[0]]].triangles.push_back(static_cast<int>(t));
    const Vector3 a = positions.col(of[0]), b = positions.col(of[1]), c = positions.col(of[2]);
    for (const int v : of) inward.col(v) -= (b - a).cross(c - a);
  }
  for (int v = 0; v < body.vertex_count; ++v) {
    const auto part = parts.find(part_of[v]);
    if (part != parts.end()) part->second.vertices.push_back(v);
  }

  FaceTraction result{std::vector<double>(body.vertex_count, 0), Vectors::Zero(3, body.vertex_count)};
  for (const auto& [root, part] : parts) {
    const ControlTraction field = solve_part(elements, rest, now, surface, part, normal, friction);
    result.normal_force += field.force.head<3>();
    result.friction_force += field.force.tail<3>();
    for (const int v : part.vertices) {
      if (normal.col(v).isZero(0)) continue;
      Vector3 t = Vector3::Zero();
      for (const SurfaceWeight& weight : surface.weights[v]) {
        const auto found = field.row.find(weight.control);
        if (found == field.row.end()) continue;
        t += weight.value * field.value.row(found->second).head<3>().transpose();
        result.traction.col(v) += weight.value * field.value.row(found->second).tail<3>().transpose();
      }
      const double size = inward.col(v).norm();
      if (size > 0) result.pressure[v] = std::max(0.0, t.dot(inward.col(v)) / size);
    }
  }
  return result;
}

}  // namespace bulwark
