// Mass matrix of a solid of linear tetrahedra.
#pragma once

#include <bulwark/geometry/mesh.hpp>

#include <Eigen/SparseCore>
#include <vector>

namespace bulwark {

/// Consistent mass: rho * integral of s_a s_b, that is rho V/10 on the diagonal and rho V/20 off it for every
/// tetrahedron. Lumped mass: its row sums, rho V/4 per vertex.
inline std::vector<Eigen::Triplet<double>> tetrahedral_mass(const TetMesh& mesh, double density,
                                                            bool lumped) {
  std::vector<Eigen::Triplet<double>> entries;
  for (const Tetrahedron& t : mesh.tetrahedra) {
    const double mass = density * tetrahedron_volume(mesh.vertices.col(t[0]), mesh.vertices.col(t[1]),
                                                     mesh.vertices.col(t[2]), mesh.vertices.col(t[3]));
    for (int i = 0; i < 4; ++i) {
      if (lumped) {
        entries.emplace_back(t[i], t[i], mass / 4);
        continue;
      }
      for (int j = 0; j < 4; ++j) entries.emplace_back(t[i], t[j], i == j ? mass / 10 : mass / 20);
    }
  }
  return entries;
}

}  // namespace bulwark
