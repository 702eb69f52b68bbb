#include <bulwark/bodies/face_weights.hpp>
#include <bulwark/bodies/riding_surface.hpp>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace bulwark {
namespace {

/// A point of a face: as parts of its corners that sum up to `cuts`, for triangles; as steps along two sides for quads.
using FacePlace = std::array<int, 2>;

Vector3 face_parent(const CellFace& face, const FacePlace& place, int cuts) {
  auto corner = [&](int k) { return Vector3(face.corners[k][0], face.corners[k][1], face.corners[k][2]); };
  const double u = static_cast<double>(place[0]) / cuts, v = static_cast<double>(place[1]) / cuts;
  if (face.corner_count == 3) return (1 - u - v) * corner(0) + u * corner(1) + v * corner(2);
  return (1 - u) * ((1 - v) * corner(0) + v * corner(3)) + u * ((1 - v) * corner(1) + v * corner(2));
}

/// Which place of the mesh it is, however many faces share it: the corners it lies between, with their parts.
std::vector<std::array<int, 2>> shared_place(const std::array<int, 4>& corners, int corner_count,
                                             const FacePlace& place, int cuts) {
  std::vector<std::array<int, 2>> result;
  auto add = [&](int corner, int part) {
    if (part > 0) result.push_back({corners[corner], part});
  };
  const auto [u, v] = place;
  if (corner_count == 3) {
    add(0, cuts - u - v);
    add(1, u);
    add(2, v);
  } else {
    add(0, (cuts - u) * (cuts - v));
    add(1, u * (cuts - v));
    add(2, u * v);
    add(3, (cuts - u) * v);
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<std::array<FacePlace, 3>> face_triangles(int corner_count, int cuts) {
  std::vector<std::array<FacePlace, 3>> result;
  for (int u = 0; u < cuts; ++u) {
    for (int v = 0; v < (corner_count == 3 ? cuts - u : cuts); ++v) {
      const FacePlace a = {u, v}, b = {u + 1, v}, c = {u, v + 1}, d = {u + 1, v + 1};
      result.push_back({a, b, c});
      if (corner_count == 4 || u + v + 1 < cuts) result.push_back({b, d, c});
    }
  }
  return result;
}

std::array<int, 4> face_corners(const SolidMesh& mesh, const BoundaryFace& of, const CellFace& face) {
  const auto lattice = lattice_nodes(mesh.shape, mesh.order);
  std::array<int, 4> corners = {};
  for (int k = 0; k < face.corner_count; ++k) {
    std::array<int, 3> place = face.corners[k];
    for (int& i : place) i *= mesh.order;
    const auto found = std::find(lattice.begin(), lattice.end(), place) - lattice.begin();
    corners[k] = mesh.cell(of.cell)[found];
  }
  return corners;
}

std::vector<SurfaceWeight> sorted_weights(std::span<const int> controls, const VectorX& values) {
  constexpr double negligible = 1e-13;  // rounding of a shape function that vanishes there
  std::vector<SurfaceWeight> weights;
  for (std::size_t a = 0; a < controls.size(); ++a) {
    const double value = values[static_cast<Eigen::Index>(a)];
    if (std::abs(value) > negligible)
      weights.push_back({controls[a], std::abs(value - 1) < negligible ? 1.0 : value});
  }
  std::sort(weights.begin(), weights.end(),
            [](const SurfaceWeight& a, const SurfaceWeight& b) { return a.control < b.control; });
  return weights;
}

ElementGeometry cell_geometry(const SolidMesh& mesh, int cell) {
  const std::span<const int> nodes = mesh.cell(cell);
  ElementGeometry geometry{element_type(mesh.shape, mesh.order), Vectors(3, nodes.size()), Vector3::Zero()};
  for (std::size_t a = 0; a < nodes.size(); ++a)
    geometry.rest.col(static_cast<Eigen::Index>(a)) = mesh.vertices.col(nodes[a]);
  return geometry;
}

/// Numbers vertices by their first controls, as nodes are.
void sort_vertices(RidingSurface& surface) {
  std::vector<int> order(surface.weights.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return surface.weights[a].front().control < surface.weights[b].front().control;
  });
  std::vector<int> place(order.size());
  std::vector<std::vector<SurfaceWeight>> weights;
  for (std::size_t k = 0; k < order.size(); ++k) {
    place[order[k]] = static_cast<int>(k);
    weights.push_back(std::move(surface.weights[order[k]]));
  }
  surface.weights = std::move(weights);
  for (Triangle& t : surface.triangles) {
    for (int& v : t) v = place[v];
  }
}

}  // namespace

RidingSurface cut_boundary(const SolidMesh& mesh, int cuts) {
  RidingSurface surface;
  std::map<std::vector<std::array<int, 2>>, int> number_of;
  int number_of_face = 0;
  const auto faces = cell_faces(mesh.shape);
  for (const BoundaryFace& of : boundary_faces(mesh)) {
    const CellFace& face = faces[of.face];
    const std::array<int, 4> corners = face_corners(mesh, of, face);
    const ElementGeometry geometry = cell_geometry(mesh, of.cell);
    auto vertex = [&](const FacePlace& place) {
      const auto [entry, is_new] = number_of.emplace(shared_place(corners, face.corner_count, place, cuts),
                                                     static_cast<int>(surface.weights.size()));
      if (is_new) {
        const ShapeFunctions functions = geometry.functions(face_parent(face, place, cuts));
        surface.weights.push_back(sorted_weights(mesh.cell(of.cell), functions.value));
      }
      return entry->second;
    };
    const auto weight = [&](const FacePlace& p) {
      return face.corner_count == 3
                 ? triangle_weight(p[0], p[1], cuts, mesh.order)
                 : interval_weight(p[0], cuts, mesh.order) * interval_weight(p[1], cuts, mesh.order);
    };
    for (const auto& t : face_triangles(face.corner_count, cuts)) {
      surface.triangles.push_back({vertex(t[0]), vertex(t[1]), vertex(t[2])});
      surface.parts.push_back(
          {of.cell,
           number_of_face,
           {face_parent(face, t[0], cuts), face_parent(face, t[1], cuts), face_parent(face, t[2], cuts)},
           {weight(t[0]), weight(t[1]), weight(t[2])}});
    }
    ++number_of_face;
  }
  sort_vertices(surface);
  return surface;
}

RidingSurface carried_mesh(const SolidMesh& mesh, const SurfaceMesh& carried, double& farthest) {
  RidingSurface surface;
  surface.triangles = carried.triangles;
  std::vector<ElementGeometry> cells;
  std::vector<Eigen::AlignedBox3d> boxes;
  for (int c = 0; c < mesh.cell_count(); ++c) {
    cells.push_back(cell_geometry(mesh, c));
    Eigen::AlignedBox3d box;
    for (Eigen::Index a = 0; a < cells.back().rest.cols(); ++a) box.extend(Vector3(cells.back().rest.col(a)));
    boxes.push_back(box);
  }
  farthest = 0;
  for (Eigen::Index v = 0; v < carried.vertices.cols(); ++v) {
    const Vector3 point = carried.vertices.col(v);
    // Cells by the distance of their boxes: the first that has the point inside is the one, else the one that the
    // point is least outside of.
    double best = std::numeric_limits<double>::infinity();
    int cell = -1;
    Vector3 parent;
    std::vector<std::pair<double, int>> order;
    for (int c = 0; c < mesh.cell_count(); ++c)
      order.emplace_back(boxes[c].squaredExteriorDistance(point), c);
    const std::size_t looked_at = std::min<std::size_t>(order.size(), 24);
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(looked_at), order.end());
    for (std::size_t k = 0; k < looked_at && best > 0; ++k) {
      const ParentPlace place = parent_place(cells[order[k].second], point);
      const double size = boxes[order[k].second].diagonal().norm();
      if (!(place.distance < 1e-6 * size)) continue;
      const double outside = outside_by(cells[order[k].second].type, place.parent);
      if (outside < best) {
        best = outside;
        cell = order[k].second;
        parent = place.parent;
      }
    }
    farthest = std::max(farthest, best);
    if (cell < 0) {
      farthest = std::numeric_limits<double>::infinity();
      surface.weights.emplace_back();
      continue;
    }
    surface.weights.push_back(sorted_weights(mesh.cell(cell), cells[cell].functions(parent).value));
  }
  return surface;
}

void use_riding_surface(BodyLayout& layout, const RidingSurface& surface, double radius) {
  const auto count = static_cast<Eigen::Index>(surface.weights.size());
  layout.vertices = Vectors::Zero(3, count);
  layout.per_vertex = 0;
  for (Eigen::Index v = 0; v < count; ++v) {
    for (const SurfaceWeight& weight : surface.weights[v]) {
      layout.vertices.col(v) += weight.value * layout.controls.col(weight.control);
      layout.weights.push_back(weight);
    }
    layout.weight_end.push_back(static_cast<int>(layout.weights.size()));
  }
  SurfaceMesh mesh;
  mesh.vertices = layout.vertices;
  mesh.triangles = surface.triangles;
  if (radius > 0) mesh.radius.assign(count, radius);
  set_surface(layout, mesh);
  if (!surface.parts.empty()) layout.corner_shares = corner_shares(surface);
}

}  // namespace bulwark
