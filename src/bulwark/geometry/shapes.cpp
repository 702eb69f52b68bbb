#include <bulwark/base/error.hpp>
#include <bulwark/geometry/round_skin.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/geometry/sheet_shapes.hpp>
#include <bulwark/geometry/solid_shapes.hpp>

#include <fmt/format.h>

#include <cmath>

namespace bulwark {
namespace {

void require(bool good, const char* shape, const std::string& problem, const std::string& remedy) {
  if (!good) throw InputError(shape, problem, remedy);
}

void require_positive(double value, const char* shape, const char* parameter) {
  require(std::isfinite(value) && value > 0, shape, fmt::format("{} is {}", parameter, value),
          "Give a finite length greater than 0.");
}

void require_count(double count, double least, const char* shape, const char* parameter) {
  constexpr double most = 1e8;  // vertex numbers must fit an int
  require(count >= least && count <= most, shape, fmt::format("{} is {}", parameter, count),
          fmt::format("Give a number from {} to {}.", least, most));
}

void check(const BoxShape& s) {
  for (double side : s.sides) require_positive(side, "box", "a side");
  require(s.rounding >= 0 && 2 * s.rounding < s.sides.minCoeff(), "box",
          fmt::format("the rounding is {}", s.rounding), "Give less than half of the smallest side.");
}
void check(const SphereShape& s) {
  require_positive(s.radius, "sphere", "the radius");
}
void check(const CylinderShape& s) {
  require_positive(s.radius, "cylinder", "radius");
  require_positive(s.height, "cylinder", "height");
}
void check(const CapsuleShape& s) {
  require_positive(s.radius, "capsule", "radius");
  require_positive(s.height, "capsule", "height");
  require(s.height >= 2 * s.radius, "capsule",
          fmt::format("height {} is less than twice the radius {}", s.height, s.radius),
          "The height runs from tip to tip, round ends included.");
}
void check(const ConeShape& s) {
  require_positive(s.radius, "cone", "radius");
  require_positive(s.height, "cone", "height");
}
void check_tube(double major, double minor, const char* shape) {
  require_positive(major, shape, "major");
  require_positive(minor, shape, "minor");
  require(minor < major, shape, fmt::format("minor {} is not less than major {}", minor, major),
          "minor is the tube's radius, major that of its centre line; a thicker tube would overlap itself.");
}
void check(const TorusShape& s) {
  check_tube(s.major, s.minor, "torus");
}
void check(const RingShape& s) {
  check_tube(s.major, s.minor, "ring");
  require(std::isfinite(s.length) && s.length >= 0, "ring", fmt::format("length is {}", s.length),
          "Give the length of the straight sides, 0 or more.");
}
void check(const TetrahedronShape& s) {
  require_positive(s.edge, "tetrahedron", "the edge");
}
void check(const GearShape& s) {
  require(s.teeth >= 5 && s.teeth <= 1000, "gear", fmt::format("teeth is {}", s.teeth),
          "Give 5 to 1000 teeth.");
  require_positive(s.module, "gear", "module");
  require_positive(s.thickness, "gear", "thickness");
  const double root_diameter = s.module * (s.teeth - 2.5);
  require(s.bore >= 0 && s.bore <= 0.9 * root_diameter, "gear", fmt::format("bore is {}", s.bore),
          fmt::format("Give the diameter of the hole, from 0 to {} (0.9 of the root circle).",
                      0.9 * root_diameter));
}
void check_thread(double radius, double pitch, const char* shape) {
  require_positive(radius, shape, "radius");
  require_positive(pitch, shape, "pitch");
  require(thread_depth * pitch < 0.5 * radius, shape,
          fmt::format("pitch {} is too large for radius {}", pitch, radius),
          fmt::format("The thread is {} pitches deep; give at most a pitch of {}.", thread_depth,
                      0.5 * radius / thread_depth));
}
void check(const BoltShape& s) {
  check_thread(s.radius, s.pitch, "bolt");
  require_positive(s.length, "bolt", "length");
  require_positive(s.head_height, "bolt", "head_height");
  require(std::isfinite(s.head_radius) && s.head_radius * std::cos(M_PI / 6) > 1.05 * s.radius, "bolt",
          fmt::format("head_radius {} is too small for radius {}", s.head_radius, s.radius),
          "The head's flat sides must lie outside the thread: give at least 1.25 times the radius.");
}
void check(const NutShape& s) {
  check_thread(s.radius, s.pitch, "nut");
  require_positive(s.height, "nut", "height");
  require(std::isfinite(s.clearance) && s.clearance >= 0, "nut", fmt::format("clearance is {}", s.clearance),
          "Give the gap to the bolt's thread, 0 or more.");
  require(
      std::isfinite(s.outer_radius) && s.outer_radius * std::cos(M_PI / 6) > 1.05 * (s.radius + s.clearance),
      "nut", fmt::format("outer_radius {} is too small for radius {}", s.outer_radius, s.radius),
      "The nut's flat sides must lie outside the thread: give at least 1.25 times radius and clearance.");
}
void check(const GridShape& s) {
  for (double side : s.size) require_positive(side, "grid", "a side of size");
  for (int count : s.cells) require_count(count, 1, "grid", "a number of cells");
  require_count(double(s.cells[0]) * s.cells[1], 1, "grid", "the number of all cells");
}
void check(const LineShape& s) {
  require(s.from.allFinite() && s.to.allFinite() && (s.to - s.from).norm() > 0, "line",
          "from and to are the same point", "Give two different, finite points.");
  require_count(s.segments, 1, "line", "segments");
}
void check(const TubeShape& s) {
  require_positive(s.radius, "tube", "radius");
  require_positive(s.height, "tube", "height");
}
void check(const CircleShape& s) {
  require_positive(s.radius, "circle", "radius");
  require_count(s.segments, 3, "circle", "segments");
}
void check(const PointsShape& s) {
  require(!s.points.empty(), "points", "the list is empty", "Give at least one point.");
  for (std::size_t i = 0; i < s.points.size(); ++i) {
    require(s.points[i].allFinite(), "points", fmt::format("point {} is not finite", i),
            "Give three finite numbers.");
  }
}
void check(const HeightFieldShape& s) {
  for (double side : s.size) require_positive(side, "height_field", "a side of size");
  require(s.heights.size() >= 2, "height_field", fmt::format("heights has {} rows", s.heights.size()),
          "Give at least two rows of at least two heights.");
  for (std::size_t j = 0; j < s.heights.size(); ++j) {
    const auto& row = s.heights[j];
    require(row.size() >= 2 && row.size() == s.heights.front().size(), "height_field",
            fmt::format("row {} has {} heights, row 0 has {}", j, row.size(), s.heights.front().size()),
            "Give all rows the same number of heights, at least two.");
    for (double y : row) {
      require(std::isfinite(y), "height_field", fmt::format("row {} holds a height that is not finite", j),
              "Give finite numbers.");
    }
  }
}

void check_all(const Shape& shape, double resolution) {
  std::visit([](const auto& s) { check(s); }, shape);
  if (!std::isfinite(resolution) || resolution < 0) {
    throw InputError(shape_name(shape), fmt::format("resolution is {}", resolution),
                     "Give the target edge length in metres, or 0 for the default.");
  }
}

}  // namespace

std::string shape_name(const Shape& shape) {
  static constexpr const char* names[] = {"box",  "sphere",      "cylinder",     "capsule", "cone",  "torus",
                                          "ring", "tetrahedron", "gear",         "bolt",    "nut",   "grid",
                                          "line", "points",      "height_field", "tube",    "circle"};
  static_assert(std::size(names) == std::variant_size_v<Shape>);
  return names[shape.index()];
}

bool is_solid(const Shape& shape) {
  return std::visit([](const auto& s) { return requires { fill(s, 0.0); }; }, shape);
}

SurfaceMesh round_surface(const Shape& shape) {
  check_all(shape, 0);
  SurfaceMesh mesh;
  if (const auto* sphere = std::get_if<SphereShape>(&shape)) {
    mesh.vertices = Vector3::Zero();
    mesh.points = {0};
    mesh.radius = {sphere->radius};
  } else if (const auto* capsule = std::get_if<CapsuleShape>(&shape)) {
    const double half = 0.5 * capsule->height - capsule->radius;
    if (!(half > 0)) return round_surface(SphereShape{capsule->radius});
    mesh.vertices.resize(3, 2);
    mesh.vertices << 0, 0, -half, half, 0, 0;
    mesh.edges = {{0, 1}};
    mesh.radius = {capsule->radius, capsule->radius};
  }
  return mesh;
}

SurfaceMesh shape_skin(const Shape& shape, int around) {
  if (const auto* sphere = std::get_if<SphereShape>(&shape)) return sphere_skin(sphere->radius, around);
  if (const auto* capsule = std::get_if<CapsuleShape>(&shape))
    return capsule_skin(capsule->radius, 0.5 * capsule->height - capsule->radius, around);
  if (const auto* box = std::get_if<BoxShape>(&shape); box != nullptr && box->rounding > 0)
    return rounded_box_skin(box->sides.array() - 2 * box->rounding, box->rounding, around);
  return surface_mesh(shape);
}

SurfaceMesh surface_mesh(const Shape& shape, double resolution) {
  check_all(shape, resolution);
  if (const auto* box = std::get_if<BoxShape>(&shape); box != nullptr && box->rounding > 0) {
    SurfaceMesh inner =
        boundary_surface(fill(BoxShape{box->sides.array() - 2 * box->rounding, 0}, resolution));
    inner.radius.assign(inner.vertices.cols(), box->rounding);
    return inner;
  }
  return std::visit(
      [&](const auto& s) -> SurfaceMesh {
        if constexpr (requires { sheet(s); }) {
          return sheet(s);
        } else if constexpr (requires { sheet(s, resolution); }) {
          return sheet(s, resolution);
        } else {
          return boundary_surface(fill(s, resolution));
        }
      },
      shape);
}

TetMesh solid_mesh(const Shape& shape, double resolution) {
  check_all(shape, resolution);
  if (const auto* box = std::get_if<BoxShape>(&shape); box != nullptr && box->rounding > 0)
    throw InputError("box", "a soft body has no rounding", "Leave `rounding` out, or make the body stiff.");
  return std::visit(
      [&](const auto& s) -> TetMesh {
        if constexpr (requires { sheet(s); } || requires { sheet(s, resolution); }) {
          throw InputError(shape_name(shape), "the shape has no inside to fill",
                           "Use it for a shell, a rod or an obstacle, or take a solid shape such as a box.");
        } else {
          return fill(s, resolution);
        }
      },
      shape);
}

SurfaceMesh boundary_surface(const TetMesh& solid) {
  SurfaceMesh surface;
  surface.triangles = boundary_triangles(solid.tetrahedra);
  std::vector<int> number(solid.vertices.cols(), -1);
  for (const Triangle& t : surface.triangles) {
    for (int v : t) number[v] = 0;
  }
  int count = 0;
  for (int& n : number) {
    if (n == 0) n = count++;
  }
  surface.vertices.resize(3, count);
  for (std::size_t v = 0; v < number.size(); ++v) {
    if (number[v] >= 0) surface.vertices.col(number[v]) = solid.vertices.col(v);
  }
  for (Triangle& t : surface.triangles) {
    for (int& v : t) v = number[v];
  }
  return surface;
}

double pieces(double length, double edge) {
  return std::max(1.0,
                  std::ceil(length / edge * (1 - 1e-9)));  // a length that fits exactly is not cut once more
}

void require_reasonable(const char* shape, double tetrahedra) {
  if (tetrahedra > max_shape_tetrahedra) {
    throw InputError(
        shape, fmt::format("this resolution needs about {:.1e} tetrahedra", tetrahedra),
        fmt::format("Give a larger edge length; the maximum is {:.0e} tetrahedra.", max_shape_tetrahedra));
  }
}

}  // namespace bulwark
