#include <bulwark/base/file_check.hpp>
#include <bulwark/base/input_file.hpp>
#include <bulwark/output/reading/frame_arrays.hpp>
#include <bulwark/output/reading/frame_reader.hpp>
#include <bulwark/output/reading/joint_reader.hpp>
#include <bulwark/output/zero_ended.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace bulwark {
namespace {

class FrameReader {
 public:
  explicit FrameReader(const FrameArrays& file) : file_(file), check_(file.check()) {}

  Frame read() {
    read_fields();
    read_planes();
    frame_.joints = read_joint_fields([this](std::string_view name) { return file_.field_numbers(name); },
                                      frame_.bodies.size(), check_);
    read_mesh();
    read_data();
    return std::move(frame_);
  }

 private:
  void read_fields() {
    frame_.time = file_.time();
    frame_.step = file_.step();

    const std::vector<double> rules = file_.field_numbers("body_rules");
    constexpr std::size_t rules_of_body = 4;
    if (rules.size() % rules_of_body != 0) check_.fail("the rules of its bodies are incomplete");
    for (std::size_t i = 0; i < rules.size(); i += rules_of_body) {
      constexpr int any_int = std::numeric_limits<int>::max();
      const std::int64_t group = check_.whole(rules[i + 3], -1, any_int, "the group of a body");
      frame_.bodies.push_back({rules[i] != 0, rules[i + 1] != 0, rules[i + 2] != 0, static_cast<int>(group)});
    }
    frame_.body_names = texts_of(file_.field_numbers("body_names"));
    if (frame_.body_names.size() != frame_.bodies.size()) check_.fail("its bodies have no names");

    frame_.exempt_pairs = pairs("exempt_pairs", "exempt");
    frame_.unguarded_pairs = pairs("unguarded_pairs", "unguarded");
  }

  std::vector<std::array<int, 2>> pairs(const char* name, const char* kind) const {
    const std::vector<double> numbers = file_.field_numbers(name);
    if (numbers.size() % 2 != 0) check_.fail(fmt::format("its {} pairs are incomplete", kind));
    std::vector<std::array<int, 2>> result;
    const std::string what = fmt::format("a body of an {} pair", kind);
    for (std::size_t i = 0; i < numbers.size(); i += 2) {
      const int first = body(numbers[i], what.c_str()), second = body(numbers[i + 1], what.c_str());
      result.push_back({std::min(first, second), std::max(first, second)});
    }
    return result;
  }

  void read_planes() {
    const std::vector<double> points = file_.field_numbers("plane_points"),
                              normals = file_.field_numbers("plane_normals");
    const std::vector<double> bodies = file_.field_numbers("plane_bodies");
    check_.size(bodies.size(), points.size(), "bodies of planes");
    check_.size(normals.size(), 3 * points.size(), "normals of planes");
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vector3 normal(normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]);
      constexpr double rounding = 1e-6;
      if (!(std::abs(normal.norm() - 1) < rounding))
        check_.fail("the normal of a plane is not a unit vector");
      frame_.planes.push_back({check_.index(points[i], file_.point_count(), "the point of a plane"), normal,
                               body(bodies[i], "the body of a plane")});
    }
  }

  int body(double number, const char* what) const { return check_.index(number, frame_.bodies.size(), what); }

  void read_mesh() {
    FileMesh mesh = file_.mesh();
    frame_.position.resize(3, static_cast<Eigen::Index>(mesh.vertices.size()));
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
      frame_.position.col(static_cast<Eigen::Index>(i)) = mesh.vertices[i];
    }
    if (!frame_.position.allFinite()) check_.fail("a point has no finite position");
    frame_.tetrahedra = std::move(mesh.tetrahedra);
    for (const FileCells& cells : mesh.solids) {
      if (cells.nodes_per_cell != lattice_nodes(cells.shape, cells.order).size())
        check_.fail("it has cells of a kind that frames do not have");
      for (std::size_t i = 0; i < cells.nodes.size(); i += cells.nodes_per_cell) {
        const auto first = cells.nodes.begin() + static_cast<std::ptrdiff_t>(i);
        frame_.solids.push_back(
            {cells.shape, cells.order, {first, first + static_cast<std::ptrdiff_t>(cells.nodes_per_cell)}});
      }
    }
    for (std::size_t i = 0; i < mesh.faces.ends.size(); ++i) {
      const std::span<const int> face = mesh.faces[i];
      if (face.size() != 3) check_.fail("it has a polygon that is not a triangle");
      frame_.triangles.push_back({face[0], face[1], face[2]});
    }
    frame_.segments = std::move(mesh.edges);
    frame_.vertices = std::move(mesh.points);
    // The last triangles are those of the skin.
    const std::vector<double> skin = file_.cell_numbers("skin");
    const auto count = static_cast<std::size_t>(
        std::count_if(skin.begin(), skin.end(), [](double number) { return number != 0; }));
    if (count > frame_.triangles.size()) check_.fail("it has more triangles of skins than triangles");
    const auto first = frame_.triangles.end() - static_cast<std::ptrdiff_t>(count);
    frame_.skin.assign(first, frame_.triangles.end());
    frame_.triangles.erase(first, frame_.triangles.end());
  }

  void read_data() {
    const std::vector<double> bodies = file_.point_numbers("body");
    check_.size(bodies.size(), file_.point_count(), "bodies of points");
    for (const double number : bodies) frame_.point_body.push_back(body(number, "the body of a point"));
    frame_.radius = file_.point_numbers("radius");
    for (const double radius : frame_.radius) {
      if (!(radius >= 0)) check_.fail("a radius is negative");
    }
    frame_.rest = vectors("rest");
    frame_.velocity = vectors("velocity");
    frame_.contact_force = vectors("contact_force");
    frame_.contact_pressure = file_.point_numbers("contact_pressure");
    frame_.contact_traction = vectors("contact_traction");
    frame_.stress.von_mises = file_.point_numbers("von_mises");
    frame_.stress.cauchy = tensors("stress_tensor");
    frame_.stress.second = tensors("second_stress");
    frame_.stress.strain = tensors("strain");
    frame_.stress.principal = vectors("principal_stress");
    frame_.stress.energy_density = file_.point_numbers("energy_density");
    frame_.von_mises_stress = file_.cell_numbers("von_mises_stress");
    if (!frame_.von_mises_stress.empty())
      frame_.von_mises_stress.resize(frame_.tetrahedra.size() + frame_.solids.size());
  }

  Vectors vectors(std::string_view name) const {
    const std::vector<double> data = file_.point_vectors(name);
    if (data.empty()) return {};
    return Eigen::Map<const Vectors>(data.data(), 3, frame_.position.cols());
  }

  SymmetricTensors tensors(std::string_view name) const {
    const std::vector<double> data = file_.point_tensors(name);
    if (data.empty()) return {};
    return Eigen::Map<const SymmetricTensors>(data.data(), 6, frame_.position.cols());
  }

  const FrameArrays& file_;
  const FileCheck& check_;
  Frame frame_;
};

}  // namespace

Frame whole_frame(const FrameArrays& file) {
  return naming_file(file.check().file(), [&] { return FrameReader(file).read(); });
}

Frame frame_from_vtu(std::string_view bytes, const std::string& name) {
  return naming_file(name, [&] { return whole_frame(FrameArrays(std::string(bytes), name)); });
}

Frame read_frame(const std::filesystem::path& path, const std::filesystem::path& within) {
  return whole_frame(FrameArrays(path, within));
}

double read_frame_time(const std::filesystem::path& path, const std::filesystem::path& within) {
  constexpr std::uint64_t head_size = 1024;
  const std::string head = InputFile(path, within).read(0, head_size);
  constexpr std::string_view mark = "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">";
  const FileCheck check = frame_check(path.string());
  const std::size_t place = head.find(mark);
  if (place == std::string::npos) check.fail("it gives no time");
  double time = 0;
  const char* begin = head.data() + place + mark.size();
  if (std::from_chars(begin, head.data() + head.size(), time).ec != std::errc())
    check.fail("its time is not a number");
  return check.finite(time, "its time");
}

}  // namespace bulwark
