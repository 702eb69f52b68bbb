#include <bulwark/base/error.hpp>
#include <bulwark/geometry/mesh_check.hpp>
#include <bulwark/geometry/mesh_text.hpp>
#include <bulwark/geometry/refine_surface.hpp>
#include <bulwark/geometry/tetrahedralize.hpp>
#include <bulwark/geometry/winding_number.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <Eigen/Geometry>

#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

extern char** environ;

namespace bulwark {
namespace {

constexpr const char* crossing_remedy =
    "Usually the surface crosses or touches itself: repair it, or give a mesh of tetrahedra (.msh, .vtu).";

/// Edges of the surface may be this much longer than the resolution before they are halved.
constexpr double longest_edge = 1.5;

double regular_volume(double edge) {
  return edge * edge * edge / (6 * std::sqrt(2.0));
}

/// A folder that only this process uses, and that is gone afterwards.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "bulwark-tetgen-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw InputError(name, std::string("no temporary folder can be made: ") + std::strerror(errno),
                       "Free some space, or set TMPDIR to a folder that can be written.");
    }
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string read_text(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write_surface(const SurfaceMesh& surface, const std::string& path) {
  std::string text = fmt::format("{} 3 0 0\n", surface.vertices.cols());
  for (Eigen::Index i = 0; i < surface.vertices.cols(); ++i) {
    const Vector3 x = surface.vertices.col(i);
    text += fmt::format("{} {:.17g} {:.17g} {:.17g}\n", i, x[0], x[1], x[2]);
  }
  text += fmt::format("{} 0\n", surface.triangles.size());
  for (const Triangle& t : surface.triangles) text += fmt::format("3 {} {} {}\n", t[0], t[1], t[2]);
  text += "0\n0\n";  // neither holes nor regions: they are told apart afterwards
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  stream.flush();
  if (!stream)
    throw InputError(path, "the file cannot be written", "Free some space, or set TMPDIR elsewhere.");
}

/// Runs a program without a shell, its output going to a file; returns its exit status, -1 when it was
/// killed.
int run_program(const std::vector<std::string>& arguments, const std::string& output,
                const std::string& name) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    throw InputError(
        name,
        fmt::format("the program tetgen, which fills surfaces, cannot be run: {}", std::strerror(error)),
        "Install it (Debian, Ubuntu: apt-get install tetgen), or give a mesh of tetrahedra (.msh, .vtu).");
  }
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::minutes(10);
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > give_up) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      throw InputError(name, "tetgen did not finish within ten minutes",
                       "Give a coarser resolution or a simpler surface.");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

struct Filling {
  std::vector<Vector3> vertices;
  std::vector<Tetrahedron> tetrahedra;
  std::vector<long long> regions;  // of each tetrahedron: parts that the surface separates
};

Filling read_filling(const TemporaryFolder& folder) {
  Filling filling;
  const std::string node_bytes = read_text(folder.file("surface.1.node"));
  MeshText nodes({"tetgen's points", node_bytes});
  const std::size_t node_count = nodes.count("the number of points");
  nodes.line();
  for (std::size_t i = 0; i < node_count; ++i) {
    nodes.integer("a number");
    const double x = nodes.number("x"), y = nodes.number("y");
    filling.vertices.emplace_back(x, y, nodes.number("z"));
    nodes.line();
  }
  const std::string element_bytes = read_text(folder.file("surface.1.ele"));
  MeshText elements({"tetgen's tetrahedra", element_bytes});
  const std::size_t element_count = elements.count("the number of tetrahedra");
  elements.line();
  for (std::size_t i = 0; i < element_count; ++i) {
    elements.integer("a number");
    Tetrahedron t;
    for (int& v : t) {
      v = vertex_index(elements.integer("a point's number"));
      if (v < 0 || v >= int(node_count)) elements.fail("a point's number that does not exist");
    }
    filling.tetrahedra.push_back(t);
    filling.regions.push_back(elements.integer("a region"));
  }
  return filling;
}

/// The lines of tetgen's output that say what went wrong.
std::string complaint(const std::string& output) {
  std::string lines;
  int count = 0;
  for (std::size_t at = 0; at < output.size() && count < 6;) {
    const std::size_t end = std::min(output.find('\n', at), output.size());
    const std::string_view line(output.data() + at, end - at);
    for (const char* word : {"rror", "ntersect", "verlap", "elf-", "oplanar", "uplicat"}) {
      if (line.find(word) == std::string_view::npos) continue;
      lines += "\n    " + std::string(line.substr(0, 160));
      ++count;
      break;
    }
    at = end + 1;
  }
  return lines;
}

TetMesh without_outside(const Filling& filling, const SurfaceMesh& surface) {
  std::map<long long, bool> inside;
  TetMesh mesh;
  for (std::size_t i = 0; i < filling.tetrahedra.size(); ++i) {
    Tetrahedron t = filling.tetrahedra[i];
    const Vector3 centre =
        (filling.vertices[t[0]] + filling.vertices[t[1]] + filling.vertices[t[2]] + filling.vertices[t[3]]) /
        4;
    const auto [region, is_new] = inside.try_emplace(filling.regions[i], false);
    if (is_new) region->second = std::abs(winding_number(surface.vertices, surface.triangles, centre)) > 0.5;
    if (!region->second) continue;
    if (tetrahedron_volume(filling.vertices[t[0]], filling.vertices[t[1]], filling.vertices[t[2]],
                           filling.vertices[t[3]]) < 0) {
      std::swap(t[2], t[3]);
    }
    mesh.tetrahedra.push_back(t);
  }
  // Points of removed regions go; those of the surface stay, first and unmoved.
  std::vector<int> number(filling.vertices.size(), -1);
  int count = int(surface.vertices.cols());
  for (int i = 0; i < count; ++i) number[i] = i;
  for (const Tetrahedron& t : mesh.tetrahedra) {
    for (int v : t) {
      if (number[v] < 0) number[v] = count++;
    }
  }
  mesh.vertices.resize(3, count);
  for (std::size_t i = 0; i < number.size(); ++i) {
    if (number[i] >= 0) mesh.vertices.col(number[i]) = filling.vertices[i];
  }
  mesh.vertices.leftCols(surface.vertices.cols()) = surface.vertices;  // tetgen's text has rounded them
  for (Tetrahedron& t : mesh.tetrahedra) {
    for (int& v : t) v = number[v];
  }
  return mesh;
}

void require_reasonable(const SurfaceMesh& surface, double resolution, const std::string& name) {
  double area = 0;
  for (const Triangle& t : surface.triangles) {
    const Vector3 a = surface.vertices.col(t[0]), b = surface.vertices.col(t[1]),
                  c = surface.vertices.col(t[2]);
    area += (b - a).cross(c - a).norm() / 2;
  }
  const double volume = enclosed_volume(surface.vertices, surface.triangles);
  constexpr double most = 2e7;
  if (volume / regular_volume(resolution) + 10 * area / (resolution * resolution) > most) {
    throw InputError(name, fmt::format("resolution {} needs more than {:.0e} tetrahedra", resolution, most),
                     "Give a larger edge length.");
  }
}

/// The same triangles of the same vertices, whatever their order.
std::vector<Triangle> canonical(std::vector<Triangle> triangles) {
  for (Triangle& t : triangles) std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
  std::sort(triangles.begin(), triangles.end());
  return triangles;
}

}  // namespace

TetMesh fill_with_tetrahedra(const SurfaceMesh& closed_surface, double resolution, const std::string& name) {
  if (!std::isfinite(resolution) || resolution < 0) {
    throw InputError(name, fmt::format("resolution is {}", resolution),
                     "Give the target edge length in metres, or 0 for the default.");
  }
  require_closed_surface(closed_surface, name);
  SurfaceMesh surface = closed_surface;
  if (resolution > 0) {
    require_reasonable(surface, resolution, name);
    surface = refine_surface(surface, longest_edge * resolution);
  }
  const TemporaryFolder folder;
  const std::string input = folder.file("surface.smesh"), output = folder.file("output");
  write_surface(surface, input);
  // p: a surface; Y: leave it as it is; A: number the regions; F: no files of faces; q: bound the ratio of
  // circumradius to edge; a: bound the volume. Tetrahedra come out about half as large as the bound, hence
  // twice the regular one's.
  std::string options = "-pYAFq1.4";
  if (resolution > 0) options += fmt::format("a{:.17g}", 2 * regular_volume(resolution));
  const int status = run_program({"tetgen", options, input}, output, name);
  if (status != 0 || !std::filesystem::exists(folder.file("surface.1.ele"))) {
    throw InputError(name, "tetgen could not fill the surface" + complaint(read_text(output)),
                     crossing_remedy);
  }
  const Filling filling = read_filling(folder);
  if (filling.vertices.size() < std::size_t(surface.vertices.cols())) {
    throw InputError(name, "tetgen lost vertices of the surface",
                     "Merge vertices that are very close to each other.");
  }
  TetMesh mesh = without_outside(filling, surface);
  if (canonical(boundary_triangles(mesh.tetrahedra)) != canonical(surface.triangles)) {
    throw InputError(name, "tetgen could not keep the surface as it is", crossing_remedy);
  }
  return mesh;
}

}  // namespace bulwark
