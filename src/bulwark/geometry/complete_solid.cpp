#include <bulwark/base/error.hpp>
#include <bulwark/geometry/complete_solid.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bulwark {
namespace {

constexpr std::size_t serendipity_nodes = 20;

std::string kind_name(const FileCells& cells) {
  const std::string order = cells.nodes_per_cell == serendipity_nodes && cells.shape == CellShape::hexahedron
                                ? "20 nodes"
                                : fmt::format("order {}", cells.order);
  return fmt::format("{} {} of {}", cells.nodes.size() / cells.nodes_per_cell,
                     cells.shape == CellShape::tetrahedron ? "tetrahedra" : "hexahedra", order);
}

/// The cells of the one kind that the file has.
FileCells only_kind(FileMesh& mesh, const std::string& name) {
  if (!mesh.tetrahedra.empty()) {
    FileCells linear{CellShape::tetrahedron, 1, 4, {}};
    linear.nodes.reserve(4 * mesh.tetrahedra.size());
    for (const Tetrahedron& t : mesh.tetrahedra) linear.nodes.insert(linear.nodes.end(), t.begin(), t.end());
    mesh.solids.insert(mesh.solids.begin(), std::move(linear));
  }
  if (mesh.solids.size() > 1) {
    throw InputError(
        name,
        fmt::format("the file mixes solid elements of several kinds: {} and {}", kind_name(mesh.solids[0]),
                    kind_name(mesh.solids[1])),
        "Save elements of one shape and order: in gmsh, mesh all volumes with tetrahedra (-3 -order "
        "N), or recombine all of them to hexahedra.");
  }
  return std::move(mesh.solids[0]);
}

/// Adds the nodes that hexahedra of 20 nodes lack.
class SerendipityCompletion {
 public:
  SerendipityCompletion(FileCells& cells, FileMesh& mesh) : cells_(cells), mesh_(mesh) {
    for (auto& [name, nodes] : mesh.node_sets) {
      std::vector<bool>& member = members_[name];
      member.assign(mesh.vertices.size(), false);
      for (int v : nodes) member[std::size_t(v)] = true;
    }
  }

  void run() {
    const auto places = lattice_nodes(CellShape::hexahedron, 2);
    std::vector<int> all;
    all.reserve(cells_.nodes.size() / serendipity_nodes * places.size());
    for (std::size_t begin = 0; begin < cells_.nodes.size(); begin += serendipity_nodes) {
      const std::span<const int> cell(cells_.nodes.data() + begin, serendipity_nodes);
      all.insert(all.end(), cell.begin(), cell.end());
      for (std::size_t a = serendipity_nodes; a + 1 < places.size(); ++a)
        all.push_back(face_node(cell, places[a]));
      all.push_back(add_node({cell.begin(), cell.end()}, corner_count(CellShape::hexahedron), 0.25));
    }
    cells_.nodes = std::move(all);
    cells_.nodes_per_cell = places.size();
  }

 private:
  /// The node in the middle of the face that has `place` inside, shared with the neighbour.
  int face_node(std::span<const int> cell, const std::array<int, 3>& place) {
    const std::size_t axis = place[0] != 1 ? 0 : place[1] != 1 ? 1 : 2;
    const auto places = lattice_nodes(CellShape::hexahedron, 2);
    std::vector<int> nodes;  // four corners, then four nodes of edges, as the lattice has them
    for (std::size_t b = 0; b < serendipity_nodes; ++b) {
      if (places[b][axis] == place[axis]) nodes.push_back(cell[b]);
    }
    std::array<int, 4> key = {nodes[0], nodes[1], nodes[2], nodes[3]};
    std::sort(key.begin(), key.end());
    const auto found = faces_.find(key);
    if (found != faces_.end()) return found->second;
    return faces_[key] = add_node(nodes, 4, 0.5);
  }

  int add_node(const std::vector<int>& nodes, int corners, double edge_weight) {
    const int number = int(mesh_.vertices.size());
    Vector3 x = Vector3::Zero();
    for (std::size_t i = 0; i < nodes.size(); ++i)
      x += (int(i) < corners ? -0.25 : edge_weight) * mesh_.vertices[std::size_t(nodes[i])];
    mesh_.vertices.push_back(x);
    for (const auto& [name, member] : members_) {
      const bool all =
          std::all_of(nodes.begin(), nodes.end(), [&member](int v) { return member[std::size_t(v)]; });
      if (all) mesh_.node_sets[name].push_back(number);
    }
    return number;
  }

  FileCells& cells_;
  FileMesh& mesh_;
  std::map<std::array<int, 4>, int> faces_;
  std::map<std::string, std::vector<bool>> members_;
};

}  // namespace

SolidMesh complete_solid(FileMesh mesh, const std::string& name) {
  FileCells cells = only_kind(mesh, name);
  if (cells.shape == CellShape::hexahedron && cells.nodes_per_cell == serendipity_nodes)
    SerendipityCompletion(cells, mesh).run();
  SolidMesh result;
  result.shape = cells.shape;
  result.order = cells.order;
  std::vector<int> number(mesh.vertices.size(), -1);
  for (int v : cells.nodes) number[std::size_t(v)] = 0;
  int count = 0;
  for (int& n : number) {
    if (n == 0) n = count++;
  }
  result.vertices.resize(3, count);
  for (std::size_t v = 0; v < number.size(); ++v) {
    if (number[v] >= 0) result.vertices.col(number[v]) = mesh.vertices[v];
  }
  result.cells = std::move(cells.nodes);
  for (int& v : result.cells) v = number[std::size_t(v)];
  for (auto& [set_name, nodes] : mesh.node_sets) {
    for (int& v : nodes) v = number[std::size_t(v)];
    std::erase(nodes, -1);
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    if (!nodes.empty()) result.node_sets[set_name] = std::move(nodes);
  }
  return result;
}

}  // namespace bulwark
