// VTK's unstructured grids (.vtu): points and cells of all pieces; data on them is skipped.
#include <bulwark/base/error.hpp>
#include <bulwark/geometry/vtk_document.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace bulwark {
namespace {

enum CellType {
  vertex = 1,
  line = 3,
  poly_line = 4,
  triangle = 5,
  polygon = 7,
  quad = 9,
  tetrahedron = 10,
  hexahedron = 12,
  quadratic_tetrahedron = 24,
  quadratic_hexahedron = 25,
  triquadratic_hexahedron = 29,
  lagrange_tetrahedron = 71,
  lagrange_hexahedron = 72
};

/// The order of a cell of so many nodes; 0 where there is none.
int order_of(CellShape shape, std::size_t nodes) {
  for (int order = 1; order <= largest_order(shape); ++order) {
    if (lattice_nodes(shape, order).size() == nodes) return order;
  }
  return 0;
}

class VtuReader {
 public:
  VtuReader(const MeshBytes& file, const VtkDocument& document) : file_(file), document_(document) {}

  FileMesh read() {
    for (const VtkPiece& piece : document_.pieces) {
      decode(piece);
      add_piece();
    }
    return std::move(mesh_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem, const std::string& remedy) const {
    throw InputError(file_.name, problem, remedy);
  }
  static constexpr const char* damaged = "The file is truncated or damaged; export it again.";

  void decode(const VtkPiece& piece) {
    point_count_ = piece.point_count;
    cell_count_ = piece.cell_count;
    coordinates_ = numbers(piece, "Points", "");
    offsets_ = numbers(piece, "Cells", "offsets");
    types_ = numbers(piece, "Cells", "types");
    require_size("the points", coordinates_.size(), 3 * point_count_);
    require_size("the cells' offsets", offsets_.size(), cell_count_);
    require_size("the cells' types", types_.size(), cell_count_);
    // The last offset says how many corners there are.
    const double corners = offsets_.empty() ? 0 : offsets_.back();
    constexpr double most = 1e15;
    connectivity_ = numbers(piece, "Cells", "connectivity",
                            corners >= 0 && corners < most ? std::optional(std::size_t(corners)) : 0);
  }

  /// The last array of that section and name; none: empty. Points go by their section alone.
  std::vector<double> numbers(const VtkPiece& piece, std::string_view section, std::string_view name,
                              std::optional<std::size_t> count = std::nullopt) const {
    const auto matches = [&](const VtkArray& array) {
      return array.section == section && (name.empty() || array.name == name);
    };
    const auto found = std::find_if(piece.arrays.rbegin(), piece.arrays.rend(), matches);
    if (found == piece.arrays.rend()) return {};
    VtkArray array = *found;
    if (count) array.count = count;
    return vtk_numbers(file_, document_.encoding, array);
  }

  void add_piece() {
    const std::size_t first = mesh_.vertices.size();
    if (first + point_count_ > 2147483646) fail("too many points", "Simplify the mesh.");
    for (std::size_t i = 0; i < point_count_; ++i) {
      mesh_.vertices.emplace_back(coordinates_[3 * i], coordinates_[3 * i + 1], coordinates_[3 * i + 2]);
    }
    std::vector<int> corners;
    std::size_t begin = 0;
    for (std::size_t cell = 0; cell < cell_count_; ++cell) {
      const double end = offsets_[cell];
      if (!(end >= double(begin) && end <= double(connectivity_.size()))) {
        fail("cell " + std::to_string(cell) + " has the offset " + std::to_string(end) +
                 ", which is not within connectivity",
             damaged);
      }
      corners.clear();
      for (; begin < std::size_t(end); ++begin) {
        const double index = connectivity_[begin];
        if (!(index >= 0 && index < double(point_count_) && index == std::floor(index))) {
          fail("cell " + std::to_string(cell) + " uses point " + std::to_string(index) +
                   ", which does not exist",
               "The piece holds " + std::to_string(point_count_) + " points, numbered from 0.");
        }
        corners.push_back(int(first + std::size_t(index)));
      }
      add_cell(cell, types_[cell], corners);
    }
  }

  void require_size(const char* what, std::size_t size, std::size_t wanted) const {
    if (size == wanted) return;
    fail(std::string(what) + " are " + std::to_string(size) + " numbers instead of " + std::to_string(wanted),
         damaged);
  }

  void add_cell(std::size_t cell, double type, const std::vector<int>& corners) {
    const auto need = [&](bool good) {
      if (!good)
        fail("cell " + std::to_string(cell) + " has " + std::to_string(corners.size()) +
                 " corners, wrong for its type",
             damaged);
    };
    const int known = type >= 0 && type < 256 ? int(type) : -1;
    switch (known) {
      case vertex:
        need(corners.size() == 1);
        mesh_.points.push_back(corners[0]);
        break;
      case line:
        need(corners.size() == 2);
        mesh_.edges.push_back({corners[0], corners[1]});
        break;
      case poly_line:
        need(corners.size() >= 2);
        for (std::size_t i = 1; i < corners.size(); ++i) mesh_.edges.push_back({corners[i - 1], corners[i]});
        break;
      case triangle:
      case quad:
      case polygon:
        need(known == triangle ? corners.size() == 3
             : known == quad   ? corners.size() == 4
                               : corners.size() >= 3);
        mesh_.faces.add(corners);
        break;
      case tetrahedron:
      case quadratic_tetrahedron:
        need(corners.size() == (known == tetrahedron ? 4 : 10));
        mesh_.add_cell(CellShape::tetrahedron, known == tetrahedron ? 1 : 2, corners);
        break;
      case hexahedron:
        need(corners.size() == 8);
        mesh_.add_cell(CellShape::hexahedron, 1, corners);
        break;
      case quadratic_hexahedron:
      case triquadratic_hexahedron:
        need(corners.size() == (known == quadratic_hexahedron ? 20 : 27));
        mesh_.add_cell(CellShape::hexahedron, 2, corners);
        break;
      case lagrange_tetrahedron:
      case lagrange_hexahedron:
        add_lagrange_cell(
            cell, known == lagrange_tetrahedron ? CellShape::tetrahedron : CellShape::hexahedron, corners);
        break;
      default:
        fail("cell " + std::to_string(cell) + " has VTK type " + fmt::format("{}", type) +
                 ", which is not read",
             "Supported are vertices (1), lines (3, 4), triangles (5), polygons (7), quadrilaterals (9), "
             "tetrahedra (10, 24, 71) and hexahedra (12, 25, 29, 72).");
    }
  }

  void add_lagrange_cell(std::size_t cell, CellShape shape, std::vector<int> nodes) {
    const int order = order_of(shape, nodes.size());
    if (order == 0) {
      fail(fmt::format("cell {} is a Lagrange {} of {} nodes, which is not read", cell,
                       shape == CellShape::tetrahedron ? "tetrahedron" : "hexahedron", nodes.size()),
           "Supported are tetrahedra of order 1 to 4 and hexahedra of order 1 and 2.");
    }
    constexpr std::size_t third_upright = 18, fourth_upright = 19;
    if (document_.encoding.exchanged_upright_edges && shape == CellShape::hexahedron && order == 2)
      std::swap(nodes[third_upright], nodes[fourth_upright]);
    mesh_.add_cell(shape, order, nodes);
  }

  const MeshBytes& file_;
  const VtkDocument& document_;
  FileMesh mesh_;
  std::size_t point_count_ = 0, cell_count_ = 0;
  std::vector<double> coordinates_, connectivity_, offsets_, types_;
};

}  // namespace

FileMesh vtk_mesh(const MeshBytes& file, const VtkDocument& document) {
  return VtuReader(file, document).read();
}

FileMesh read_vtu(const MeshBytes& file) {
  return vtk_mesh(file, read_vtk_document(file));
}

}  // namespace bulwark
