#include <bulwark/scene/read_shape.hpp>
#include <bulwark/scene/read_values.hpp>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

namespace bulwark {
namespace {

Vector2 read_sides(const Json& value) {
  return {value[0].get<double>(), value[1].get<double>()};
}

double number(const Json& object, const char* key) {
  return object[key].get<double>();
}

/// Vertices of a lattice of the given spacing in a solid of the given volume and surface, wherever it is.
double lattice_vertices(double volume, double area, double length, double spacing) {
  return volume / (spacing * spacing * spacing) + area / (spacing * spacing) + length / spacing + 1;
}

double box_vertices(const Vector3& sides, double spacing) {
  return (sides.array() / spacing + 1).prod();
}

/// Vertices at the given resolution, or at about the shape's own default where that is 0.
struct Estimate {
  double resolution;

  double operator()(const BoxShape& s) const {
    return resolution > 0 ? box_vertices(s.sides, resolution) : 8;
  }
  double operator()(const SphereShape& s) const {
    return upright(s.radius, 2 * s.radius, edge(s.radius / 3));
  }
  double operator()(const CylinderShape& s) const { return upright(s.radius, s.height, edge(s.radius / 3)); }
  double operator()(const CapsuleShape& s) const { return upright(s.radius, s.height, edge(s.radius / 3)); }
  double operator()(const ConeShape& s) const {
    return upright(s.radius, s.height, edge(std::max(s.radius, s.height) / 4));
  }
  double operator()(const TorusShape& s) const { return tube(2 * std::numbers::pi * s.major, s.minor); }
  double operator()(const RingShape& s) const {
    return tube(2 * std::numbers::pi * s.major + 2 * s.length, s.minor);
  }
  double operator()(const TetrahedronShape& s) const {
    return box_vertices(Vector3::Constant(s.edge), edge(s.edge));
  }
  double operator()(const GearShape& s) const {
    const double tip = s.module * (s.teeth / 2.0 + 1);
    constexpr double points_per_tooth = 12;
    return upright(tip, s.thickness, edge(s.module)) +
           points_per_tooth * s.teeth * (s.thickness / edge(s.module) + 1);
  }
  double operator()(const BoltShape& s) const {
    return threaded(s.head_radius, s.length + s.head_height, s.radius, s.pitch);
  }
  double operator()(const NutShape& s) const { return threaded(s.outer_radius, s.height, s.radius, s.pitch); }
  double operator()(const GridShape& s) const { return (s.cells[0] + 1.0) * (s.cells[1] + 1.0); }
  double operator()(const LineShape& s) const { return s.segments + 1.0; }
  double operator()(const TubeShape& s) const {
    const double spacing = edge(s.radius / 3);
    return (2 * std::numbers::pi * s.radius / spacing + 6) * (s.height / spacing + 2);
  }
  double operator()(const CircleShape& s) const { return s.segments; }
  double operator()(const PointsShape& s) const { return static_cast<double>(s.points.size()); }
  double operator()(const HeightFieldShape& s) const {
    return static_cast<double>(s.heights.size()) * static_cast<double>(s.heights.front().size());
  }

 private:
  double edge(double preset) const { return resolution > 0 ? resolution : preset; }
  static double upright(double radius, double height, double spacing) {
    return box_vertices({2 * radius, height, 2 * radius}, spacing);
  }
  double tube(double length, double radius) const {
    return lattice_vertices(4 * radius * radius * length, 8 * radius * length, length, edge(radius / 2));
  }
  /// A thread is followed finely, whatever the resolution: the more turns, the more points per turn.
  double threaded(double outer_radius, double height, double radius, double pitch) const {
    const double across = std::min(edge(radius), 0.4 * std::sqrt(radius * pitch));
    const double along = std::min(edge(radius), pitch / 8);
    return std::pow(2 * outer_radius / across + 1, 2) * (height / along + 1);
  }
};

}  // namespace

Shape read_shape(const Json& shape) {
  if (shape.contains("box"))
    return BoxShape{read_vector(shape["box"]), shape.contains("rounding") ? number(shape, "rounding") : 0};
  if (shape.contains("sphere")) return SphereShape{number(shape, "sphere")};
  if (shape.contains("tetrahedron")) return TetrahedronShape{number(shape, "tetrahedron")};
  if (shape.contains("cylinder")) {
    const Json& s = shape["cylinder"];
    return CylinderShape{number(s, "radius"), number(s, "height")};
  }
  if (shape.contains("capsule")) {
    const Json& s = shape["capsule"];
    return CapsuleShape{number(s, "radius"), number(s, "height")};
  }
  if (shape.contains("cone")) {
    const Json& s = shape["cone"];
    return ConeShape{number(s, "radius"), number(s, "height")};
  }
  if (shape.contains("torus")) {
    const Json& s = shape["torus"];
    return TorusShape{number(s, "major"), number(s, "minor")};
  }
  if (shape.contains("ring")) {
    const Json& s = shape["ring"];
    return RingShape{number(s, "major"), number(s, "minor"), number(s, "length")};
  }
  if (shape.contains("gear")) {
    const Json& s = shape["gear"];
    return GearShape{s["teeth"].get<int>(), number(s, "module"), number(s, "thickness"), number(s, "bore")};
  }
  if (shape.contains("bolt")) {
    const Json& s = shape["bolt"];
    return BoltShape{number(s, "radius"), number(s, "length"), number(s, "pitch"), number(s, "head_radius"),
                     number(s, "head_height")};
  }
  if (shape.contains("nut")) {
    const Json& s = shape["nut"];
    return NutShape{number(s, "radius"), number(s, "pitch"), number(s, "height"), number(s, "outer_radius"),
                    number(s, "clearance")};
  }
  if (shape.contains("grid")) {
    const Json& s = shape["grid"];
    return GridShape{read_sides(s["size"]), {s["cells"][0].get<int>(), s["cells"][1].get<int>()}};
  }
  if (shape.contains("height_field")) {
    const Json& s = shape["height_field"];
    return HeightFieldShape{read_sides(s["size"]), s["heights"].get<std::vector<std::vector<double>>>()};
  }
  if (shape.contains("line")) {
    const Json& s = shape["line"];
    return LineShape{read_vector(s["from"]), read_vector(s["to"]), s["segments"].get<int>()};
  }
  if (shape.contains("tube")) {
    const Json& s = shape["tube"];
    return TubeShape{number(s, "radius"), number(s, "height")};
  }
  if (shape.contains("circle")) {
    const Json& s = shape["circle"];
    return CircleShape{number(s, "radius"), s["segments"].get<int>()};
  }
  PointsShape cloud;
  for (const Json& point : shape["points"]) cloud.points.push_back(read_vector(point));
  return cloud;
}

double read_resolution(const Json& shape) {
  return shape.contains("resolution") ? number(shape, "resolution") : 0;
}

double estimated_vertices(const Shape& shape, double resolution) {
  return std::visit(Estimate{resolution}, shape);
}

}  // namespace bulwark
