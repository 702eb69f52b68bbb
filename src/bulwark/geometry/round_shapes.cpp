// The round solids. A disk is a hexagon of six subdivided triangles whose rings are pulled to circles;
// cylinders, tori and links are disks stacked along a line, cones and round ends are pyramids over the
// hexagon, and the ball is an icosahedron of twenty tetrahedra around its centre.
#include <bulwark/geometry/disk_lattice.hpp>
#include <bulwark/geometry/solid_shapes.hpp>

#include <cmath>

namespace bulwark {
namespace {

void add_pyramid(SimplexLattice& lattice, const Hexagon& base, int tip, int n) {
  for (int i = 0; i < 6; ++i)
    lattice.add_subdivided({base.centre, base.rim[i], base.rim[(i + 1) % 6], tip}, n);
}

/// A hexagonal pyramid of height `sign` to a half ball: shells around the base's centre become half spheres.
Vector3 half_ball(const Vector3& reference, double radius) {
  const RingAngle flat = ring_angle(reference.x(), reference.z());
  const double up = reference.y(), shell = flat.ring + std::abs(up);
  if (shell <= 0) return Vector3::Zero();
  const double elevation = M_PI / 2 * up / shell, r = shell * radius;
  return {r * std::cos(elevation) * std::cos(flat.angle), r * std::sin(elevation),
          r * std::cos(elevation) * std::sin(flat.angle)};
}

/// A cross-section of a bent tube: its centre, and the direction of the disk's first axis (the second is y).
struct Section {
  Vector3 centre, outward;
};

/// A closed tube of circular cross-section through sections in the xz plane.
TetMesh closed_tube(const char* name, const std::vector<Section>& sections, double radius, double n) {
  const int count = int(sections.size());
  require_reasonable(name, 18 * n * n * count);
  SimplexLattice lattice;
  std::vector<std::vector<Triangle>> disks;
  for (int k = 0; k < count; ++k) disks.push_back(subdivide(lattice, add_hexagon(lattice, k), int(n)));
  for (int k = 0; k < count; ++k) stack(lattice, disks[k], disks[(k + 1) % count]);
  return lattice.mesh([&](const Vector3& x) -> Vector3 {
    const Section& section = sections[std::size_t(std::lround(x.y()))];
    const RingAngle at = ring_angle(x.x(), x.z());
    const Vector3 offset = std::cos(at.angle) * section.outward + std::sin(at.angle) * Vector3::UnitY();
    return section.centre + radius * at.ring * offset;
  });
}

}  // namespace

TetMesh fill(const SphereShape& sphere, double resolution) {
  const double edge = resolution > 0 ? resolution : 1.05 * sphere.radius / 3;
  const double n = pieces(1.05 * sphere.radius, edge);  // an icosahedron's edge is 1.05 of its radius
  require_reasonable("sphere", 20 * n * n * n);
  const double golden = (1 + std::sqrt(5.0)) / 2;
  SimplexLattice lattice;
  std::vector<Vector3> corners;
  for (int axis = 0; axis < 3; ++axis) {
    for (double a : {-1.0, 1.0}) {
      for (double b : {-golden, golden}) {
        Vector3 corner = Vector3::Zero();
        corner[(axis + 1) % 3] = a;
        corner[(axis + 2) % 3] = b;
        corners.push_back(corner.normalized());
        lattice.add_corner(corners.back());
      }
    }
  }
  const int centre = lattice.add_corner(Vector3::Zero());
  const auto joined = [&](int a, int b) { return (corners[a] - corners[b]).norm() < 1.1; };
  std::vector<Triangle> faces;
  for (int a = 0; a < 12; ++a) {
    for (int b = a + 1; b < 12; ++b) {
      for (int c = b + 1; c < 12; ++c) {
        if (joined(a, b) && joined(b, c) && joined(a, c)) faces.push_back({a, b, c});
      }
    }
  }
  for (const Triangle& f : faces) lattice.add_subdivided({f[0], f[1], f[2], centre}, int(n));
  // How far a face's plane is from the centre: it turns a point's height over its face into its shell.
  const double face_distance =
      (corners[faces[0][0]] + corners[faces[0][1]] + corners[faces[0][2]]).norm() / 3;
  std::vector<Vector3> normals;
  for (const Triangle& f : faces)
    normals.push_back((corners[f[0]] + corners[f[1]] + corners[f[2]]).normalized());
  return lattice.mesh([&](const Vector3& x) -> Vector3 {
    if (x.norm() < 1e-12) return Vector3::Zero();  // points are at least 1/n apart
    double height = 0;
    for (const Vector3& normal : normals) height = std::max(height, normal.dot(x));
    return sphere.radius * height / face_distance * x.normalized();
  });
}

TetMesh fill(const CylinderShape& cylinder, double resolution) {
  const double edge = resolution > 0 ? resolution : cylinder.radius / 3;
  const double n = pieces(cylinder.radius, edge), layers = pieces(cylinder.height, edge);
  require_reasonable("cylinder", 18 * n * n * layers);
  SimplexLattice lattice;
  auto below = subdivide(lattice, add_hexagon(lattice, 0), int(n));
  for (int k = 1; k <= int(layers); ++k) {
    auto above = subdivide(lattice, add_hexagon(lattice, k), int(n));
    stack(lattice, below, above);
    below = std::move(above);
  }
  return lattice.mesh([&](const Vector3& x) -> Vector3 {
    const RingAngle at = ring_angle(x.x(), x.z());
    const double r = cylinder.radius * at.ring;
    return {r * std::cos(at.angle), (x.y() / layers - 0.5) * cylinder.height, r * std::sin(at.angle)};
  });
}

TetMesh fill(const CapsuleShape& capsule, double resolution) {
  const double edge = resolution > 0 ? resolution : capsule.radius / 3;
  const double straight = capsule.height - 2 * capsule.radius;
  const double n = pieces(capsule.radius, edge);
  const double layers = straight > 1e-9 * capsule.radius ? pieces(straight, edge) : 0;
  require_reasonable("capsule", 18 * n * n * layers + 12 * n * n * n);
  SimplexLattice lattice;
  Hexagon hexagon = add_hexagon(lattice, 0);
  add_pyramid(lattice, hexagon, lattice.add_corner({0, -1, 0}), int(n));
  auto below = subdivide(lattice, hexagon, int(n));
  for (int k = 1; k <= int(layers); ++k) {
    hexagon = add_hexagon(lattice, k);
    auto above = subdivide(lattice, hexagon, int(n));
    stack(lattice, below, above);
    below = std::move(above);
  }
  add_pyramid(lattice, hexagon, lattice.add_corner({0, layers + 1, 0}), int(n));
  return lattice.mesh([&](const Vector3& x) -> Vector3 {
    const double along = std::clamp(x.y(), 0.0, layers);  // the part of y within the straight side
    const double middle = layers > 0 ? (along / layers - 0.5) * straight : 0;
    return half_ball({x.x(), x.y() - along, x.z()}, capsule.radius) + middle * Vector3::UnitY();
  });
}

TetMesh fill(const ConeShape& cone, double resolution) {
  // All edges of the pyramid get the same count, so a slender cone has stretched tetrahedra: aim at their
  // mean.
  const double size = std::sqrt(cone.radius * std::hypot(cone.radius, cone.height));
  const double n = pieces(size, resolution > 0 ? resolution : size / 4);
  require_reasonable("cone", 6 * n * n * n);
  SimplexLattice lattice;
  const Hexagon base = add_hexagon(lattice, 0);
  add_pyramid(lattice, base, lattice.add_corner({0, 1, 0}), int(n));
  return lattice.mesh([&](const Vector3& x) -> Vector3 {
    const RingAngle at = ring_angle(x.x(), x.z());
    const double r = cone.radius * at.ring;
    return {r * std::cos(at.angle), (x.y() - 0.5) * cone.height, r * std::sin(at.angle)};
  });
}

TetMesh fill(const RingShape& ring, double resolution) {
  const double edge = resolution > 0 ? resolution : ring.minor / 2;
  const double bend = std::max(6.0, pieces(M_PI * ring.major, edge));
  const double side = ring.length > 0 ? pieces(ring.length, edge) : 0;
  const double n = pieces(ring.minor, edge);
  require_reasonable("ring", 36 * n * n * (bend + side));
  std::vector<Section> sections;
  for (double sign :
       {1.0, -1.0}) {  // the bend at +x from +z to -z, then the side at -z; and again turned by half
    for (int k = 0; k < int(bend); ++k) {
      const double angle = M_PI / 2 - M_PI * k / bend;
      const Vector3 outward = sign * Vector3(std::cos(angle), 0, std::sin(angle));
      sections.push_back({ring.major * outward + sign * ring.length / 2 * Vector3::UnitX(), outward});
    }
    for (int k = 0; k < int(side); ++k) {
      const Vector3 outward = -sign * Vector3::UnitZ();
      sections.push_back(
          {ring.major * outward + sign * (0.5 - k / side) * ring.length * Vector3::UnitX(), outward});
    }
  }
  return closed_tube("ring", sections, ring.minor, n);
}

TetMesh fill(const TorusShape& torus, double resolution) {
  return fill(RingShape{torus.major, torus.minor, 0}, resolution);
}

}  // namespace bulwark
