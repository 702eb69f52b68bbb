// `raised` of solid_mesh.hpp: nodes of a higher order, shared by the cells that meet in them.
#include <bulwark/geometry/lagrange_cell.hpp>
#include <bulwark/geometry/solid_mesh.hpp>

#include <algorithm>

namespace bulwark {
namespace {

/// Whole weights of the cell's corners at a lattice place: those of linear elements, times a common factor.
std::array<int, 8> corner_weights(CellShape shape, int order, const std::array<int, 3>& at) {
  if (shape != CellShape::hexahedron) return {order - at[0] - at[1] - at[2], at[0], at[1], at[2]};
  std::array<int, 8> weights{};
  const auto corners = lattice_nodes(shape, 1);
  for (std::size_t c = 0; c < 8; ++c) {
    weights[c] = 1;
    for (int k = 0; k < 3; ++k) weights[c] *= corners[c][k] == 1 ? at[k] : order - at[k];
  }
  return weights;
}

/// The corners (as bits) that span the smallest edge, face or cell which has the place inside. A node lies on
/// that entity where its own bits are among these.
unsigned spanning_corners(const std::array<int, 8>& weights) {
  unsigned bits = 0;
  for (unsigned c = 0; c < 8; ++c) bits |= weights[c] > 0 ? 1U << c : 0U;
  return bits;
}

/// A node as all cells see it: pairs (vertex, weight) of its corners in ascending order, unused ones -1.
using NodeKey = std::array<std::array<int, 2>, 8>;

class Raise {
 public:
  Raise(const SolidMesh& mesh, int order)
      : old_(mesh),
        old_places_(lattice_nodes(mesh.shape, mesh.order)),
        places_(lattice_nodes(mesh.shape, order)),
        corners_(std::size_t(corner_count(mesh.shape))) {
    result_.shape = mesh.shape;
    result_.order = order;
    for (const auto& place : places_) {
      weights_.push_back(corner_weights(mesh.shape, order, place));
      const Vector3 xi = Vector3(place[0], place[1], place[2]) / order;
      values_.push_back(lagrange_values(mesh.shape, mesh.order, xi));
    }
    for (const auto& place : old_places_)
      old_spans_.push_back(spanning_corners(corner_weights(mesh.shape, mesh.order, place)));
  }

  SolidMesh run() {
    keep_corners();
    result_.cells.reserve(places_.size() * std::size_t(old_.cell_count()));
    for (int c = 0; c < old_.cell_count(); ++c) {
      for (std::size_t a = 0; a < places_.size(); ++a) result_.cells.push_back(node(c, a));
    }
    result_.vertices.resize(3, Eigen::Index(vertices_.size()));
    for (std::size_t i = 0; i < vertices_.size(); ++i) result_.vertices.col(Eigen::Index(i)) = vertices_[i];
    for (auto& [name, nodes] : result_.node_sets) std::sort(nodes.begin(), nodes.end());
    return std::move(result_);
  }

 private:
  void keep_corners() {
    // A mesh of order 1 keeps all its vertices, also those of no cell: they keep their numbers.
    std::vector<bool> is_corner(std::size_t(old_.vertices.cols()), old_.order == 1);
    for (int c = 0; c < old_.cell_count(); ++c) {
      for (std::size_t k = 0; k < corners_; ++k) is_corner[std::size_t(old_.cell(c)[k])] = true;
    }
    number_.assign(is_corner.size(), -1);
    for (std::size_t v = 0; v < is_corner.size(); ++v) {
      if (!is_corner[v]) continue;
      number_[v] = int(vertices_.size());
      vertices_.push_back(old_.vertices.col(Eigen::Index(v)));
    }
    for (const auto& [name, nodes] : old_.node_sets) {
      std::vector<bool>& member = members_[name];
      member.assign(is_corner.size(), false);
      std::vector<int>& set = result_.node_sets[name];
      for (int v : nodes) {
        member[std::size_t(v)] = true;
        if (number_[std::size_t(v)] >= 0) set.push_back(number_[std::size_t(v)]);
      }
    }
  }

  int node(int cell, std::size_t a) {
    const auto old_nodes = old_.cell(cell);
    if (a < corners_) return number_[std::size_t(old_nodes[a])];
    NodeKey key;
    key.fill({-1, 0});
    for (std::size_t c = 0; c < corners_; ++c) {
      if (weights_[a][c] > 0) key[c] = {old_nodes[c], weights_[a][c]};
    }
    std::sort(key.begin(), key.end());
    const auto [entry, is_new] = shared_.try_emplace(key, int(vertices_.size()));
    if (is_new) add_node(cell, a);
    return entry->second;
  }

  void add_node(int cell, std::size_t a) {
    const auto old_nodes = old_.cell(cell);
    Vector3 x = Vector3::Zero();
    for (std::size_t b = 0; b < old_nodes.size(); ++b)
      x += values_[a][Eigen::Index(b)] * old_.vertices.col(old_nodes[b]);
    const int number = int(vertices_.size());
    vertices_.push_back(x);
    const unsigned span = spanning_corners(weights_[a]);
    for (auto& [name, member] : members_) {
      bool all = true;
      for (std::size_t b = 0; b < old_nodes.size(); ++b) {
        const bool on_entity = (old_spans_[b] & ~span) == 0;
        all = all && (!on_entity || member[std::size_t(old_nodes[b])]);
      }
      if (all) result_.node_sets[name].push_back(number);
    }
  }

  const SolidMesh& old_;
  std::span<const std::array<int, 3>> old_places_, places_;
  std::size_t corners_;
  std::vector<std::array<int, 8>> weights_;  // per new node of a cell
  std::vector<VectorX> values_;              // of the old elements, per new node of a cell
  std::vector<unsigned> old_spans_;          // per old node of a cell
  std::vector<int> number_;                  // of old corners among the new nodes
  std::vector<Vector3> vertices_;
  std::map<NodeKey, int> shared_;
  std::map<std::string, std::vector<bool>> members_;  // of the old sets, per old node
  SolidMesh result_;
};

}  // namespace

SolidMesh raised(const SolidMesh& mesh, int order) {
  lattice_nodes(mesh.shape, order);  // refuses orders that there are no elements of
  if (order <= mesh.order) return mesh;
  return Raise(mesh, order).run();
}

}  // namespace bulwark
