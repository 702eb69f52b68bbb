#include <bulwark/bodies/mesh_checks.hpp>
#include <bulwark/bodies/planar_layout.hpp>
#include <bulwark/geometry/lagrange_cell.hpp>

#include <cmath>
#include <map>
#include <span>

namespace bulwark {

void set_outline(BodyLayout& layout, const SurfaceMesh& mesh) {
  std::map<Edge, EdgeRole> edges;
  std::vector<char> used(mesh.vertices.cols(), 0);
  for (const Edge& e : mesh.edges) {
    edges[{std::min(e[0], e[1]), std::max(e[0], e[1])}] = EdgeRole::outline;
    for (const int v : e) {
      edges[{v, v}] = EdgeRole::corner;
      used[v] = 1;
    }
  }
  for (const int p : mesh.points) {
    if (!used[p]) edges[{p, p}] = EdgeRole::free;
    used[p] = 1;
  }
  for (const auto& [edge, role] : edges) {
    layout.edges.push_back(edge);
    layout.edge_role.push_back(role);
  }
  for (int v = 0; v < static_cast<int>(used.size()); ++v) {
    if (used[v]) layout.points.push_back(v);
  }
  layout.radius = mesh.radius;
}

void use_cut_outline(BodyLayout& layout, const SolidMesh& mesh, int cuts, double radius) {
  // A vertex by what it is a combination of: sides share their corners.
  std::map<std::vector<std::pair<int, double>>, int> numbers;
  SurfaceMesh outline;
  for (const BoundaryFace& side : boundary_faces(mesh)) {
    const CellFace& face = cell_faces(mesh.shape)[side.face];
    const std::span<const int> nodes = mesh.cell(side.cell);
    int before = -1;
    for (int k = 0; k <= cuts; ++k) {
      Vector3 parent;
      for (int axis = 0; axis < 3; ++axis)
        parent[axis] =
            face.corners[0][axis] + (face.corners[1][axis] - face.corners[0][axis]) * (double(k) / cuts);
      const VectorX values = lagrange_values(mesh.shape, mesh.order, parent);
      std::vector<std::pair<int, double>> weights;
      for (std::size_t a = 0; a < nodes.size(); ++a) {
        constexpr double rounding = 1e-13;
        const double value = values[static_cast<Eigen::Index>(a)];
        if (std::abs(value) > rounding)
          weights.emplace_back(nodes[a], std::abs(value - 1) < rounding ? 1 : value);
      }
      std::sort(weights.begin(), weights.end());
      const int next = numbers.emplace(std::move(weights), static_cast<int>(numbers.size())).first->second;
      if (before >= 0) outline.edges.push_back({before, next});
      before = next;
    }
  }
  // By their first controls, as nodes are.
  std::vector<int> place(numbers.size());
  layout.vertices = Vectors::Zero(3, static_cast<Eigen::Index>(numbers.size()));
  layout.per_vertex = 0;
  int count = 0;
  for (const auto& [weights, number] : numbers) {
    place[number] = count;
    for (const auto& [control, value] : weights) {
      layout.vertices.col(count) += value * layout.controls.col(control);
      layout.weights.push_back({control, value});
    }
    layout.weight_end.push_back(static_cast<int>(layout.weights.size()));
    ++count;
  }
  for (Edge& edge : outline.edges) edge = {place[edge[0]], place[edge[1]]};
  outline.vertices = layout.vertices;
  if (radius > 0) outline.radius.assign(place.size(), radius);
  set_outline(layout, outline);
}

HeldAxes axes_out_of_plane(bool stiff, bool rigid, int place) {
  constexpr HeldAxes z_axis = 4, x_and_y_axes = 3;
  if (!stiff || place == 0) return z_axis;
  if (rigid) return place == 1 ? x_and_y_axes : 0;
  return place == 3 ? all_axes : z_axis;
}

void hold_in_plane(BodyLayout& layout) {
  const bool stiff = layout.stiff.has_value(), rigid = stiff && layout.stiff->rigid;
  for (int k = 0; k < layout.control_count(); ++k) layout.held.push_back(axes_out_of_plane(stiff, rigid, k));
  if (stiff) layout.stiff->turns_about = {false, false, true};
}

void require_in_plane(const Vectors& placed, const BodyOptions& options) {
  for (Eigen::Index v = 0; v < placed.cols(); ++v) {
    require(placed(2, v) == 0, options, fmt::format("vertex {} lies at z = {:.6g}", v, placed(2, v)),
            "all of a scene of dimension 2 lies in the plane z = 0");
  }
}

}  // namespace bulwark
