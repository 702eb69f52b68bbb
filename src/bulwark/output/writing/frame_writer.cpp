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

/// What `check` needs beside the mesh, and the joints.
std::string field_data(const Frame& frame, VtuArrays& arrays) {
  std::vector<int> rules, exempt, plane_points, plane_bodies;
  std::vector<double> plane_normals;
  for (const CollisionBody& body : frame.bodies) {
    rules.insert(rules.end(), {body.obstacle, body.collides, body.self, body.group});
  }
  for (const auto& pair : frame.exempt_pairs) exempt.insert(exempt.end(), pair.begin(), pair.end());
  for (const FramePlane& plane : frame.planes) {
    plane_points.push_back(plane.point);
    plane_bodies.push_back(plane.body);
    plane_normals.insert(plane_normals.end(), plane.normal.data(), plane.normal.data() + 3);
  }
  // First of all arrays, and as text: it has to be found in the head of the file.
  std::string xml = fmt::format(
      "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n"
      "<DataArray type=\"Int64\" Name=\"step\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n",
      frame.time, frame.step);
  xml += arrays.add("body_names", zero_ended(frame.body_names), 1, true);
  xml += arrays.add("body_rules", rules, 4, true);
  if (!exempt.empty()) xml += arrays.add("exempt_pairs", exempt, 2, true);
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
  std::string xml =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\""
      " compressor=\"vtkZLibDataCompressor\">\n<UnstructuredGrid>\n";
  xml += "<FieldData>\n" + field_data(frame, arrays) + "</FieldData>\n";
  xml += fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n", frame.position.cols(),
                     cells.types.size());
  xml += "<Points>\n" + arrays.add("Points", numbers(frame.position), 3) + "</Points>\n";
  xml += "<Cells>\n" + arrays.add("connectivity", cells.connectivity) + arrays.add("offsets", cells.offsets) +
         arrays.add("types", cells.types) + "</Cells>\n";
  xml += "<PointData>\n" + point_data(frame, arrays) + "</PointData>\n";
  xml += "<CellData>\n" + cell_data(frame, cells, arrays) + "</CellData>\n";
  xml += "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
  xml += arrays.bytes();
  xml += "\n</AppendedData>\n</VTKFile>\n";
  return xml;
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
