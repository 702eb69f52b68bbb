#include <bulwark/bodies/face_weights.hpp>
#include <bulwark/bodies/riding_surface.hpp>
#include <bulwark/geometry/box_tree.hpp>

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

namespace {

/// Cells by the boxes around them, to find those next to points.
class CellsByPlace {
 public:
  explicit CellsByPlace(const SolidMesh& mesh) {
    std::vector<Box> in_tree;
    for (int c = 0; c < mesh.cell_count(); ++c) {
      Eigen::AlignedBox3d box;
      for (const int node : mesh.cell(c)) box.extend(Vector3(mesh.vertices.col(node)));
      boxes_.push_back(box);
      in_tree.push_back(tree_box(box.min(), box.max()));
      all_.extend(box);
    }
    tree_.build(in_tree);
  }

  double size(int cell) const { return boxes_[cell].diagonal().norm(); }
  /// Those whose boxes hold the point, ascending.
  std::vector<int> around(const Vector3& point) const { return tree_.overlapping(tree_box(point, point)); }
  /// The first ones by the distance of their boxes.
  std::vector<int> nearest(const Vector3& point, std::size_t count) const {
    const double whole = std::sqrt(all_.squaredExteriorDistance(point)) + all_.diagonal().norm();
    std::vector<std::pair<double, int>> order;
    for (double reach = whole / 256;; reach *= 2) {
      order.clear();
      const Vector3 by = Vector3::Constant(reach);
      for (const int c : tree_.overlapping(tree_box(point - by, point + by)))
        order.emplace_back(boxes_[c].squaredExteriorDistance(point), c);
      std::sort(order.begin(), order.end());
      const bool all = reach > whole || !(whole > 0);
      if (all || (order.size() >= count && order[count - 1].first <= reach * reach)) break;
    }
    std::vector<int> cells;
    for (std::size_t k = 0; k < std::min(count, order.size()); ++k) cells.push_back(order[k].second);
    return cells;
  }

 private:
  static Box tree_box(const Vector3& low, const Vector3& high) {
    return {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
  }

  std::vector<Eigen::AlignedBox3d> boxes_;
  Eigen::AlignedBox3d all_;
  BoxTree tree_;
};

}  // namespace

RidingSurface carried_mesh(const SolidMesh& mesh, const SurfaceMesh& carried, double& farthest) {
  RidingSurface surface;
  surface.triangles = carried.triangles;
  const CellsByPlace cells(mesh);
  farthest = 0;
  for (Eigen::Index v = 0; v < carried.vertices.cols(); ++v) {
    const Vector3 point = carried.vertices.col(v);
    // The first cell that has the point inside is the one; else, of the cells next to it, the one that the point is
    // least outside of.
    constexpr std::size_t looked_at = 24;
    double best = std::numeric_limits<double>::infinity();
    int cell = -1;
    Vector3 parent;
    const auto look = [&](const std::vector<int>& at) {
      for (const int c : at) {
        if (!(best > 0)) return;
        const ElementGeometry geometry = cell_geometry(mesh, c);
        const ParentPlace place = parent_place(geometry, point);
        if (!(place.distance < 1e-6 * cells.size(c))) continue;
        const double outside = outside_by(geometry.type, place.parent);
        if (!(outside < best)) continue;
        best = outside;
        cell = c;
        parent = place.parent;
      }
    };
    look(cells.around(point));
    if (best > 0) look(cells.nearest(point, looked_at));
    farthest = std::max(farthest, best);
    if (cell < 0) {
      surface.weights.emplace_back();
      continue;
    }
    surface.weights.push_back(
        sorted_weights(mesh.cell(cell), cell_geometry(mesh, cell).functions(parent).value));
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
