#include <bulwark/base/error.hpp>
#include <bulwark/geometry/hexahedral_box.hpp>

#include <fmt/format.h>

namespace bulwark {

SolidMesh hexahedral_box(const Vector3& sides, const std::array<int, 3>& cells, int order) {
  if (!(sides.minCoeff() > 0) || !sides.allFinite()) {
    throw InputError("box", fmt::format("its sides are ({}, {}, {})", sides[0], sides[1], sides[2]),
                     "Give three positive lengths.");
  }
  double total = 1;
  for (const int n : cells) {
    if (n < 1) throw InputError("box", fmt::format("{} cells along a side", n), "Give at least one.");
    total *= n;
  }
  constexpr double most = 5e6;
  if (total > most)
    throw InputError("box", fmt::format("{:.3g} hexahedra are too many", total),
                     "Give fewer cells along its sides.");
  const int nx = cells[0], ny = cells[1], nz = cells[2];
  const auto number = [&](int i, int j, int k) { return i + (nx + 1) * (j + (ny + 1) * k); };
  SolidMesh mesh;
  mesh.shape = CellShape::hexahedron;
  mesh.vertices.resize(3, Eigen::Index(number(0, 0, nz + 1)));
  for (int k = 0; k <= nz; ++k) {
    for (int j = 0; j <= ny; ++j) {
      for (int i = 0; i <= nx; ++i) {
        const Vector3 place(double(i) / nx - 0.5, double(j) / ny - 0.5, double(k) / nz - 0.5);
        mesh.vertices.col(number(i, j, k)) = place.cwiseProduct(sides);
      }
    }
  }
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) {
        for (const auto& at : lattice_nodes(CellShape::hexahedron, 1))
          mesh.cells.push_back(number(i + at[0], j + at[1], k + at[2]));
      }
    }
  }
  return raised(mesh, order);
}

}  // namespace bulwark
