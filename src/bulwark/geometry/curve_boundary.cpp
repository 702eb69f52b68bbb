#include <bulwark/geometry/cell_jacobian.hpp>
#include <bulwark/geometry/curve_boundary.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

namespace bulwark {
namespace {

using Barycentric = std::array<int, 4>;  // whole weights of the corners, which sum to the order

/// The point at a distance from a center on the ray to x; x itself where that has no direction.
Vector3 at_distance(const Vector3& center, const Vector3& x, double distance) {
  const Vector3 offset = x - center;
  const double length = offset.norm();
  return length > 0 ? Vector3(center + distance / length * offset) : x;
}

/// Onto the surface of a shape, from near it; nothing where the face with these corners is flat.
struct ToSurface {
  std::span<const Vector3> corners;
  Vector3 x;

  bool all_at_height(double y, double scale) const {
    constexpr double rounding = 1e-9;
    return std::all_of(corners.begin(), corners.end(),
                       [&](const Vector3& corner) { return std::abs(corner.y() - y) <= rounding * scale; });
  }

  Vector3 at_radius(double radius) const { return at_distance({0, x.y(), 0}, x, radius); }

  std::optional<Vector3> operator()(const SphereShape& sphere) const {
    return at_distance(Vector3::Zero(), x, sphere.radius);
  }
  std::optional<Vector3> operator()(const CylinderShape& cylinder) const {
    const double top = cylinder.height / 2;
    if (all_at_height(top, top) || all_at_height(-top, top)) return std::nullopt;
    return at_radius(cylinder.radius);
  }
  std::optional<Vector3> operator()(const CapsuleShape& capsule) const {
    const double straight = std::max(capsule.height / 2 - capsule.radius, 0.0);
    return at_distance({0, std::clamp(x.y(), -straight, straight), 0}, x, capsule.radius);
  }
  std::optional<Vector3> operator()(const ConeShape& cone) const {
    if (all_at_height(-cone.height / 2, cone.height)) return std::nullopt;
    return at_radius(cone.radius * (0.5 - x.y() / cone.height));
  }
  std::optional<Vector3> operator()(const TorusShape& torus) const {
    return (*this)(RingShape{torus.major, torus.minor, 0});
  }
  std::optional<Vector3> operator()(const RingShape& ring) const {
    const Vector3 middle(std::clamp(x.x(), -ring.length / 2, ring.length / 2), 0, 0);
    const Vector3 center = at_distance(middle, {x.x(), 0, x.z()}, ring.major);
    return at_distance(center, x, ring.minor);
  }
  template <class Other>
  std::optional<Vector3> operator()(const Other&) const {
    return std::nullopt;
  }
};

class Curving {
 public:
  Curving(SolidMesh& mesh, const Shape& shape)
      : mesh_(mesh), shape_(shape), straight_(mesh.vertices), order_(mesh.order) {
    for (const auto& at : lattice_nodes(mesh.shape, order_)) {
      weights_.push_back({order_ - at[0] - at[1] - at[2], at[0], at[1], at[2]});
      corners_of_.push_back(int(4 - std::count(weights_.back().begin(), weights_.back().end(), 0)));
    }
  }

  void run() {
    place_boundary();
    const CellJacobian jacobian(mesh_.shape, order_);
    for (bool valid = false; !valid;) {
      follow_edges();
      mesh_.vertices = straight_ + moved_;
      valid = true;
      for (int c = 0; c < mesh_.cell_count(); ++c) {
        if (is_straight(c)) continue;
        constexpr double thinnest = 1e-3;  // of the straight cell's determinant
        const double least = thinnest * straight_determinant(c);
        if (jacobian.smallest(mesh_, c).determinant > least) continue;
        valid = false;
        straighten(c);
      }
    }
  }

 private:
  /// Moves the nodes of curved boundary faces; all others stay.
  void place_boundary() {
    moved_ = Vectors::Zero(3, straight_.cols());
    placed_.assign(std::size_t(straight_.cols()), false);
    for (const BoundaryFace& boundary : boundary_faces(mesh_)) {
      const auto nodes = mesh_.cell(boundary.cell);
      const CellFace& face = cell_faces(mesh_.shape)[std::size_t(boundary.face)];
      std::array<bool, 4> on_face{};
      std::array<Vector3, 3> corners;
      for (std::size_t k = 0; k < 3; ++k) {
        const int corner = node_at(mesh_.shape, 1, face.corners[k]);
        on_face[std::size_t(corner)] = true;
        corners[k] = straight_.col(nodes[std::size_t(corner)]);
      }
      for (std::size_t a = 4; a < nodes.size(); ++a) {
        bool outside = false;
        for (std::size_t k = 0; k < 4; ++k) outside = outside || (weights_[a][k] > 0 && !on_face[k]);
        if (outside) continue;
        const int v = nodes[a];
        const Vector3 x = straight_.col(v);
        const std::optional<Vector3> target = std::visit(ToSurface{corners, x}, shape_);
        if (!target) continue;
        moved_.col(v) = *target - x;
        placed_[std::size_t(v)] = true;
      }
    }
  }

  /// Moves nodes inside faces and cells along with the edges around them.
  void follow_edges() {
    std::vector<bool> done = placed_;
    for (int c = 0; c < mesh_.cell_count(); ++c) {
      const auto nodes = mesh_.cell(c);
      Vector3 bubbles = Vector3::Zero();  // what faces' nodes differ from the edges' displacement
      for (std::size_t a = 4; a < nodes.size(); ++a) {
        const int v = nodes[a];
        if (corners_of_[a] == 2) continue;
        if (corners_of_[a] == 4) {
          moved_.col(v) = from_edges(nodes, weights_[a]) + bubbles / 2;
          continue;
        }
        const Vector3 edges = from_edges(nodes, weights_[a]);
        if (!done[std::size_t(v)]) moved_.col(v) = edges;
        done[std::size_t(v)] = true;
        bubbles += (moved_.col(v) - edges) / 3;  // the mean of the three nodes of a face of order 4
      }
    }
  }

  Vector3 from_edges(std::span<const int> nodes, const Barycentric& weights) const {
    Vector3 sum = Vector3::Zero();
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = i + 1; j < 4; ++j) {
        if (weights[i] == 0 || weights[j] == 0) continue;
        const double li = double(weights[i]) / order_, lj = double(weights[j]) / order_;
        const double s = (1 + lj - li) / 2;
        sum += li * lj / (s * (1 - s)) * along_edge(nodes, i, j, s);
      }
    }
    return sum;
  }

  /// The displacement at s of the edge from corner i to corner j, whose ends do not move.
  Vector3 along_edge(std::span<const int> nodes, std::size_t i, std::size_t j, double s) const {
    Vector3 sum = Vector3::Zero();
    for (int n = 1; n < order_; ++n) {
      Barycentric at{};
      at[i] = order_ - n;
      at[j] = n;
      const int node = node_at(mesh_.shape, order_, {at[1], at[2], at[3]});
      double value = 1;
      for (int m = 0; m <= order_; ++m) {
        if (m != n) value *= (order_ * s - m) / (n - m);
      }
      sum += value * moved_.col(nodes[std::size_t(node)]);
    }
    return sum;
  }

  bool is_straight(int cell) const {
    const auto nodes = mesh_.cell(cell);
    return std::all_of(nodes.begin(), nodes.end(), [&](int v) { return moved_.col(v).isZero(0); });
  }

  double straight_determinant(int cell) const {
    const auto c = mesh_.cell(cell).first(4);
    return 6 * tetrahedron_volume(straight_.col(c[0]), straight_.col(c[1]), straight_.col(c[2]),
                                  straight_.col(c[3]));
  }

  void straighten(int cell) {
    for (const int v : mesh_.cell(cell)) {
      moved_.col(v).setZero();
      placed_[std::size_t(v)] = true;  // and stays where it is
    }
  }

  SolidMesh& mesh_;
  const Shape& shape_;
  const Vectors straight_;
  int order_;
  std::vector<Barycentric> weights_;  // per node of a cell
  std::vector<int> corners_of_;       // per node of a cell: how many span the edge, face or cell it is in
  Vectors moved_;                     // displacement of every node
  std::vector<bool> placed_;          // on the surface or kept straight
};

}  // namespace

void curve_boundary(SolidMesh& mesh, const Shape& shape) {
  if (mesh.shape == CellShape::tetrahedron && mesh.order > 1) Curving(mesh, shape).run();
}

}  // namespace bulwark
