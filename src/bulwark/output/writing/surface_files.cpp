#include <bulwark/base/packed_bytes.hpp>
#include <bulwark/output/writing/surface_files.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>

namespace bulwark {
namespace {

/// The visible cells of a frame, sorted by body, over the points that they use.
struct Surface {
  std::vector<int> points;  ///< of the frame
  std::vector<Triangle> triangles;
  std::vector<Edge> segments;
  std::vector<int> dots;
};

Surface surface_of(const Frame& frame) {
  Surface surface;
  DrawnCells drawn = drawn_cells(frame);
  surface.triangles = std::move(drawn.triangles);
  surface.segments = std::move(drawn.segments);
  surface.dots = std::move(drawn.vertices);
  const auto by_body = [&](const auto& a, const auto& b) {
    return frame.point_body[a[0]] < frame.point_body[b[0]];
  };
  std::stable_sort(surface.triangles.begin(), surface.triangles.end(), by_body);
  std::stable_sort(surface.segments.begin(), surface.segments.end(), by_body);
  std::vector<int> number(frame.point_body.size(), -1);
  const auto use = [&](int point) { number[point] = 0; };
  for (const Triangle& t : surface.triangles) std::for_each(t.begin(), t.end(), use);
  for (const Edge& e : surface.segments) std::for_each(e.begin(), e.end(), use);
  std::for_each(surface.dots.begin(), surface.dots.end(), use);
  for (std::size_t i = 0; i < number.size(); ++i) {
    if (number[i] < 0) continue;
    number[i] = static_cast<int>(surface.points.size());
    surface.points.push_back(static_cast<int>(i));
  }
  for (Triangle& t : surface.triangles) t = {number[t[0]], number[t[1]], number[t[2]]};
  for (Edge& e : surface.segments) e = {number[e[0]], number[e[1]]};
  for (int& dot : surface.dots) dot = number[dot];
  return surface;
}

/// A name on one line without blanks, as the obj format wants it.
std::string one_word(std::string name) {
  for (char& c : name) {
    if (static_cast<unsigned char>(c) <= ' ') c = '_';
  }
  return name.empty() ? "body" : name;
}

/// Legacy VTK holds its numbers with the most significant byte first.
template <class T>
void append_big_endian(std::string& bytes, T number) {
  char raw[sizeof(T)];
  std::copy_n(reinterpret_cast<const char*>(&number), sizeof(T), raw);
  std::reverse(raw, raw + sizeof(T));
  bytes.append(raw, sizeof(T));
}

void append_vectors(std::string& vtk, const std::string& name, const Vectors& vectors) {
  if (vectors.cols() == 0) return;
  vtk += "VECTORS " + name + " double\n";
  for (const double number : vectors.reshaped()) append_big_endian(vtk, number);
  vtk += "\n";
}

template <class T, class Numbers>
void append_scalars(std::string& vtk, const std::string& name, const char* type, const Numbers& numbers) {
  vtk += "SCALARS " + name + " " + type + " 1\nLOOKUP_TABLE default\n";
  for (const auto number : numbers) append_big_endian(vtk, static_cast<T>(number));
  vtk += "\n";
}

}  // namespace

std::string frame_to_obj(const Frame& frame) {
  const Surface surface = surface_of(frame);
  std::string obj = fmt::format("# step {}, t = {} s, metres\n", frame.step, frame.time);
  for (const int point : surface.points) {
    const Vector3 p = frame.position.col(point);
    obj += fmt::format("v {} {} {}\n", p.x(), p.y(), p.z());
  }
  int body = -1;
  const auto name_body = [&](int vertex) {
    const int of_vertex = frame.point_body[surface.points[vertex]];
    if (of_vertex != body) obj += "o " + one_word(frame.body_names[of_vertex]) + "\n";
    body = of_vertex;
  };
  for (const Triangle& t : surface.triangles) {
    name_body(t[0]);
    obj += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  }
  for (const Edge& e : surface.segments) {
    name_body(e[0]);
    obj += fmt::format("l {} {}\n", e[0] + 1, e[1] + 1);
  }
  for (const int dot : surface.dots) {
    name_body(dot);
    obj += fmt::format("p {}\n", dot + 1);
  }
  return obj;
}

std::string frame_to_ply(const Frame& frame) {
  const Surface surface = surface_of(frame);
  std::string ply = fmt::format(
      "ply\nformat binary_little_endian 1.0\ncomment step {}, t = {} s, metres\nelement vertex {}\n"
      "property double x\nproperty double y\nproperty double z\nproperty int body\n"
      "element face {}\nproperty list uchar int vertex_indices\n",
      frame.step, frame.time, surface.points.size(), surface.triangles.size());
  ply += "end_header\n";
  for (const int point : surface.points) {
    for (int k = 0; k < 3; ++k) append_number(ply, frame.position(k, point));
    append_number(ply, frame.point_body[point]);
  }
  for (const Triangle& t : surface.triangles) {
    append_number(ply, std::uint8_t{3});
    for (const int vertex : t) append_number(ply, vertex);
  }
  return ply;
}

std::string frame_to_stl(const Frame& frame) {
  const Surface surface = surface_of(frame);
  std::string stl = fmt::format("Bulwark, step {}, metres", frame.step);
  stl.resize(80, ' ');
  append_number(stl, static_cast<std::uint32_t>(surface.triangles.size()));
  for (const Triangle& t : surface.triangles) {
    const Vector3 a = frame.position.col(surface.points[t[0]]), b = frame.position.col(surface.points[t[1]]),
                  c = frame.position.col(surface.points[t[2]]);
    for (const Vector3& v : {Vector3((b - a).cross(c - a).normalized()), a, b, c}) {
      for (int k = 0; k < 3; ++k) append_number(stl, static_cast<float>(v[k]));
    }
    append_number(stl, std::uint16_t{0});
  }
  return stl;
}

std::string frame_to_legacy_vtk(const Frame& frame) {
  const std::size_t counts[] = {frame.tetrahedra.size(), frame.triangles.size() + frame.skin.size(),
                                frame.segments.size(), frame.vertices.size()};
  const std::size_t cells = counts[0] + counts[1] + counts[2] + counts[3];
  std::string vtk = fmt::format(
      "# vtk DataFile Version 3.0\nBulwark, step {}, t = {} s\nBINARY\nDATASET UNSTRUCTURED_GRID\n"
      "POINTS {} double\n",
      frame.step, frame.time, frame.position.cols());
  for (const double number : frame.position.reshaped()) append_big_endian(vtk, number);

  std::vector<int> cell_body;
  vtk += fmt::format("\nCELLS {} {}\n", cells, 5 * counts[0] + 4 * counts[1] + 3 * counts[2] + 2 * counts[3]);
  const auto append_cell = [&](const auto& points) {
    append_big_endian(vtk, static_cast<std::int32_t>(points.size()));
    for (const int point : points) append_big_endian(vtk, point);
    cell_body.push_back(frame.point_body[points[0]]);
  };
  for (const Tetrahedron& t : frame.tetrahedra) append_cell(t);
  for (const Triangle& t : frame.triangles) append_cell(t);
  for (const Triangle& t : frame.skin) append_cell(t);
  for (const Edge& e : frame.segments) append_cell(e);
  for (const int vertex : frame.vertices) append_cell(std::array<int, 1>{vertex});
  vtk += fmt::format("\nCELL_TYPES {}\n", cells);
  constexpr std::int32_t cell_types[] = {10, 5, 3, 1};  // tetrahedron, triangle, line, vertex
  for (int kind = 0; kind < 4; ++kind) {
    for (std::size_t i = 0; i < counts[kind]; ++i) append_big_endian(vtk, cell_types[kind]);
  }

  vtk += fmt::format("\nPOINT_DATA {}\n", frame.position.cols());
  append_scalars<std::int32_t>(vtk, "body", "int", frame.point_body);
  append_vectors(vtk, "velocity", frame.velocity);
  append_vectors(vtk, "contact_force", frame.contact_force);
  if (!frame.contact_pressure.empty())
    append_scalars<double>(vtk, "contact_pressure", "double", frame.contact_pressure);
  append_vectors(vtk, "contact_traction", frame.contact_traction);
  vtk += fmt::format("CELL_DATA {}\n", cells);
  append_scalars<std::int32_t>(vtk, "body", "int", cell_body);
  if (!frame.von_mises_stress.empty()) {
    std::vector<double> stress = frame.von_mises_stress;
    stress.resize(cells, 0);
    append_scalars<double>(vtk, "von_mises_stress", "double", stress);
  }
  return vtk;
}

}  // namespace bulwark
