// Frames back from their files.
#include <bulwark/base/error.hpp>
#include <bulwark/geometry/vtk_document.hpp>
#include <bulwark/output/frame_file.hpp>
#include <bulwark/output/frame_joints.hpp>
#include <bulwark/output/zero_ended.hpp>

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <sstream>

namespace bulwark {
namespace {

class FrameReader {
 public:
  explicit FrameReader(const MeshBytes& file) : file_(file), document_(read_vtk_document(file)) {}

  Frame read() {
    if (document_.pieces.size() != 1) fail("it does not hold one piece");
    read_fields();
    read_mesh();
    read_data();
    return std::move(frame_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(file_.name, "this is no frame written by Bulwark, or a damaged one: " + problem);
  }

  /// The array's numbers; empty when there is no such array.
  std::vector<double> numbers(const std::vector<VtkNamedArray>& arrays, std::string_view section,
                              std::string_view name) const {
    for (const VtkNamedArray& array : arrays) {
      if (array.section == section && array.name == name)
        return vtk_numbers(file_, document_.encoding, array.array);
    }
    return {};
  }
  std::vector<double> field(std::string_view name) const {
    return numbers(document_.fields, "FieldData", name);
  }
  std::vector<double> point_data(std::string_view name) const {
    return numbers(document_.pieces.front().arrays, "PointData", name);
  }

  /// A whole number in [low, high).
  int whole(double number, double low, double high, const char* what) const {
    if (!(number >= low && number < high) || number != std::floor(number)) {
      fail(fmt::format("{} is {}", what, number));
    }
    return static_cast<int>(number);
  }

  void read_fields() {
    const std::vector<double> time = field("TimeValue"), step = field("step"), rules = field("body_rules");
    if (time.size() != 1 || step.size() != 1) fail("it states no time or step");
    frame_.time = time[0];
    frame_.step = static_cast<std::int64_t>(step[0]);

    constexpr double any_int = 2147483647;
    for (std::size_t i = 0; i + 4 <= rules.size(); i += 4) {
      frame_.bodies.push_back({rules[i] != 0, rules[i + 1] != 0, rules[i + 2] != 0,
                               whole(rules[i + 3], -1, any_int, "the group of a body")});
    }
    frame_.body_names = texts_of(field("body_names"));
    if (frame_.body_names.size() != frame_.bodies.size()) fail("its bodies have no names");

    const std::vector<double> exempt = field("exempt_pairs");
    if (exempt.size() % 2 != 0) fail("its exempt pairs are not whole");
    const double body_count = static_cast<double>(frame_.bodies.size());
    for (std::size_t i = 0; i < exempt.size(); i += 2) {
      frame_.exempt_pairs.push_back({whole(exempt[i], 0, body_count, "a body of an exempt pair"),
                                     whole(exempt[i + 1], 0, body_count, "a body of an exempt pair")});
    }

    const std::vector<double> points = field("plane_points"), normals = field("plane_normals");
    const std::vector<double> bodies = field("plane_bodies");
    if (bodies.size() != points.size() || normals.size() != 3 * points.size())
      fail("its planes are not whole");
    const double point_count = static_cast<double>(document_.pieces.front().point_count);
    for (std::size_t i = 0; i < points.size(); ++i) {
      frame_.planes.push_back({whole(points[i], 0, point_count, "the point of a plane"),
                               {normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]},
                               whole(bodies[i], 0, body_count, "the body of a plane")});
    }
    frame_.joints = read_joint_fields([this](std::string_view name) { return field(name); },
                                      frame_.bodies.size(), file_.name);
  }

  void read_mesh() {
    FileMesh mesh = read_vtu(file_);
    frame_.position.resize(3, static_cast<Eigen::Index>(mesh.vertices.size()));
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
      frame_.position.col(static_cast<Eigen::Index>(i)) = mesh.vertices[i];
    }
    frame_.tetrahedra = std::move(mesh.tetrahedra);
    for (std::size_t i = 0; i < mesh.faces.ends.size(); ++i) {
      const std::span<const int> face = mesh.faces[i];
      if (face.size() != 3) fail("it holds a polygon that is no triangle");
      frame_.triangles.push_back({face[0], face[1], face[2]});
    }
    frame_.segments = std::move(mesh.edges);
    frame_.vertices = std::move(mesh.points);
  }

  void read_data() {
    const double body_count = static_cast<double>(frame_.bodies.size());
    for (const double body : point_data("body")) {
      frame_.point_body.push_back(whole(body, 0, body_count, "the body of a point"));
    }
    if (frame_.point_body.size() != static_cast<std::size_t>(frame_.position.cols()))
      fail("its points have no bodies");
    frame_.velocity = vectors("velocity");
    frame_.contact_force = vectors("contact_force");
    frame_.von_mises_stress = numbers(document_.pieces.front().arrays, "CellData", "von_mises_stress");
    if (!frame_.von_mises_stress.empty()) frame_.von_mises_stress.resize(frame_.tetrahedra.size());
  }

  Vectors vectors(std::string_view name) const {
    const std::vector<double> data = point_data(name);
    if (data.empty()) return {};
    if (data.size() != static_cast<std::size_t>(frame_.position.size())) fail("an array is too short");
    return Eigen::Map<const Vectors>(data.data(), 3, frame_.position.cols());
  }

  const MeshBytes& file_;
  VtkDocument document_;
  Frame frame_;
};

}  // namespace

Frame read_frame(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path.string(), "this frame cannot be opened");
  std::ostringstream content;
  content << file.rdbuf();
  const std::string bytes = std::move(content).str();
  return FrameReader({path.string(), bytes}).read();
}

}  // namespace bulwark
