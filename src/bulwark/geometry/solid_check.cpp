// The mesh checker for solids of elements of any order (mesh_check.hpp).
#include <bulwark/base/error.hpp>
#include <bulwark/geometry/cell_jacobian.hpp>
#include <bulwark/geometry/mesh_check.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace bulwark {
namespace {

class SolidChecker {
 public:
  explicit SolidChecker(const SolidMesh& mesh)
      : mesh_(mesh), name_(mesh.shape == CellShape::tetrahedron ? "tetrahedron" : "hexahedron") {}

  std::vector<MeshDefect> run() {
    if (!check_indices()) return std::move(defects_);
    check_vertices();
    if (!defects_.empty() && defects_.front().kind == MeshDefectKind::non_finite_vertex) return sorted();
    check_shapes();
    check_duplicates();
    // An inverted cell disagrees with all its neighbours: naming it once is enough.
    if (defects_.empty()) check_faces();
    return sorted();
  }

 private:
  void add(MeshDefectKind kind, int element, std::string message) {
    if (listed_[kind]++ < max_listed_defects) defects_.push_back({kind, std::move(message), element});
  }

  std::vector<MeshDefect> sorted() {
    std::stable_sort(defects_.begin(), defects_.end(),
                     [](const MeshDefect& a, const MeshDefect& b) { return a.kind < b.kind; });
    return std::move(defects_);
  }

  std::string place_of(int vertex) const {
    const auto x = mesh_.vertices.col(vertex);
    return fmt::format("({:.6g}, {:.6g}, {:.6g})", x[0], x[1], x[2]);
  }

  bool check_indices() {
    for (int c = 0; c < mesh_.cell_count(); ++c) {
      for (const int v : mesh_.cell(c)) {
        if (v >= 0 && v < mesh_.vertices.cols()) continue;
        add(MeshDefectKind::index_out_of_range, c,
            fmt::format("{} {} uses vertex {}, but there are {} vertices.", name_, c, v,
                        mesh_.vertices.cols()));
        return false;
      }
    }
    return true;
  }

  void check_vertices() {
    std::vector<bool> used(std::size_t(mesh_.vertices.cols()), false);
    for (const int v : mesh_.cells) used[std::size_t(v)] = true;
    for (int v = 0; v < mesh_.vertices.cols(); ++v) {
      if (!mesh_.vertices.col(v).allFinite())
        add(MeshDefectKind::non_finite_vertex, v,
            fmt::format("vertex {} has the coordinates {}.", v, place_of(v)));
    }
    for (int v = 0; v < mesh_.vertices.cols(); ++v) {
      if (!used[std::size_t(v)])
        add(MeshDefectKind::unreferenced_vertex, v,
            fmt::format("vertex {} at {} is used by no element.", v, place_of(v)));
    }
  }

  void check_shapes() {
    constexpr double degenerate_ratio = 1e-12;  // of the longest side's cube: less is rounding noise
    const CellJacobian jacobian(mesh_.shape, mesh_.order);
    for (int c = 0; c < mesh_.cell_count(); ++c) {
      const SmallestJacobian smallest = jacobian.smallest(mesh_, c);
      const double longest = longest_side(mesh_, c);
      if (smallest.determinant > degenerate_ratio * longest * longest * longest) continue;
      const bool inverted = smallest.determinant < -degenerate_ratio * longest * longest * longest;
      const std::string what =
          inverted ? fmt::format("is inverted: its Jacobian determinant is {:.3g}", smallest.determinant)
                   : std::string("has no volume");
      add(inverted ? MeshDefectKind::inverted_element : MeshDefectKind::degenerate_element, c,
          fmt::format("{} {} with a corner at {} {} at ({:.3g}, {:.3g}, {:.3g}) of its parent.", name_, c,
                      place_of(mesh_.cell(c)[0]), what, smallest.xi[0], smallest.xi[1], smallest.xi[2]));
    }
  }

  void check_duplicates() {
    std::map<std::vector<int>, int> first;
    for (int c = 0; c < mesh_.cell_count(); ++c) {
      const auto corners = mesh_.cell(c).first(std::size_t(corner_count(mesh_.shape)));
      std::vector<int> key(corners.begin(), corners.end());
      std::sort(key.begin(), key.end());
      const auto [entry, is_new] = first.try_emplace(std::move(key), c);
      if (!is_new)
        add(MeshDefectKind::duplicate_element, c,
            fmt::format("{} {} has the same vertices as {} {}.", name_, c, name_, entry->second));
    }
  }

  /// A face belongs to one cell, or to two that go around it in opposite directions and share all its nodes.
  void check_faces() {
    struct Use {
      int cell;
      std::vector<int> ring;  // corners from the smallest one
    };
    std::map<std::vector<int>, std::vector<Use>> uses;
    for (int c = 0; c < mesh_.cell_count(); ++c) {
      for (const CellFace& face : cell_faces(mesh_.shape)) {
        std::vector<int> ring;
        for (int k = 0; k < face.corner_count; ++k) ring.push_back(corner(c, face.corners[std::size_t(k)]));
        std::rotate(ring.begin(), std::min_element(ring.begin(), ring.end()), ring.end());
        std::vector<int> key = ring;
        std::sort(key.begin(), key.end());
        uses[std::move(key)].push_back({c, std::move(ring)});
      }
    }
    for (auto& [key, list] : uses) {
      if (list.size() == 1) continue;
      std::vector<int> back = list[1].ring;
      std::reverse(back.begin() + 1, back.end());
      if (list.size() == 2 && back == list[0].ring) continue;
      add(MeshDefectKind::inconsistent_orientation, list[1].cell,
          fmt::format("{}s {} and {} do not meet properly in their common face at {}.", name_, list[0].cell,
                      list[1].cell, place_of(key[0])));
    }
  }

  int corner(int cell, std::array<int, 3> place) const {
    for (int& coordinate : place) coordinate *= mesh_.order;
    return mesh_.cell(cell)[std::size_t(node_at(mesh_.shape, mesh_.order, place))];
  }

  const SolidMesh& mesh_;
  std::string name_;
  std::map<MeshDefectKind, std::size_t> listed_;
  std::vector<MeshDefect> defects_;
};

}  // namespace

std::vector<MeshDefect> check_solid(const SolidMesh& mesh) {
  if (mesh.shape != CellShape::tetrahedron || mesh.order > 1) return SolidChecker(mesh).run();
  TetMesh linear{mesh.vertices, {}};
  for (std::size_t i = 0; i + 3 < mesh.cells.size(); i += 4)
    linear.tetrahedra.push_back({mesh.cells[i], mesh.cells[i + 1], mesh.cells[i + 2], mesh.cells[i + 3]});
  return check_tets(linear);
}

void require_valid_solid(const SolidMesh& mesh, const std::string& place) {
  if (mesh.cells.empty())
    throw InputError(place, "the mesh holds no solid elements", "Give a mesh that has a volume.");
  const std::vector<MeshDefect> defects = check_solid(mesh);
  if (!defects.empty()) refuse_mesh(defects, place, "the solid is not valid");
}

}  // namespace bulwark
