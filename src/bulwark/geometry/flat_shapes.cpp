// The solids with flat faces: box and regular tetrahedron.
#include <bulwark/geometry/simplex_lattice.hpp>
#include <bulwark/geometry/solid_shapes.hpp>

#include <cmath>

namespace bulwark {

TetMesh fill(const BoxShape& box, double resolution) {
  std::array<double, 3> count = {1, 1, 1};
  for (int k = 0; k < 3 && resolution > 0; ++k) count[k] = pieces(box.sides[k], resolution);
  require_reasonable("box", 5 * count[0] * count[1] * count[2]);
  const int nx = int(count[0]), ny = int(count[1]), nz = int(count[2]);

  TetMesh mesh;
  mesh.vertices.resize(3, Eigen::Index(nx + 1) * (ny + 1) * (nz + 1));
  const auto index = [&](int i, int j, int k) { return (k * (ny + 1) + j) * (nx + 1) + i; };
  for (int k = 0; k <= nz; ++k) {
    for (int j = 0; j <= ny; ++j) {
      for (int i = 0; i <= nx; ++i) {
        const Vector3 fraction(double(i) / nx, double(j) / ny, double(k) / nz);
        mesh.vertices.col(index(i, j, k)) = (fraction.array() - 0.5) * box.sides.array();
      }
    }
  }
  // A cell is one inner tetrahedron on four of its corners and one at each of the other four. Cells alternate
  // between the two ways to choose those, which makes them conform and, for even counts, the mesh
  // mirror-symmetric.
  static constexpr int even[5][4] = {{0, 6, 5, 3}, {1, 0, 3, 5}, {2, 0, 6, 3}, {4, 0, 5, 6}, {7, 3, 6, 5}};
  mesh.tetrahedra.reserve(5 * std::size_t(nx) * ny * nz);
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) {
        const int odd = (i + j + k) % 2;  // the odd cell is the even one mirrored in x
        for (const auto& corners : even) {
          Tetrahedron tet;
          for (int c = 0; c < 4; ++c) {
            const int bits = corners[c] ^ odd;
            tet[c] = index(i + (bits & 1), j + (bits >> 1 & 1), k + (bits >> 2 & 1));
          }
          const Vectors& x = mesh.vertices;
          if (tetrahedron_volume(x.col(tet[0]), x.col(tet[1]), x.col(tet[2]), x.col(tet[3])) < 0) {
            std::swap(tet[2], tet[3]);
          }
          mesh.tetrahedra.push_back(tet);
        }
      }
    }
  }
  return mesh;
}

TetMesh fill(const TetrahedronShape& shape, double resolution) {
  const double n = resolution > 0 ? pieces(shape.edge, resolution) : 1;
  require_reasonable("tetrahedron", n * n * n);
  const double base_radius = shape.edge / std::sqrt(3.0);  // from a face's centre to its corners
  const double height =
      shape.edge * std::sqrt(2.0 / 3.0);  // the centroid lies a quarter of it above the base
  SimplexLattice lattice;
  const int top = lattice.add_corner({0, 0.75 * height, 0});
  std::array<int, 3> base;
  for (int i = 0; i < 3; ++i) {
    const double angle = 2 * M_PI * i / 3;
    base[i] =
        lattice.add_corner({base_radius * std::cos(angle), -0.25 * height, base_radius * std::sin(angle)});
  }
  lattice.add_subdivided({top, base[0], base[1], base[2]}, int(n));
  return lattice.mesh([](const Vector3& x) { return x; });
}

}  // namespace bulwark
