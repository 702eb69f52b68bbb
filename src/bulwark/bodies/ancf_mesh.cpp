#include <bulwark/base/error.hpp>
#include <bulwark/bodies/ancf_body.hpp>
#include <bulwark/math/rotation.hpp>

#include <fmt/format.h>
#include <Eigen/Geometry>
#include <cmath>
#include <map>
#include <numbers>

namespace bulwark {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& problem, const std::string& remedy) {
  throw InputError(fmt::format("body '{}'", name), problem, remedy);
}

/// The edges in the order and direction in which they are passed along the wires: each chain from an end, then the
/// closed ones.
std::vector<Edge> passed_in_order(const SurfaceMesh& wires, const std::string& name) {
  std::vector<std::vector<int>> at(wires.vertices.cols());
  for (std::size_t e = 0; e < wires.edges.size(); ++e) {
    for (const int v : wires.edges[e]) at[v].push_back(static_cast<int>(e));
  }
  std::vector<char> passed(wires.edges.size(), 0);
  std::vector<Edge> result;
  auto follow = [&](int from) {
    for (bool found = true; found;) {
      found = false;
      for (const int e : at[from]) {
        if (passed[e]) continue;
        passed[e] = 1;
        const int to = wires.edges[e][0] == from ? wires.edges[e][1] : wires.edges[e][0];
        result.push_back({from, to});
        from = to;
        found = true;
        break;
      }
    }
  };
  for (std::size_t v = 0; v < at.size(); ++v) {
    if (at[v].size() > 2)
      refuse(name, fmt::format("{} edges meet at vertex {}, but a node of a beam joins two", at[v].size(), v),
             "make them bodies of their own and join them, or use a rod");
    if (at[v].empty()) refuse(name, fmt::format("vertex {} belongs to no edge", v), "repair the mesh");
  }
  for (std::size_t v = 0; v < at.size(); ++v) {
    if (at[v].size() == 1 && !passed[at[v][0]]) follow(static_cast<int>(v));
  }
  for (std::size_t v = 0; v < at.size(); ++v) {
    if (!passed[at[v][0]]) follow(static_cast<int>(v));
  }
  return result;
}

void set_slopes(AncfMesh& mesh, int node, const Vector3& u, const Vector3& v, const Vector3& w) {
  mesh.slopes.col(3 * node) = u;
  mesh.slopes.col(3 * node + 1) = v;
  mesh.slopes.col(3 * node + 2) = w;
}

/// Turns quads, by which corner comes first, until u and v run alike in neighbours.
std::vector<std::array<int, 4>> turned_alike(const std::vector<std::array<int, 4>>& quads,
                                             const std::string& name) {
  std::map<Edge, std::vector<int>> at_side;
  for (std::size_t k = 0; k < quads.size(); ++k) {
    for (int i = 0; i < 4; ++i) {
      const int a = quads[k][i], b = quads[k][(i + 1) % 4];
      at_side[{std::min(a, b), std::max(a, b)}].push_back(static_cast<int>(k));
    }
  }
  // What a side is to a quad: the direction of u (0) or v (1), from the first to the second node.
  auto role = [](const std::array<int, 4>& q, int side) {
    const int a = q[side], b = q[(side + 1) % 4];
    return side < 2 ? std::array{side, a, b} : std::array{side - 2, b, a};
  };
  std::vector<std::array<int, 4>> result = quads;
  std::vector<char> done(quads.size(), 0);
  for (std::size_t start = 0; start < quads.size(); ++start) {
    if (done[start]) continue;
    done[start] = 1;
    std::vector<int> open = {static_cast<int>(start)};
    while (!open.empty()) {
      const int k = open.back();
      open.pop_back();
      for (int side = 0; side < 4; ++side) {
        const int a = result[k][side], b = result[k][(side + 1) % 4];
        const std::vector<int>& both = at_side[{std::min(a, b), std::max(a, b)}];
        if (both.size() > 2) refuse(name, "more than two quads meet at an edge", "split the sheet there");
        for (const int other : both) {
          if (other == k) continue;
          auto fits = [&](const std::array<int, 4>& quad) {
            for (int i = 0; i < 4; ++i) {
              if (role(quad, i) == role(result[k], side)) return true;
            }
            return false;
          };
          if (done[other]) {
            if (!fits(result[other]))
              refuse(name, "its quads can't be given directions that run alike in neighbours",
                     "use a mesh whose inner vertices have four quads each, as a grid has");
            continue;
          }
          std::array<int, 4> turned = result[other];
          bool found = false;
          for (int turn = 0; turn < 4 && !found; ++turn) {
            found = fits(turned);
            if (!found) turned = {turned[1], turned[2], turned[3], turned[0]};
          }
          if (!found) refuse(name, "the sides of neighbouring quads face different ways", "orient the mesh");
          result[other] = turned;
          done[other] = 1;
          open.push_back(other);
        }
      }
    }
  }
  return result;
}

}  // namespace

AncfMesh ancf_beam_mesh(const SurfaceMesh& wires, const Vector3& across, const std::string& name) {
  if (wires.edges.empty() || !wires.triangles.empty())
    refuse(name, "a beam is made of edges alone", "give a `line`, a `circle` or a mesh of lines");
  AncfMesh mesh;
  mesh.type = ElementType::ancf_beam;
  mesh.nodes = wires.vertices;
  mesh.slopes = Vectors::Zero(3, 3 * mesh.nodes.cols());
  const std::vector<Edge> edges = passed_in_order(wires, name);
  Vectors tangent = Vectors::Zero(3, mesh.nodes.cols());
  for (const Edge& e : edges) {
    const Vector3 along = mesh.nodes.col(e[1]) - mesh.nodes.col(e[0]);
    if (!(along.norm() > 0)) refuse(name, "a segment has no length", "repair the mesh");
    for (const int v : e) tangent.col(v) += along.normalized();
    mesh.elements.insert(mesh.elements.end(), e.begin(), e.end());
  }
  for (Eigen::Index v = 0; v < tangent.cols(); ++v) {
    if (!(tangent.col(v).norm() > 1e-6))
      refuse(name, fmt::format("it turns back at vertex {}", v), "repair the mesh");
    tangent.col(v).normalize();
  }
  // An end has one segment only: its tangent leans as much beyond that as the next node's does before it.
  std::map<int, int> segments_at;
  for (const Edge& e : edges) {
    for (const int v : e) ++segments_at[v];
  }
  for (const Edge& e : edges) {
    const Vector3 chord = Vector3(mesh.nodes.col(e[1]) - mesh.nodes.col(e[0])).normalized();
    for (int k = 0; k < 2; ++k) {
      const int end = e[k], next = e[1 - k];
      if (segments_at[end] != 1 || segments_at[next] == 1) continue;
      tangent.col(end) = 2 * chord.dot(tangent.col(next)) * chord - tangent.col(next);
    }
  }
  std::vector<char> has_slopes(mesh.nodes.cols(), 0);
  auto set = [&](int node, Vector3 v) {
    const Vector3 u = tangent.col(node);
    v -= v.dot(u) * u;
    if (!(v.norm() > 1e-6))
      refuse(name, "the direction of its width runs along it", "give another direction `across`");
    v.normalize();
    set_slopes(mesh, node, u, v, u.cross(v));
    has_slopes[node] = 1;
  };
  for (const Edge& e : edges) {
    if (!across.isZero(0)) {
      for (const int v : e) set(v, across);
      continue;
    }
    if (!has_slopes[e[0]]) {
      // The axis that is farthest from the beam's direction.
      int axis = 0;
      tangent.col(e[0]).cwiseAbs().minCoeff(&axis);
      set(e[0], Vector3::Unit(axis));
    }
    if (has_slopes[e[1]]) continue;
    set(e[1], turn_between(tangent.col(e[0]), tangent.col(e[1])) * Vector3(mesh.slopes.col(3 * e[0] + 1)));
  }
  return mesh;
}

AncfMesh ancf_shell_mesh(const Vectors& nodes, const std::vector<std::array<int, 4>>& quads,
                         const std::string& name) {
  AncfMesh mesh;
  mesh.type = ElementType::ancf_shell;
  mesh.nodes = nodes;
  mesh.slopes = Vectors::Zero(3, 3 * nodes.cols());
  if (quads.empty())
    refuse(name, "a shell of this kind is made of quads, but there are none",
           "give a `plate` or a mesh of quads");
  const std::vector<std::array<int, 4>> alike = turned_alike(quads, name);
  Vectors u = Vectors::Zero(3, nodes.cols()), v = u;
  for (const std::array<int, 4>& q : alike) {
    auto add = [&](Vectors& sum, int from, int to) {
      const Vector3 along = (nodes.col(to) - nodes.col(from)).normalized();
      sum.col(from) += along;
      sum.col(to) += along;
    };
    add(u, q[0], q[1]);
    add(u, q[3], q[2]);
    add(v, q[0], q[3]);
    add(v, q[1], q[2]);
    mesh.elements.insert(mesh.elements.end(), q.begin(), q.end());
  }
  for (int k = 0; k < static_cast<int>(nodes.cols()); ++k) {
    const Vector3 along_u = u.col(k).normalized(), along_v = v.col(k).normalized(),
                  normal = along_u.cross(along_v);
    if (!(normal.norm() > 1e-6) || !normal.allFinite())
      refuse(name, fmt::format("the quads at vertex {} are degenerate, or none uses it", k),
             "repair the mesh");
    set_slopes(mesh, k, along_u, along_v, normal.normalized());
  }
  return mesh;
}

AncfMesh ancf_plate(double size_x, double size_z, int cells_x, int cells_z) {
  AncfMesh mesh;
  mesh.type = ElementType::ancf_shell;
  mesh.nodes.resize(3, (cells_x + 1) * (cells_z + 1));
  mesh.slopes.resize(3, 3 * mesh.nodes.cols());
  // u along x, the first side, and v against z, so that the normal u x v is y.
  auto number = [&](int i, int j) { return j * (cells_x + 1) + i; };
  for (int j = 0; j <= cells_z; ++j) {
    for (int i = 0; i <= cells_x; ++i) {
      mesh.nodes.col(number(i, j)) << size_x * (static_cast<double>(i) / cells_x - 0.5), 0,
          size_z * (static_cast<double>(j) / cells_z - 0.5);
      set_slopes(mesh, number(i, j), Vector3::UnitX(), -Vector3::UnitZ(), Vector3::UnitY());
    }
  }
  for (int j = 0; j < cells_z; ++j) {
    for (int i = 0; i < cells_x; ++i) {
      for (const int node : {number(i, j + 1), number(i + 1, j + 1), number(i + 1, j), number(i, j)})
        mesh.elements.push_back(node);
    }
  }
  return mesh;
}

AncfMesh ancf_cylinder(double radius, double length, double radians, int cells_around, int cells_along) {
  const bool closed = std::abs(radians - 2 * std::numbers::pi) < 1e-9;
  const int around = closed ? cells_around : cells_around + 1;
  AncfMesh mesh;
  mesh.type = ElementType::ancf_shell;
  mesh.nodes.resize(3, around * (cells_along + 1));
  mesh.slopes.resize(3, 3 * mesh.nodes.cols());
  auto number = [&](int i, int j) { return j * around + i % around; };
  for (int j = 0; j <= cells_along; ++j) {
    for (int i = 0; i < around; ++i) {
      const double angle = radians * i / cells_around, c = std::cos(angle), s = std::sin(angle);
      mesh.nodes.col(number(i, j)) << radius * c, length * (static_cast<double>(j) / cells_along - 0.5),
          -radius * s;
      // u around, v along the axis, w outward.
      set_slopes(mesh, number(i, j), Vector3(-s, 0, -c), Vector3::UnitY(), Vector3(c, 0, -s));
    }
  }
  for (int j = 0; j < cells_along; ++j) {
    for (int i = 0; i < cells_around; ++i) {
      for (const int node : {number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)})
        mesh.elements.push_back(node);
    }
  }
  return mesh;
}

}  // namespace bulwark
