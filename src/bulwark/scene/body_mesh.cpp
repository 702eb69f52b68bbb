#include <bulwark/base/error.hpp>
#include <bulwark/collision/self_crossing.hpp>
#include <bulwark/geometry/append_surface.hpp>
#include <bulwark/geometry/ideal_moments.hpp>
#include <bulwark/geometry/mesh_check.hpp>
#include <bulwark/geometry/mesh_file.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/geometry/tetrahedralize.hpp>
#include <bulwark/scene/body_mesh.hpp>
#include <bulwark/scene/issues.hpp>
#include <bulwark/scene/read_shape.hpp>
#include <bulwark/scene/read_values.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace bulwark {
namespace {

void require_fits(double vertices, const MeshBudget& budget, const std::string& path,
                  const std::string& remedy) {
  if (vertices * static_cast<double>(budget.copies) <= static_cast<double>(budget.vertices)) return;
  const std::string copies = budget.copies > 1 ? fmt::format(" in {} copies", budget.copies) : "";
  throw IssueFound(path,
                   fmt::format("about {:.3g} vertices{}, but a scene may have only {} more", vertices, copies,
                               budget.vertices),
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

SurfaceMesh one_surface(const Json& body, const std::string& path, const Pose& pose,
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

/// Throws unless the mass of a stiff body can be found from its mesh file.
void require_mass(const SurfaceMesh& mesh, const std::string& place, MassOrigin origin) {
  require_orientable(mesh, place);
  if (!is_closed(mesh)) {
    if (origin == MassOrigin::of_sheet) return;
    std::vector<MeshDefect> defects = check_surface(mesh);
    std::erase_if(defects, [](const MeshDefect& d) { return d.kind != MeshDefectKind::open_edge; });
    std::string problem = "the surface is not closed, so it has no volume and no mass";
    if (!defects.empty()) {
      problem +=
          fmt::format("; it has {}{} open edges:", defects.size() < max_listed_defects ? "" : "at least ",
                      defects.size());
      constexpr std::size_t shown = 3;
      for (std::size_t i = 0; i < std::min(shown, defects.size()); ++i)
        problem += "\n  - " + defects[i].message;
    }
    throw InputError(place, problem,
                     "Close the holes, or give its material a `thickness` if it is a sheet, or the body a "
                     "`mass` with an `inertia`.");
  }
  const std::vector<SelfCrossing> crossings = find_self_crossings(mesh);
  if (crossings.empty()) return;
  std::string problem = "the surface passes through itself, so the volume that it encloses is not known:";
  for (const SelfCrossing& c : crossings) {
    problem += fmt::format("\n  - triangles {} and {} cross at ({:.6g}, {:.6g}, {:.6g})", c.first, c.second,
                           c.place[0], c.place[1], c.place[2]);
  }
  throw InputError(place, problem,
                   "Repair it (unite the parts, \"boolean union\"), list its parts as `shapes`, or give the "
                   "body a `mass` with an `inertia`.");
}

}  // namespace

std::optional<MassMoments> ideal_moments_of_shape(const Json& part) {
  if (!part.contains("shape") || part["shape"].contains("plane")) return {};
  return ideal_moments(read_shape(part["shape"]));
}

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
  if (!body.contains("shapes")) return one_surface(body, path, pose, base_folder, budget);
  SurfaceMesh all;
  MeshBudget left = budget;
  for (std::size_t i = 0; i < body["shapes"].size(); ++i) {
    const Json& part = body["shapes"][i];
    const std::string part_path = pointer_to(pointer_to(path, "shapes"), i);
    const Pose own = read_pose(part, part_path);
    SurfaceMesh surface = one_surface(part, part_path, own, base_folder, left);
    surface.vertices = transformed(own, surface.vertices);
    left.vertices -= static_cast<std::int64_t>(surface.vertices.cols()) * budget.copies;
    append_surface(all, surface);
  }
  return all;
}

StiffSurface stiff_surface_for_body(const Json& body, const std::string& path, const Pose& pose,
                                    const std::filesystem::path& base_folder, const MeshBudget& budget,
                                    MassOrigin origin, MeshFileChecks& checks) {
  const auto require_sound = [&](const Json& part, const std::string& part_path, const SurfaceMesh& mesh) {
    if (origin == MassOrigin::given || !part.contains("mesh")) return;
    const std::filesystem::path file = mesh_path(part, base_folder);
    if (checks.sound_solids.contains(file)) return;
    with_path(part, part_path, [&](const std::string&) { require_mass(mesh, source_name(part), origin); });
    if (is_closed(mesh)) checks.sound_solids.insert(file);
  };
  if (!body.contains("shapes")) {
    SurfaceMesh mesh = one_surface(body, path, pose, base_folder, budget);
    require_sound(body, path, mesh);
    return {std::move(mesh), ideal_moments_of_shape(body)};
  }
  StiffSurface all;
  MeshBudget left = budget;
  std::vector<MassMoments> moments;
  bool is_round = false, solid = true;
  for (std::size_t i = 0; i < body["shapes"].size(); ++i) {
    const Json& part = body["shapes"][i];
    const std::string part_path = pointer_to(pointer_to(path, "shapes"), i);
    const Pose own = read_pose(part, part_path);
    SurfaceMesh surface = one_surface(part, part_path, own, base_folder, left);
    require_sound(part, part_path, surface);
    surface.vertices = transformed(own, surface.vertices);
    left.vertices -= static_cast<std::int64_t>(surface.vertices.cols()) * budget.copies;
    if (const std::optional<MassMoments> ideal = ideal_moments_of_shape(part)) {
      is_round = true;
      moments.push_back(transformed(own, *ideal));
    } else {
      moments.push_back(mass_moments(surface, 1, 0));
      solid = solid && moments.back().volume > 0;
    }
    append_surface(all.mesh, surface);
  }
  if (is_round && solid) all.ideal = sum_of(moments);
  return all;
}

SurfaceMesh thin_mesh_for_body(const Json& body, const std::string& kind, const std::string& path,
                               const Pose& pose, const std::filesystem::path& base_folder,
                               const MeshBudget& budget) {
  if (body.contains("mesh")) {
    with_path(body, path, [&](const std::string&) {
      const std::filesystem::path file = mesh_path(body, base_folder);
      if (std::holds_alternative<TetMesh>(read_mesh(file))) {
        throw InputError(file.string(), fmt::format("this is a solid of tetrahedra, not a {}", kind),
                         kind == "shell"
                             ? "give its surface, or make the body deformable"
                             : "give points and lines of an obj file, or make the body deformable");
      }
    });
  }
  const SurfaceMesh mesh = surface_for_body(body, path, pose, base_folder, budget);
  return with_path(body, path, [&](const std::string&) {
    if (kind == "rod" && (mesh.edges.empty() || !mesh.triangles.empty() || !mesh.points.empty())) {
      throw InputError(source_name(body), "a rod is made of edges alone",
                       "use the shape `line` or `circle`, or lines of an obj file");
    }
    if (kind == "particles" && !mesh.triangles.empty()) {
      throw InputError(source_name(body), "particles are points and edges alone",
                       "use the shape `points` or `line`, or make the body a shell");
    }
    if (kind == "shell" && (mesh.triangles.empty() || !mesh.edges.empty() || !mesh.points.empty())) {
      throw InputError(source_name(body), "a shell is made of triangles alone",
                       "use a `grid`, `tube` or another surface");
    }
    return mesh;
  });
}

}  // namespace bulwark
