#include <bulwark/base/error.hpp>
#include <bulwark/geometry/mesh_check.hpp>
#include <bulwark/geometry/mesh_file.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/geometry/tetrahedralize.hpp>
#include <bulwark/scene/body_mesh.hpp>
#include <bulwark/scene/issues.hpp>
#include <bulwark/scene/read_shape.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace bulwark {
namespace {

void require_fits(double vertices, const MeshBudget& budget, const std::string& path,
                  const std::string& remedy) {
  if (vertices * static_cast<double>(budget.copies) <= static_cast<double>(budget.vertices)) return;
  const std::string copies = budget.copies > 1 ? fmt::format(" in {} copies", budget.copies) : "";
  throw IssueFound(path,
                   fmt::format("about {:.3g} vertices{}, but only {} are left of what a scene may have",
                               vertices, copies, budget.vertices),
                   remedy);
}

struct ShapeRequest {
  Shape shape;
  double resolution = 0;
};

ShapeRequest read_request(const Json& json, const std::string& path, const MeshBudget& budget) {
  if (json.contains("plane")) {
    throw IssueFound(path, "a plane has no inside to fill", "planes can only be obstacles");
  }
  ShapeRequest request{read_shape(json), read_resolution(json)};
  require_fits(estimated_vertices(request.shape, request.resolution), budget, path,
               request.resolution > 0 ? "give a larger `resolution`" : "lower its counts");
  return request;
}

std::filesystem::path mesh_path(const Json& body, const std::filesystem::path& base_folder) {
  const std::filesystem::path file = base_folder / body["mesh"].get<std::string>();
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    throw InputError(file.string(), "there is no such file",
                     "mesh files are looked for relative to the scene file");
  }
  if (!std::filesystem::is_regular_file(file, error)) throw InputError(file.string(), "this is not a file");
  return file;
}

/// A surface from a file, filled.
TetMesh filled(const SurfaceMesh& surface, const Json& body, const std::string& file, const std::string& path,
               const MeshBudget& budget) {
  double resolution = 0;
  if (body.contains("resolution")) {
    resolution = body["resolution"].get<double>();
    const Vector3 sides = surface.vertices.rowwise().maxCoeff() - surface.vertices.rowwise().minCoeff();
    require_fits((sides.array() / resolution + 1).prod(), budget, path, "give a larger `resolution`");
  }
  require_closed_surface(surface, file);
  return fill_with_tetrahedra(surface, resolution, file);
}

TetMesh solid_from_file(const Json& body, const std::string& path, const std::filesystem::path& base_folder,
                        const MeshBudget& budget) {
  const std::filesystem::path file = mesh_path(body, base_folder);
  AnyMesh mesh = read_mesh(file);
  if (auto* solid = std::get_if<TetMesh>(&mesh)) return std::move(*solid);
  return filled(std::get<SurfaceMesh>(mesh), body, file.string(), path, budget);
}

/// Throws for what contact can't work with. An obstacle may be open, crossed by itself or without an inside.
void require_usable_obstacle(const SurfaceMesh& mesh, const std::string& place) {
  for (const MeshDefect& defect : check_surface(mesh)) {
    if (defect.kind == MeshDefectKind::index_out_of_range ||
        defect.kind == MeshDefectKind::non_finite_vertex ||
        defect.kind == MeshDefectKind::degenerate_element) {
      throw InputError(place, defect.message, "repair the mesh");
    }
  }
}

/// What the body is made from, for messages: its file, or the shape's name.
std::string source_name(const Json& body) {
  return body.contains("mesh") ? body["mesh"].get<std::string>() : "shape";
}

/// Runs `make` for the body's `shape` or `mesh`, and says which of them asked for the mesh if it fails.
template <class Make>
auto with_path(const Json& body, const std::string& path, Make make) {
  const std::string mesh_key = pointer_to(path, body.contains("mesh") ? "mesh" : "shape");
  try {
    return make(mesh_key);
  } catch (const InputError& error) {
    throw IssueFound(mesh_key, error.what());
  }
}

}  // namespace

TetMesh solid_for_body(const Json& body, const std::string& path, const Pose& pose,
                       const std::filesystem::path& base_folder, const MeshBudget& budget) {
  return with_path(body, path, [&](const std::string& mesh_key) {
    TetMesh mesh;
    if (body.contains("mesh")) {
      mesh = solid_from_file(body, mesh_key, base_folder, budget);
    } else {
      const ShapeRequest request = read_request(body["shape"], mesh_key, budget);
      mesh = solid_mesh(request.shape, request.resolution);
    }
    require_fits(static_cast<double>(mesh.vertices.cols()), budget, mesh_key, "");
    require_valid_solid({transformed(pose, mesh.vertices), mesh.tetrahedra}, source_name(body));
    return mesh;
  });
}

SurfaceMesh surface_for_body(const Json& body, const std::string& path, const Pose& pose,
                             const std::filesystem::path& base_folder, const MeshBudget& budget) {
  return with_path(body, path, [&](const std::string& mesh_key) {
    SurfaceMesh mesh;
    if (body.contains("mesh")) {
      mesh = read_surface_mesh(mesh_path(body, base_folder));
    } else {
      const ShapeRequest request = read_request(body["shape"], mesh_key, budget);
      mesh = surface_mesh(request.shape, request.resolution);
    }
    require_fits(static_cast<double>(mesh.vertices.cols()), budget, mesh_key, "");
    SurfaceMesh placed = mesh;
    placed.vertices = transformed(pose, mesh.vertices);
    require_usable_obstacle(placed, source_name(body));
    return mesh;
  });
}

SurfaceMesh thin_mesh_for_body(const Json& body, const std::string& kind, const std::string& path,
                               const Pose& pose, const std::filesystem::path& base_folder,
                               const MeshBudget& budget) {
  if (body.contains("mesh")) {
    with_path(body, path, [&](const std::string&) {
      const std::filesystem::path file = mesh_path(body, base_folder);
      if (std::holds_alternative<TetMesh>(read_mesh(file))) {
        throw InputError(file.string(), fmt::format("this is a solid of tetrahedra, not a {}", kind),
                         kind == "rod" ? "a rod is made of edges (lines of an obj file)"
                                       : "give its surface, or make the body deformable");
      }
    });
  }
  const SurfaceMesh mesh = surface_for_body(body, path, pose, base_folder, budget);
  return with_path(body, path, [&](const std::string&) {
    if (kind == "rod" && (mesh.edges.empty() || !mesh.triangles.empty() || !mesh.points.empty())) {
      throw InputError(source_name(body), "a rod is made of edges alone",
                       "use the shape `line` or `circle`, or lines of an obj file");
    }
    if (kind == "shell" && (mesh.triangles.empty() || !mesh.edges.empty() || !mesh.points.empty())) {
      throw InputError(source_name(body), "a shell is made of triangles alone",
                       "use a `grid`, `tube` or another surface");
    }
    return mesh;
  });
}

}  // namespace bulwark
