#include <bulwark/geometry/disk_lattice.hpp>

#include <cmath>

namespace bulwark {

Hexagon add_hexagon(SimplexLattice& lattice, double height) {
  Hexagon hexagon;
  hexagon.centre = lattice.add_corner({0, height, 0});
  for (int i = 0; i < 6; ++i) {
    hexagon.rim[i] = lattice.add_corner({std::cos(i * M_PI / 3), height, std::sin(i * M_PI / 3)});
  }
  return hexagon;
}

std::vector<Triangle> subdivide(SimplexLattice& lattice, const Hexagon& hexagon, int n) {
  std::vector<Triangle> all;
  for (int i = 0; i < 6; ++i) {
    const auto part = lattice.subdivide({hexagon.centre, hexagon.rim[i], hexagon.rim[(i + 1) % 6]}, n);
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

void stack(SimplexLattice& lattice, const std::vector<Triangle>& bottom, const std::vector<Triangle>& top) {
  for (std::size_t k = 0; k < bottom.size(); ++k) lattice.add_prism(bottom[k], top[k]);
}

RingAngle ring_angle(double x, double z) {
  const double angle = std::atan2(z, x);
  const double sector = std::floor(angle / (M_PI / 3));
  // (x, z) = a u + b v with u, v the sector's two corners
  const double turned_x = x * std::cos(sector * M_PI / 3) + z * std::sin(sector * M_PI / 3);
  const double turned_z = z * std::cos(sector * M_PI / 3) - x * std::sin(sector * M_PI / 3);
  const double b = turned_z / std::sin(M_PI / 3), a = turned_x - b / 2;
  if (a + b <= 0) return {0, 0};
  return {a + b, (sector + b / (a + b)) * M_PI / 3};
}

}  // namespace bulwark
