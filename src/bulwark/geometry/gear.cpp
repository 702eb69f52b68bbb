// A spur gear: its outline cut into triangles in the plane, in rings around the axis and rows up each tooth,
// then stacked along the axis.
#include <bulwark/geometry/simplex_lattice.hpp>
#include <bulwark/geometry/solid_shapes.hpp>

#include <cmath>

namespace bulwark {
namespace {

constexpr double pressure_angle = 20 * M_PI / 180;

/// The angle by which an involute has turned where its pressure angle is `angle`.
double involute(double angle) {
  return std::tan(angle) - angle;
}

struct Outline {
  double pitch, base, root, tip;  // radii
  double half_tooth;              // half a tooth's angle at the pitch circle

  explicit Outline(const GearShape& gear) {
    pitch = 0.5 * gear.module * gear.teeth;
    base = pitch * std::cos(pressure_angle);
    root = pitch - 1.25 * gear.module;
    tip = pitch + gear.module;
    half_tooth = M_PI / (2 * gear.teeth) - 0.5 * gear_backlash * gear.module / pitch;
  }

  /// Half the angle that a tooth covers at a radius: the involute above the base circle, a radial line below
  /// it.
  double half_width(double radius) const {
    const double at = radius > base ? std::acos(base / radius) : 0;
    return half_tooth + involute(pressure_angle) - involute(at);
  }
};

/// A triangulation in the plane of points given by radius and angle.
struct PlaneMesh {
  std::vector<Vector2> points;  // (x, z)
  std::vector<Triangle> triangles;

  int add(double radius, double angle) {
    points.emplace_back(radius * std::cos(angle), radius * std::sin(angle));
    return int(points.size()) - 1;
  }
};

struct Circle {
  std::vector<int> points;
  std::vector<double> angles;  // ascending over less than a full turn
};

/// Triangles between two closed circles with any numbers of points, always advancing on the one that lags
/// behind.
void zip(PlaneMesh& mesh, const Circle& inner, const Circle& outer) {
  const std::size_t m = inner.points.size(), n = outer.points.size();
  const auto angle = [](const Circle& circle, std::size_t i) {
    return circle.angles[i % circle.angles.size()] + 2 * M_PI * double(i / circle.angles.size());
  };
  for (std::size_t i = 0, j = 0; i < m || j < n;) {
    const bool advance_inner =
        j == n || (i < m && angle(inner, i) + angle(inner, i + 1) < angle(outer, j) + angle(outer, j + 1));
    const int a = inner.points[i % m], b = outer.points[j % n];
    if (advance_inner) {
      mesh.triangles.push_back({a, b, inner.points[++i % m]});
    } else {
      mesh.triangles.push_back({a, b, outer.points[++j % n]});
    }
  }
}

/// The body of the gear below the teeth: circles from `outer` inward, coarser as they shrink.
void fill_inside(PlaneMesh& mesh, Circle outer, double root, double bore_radius, double edge) {
  double radius = root;
  while (true) {
    const std::size_t n = outer.points.size();
    const double spacing = std::max(edge, 2 * M_PI * radius / double(n));
    const double left = radius - bore_radius;
    if (bore_radius == 0 && (n <= 8 || left < 1.5 * spacing)) {
      const int centre = mesh.add(0, 0);
      for (std::size_t i = 0; i < n; ++i) {
        mesh.triangles.push_back({centre, outer.points[i], outer.points[(i + 1) % n]});
      }
      return;
    }
    const double steps = std::max(1.0, std::round(left / spacing));
    radius -= left / steps;
    const double wanted = std::round(2 * M_PI * radius / spacing);
    const int count = int(std::max({6.0, wanted, std::ceil(0.5 * double(n))}));
    Circle inner;
    for (int i = 0; i < count; ++i) {
      inner.angles.push_back(outer.angles.front() + 2 * M_PI * i / count);
      inner.points.push_back(mesh.add(radius, inner.angles.back()));
    }
    zip(mesh, inner, outer);
    if (steps == 1 && bore_radius > 0) return;
    outer = std::move(inner);
  }
}

PlaneMesh gear_face(const GearShape& gear, double edge) {
  const Outline outline(gear);
  const double foot = outline.half_width(outline.root);
  const double pitch_angle = 2 * M_PI / gear.teeth;
  const int across = int(std::max(2.0, pieces(2 * foot * outline.root, edge)));
  const int gap = int(pieces((pitch_angle - 2 * foot) * outline.root, edge));
  const int rows = int(std::max(3.0, pieces(outline.tip - outline.root, edge)));

  PlaneMesh mesh;
  Circle root_circle;
  for (int tooth = 0; tooth < gear.teeth; ++tooth) {
    const double middle = tooth * pitch_angle;
    std::vector<int> below;
    for (int row = 0; row <= rows; ++row) {
      const double radius = outline.root + (outline.tip - outline.root) * row / rows;
      const double half = outline.half_width(radius);
      std::vector<int> points;
      for (int i = 0; i <= across; ++i) {
        const double angle = middle + half * (2.0 * i / across - 1);
        points.push_back(mesh.add(radius, angle));
        if (row == 0) {
          root_circle.points.push_back(points.back());
          root_circle.angles.push_back(angle);
        }
      }
      for (int i = 0; i < across && row > 0; ++i) {
        if (2 * i < across) {  // diagonals mirrored in the tooth's middle
          mesh.triangles.push_back({below[i], points[i], points[i + 1]});
          mesh.triangles.push_back({below[i], points[i + 1], below[i + 1]});
        } else {
          mesh.triangles.push_back({below[i], points[i], below[i + 1]});
          mesh.triangles.push_back({below[i + 1], points[i], points[i + 1]});
        }
      }
      below = std::move(points);
    }
    for (int i = 1; i < gap; ++i) {
      const double angle = middle + foot + (pitch_angle - 2 * foot) * i / gap;
      root_circle.points.push_back(mesh.add(outline.root, angle));
      root_circle.angles.push_back(angle);
    }
  }
  fill_inside(mesh, root_circle, outline.root, 0.5 * gear.bore, edge);
  return mesh;
}

}  // namespace

TetMesh fill(const GearShape& gear, double resolution) {
  const double edge = resolution > 0 ? resolution : gear.module;
  const double layers = pieces(gear.thickness, edge);
  const double tip = 0.5 * gear.module * (gear.teeth + 2);
  const double per_tooth = std::max(12.0, 8 * std::pow(gear.module / edge, 2));
  require_reasonable("gear", 3 * layers * (2 * M_PI * std::pow(tip / edge, 2) + gear.teeth * per_tooth));
  const PlaneMesh face = gear_face(gear, edge);
  SimplexLattice lattice;
  std::vector<int> below, above;
  for (int layer = 0; layer <= int(layers); ++layer) {
    above.clear();
    for (const Vector2& p : face.points) {
      above.push_back(
          lattice.corner_point(lattice.add_corner({p.x(), (layer / layers - 0.5) * gear.thickness, p.y()})));
    }
    for (const Triangle& t : face.triangles) {
      if (layer > 0)
        lattice.add_prism({below[t[0]], below[t[1]], below[t[2]]}, {above[t[0]], above[t[1]], above[t[2]]});
    }
    std::swap(below, above);
  }
  return lattice.mesh([](const Vector3& x) { return x; });
}

}  // namespace bulwark
