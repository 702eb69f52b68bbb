// Bolt and nut: disks and rings whose radius follows a helical thread, stacked along the axis.
#include <bulwark/geometry/disk_lattice.hpp>
#include <bulwark/geometry/solid_shapes.hpp>

#include <cmath>

namespace bulwark {
namespace {

constexpr double layers_per_pitch = 10;  // at least: fewer would cut the crests of the thread

/// Radius of the thread. A right-handed turn about +y goes from z to x, against the angle from x towards z:
/// hence the plus.
double thread_radius(double radius, double pitch, double depth, double y, double angle) {
  return radius - 0.5 * depth * (1 - std::cos(2 * M_PI * (y / pitch + angle / (2 * M_PI))));
}

/// Distance from the centre to a hexagon's side at an angle; a corner is at angle 0.
double hexagon_radius(double corner_radius, double angle) {
  const double sector = M_PI / 3, within = angle - sector * std::floor(angle / sector);
  return corner_radius * std::cos(sector / 2) / std::cos(within - sector / 2);
}

/// Sixths of the circle's points: enough that a chord cuts a fiftieth of the pitch from the circle at most,
/// so that bolt and nut keep clear of each other at every angle.
double points_per_sector(double radius, double pitch, double edge) {
  return std::max(std::ceil(M_PI * std::sqrt(radius / (0.04 * pitch)) / 6), pieces(radius, edge));
}

}  // namespace

TetMesh fill(const BoltShape& bolt, double resolution) {
  const double edge = resolution > 0 ? resolution : bolt.radius;
  const double n = points_per_sector(bolt.radius, bolt.pitch, edge);
  const double ring_width = bolt.radius / n;
  const double outer = pieces(bolt.head_radius - bolt.radius, std::min(edge, 2 * ring_width));
  const double step = std::min(edge, bolt.pitch / layers_per_pitch);
  const double shank_layers = pieces(bolt.length, step);
  const double head_layers = pieces(bolt.head_height, std::min(edge, 2 * ring_width));
  const double all = n + outer;  // rings of the head; the shank has the first n of them
  require_reasonable("bolt", 18 * n * n * shank_layers + 18 * all * all * head_layers);

  SimplexLattice lattice;
  std::vector<Triangle> below, above;
  for (int layer = 0; layer <= int(shank_layers + head_layers); ++layer) {
    above = subdivide(lattice, add_hexagon(lattice, layer), int(all));
    for (std::size_t k = 0; k < below.size(); ++k) {
      bool inside_shank = true;
      for (int v : above[k]) {
        const Vector3& x = lattice.reference(v);
        inside_shank = inside_shank && ring_angle(x.x(), x.z()).ring * all < n + 0.5;
      }
      if (inside_shank || layer > int(shank_layers)) lattice.add_prism(below[k], above[k]);
    }
    below = std::move(above);
  }
  const double bottom = -0.5 * (bolt.length + bolt.head_height), head = bottom + bolt.length;
  return lattice.mesh([&](const Vector3& x) -> Vector3 {
    const double y = x.y() <= shank_layers ? bottom + x.y() / shank_layers * bolt.length
                                           : head + (x.y() - shank_layers) / head_layers * bolt.head_height;
    const RingAngle at = ring_angle(x.x(), x.z());
    const double fade = std::clamp((head - y) / bolt.pitch, 0.0, 1.0);
    const double shank =
        thread_radius(bolt.radius, bolt.pitch, fade * thread_depth * bolt.pitch, y, at.angle);
    const double ring = at.ring * all, beyond = std::max(0.0, (ring - n) / outer);
    const double r =
        std::min(1.0, ring / n) * shank + beyond * (hexagon_radius(bolt.head_radius, at.angle) - shank);
    return {r * std::cos(at.angle), y, r * std::sin(at.angle)};
  });
}

TetMesh fill(const NutShape& nut, double resolution) {
  const double edge = resolution > 0 ? resolution : nut.radius;
  const double around = 6 * points_per_sector(nut.radius, nut.pitch, edge);
  const double rings = pieces(nut.outer_radius - nut.radius, std::min(edge, 4 * M_PI * nut.radius / around));
  const double layers = pieces(nut.height, std::min(edge, nut.pitch / layers_per_pitch));
  require_reasonable("nut", 6 * around * rings * layers);

  SimplexLattice lattice;
  std::vector<int> points;
  for (int layer = 0; layer <= int(layers); ++layer) {
    for (int ring = 0; ring <= int(rings); ++ring) {
      for (int k = 0; k < int(around); ++k) {
        const double angle = 2 * M_PI * k / around, y = (layer / layers - 0.5) * nut.height, t = ring / rings;
        const double inner =
            thread_radius(nut.radius, nut.pitch, thread_depth * nut.pitch, y, angle) + nut.clearance;
        const double r = (1 - t) * inner + t * hexagon_radius(nut.outer_radius, angle);
        points.push_back(
            lattice.corner_point(lattice.add_corner({r * std::cos(angle), y, r * std::sin(angle)})));
      }
    }
  }
  const auto at = [&](int layer, int ring, int k) {
    return points[(std::size_t(layer) * std::size_t(rings + 1) + std::size_t(ring)) * std::size_t(around) +
                  std::size_t(k % int(around))];
  };
  for (int layer = 0; layer < int(layers); ++layer) {
    for (int ring = 0; ring < int(rings); ++ring) {
      for (int k = 0; k < int(around); ++k) {
        const auto prism = [&](int r0, int k0, int r1, int k1, int r2, int k2) {
          lattice.add_prism({at(layer, r0, k0), at(layer, r1, k1), at(layer, r2, k2)},
                            {at(layer + 1, r0, k0), at(layer + 1, r1, k1), at(layer + 1, r2, k2)});
        };
        prism(ring, k, ring + 1, k, ring + 1, k + 1);
        prism(ring, k, ring + 1, k + 1, ring, k + 1);
      }
    }
  }
  return lattice.mesh([](const Vector3& x) { return x; });
}

}  // namespace bulwark
