#include <bulwark/base/error.hpp>
#include <bulwark/geometry/tetrahedralize.hpp>
#include <bulwark/sim/body_nodes.hpp>
#include <bulwark/sim/pressure_body.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace bulwark {
namespace {

bool is_tetrahedron(ElementType type) {
  const auto cell = lagrange_cell(type);
  return cell && cell->shape == CellShape::tetrahedron;
}

/// The body's triangles, which follow each other as bodies do.
std::span<const Triangle> triangles_of(const World& world, int body) {
  const CollisionMesh& mesh = world.collision;
  const auto begin_of = [&](int number) {
    return std::partition_point(mesh.triangles.begin(), mesh.triangles.end(),
                                [&](const Triangle& t) { return mesh.vertex_body[t[0]] < number; });
  };
  return {begin_of(body), begin_of(body + 1)};
}

/// Every edge is passed once in either direction.
bool is_closed(std::span<const Triangle> triangles) {
  std::vector<Edge> edges, mirrored;
  for (const Triangle& t : triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int from = t[k], to = t[(k + 1) % 3];
      edges.push_back({from, to});
      mirrored.push_back({to, from});
    }
  }
  std::sort(edges.begin(), edges.end());
  std::sort(mirrored.begin(), mirrored.end());
  return edges == mirrored && std::adjacent_find(edges.begin(), edges.end()) == edges.end();
}

/// The corners of the body's tetrahedra: a mesh of its own, and the control of each of its vertices.
std::pair<TetMesh, std::vector<int>> corner_mesh(const World& world, const Body& body) {
  TetMesh mesh;
  std::vector<int> control_of, vertex_of(body.control_count, -1);
  for (int e = body.first_element; e < body.first_element + body.element_count; ++e) {
    const std::span<const int> controls = world.elements.controls_of(world.elements.elements[e]);
    Tetrahedron cell;
    for (std::size_t k = 0; k < 4; ++k) {
      int& vertex = vertex_of[controls[k] - body.first_control];
      if (vertex < 0) {
        vertex = static_cast<int>(control_of.size());
        control_of.push_back(controls[k]);
      }
      cell[k] = vertex;
    }
    mesh.tetrahedra.push_back(cell);
  }
  mesh.vertices.resize(3, static_cast<Eigen::Index>(control_of.size()));
  for (std::size_t v = 0; v < control_of.size(); ++v)
    mesh.vertices.col(static_cast<Eigen::Index>(v)) = world.rest.col(control_of[v]);
  return {std::move(mesh), std::move(control_of)};
}

/// Four vertices far from each other: what moves as they do by an affine map is a combination of them.
std::array<int, 4> spread_vertices(const Vectors& x) {
  const auto farthest = [&](auto&& measure) {
    int best = 0;
    double largest = -1;
    for (int v = 0; v < x.cols(); ++v) {
      const double value = measure(Vector3(x.col(v)));
      if (value > largest) {
        largest = value;
        best = v;
      }
    }
    return best;
  };
  std::array<int, 4> four{};
  const Vector3 center = x.rowwise().mean();
  four[0] = farthest([&](const Vector3& p) { return (p - center).norm(); });
  const Vector3 a = x.col(four[0]);
  four[1] = farthest([&](const Vector3& p) { return (p - a).norm(); });
  const Vector3 u = Vector3(x.col(four[1])) - a;
  four[2] = farthest([&](const Vector3& p) { return u.cross(p - a).norm(); });
  const Vector3 normal = u.cross(Vector3(x.col(four[2])) - a);
  four[3] = farthest([&](const Vector3& p) { return std::abs(normal.dot(p - a)); });
  return four;
}

std::vector<ControlShare> as_shares(const std::map<int, double>& weights) {
  std::vector<ControlShare> shares;
  for (const auto& [control, weight] : weights) {
    if (weight != 0) shares.push_back({control, weight});
  }
  return shares;
}

/// Of a body that moves as a whole, by four vertices of its surface.
std::vector<std::vector<ControlShare>> shares_of_whole(const World& world, const Body& body,
                                                       const Vectors& points) {
  const Vectors rest = world.collision.rest.middleCols(body.first_vertex, body.vertex_count);
  const std::array<int, 4> four = spread_vertices(rest);
  Matrix3 edges;
  for (int k = 0; k < 3; ++k) edges.col(k) = rest.col(four[k + 1]) - rest.col(four[0]);
  const Matrix3 inverse = edges.inverse();
  std::vector<std::vector<ControlShare>> shares;
  for (Eigen::Index v = 0; v < points.cols(); ++v) {
    const Vector3 part = inverse * (points.col(v) - rest.col(four[0]));
    const std::array<double, 4> weight = {1 - part.sum(), part[0], part[1], part[2]};
    std::map<int, double> sum;
    for (std::size_t k = 0; k < 4; ++k) {
      for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(world.collision.weights,
                                                                          body.first_vertex + four[k]);
           it; ++it)
        sum[static_cast<int>(it.col())] += weight[k] * it.value();
    }
    shares.push_back(as_shares(sum));
  }
  return shares;
}

TetMesh filled(const World& world, int number, double resolution) {
  const Body& body = world.bodies[number];
  SurfaceMesh surface;
  surface.vertices = world.collision.rest.middleCols(body.first_vertex, body.vertex_count);
  for (Triangle t : triangles_of(world, number)) {
    for (int& v : t) v -= body.first_vertex;
    surface.triangles.push_back(t);
  }
  return fill_with_tetrahedra(surface, resolution, fmt::format("body '{}'", body.name));
}

}  // namespace

Vectors PressureBody::positions(const Vectors& controls) const {
  Vectors x(3, static_cast<Eigen::Index>(shares.size()));
  parallel_for(shares.size(), [&](std::size_t v) {
    Vector3 sum = Vector3::Zero();
    for (const auto& [control, weight] : shares[v]) sum += weight * controls.col(control);
    x.col(static_cast<Eigen::Index>(v)) = sum;
  });
  return x;
}

const CollisionPlane* plane_of(const World& world, int body) {
  const auto& planes = world.collision.planes;
  const auto found =
      std::find_if(planes.begin(), planes.end(), [&](const CollisionPlane& p) { return p.body == body; });
  return found == planes.end() ? nullptr : &*found;
}

std::string pressure_refusal(const World& world, int number) {
  const Body& body = world.bodies[number];
  if (plane_of(world, number) != nullptr) return "";
  if (body.kind != BodyKind::deformable && !body.is_stiff() && !body.is_obstacle())
    return fmt::format("a body of the kind \"{}\" has no inside, and so no pressure",
                       body_kind_name(body.kind));
  if (largest_radius(world, body) > 0)
    return "its surface is round, at a distance from its points and triangles; a mesh (`\"round\": false`) can";
  if (body.kind == BodyKind::deformable) {
    for (int e = body.first_element; e < body.first_element + body.element_count; ++e) {
      if (!is_tetrahedron(world.elements.elements[e].type))
        return "its elements are not tetrahedra, in which a pressure is linear";
    }
    return "";
  }
  if (!is_closed(triangles_of(world, number)) || triangles_of(world, number).empty())
    return "its surface is not closed, and so has no inside for a pressure";
  return "";
}

PressureBody pressure_body(const World& world, int number, const HydroelasticSettings& settings) {
  const Body& body = world.bodies[number];
  const double modulus = body.hydroelastic_modulus.value_or(settings.modulus);
  PressureBody result;
  if (body.kind == BodyKind::deformable) {
    auto [mesh, controls] = corner_mesh(world, body);
    result.field = pressure_field(mesh, modulus);
    for (const int control : controls) result.shares.push_back({{control, 1.0}});
    for (const Tetrahedron& t : result.field.center_of) {
      std::map<int, double> sum;
      for (const int v : t) sum[controls[v]] += 0.25;
      result.shares.push_back(as_shares(sum));
    }
  } else {
    const double resolution = settings.resolution.relative
                                  ? settings.resolution.value * body_length(world, body)
                                  : settings.resolution.value;
    result.field = pressure_field(filled(world, number, resolution), modulus);
    result.shares = shares_of_whole(world, body, result.field.rest);
  }
  if (!(result.field.depth > 0)) {
    throw InputError(fmt::format("body '{}'", body.name),
                     "it has no inside for the pressure of hydroelastic contact",
                     "check its mesh with `bulwark validate`, or leave its pairs to the barrier");
  }
  return result;
}

}  // namespace bulwark
