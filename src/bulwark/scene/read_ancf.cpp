#include <bulwark/base/error.hpp>
#include <bulwark/geometry/mesh_file.hpp>
#include <bulwark/scene/issues.hpp>
#include <bulwark/scene/read_ancf.hpp>
#include <bulwark/scene/read_values.hpp>

#include <fmt/format.h>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

namespace bulwark {
namespace {

/// A chain of edges through points.
SurfaceMesh chain_through(const Vectors& points, bool closed) {
  SurfaceMesh wires;
  wires.vertices = points;
  const int count = static_cast<int>(points.cols());
  for (int k = 0; k + 1 < count; ++k) wires.edges.push_back({k, k + 1});
  if (closed) wires.edges.push_back({count - 1, 0});
  return wires;
}

Vector3 read_across(const Json& shape) {
  return shape.contains("across") ? read_vector(shape["across"]) : Vector3::Zero();
}

void require_nodes_fit(double nodes, const MeshBudget& budget, const std::string& path) {
  // A node has four controls.
  if (4 * nodes * static_cast<double>(budget.copies) <= static_cast<double>(budget.vertices)) return;
  throw IssueFound(
      path,
      fmt::format("about {:.3g} nodes, but a scene may have only {} more controls, four to a node", nodes,
                  budget.vertices),
      "use fewer elements");
}

}  // namespace

AncfMesh read_ancf_mesh(const Json& body, const std::string& path, const std::filesystem::path& base_folder,
                        const MeshBudget& budget, ElasticMaterial& material) {
  const std::string shape_path = pointer_to(path, "shape");
  const auto only = body["shape"].begin();
  const std::string& key = only.key();
  const Json& shape = only.value();
  const std::string name = body.contains("name") ? body["name"].get<std::string>() : "beam";
  const bool shell = key == "plate" || key == "cylinder" || key == "quads";
  material.height = shape[shell ? "thickness" : "height"].get<double>();
  if (!shell) material.width = shape["width"].get<double>();
  try {
    if (key == "beam") {
      const Vector3 from = read_vector(shape["from"]), to = read_vector(shape["to"]);
      const int elements = shape["elements"].get<int>();
      require_nodes_fit(elements, budget, shape_path);
      Vectors points(3, elements + 1);
      for (int k = 0; k <= elements; ++k)
        points.col(k) = from + (to - from) * (static_cast<double>(k) / elements);
      return ancf_beam_mesh(chain_through(points, false), read_across(shape), name);
    }
    if (key == "ring") {
      const double radius = shape["radius"].get<double>();
      const int elements = shape["elements"].get<int>();
      require_nodes_fit(elements, budget, shape_path);
      if (elements < 3) throw IssueFound(shape_path, "a ring has three elements at least", "use more");
      Vectors points(3, elements);
      for (int k = 0; k < elements; ++k) {
        const double angle = 2 * std::numbers::pi * k / elements;
        points.col(k) << radius * std::cos(angle), 0, -radius * std::sin(angle);
      }
      return ancf_beam_mesh(chain_through(points, true), Vector3::UnitY(), name);
    }
    if (key == "wire") {
      const SurfaceMesh wires = read_surface_mesh(base_folder / shape["mesh"].get<std::string>());
      require_nodes_fit(static_cast<double>(wires.vertices.cols()), budget, shape_path);
      return ancf_beam_mesh(wires, read_across(shape), name);
    }
    if (key == "quads") {
      const QuadMesh mesh = read_quad_mesh(base_folder / shape["mesh"].get<std::string>());
      require_nodes_fit(static_cast<double>(mesh.vertices.cols()), budget, shape_path);
      return ancf_shell_mesh(mesh.vertices, mesh.quads, name);
    }
    const auto cells = shape["cells"].get<std::array<int, 2>>();
    require_nodes_fit((cells[0] + 1.0) * (cells[1] + 1.0), budget, shape_path);
    if (key == "plate") {
      const auto size = shape["size"].get<std::array<double, 2>>();
      return ancf_plate(size[0], size[1], cells[0], cells[1]);
    }
    return ancf_cylinder(shape["radius"].get<double>(), shape["length"].get<double>(),
                         shape["degrees"].get<double>() * std::numbers::pi / 180, cells[0], cells[1]);
  } catch (const InputError& error) {
    throw IssueFound(shape_path, error.what());
  }
}

}  // namespace bulwark
