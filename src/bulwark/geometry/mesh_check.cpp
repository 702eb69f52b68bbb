#include <bulwark/base/error.hpp>
#include <bulwark/geometry/mesh_check.hpp>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <map>
#include <numeric>

namespace bulwark {
namespace {

using Kind = MeshDefectKind;

/// Relative to the longest edge: below this, an area or volume is rounding noise.
constexpr double degenerate_ratio = 1e-12;
/// Relative to the edge's length: a vertex this near to an edge was meant to be on it.
constexpr double junction_ratio = 1e-7;

std::string text(const Vector3& x) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", x[0], x[1], x[2]);
}

class Checker {
 public:
  explicit Checker(const Vectors& vertices) : x_(vertices), referenced_(vertices.cols(), false) {}

  /// Marks the vertices of elements; false when one does not exist.
  template <std::size_t n>
  bool use(const std::vector<std::array<int, n>>& elements, const char* name) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      for (int v : elements[i]) {
        if (!use(v, int(i), name)) return false;
      }
    }
    return true;
  }

  bool use(int vertex, int element, const char* name) {
    if (vertex < 0 || vertex >= x_.cols()) {
      add(Kind::index_out_of_range, element,
          fmt::format("{} {} uses vertex {}, but there are {} vertices.", name, element, vertex, x_.cols()));
      return false;
    }
    referenced_[vertex] = true;
    return true;
  }

  void check_vertices() {
    for (int i = 0; i < x_.cols(); ++i) {
      if (!x_.col(i).allFinite()) {
        add(Kind::non_finite_vertex, i, fmt::format("vertex {} has the coordinates {}.", i, text(x_.col(i))));
      }
      if (!referenced_[i]) {
        add(Kind::unreferenced_vertex, i,
            fmt::format("vertex {} at {} is used by no element.", i, text(x_.col(i))));
      }
    }
    std::vector<int> order(x_.cols());
    std::iota(order.begin(), order.end(), 0);
    std::erase_if(order, [&](int i) { return !x_.col(i).allFinite(); });
    std::sort(order.begin(), order.end(), [&](int a, int b) {
      for (int k = 0; k < 3; ++k) {
        if (x_(k, a) != x_(k, b)) return x_(k, a) < x_(k, b);
      }
      return a < b;
    });
    for (std::size_t i = 1; i < order.size(); ++i) {
      const int a = order[i - 1], b = order[i];
      if (x_.col(a) == x_.col(b)) {
        add(Kind::duplicate_vertex, b,
            fmt::format("vertices {} and {} are both at {}.", a, b, text(x_.col(a))));
      }
    }
  }

  void check_shape(const Edge& edge, int i) {
    if ((x_.col(edge[0]) - x_.col(edge[1])).norm() == 0) {
      add(Kind::degenerate_element, i, fmt::format("edge {} at {} has no length.", i, text(x_.col(edge[0]))));
    }
  }

  void check_shape(const Triangle& t, int i) {
    const Vector3 a = x_.col(t[0]), b = x_.col(t[1]), c = x_.col(t[2]);
    const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    if ((b - a).cross(c - a).norm() <= degenerate_ratio * longest) {
      add(Kind::degenerate_element, i,
          fmt::format("triangle {} (vertices {}, {}, {}) at {} has no area.", i, t[0], t[1], t[2],
                      text((a + b + c) / 3)));
    }
  }

  void check_shape(const Tetrahedron& t, int i) {
    double longest = 0;
    for (int k = 0; k < 4; ++k) {
      for (int l = 0; l < k; ++l) longest = std::max(longest, (x_.col(t[k]) - x_.col(t[l])).norm());
    }
    const double volume = tetrahedron_volume(x_.col(t[0]), x_.col(t[1]), x_.col(t[2]), x_.col(t[3]));
    const bool degenerate = std::abs(volume) <= degenerate_ratio * longest * longest * longest;
    if (degenerate || volume < 0) {
      const Vector3 centre = (x_.col(t[0]) + x_.col(t[1]) + x_.col(t[2]) + x_.col(t[3])) / 4;
      add(degenerate ? Kind::degenerate_element : Kind::inverted_element, i,
          fmt::format(
              "tetrahedron {} (vertices {}, {}, {}, {}) at {} {}.", i, t[0], t[1], t[2], t[3], text(centre),
              degenerate ? "has no volume" : fmt::format("is inverted: its volume is {:.3g}", volume)));
    }
  }

  template <std::size_t n>
  void check_shapes(const std::vector<std::array<int, n>>& elements) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      bool finite = true;
      for (int v : elements[i]) finite = finite && x_.col(v).allFinite();
      if (finite) check_shape(elements[i], int(i));
    }
  }

  template <std::size_t n>
  void check_duplicates(const std::vector<std::array<int, n>>& elements, const char* name) {
    std::map<std::array<int, n>, int> first;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      std::array<int, n> sorted = elements[i];
      std::sort(sorted.begin(), sorted.end());
      const auto [entry, is_new] = first.try_emplace(sorted, int(i));
      if (!is_new) {
        add(Kind::duplicate_element, int(i),
            fmt::format("{} {} has the same vertices as {} {}, at {}.", name, i, name, entry->second,
                        text(x_.col(sorted[0]))));
      }
    }
  }

  /// How the triangles meet. `name` is what their number belongs to; returns whether they are closed and
  /// agree.
  bool check_edges(const std::vector<Triangle>& triangles, const char* name) {
    struct Use {
      int triangle;
      bool forward;
    };
    std::map<Edge, std::vector<Use>> uses;
    for (std::size_t i = 0; i < triangles.size(); ++i) {
      for (int k = 0; k < 3; ++k) {
        const int a = triangles[i][k], b = triangles[i][(k + 1) % 3];
        if (a != b) uses[{std::min(a, b), std::max(a, b)}].push_back({int(i), a < b});
      }
    }
    std::vector<Edge> open;
    std::vector<int> at_open;
    std::vector<Neighbours> neighbours;
    bool closed = true, agree = true;
    for (const auto& [edge, list] : uses) {
      const int first = list.front().triangle;
      if (list.size() == 2) {
        neighbours.push_back({first, list[1].triangle, edge, list[0].forward != list[1].forward});
        agree = agree && neighbours.back().agree;
        continue;
      }
      closed = false;
      const std::string where = place_of(edge);
      if (list.size() == 1) {
        open.push_back(edge);
        at_open.push_back(first);
        add(Kind::open_edge, first, fmt::format("{} belongs to {} {} only.", where, name, first));
      } else {
        add(Kind::non_manifold_edge, first,
            fmt::format("{} joins {} triangles, {} {} and {} among them.", where, list.size(), name, first,
                        list[1].triangle));
      }
    }
    if (!agree) {
      closed = false;
      name_flipped(triangles, neighbours, name);
    }
    check_junctions(open, at_open, name);
    return closed;
  }

  /// Two triangles that meet at an edge, and whether they face the same side there.
  struct Neighbours {
    int first, second;
    Edge edge;
    bool agree;
  };

  /// Names the triangles that face the other side than most of their connected component. Where that is
  /// no answer (as in a Moebius strip, or with as many on each side), names the edges.
  void name_flipped(const std::vector<Triangle>& triangles, const std::vector<Neighbours>& neighbours,
                    const char* name) {
    std::vector<std::vector<std::pair<int, bool>>> at(triangles.size());
    for (const Neighbours& n : neighbours) {
      at[n.first].push_back({n.second, n.agree});
      at[n.second].push_back({n.first, n.agree});
    }
    constexpr signed char unseen = -1;
    std::vector<signed char> side(triangles.size(), unseen);
    std::vector<int> flipped;
    bool answer = true;
    for (std::size_t start = 0; start < triangles.size() && answer; ++start) {
      if (side[start] != unseen) continue;
      std::vector<int> part = {static_cast<int>(start)};
      side[start] = 0;
      std::size_t count[2] = {1, 0};
      for (std::size_t k = 0; k < part.size(); ++k) {
        for (const auto& [next, agree] : at[part[k]]) {
          const signed char wanted = agree ? side[part[k]] : static_cast<signed char>(1 - side[part[k]]);
          if (side[next] == unseen) {
            side[next] = wanted;
            ++count[wanted];
            part.push_back(next);
          } else if (side[next] != wanted) {
            answer = false;
          }
        }
      }
      if (count[0] == count[1]) answer = false;
      const signed char fewer = count[0] < count[1] ? 0 : 1;
      for (const int t : part) {
        if (side[t] == fewer) flipped.push_back(t);
      }
    }
    if (answer) {
      std::sort(flipped.begin(), flipped.end());
      for (const int i : flipped) {
        const Triangle& t = triangles[i];
        add(Kind::inconsistent_orientation, i,
            fmt::format(
                "{} {} (vertices {}, {}, {}) at {} is flipped: it faces the opposite side to its neighbours.",
                name, i, t[0], t[1], t[2], text((x_.col(t[0]) + x_.col(t[1]) + x_.col(t[2])) / 3)));
      }
      return;
    }
    for (const Neighbours& n : neighbours) {
      if (n.agree) continue;
      add(Kind::inconsistent_orientation, n.second,
          fmt::format("{} {} and {} face opposite sides at {}.", name, n.first, n.second, place_of(n.edge)));
    }
  }

  /// A face of tetrahedra is seen by one of them, or by two from opposite sides.
  void check_faces(const std::vector<Tetrahedron>& tetrahedra) {
    static constexpr int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    struct Use {
      int tetrahedron;
      bool even;  // whether the face's vertices are an even permutation of their sorted order
    };
    std::map<Triangle, std::vector<Use>> uses;
    for (std::size_t i = 0; i < tetrahedra.size(); ++i) {
      for (const auto& face : faces) {
        Triangle t = {tetrahedra[i][face[0]], tetrahedra[i][face[1]], tetrahedra[i][face[2]]};
        const bool even = ((t[0] < t[1]) + (t[1] < t[2]) + (t[0] < t[2])) % 2 == 1;
        std::sort(t.begin(), t.end());
        uses[t].push_back({int(i), even});
      }
    }
    for (const auto& [face, list] : uses) {
      if (list.size() > 2 || (list.size() == 2 && list[0].even == list[1].even)) {
        add(Kind::inconsistent_orientation, list[1].tetrahedron,
            fmt::format("tetrahedra {} and {} are on the same side of their common face {}-{}-{} at {}.",
                        list[0].tetrahedron, list[1].tetrahedron, face[0], face[1], face[2],
                        text(x_.col(face[0]))));
      }
    }
  }

  void add(Kind kind, int element, std::string message) {
    std::size_t& listed = listed_[kind];
    if (listed++ < max_listed_defects) defects_.push_back({kind, std::move(message), element});
  }

  std::vector<MeshDefect> defects() {
    std::stable_sort(defects_.begin(), defects_.end(),
                     [](const MeshDefect& a, const MeshDefect& b) { return a.kind < b.kind; });
    return std::move(defects_);
  }

  bool none() const { return defects_.empty(); }

 private:
  std::string place_of(const Edge& edge) const {
    return fmt::format("edge {}-{} at {}", edge[0], edge[1], text((x_.col(edge[0]) + x_.col(edge[1])) / 2));
  }

  /// Vertices of open edges in the middle of other open edges; the candidates are searched in order of x.
  void check_junctions(const std::vector<Edge>& open, const std::vector<int>& triangles, const char* name) {
    std::vector<int> ends;
    for (const Edge& e : open) ends.insert(ends.end(), e.begin(), e.end());
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    std::erase_if(ends, [&](int v) { return !x_.col(v).allFinite(); });
    std::sort(ends.begin(), ends.end(), [&](int a, int b) { return x_(0, a) < x_(0, b); });
    for (std::size_t i = 0; i < open.size(); ++i) {
      const Vector3 a = x_.col(open[i][0]), b = x_.col(open[i][1]);
      const double length = (b - a).norm(), slack = junction_ratio * length;
      if (!(length > 0)) continue;
      const double from = std::min(a[0], b[0]) - slack, to = std::max(a[0], b[0]) + slack;
      auto v = std::lower_bound(ends.begin(), ends.end(), from,
                                [&](int p, double value) { return x_(0, p) < value; });
      for (; v != ends.end() && x_(0, *v) <= to; ++v) {
        const Vector3 p = x_.col(*v);
        const double along = (p - a).dot(b - a) / length;
        if (along <= slack || along >= length - slack || (p - a - along / length * (b - a)).norm() > slack)
          continue;
        add(Kind::t_junction, triangles[i],
            fmt::format("vertex {} at {} is in the middle of edge {}-{} of {} {}.", *v, text(p), open[i][0],
                        open[i][1], name, triangles[i]));
      }
    }
  }

  const Vectors& x_;
  std::vector<bool> referenced_;
  std::map<Kind, std::size_t> listed_;
  std::vector<MeshDefect> defects_;
};

std::string remedy_for(Kind kind) {
  switch (kind) {
    case Kind::index_out_of_range:
      return "Export the mesh again: it is truncated or its numbering is wrong.";
    case Kind::non_finite_vertex:
      return "Repair these coordinates in the tool that made the mesh.";
    case Kind::duplicate_vertex:
      return "Merge vertices at the same position (\"merge by distance\", \"remove doubles\").";
    case Kind::unreferenced_vertex:
      return "Remove loose vertices.";
    case Kind::degenerate_element:
      return "Remove or remesh elements without area or volume.";
    case Kind::inverted_element:
      return "Remesh, or exchange two vertices of each inverted tetrahedron; curved elements may need smaller ones.";
    case Kind::duplicate_element:
      return "Remove the copies.";
    case Kind::t_junction:
      return "Split the edge at that vertex, so that triangles meet along whole edges.";
    case Kind::non_manifold_edge:
      return "Separate the parts that meet there, or remove inner walls.";
    case Kind::inconsistent_orientation:
      return "Flip them, or make all normals consistent (\"recalculate outside\").";
    case Kind::open_edge:
      return "Close the holes of the surface; a sheet can be a shell or an obstacle, not a solid.";
    case Kind::inside_out:
      return "Flip the normals of the surface.";
  }
  return "";
}

/// Of a surface that should enclose a volume.
const char* surface_problem(const std::vector<MeshDefect>& defects) {
  const bool only_flipped = std::all_of(defects.begin(), defects.end(), [](const MeshDefect& d) {
    return d.kind == Kind::inconsistent_orientation;
  });
  return only_flipped ? "the surface is closed, but not all of its triangles face outward"
                      : "the surface does not enclose a volume properly";
}

}  // namespace

void refuse_mesh(const std::vector<MeshDefect>& defects, const std::string& place, const char* what) {
  constexpr std::size_t shown = 5;
  std::string problem =
      fmt::format("{}: {} defect{} found.", what, defects.size(), defects.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < std::min(shown, defects.size()); ++i) problem += "\n  - " + defects[i].message;
  if (defects.size() > shown) problem += fmt::format("\n  - and {} more.", defects.size() - shown);
  throw InputError(place, problem, remedy_for(defects.front().kind));
}

std::vector<MeshDefect> check_surface(const SurfaceMesh& mesh) {
  Checker checker(mesh.vertices);
  bool good = checker.use(mesh.triangles, "triangle") && checker.use(mesh.edges, "edge");
  for (std::size_t i = 0; i < mesh.points.size() && good; ++i)
    good = checker.use(mesh.points[i], int(i), "point");
  if (!good) return checker.defects();
  checker.check_vertices();
  checker.check_shapes(mesh.triangles);
  checker.check_shapes(mesh.edges);
  checker.check_duplicates(mesh.triangles, "triangle");
  checker.check_duplicates(mesh.edges, "edge");
  const bool closed = checker.check_edges(mesh.triangles, "triangle");
  if (closed && !mesh.triangles.empty() && checker.none()) {
    const double volume = enclosed_volume(mesh.vertices, mesh.triangles);
    if (volume < 0) {
      checker.add(Kind::inside_out, 0,
                  fmt::format("the surface faces inward: it encloses the volume {:.3g}.", volume));
    }
  }
  return checker.defects();
}

std::vector<MeshDefect> check_tets(const TetMesh& mesh) {
  Checker checker(mesh.vertices);
  if (!checker.use(mesh.tetrahedra, "tetrahedron")) return checker.defects();
  checker.check_vertices();
  checker.check_shapes(mesh.tetrahedra);
  checker.check_duplicates(mesh.tetrahedra, "tetrahedron");
  // An inverted tetrahedron disagrees with all its neighbours: naming it once is enough.
  if (checker.none()) {
    checker.check_faces(mesh.tetrahedra);
    checker.check_edges(boundary_triangles(mesh.tetrahedra), "boundary triangle");
  }
  return checker.defects();
}

void require_valid_solid(const TetMesh& mesh, const std::string& place) {
  if (mesh.tetrahedra.empty())
    throw InputError(place, "the mesh holds no tetrahedra", "Give a mesh that has a volume.");
  const std::vector<MeshDefect> defects = check_tets(mesh);
  if (!defects.empty()) refuse_mesh(defects, place, "the solid is not valid");
}

void require_closed_surface(const SurfaceMesh& mesh, const std::string& place) {
  if (mesh.triangles.empty()) {
    throw InputError(place, "the surface holds no triangles", "Give a closed surface of triangles.");
  }
  std::vector<MeshDefect> defects = check_surface(mesh);
  std::erase_if(defects, [](const MeshDefect& d) { return d.kind == Kind::unreferenced_vertex; });
  if (!defects.empty()) refuse_mesh(defects, place, surface_problem(defects));
}

void require_orientable(const SurfaceMesh& mesh, const std::string& place) {
  std::vector<MeshDefect> defects = check_surface(mesh);
  const auto is = [](Kind kind) { return [kind](const MeshDefect& d) { return d.kind == kind; }; };
  if (std::any_of(defects.begin(), defects.end(), is(Kind::open_edge))) return;  // a sheet may face any side
  std::erase_if(defects, [](const MeshDefect& d) { return d.kind != Kind::inconsistent_orientation; });
  if (!defects.empty()) refuse_mesh(defects, place, surface_problem(defects));
}

}  // namespace bulwark
