#include <bulwark/output/writing/frame_writer.hpp>
#include <bulwark/output/writing/joint_writer.hpp>
#include <bulwark/output/writing/vtu_writer.hpp>
#include <bulwark/output/zero_ended.hpp>

#include <fmt/format.h>

#include <array>
#include <span>

namespace bulwark {
namespace {

// VTK's numbers for the kinds of cells.
constexpr std::uint8_t vtk_vertex = 1, vtk_line = 3, vtk_triangle = 5, vtk_tetrahedron = 10;

std::uint8_t vtk_type(const FrameSolid& cell) {
  constexpr std::uint8_t quadratic_tetrahedron = 24, lagrange_tetrahedron = 71, hexahedron = 12,
                         triquadratic_hexahedron = 29;
  if (cell.shape == CellShape::hexahedron) return cell.order == 1 ? hexahedron : triquadratic_hexahedron;
  return cell.order == 2 ? quadratic_tetrahedron : lagrange_tetrahedron;
}

struct Cells {
  std::vector<int> connectivity, offsets, body;
  std::vector<std::uint8_t> types;

  template <class Points>
  void add(std::uint8_t type, const Points& points, const std::vector<int>& point_body) {
    connectivity.insert(connectivity.end(), points.begin(), points.end());
    offsets.push_back(static_cast<int>(connectivity.size()));
    types.push_back(type);
    body.push_back(point_body[points[0]]);
  }
};

Cells cells_of(const Frame& frame) {
  Cells cells;
  for (const Tetrahedron& cell : frame.tetrahedra) cells.add(vtk_tetrahedron, cell, frame.point_body);
  for (const FrameSolid& cell : frame.solids) cells.add(vtk_type(cell), cell.points, frame.point_body);
  for (const Triangle& cell : frame.triangles) cells.add(vtk_triangle, cell, frame.point_body);
  for (const Edge& cell : frame.segments) cells.add(vtk_line, cell, frame.point_body);
  for (const int cell : frame.vertices) cells.add(vtk_vertex, std::array<int, 1>{cell}, frame.point_body);
  for (const Triangle& cell : frame.skin) cells.add(vtk_triangle, cell, frame.point_body);
  return cells;
}

template <class Columns>
std::span<const double> numbers(const Columns& columns) {
  return {columns.data(), static_cast<std::size_t>(columns.size())};
}

std::string stress_data(const PointStresses& stress, VtuArrays& arrays) {
  std::string xml;
  const auto add = [&](std::string_view name, const auto& columns, int components) {
    if (columns.size() > 0) xml += arrays.add(name, numbers(columns), components);
  };
  add("von_mises", stress.von_mises, 1);
  add("stress_tensor", stress.cauchy, 6);
  add("second_stress", stress.second, 6);
  add("strain", stress.strain, 6);
  add("principal_stress", stress.principal, 3);
  add("energy_density", stress.energy_density, 1);
  return xml;
}

std::string stress_data(const StressField& stress, VtuArrays& arrays) {
  const VectorX von_mises = stress.von_mises();
  return stress_data({{von_mises.begin(), von_mises.end()},
                      stress.cauchy,
                      stress.second,
                      stress.strain,
                      stress.principal_stresses(),
                      {stress.energy_density.begin(), stress.energy_density.end()}},
                     arrays);
}

std::string point_data(const Frame& frame, VtuArrays& arrays) {
  std::string xml = arrays.add("body", frame.point_body);
  if (!frame.radius.empty()) xml += arrays.add("radius", frame.radius);
  if (frame.rest.size() > 0) xml += arrays.add("rest", numbers(frame.rest), 3);
  if (frame.velocity.size() > 0) xml += arrays.add("velocity", numbers(frame.velocity), 3);
  if (frame.contact_force.size() > 0) xml += arrays.add("contact_force", numbers(frame.contact_force), 3);
  if (!frame.contact_pressure.empty()) xml += arrays.add("contact_pressure", frame.contact_pressure);
  if (frame.contact_traction.size() > 0)
    xml += arrays.add("contact_traction", numbers(frame.contact_traction), 3);
  return xml + stress_data(frame.stress, arrays);
}

std::string cell_data(const Frame& frame, const Cells& cells, VtuArrays& arrays) {
  std::string xml = arrays.add("body", cells.body);
  if (!frame.skin.empty()) {
    std::vector<int> skin(cells.types.size() - frame.skin.size(), 0);
    skin.resize(cells.types.size(), 1);
    xml += arrays.add("skin", skin);
  }
  if (!frame.von_mises_stress.empty()) {
    std::vector<double> stress = frame.von_mises_stress;
    stress.resize(cells.types.size(), 0.0);
    xml += arrays.add("von_mises_stress", stress);
  }
  return xml;
}

/// First of all arrays, and as text: it has to be found in the head of the file.
std::string moment(std::int64_t step, double time) {
  return fmt::format(
      "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n"
      "<DataArray type=\"Int64\" Name=\"step\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n",
      time, step);
}

std::string topology(const Cells& cells, VtuArrays& arrays) {
  return arrays.add("connectivity", cells.connectivity) + arrays.add("offsets", cells.offsets) +
         arrays.add("types", cells.types);
}

/// What `check` needs beside the mesh, and the joints.
std::string field_data(const Frame& frame, VtuArrays& arrays) {
  std::vector<int> rules, exempt, unguarded, plane_points, plane_bodies;
  std::vector<double> plane_normals;
  for (const CollisionBody& body : frame.bodies) {
    rules.insert(rules.end(), {body.obstacle, body.collides, body.self, body.group});
  }
  for (const auto& pair : frame.exempt_pairs) exempt.insert(exempt.end(), pair.begin(), pair.end());
  for (const auto& pair : frame.unguarded_pairs) unguarded.insert(unguarded.end(), pair.begin(), pair.end());
  for (const FramePlane& plane : frame.planes) {
    plane_points.push_back(plane.point);
    plane_bodies.push_back(plane.body);
    plane_normals.insert(plane_normals.end(), plane.normal.data(), plane.normal.data() + 3);
  }
  std::string xml = arrays.add("body_names", zero_ended(frame.body_names), 1, true);
  xml += arrays.add("body_rules", rules, 4, true);
  if (!exempt.empty()) xml += arrays.add("exempt_pairs", exempt, 2, true);
  if (!unguarded.empty()) xml += arrays.add("unguarded_pairs", unguarded, 2, true);
  if (!frame.planes.empty()) {
    xml += arrays.add("plane_points", plane_points, 1, true);
    xml += arrays.add("plane_normals", plane_normals, 3, true);
    xml += arrays.add("plane_bodies", plane_bodies, 1, true);
  }
  xml += joint_fields(frame.joints, arrays);
  return xml;
}

}  // namespace

std::string frame_to_vtu(const Frame& frame) {
  return frame_to_vtu(frame, nullptr);
}

std::string frame_to_vtu(const Frame& frame, VtuCache* cache) {
  const Cells cells = cells_of(frame);
  VtuArrays arrays(cache);
  VtuGrid grid{static_cast<std::size_t>(frame.position.cols()), cells.types.size(), {}, {}, {}, {}, {}};
  grid.field_data = moment(frame.step, frame.time) + field_data(frame, arrays);
  grid.positions = arrays.add("Points", numbers(frame.position), 3);
  grid.topology = topology(cells, arrays);
  grid.point_data = point_data(frame, arrays);
  grid.cell_data = cell_data(frame, cells, arrays);
  return vtu_file(grid, arrays);
}

std::string integration_points_to_vtu(const IntegrationPoints& points, std::int64_t step, double time,
                                      VtuCache* cache) {
  Cells cells;
  for (int i = 0; i < points.count(); ++i) cells.add(vtk_vertex, std::array<int, 1>{i}, points.body);
  VtuArrays arrays(cache);
  const std::size_t count = points.body.size();
  VtuGrid grid{count, count, moment(step, time), {}, {}, {}, {}};
  grid.positions = arrays.add("Points", numbers(points.position), 3);
  grid.topology = topology(cells, arrays);
  grid.point_data = arrays.add("body", points.body) + arrays.add("element", points.element) +
                    arrays.add("volume", points.volume) + stress_data(points.stress, arrays);
  return vtu_file(grid, arrays);
}

std::string series_to_pvd(const std::vector<SeriesEntry>& series) {
  std::string xml =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
      "<Collection>\n";
  for (const SeriesEntry& entry : series) {
    xml += fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", entry.time, entry.file);
  }
  return xml + "</Collection>\n</VTKFile>\n";
}

}  // namespace bulwark
