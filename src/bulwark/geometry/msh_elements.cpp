#include <bulwark/geometry/cell_pattern.hpp>
#include <bulwark/geometry/msh_elements.hpp>

namespace bulwark {
namespace {

std::vector<std::array<int, 3>> gmsh_lattice(CellShape shape, int order) {
  static const CellPattern tetrahedron = {CellShape::tetrahedron,
                                          {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {3, 2}, {3, 1}},
                                          {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {3, 1, 2}}};
  static const CellPattern hexahedron = {
      CellShape::hexahedron,
      {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3}, {2, 6}, {3, 7}, {4, 5}, {4, 7}, {5, 6}, {6, 7}},
      {{0, 3, 2, 1}, {0, 1, 5, 4}, {0, 4, 7, 3}, {1, 2, 6, 5}, {2, 3, 7, 6}, {4, 5, 6, 7}}};
  if (shape == CellShape::hexahedron) return lattice_of(hexahedron, order);
  return lattice_of(tetrahedron, order);
}

/// For each node of lattice_nodes its number in gmsh's order.
std::vector<int> gmsh_numbers(CellShape shape, int order) {
  const auto places = gmsh_lattice(shape, order);
  std::vector<int> numbers(places.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    numbers[std::size_t(node_at(shape, order, places[i]))] = int(i);
  return numbers;
}

}  // namespace

std::optional<MshElement> msh_element(long long type) {
  switch (type) {
    case 15:  // point
      return MshElement{0, 1, 1};
    case 1:  // lines
      return MshElement{1, 2, 1};
    case 8:
      return MshElement{1, 3, 2};
    case 26:
      return MshElement{1, 4, 3};
    case 27:
      return MshElement{1, 5, 4};
    case 2:  // triangles; those of fewer nodes lack the inner ones
      return MshElement{2, 3, 1};
    case 9:
      return MshElement{2, 6, 2};
    case 20:
      return MshElement{2, 9, 3};
    case 21:
      return MshElement{2, 10, 3};
    case 22:
      return MshElement{2, 12, 4};
    case 23:
      return MshElement{2, 15, 4};
    case 3:  // quadrangles
      return MshElement{2, 4, 1};
    case 10:
      return MshElement{2, 9, 2};
    case 16:
      return MshElement{2, 8, 2};
    case 4:  // tetrahedra
      return MshElement{3, 4, 1};
    case 11:
      return MshElement{3, 10, 2};
    case 29:
      return MshElement{3, 20, 3};
    case 30:
      return MshElement{3, 35, 4};
    case 5:  // hexahedra
      return MshElement{3, 8, 1};
    case 12:
      return MshElement{3, 27, 2};
    case 17:
      return MshElement{3, 20, 2};
    default:
      return std::nullopt;
  }
}

std::vector<int> in_lattice_order(CellShape shape, int order, std::span<const int> gmsh_nodes) {
  static const std::array<std::vector<int>, 4> tetrahedra = {
      gmsh_numbers(CellShape::tetrahedron, 1), gmsh_numbers(CellShape::tetrahedron, 2),
      gmsh_numbers(CellShape::tetrahedron, 3), gmsh_numbers(CellShape::tetrahedron, 4)};
  static const std::array<std::vector<int>, 2> hexahedra = {gmsh_numbers(CellShape::hexahedron, 1),
                                                            gmsh_numbers(CellShape::hexahedron, 2)};
  const std::vector<int>& numbers = shape == CellShape::tetrahedron ? tetrahedra[std::size_t(order - 1)]
                                                                    : hexahedra[std::size_t(order - 1)];
  std::vector<int> nodes(gmsh_nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = gmsh_nodes[std::size_t(numbers[i])];
  return nodes;
}

}  // namespace bulwark
