#include <bulwark/base/error.hpp>
#include <bulwark/collision/self_crossing.hpp>
#include <bulwark/geometry/append_surface.hpp>
#include <bulwark/geometry/curve_boundary.hpp>
#include <bulwark/geometry/hexahedral_box.hpp>
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
#include <algorithm>
#include <nlohmann/json.hpp>
#include <numbers>

namespace bulwark {

void require_fits(double vertices, const MeshBudget& budget, const std::string& path,
                  const std::string& remedy) {
  if (vertices * static_cast<double>(budget.copies) <= static_cast<double>(budget.vertices)) return;
  const std::string copies = budget.copies > 1 ? fmt::format(" in {} copies", budget.copies) : "";
  throw IssueFound(path,
                   fmt::format("about {:.3g} vertices{}, but a scene may have only {} more", vertices, copies,
                               budget.vertices),
                   remedy);
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

namespace {

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

SolidMesh solid_from_file(const Json& body, const std::string& path, const std::filesystem::path& base_folder,
                          const MeshBudget& budget) {
  const std::filesystem::path file = mesh_path(body, base_folder);
  const AnyMesh mesh = read_mesh(file);
  if (!std::holds_alternative<SurfaceMesh>(mesh)) return read_solid_mesh(file);
  return as_solid_mesh(filled(std::get<SurfaceMesh>(mesh), body, file.string(), path, budget));
}

/// A box of hexahedra, by its resolution.
SolidMesh box_of_hexahedra(const Json& shape, const std::string& path, int order, const MeshBudget& budget) {
  if (!shape.contains("box"))
    throw IssueFound(path, "only a `box` can be made of hexahedra", "use tetrahedra, or a mesh file");
  const Vector3 sides = read_vector(shape["box"]);
  const double resolution = read_resolution(shape);
  std::array<int, 3> cells = {1, 1, 1};
  double nodes = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const double wanted = resolution > 0 ? std::ceil(sides[axis] / resolution - 1e-9) : 1;
    nodes *= order * wanted + 1;
    require_fits(nodes, budget, path, "give a larger `resolution`");
    cells[axis] = std::max(1, static_cast<int>(wanted));
  }
  return hexahedral_box(sides, cells, order);
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

/// Vertices around a sphere that is drawn, by how many there are.
int vertices_around(double copies) {
  return copies <= 300 ? 28 : copies <= 5000 ? 16 : copies <= 40'000 ? 8 : 5;
}

/// Whether a shape is to be taken as it is, round. One that is stretched is round no more.
bool is_round(const Json& shape, const std::string& path, const Pose& pose, bool by_default) {
  const bool can_be = shape.contains("sphere") || shape.contains("capsule");
  const bool even = pose.scale.maxCoeff() - pose.scale.minCoeff() <= 1e-12 * pose.scale.maxCoeff();
  if (shape.contains("rounding")) {
    if (!shape.contains("box"))
      throw IssueFound(pointer_to(path, "rounding"), "only a `box` can have a rounding", "leave it out");
    const Vector3 sides = read_vector(shape["box"]);
    const double rounding = shape["rounding"].get<double>();
    if (2 * rounding >= sides.minCoeff()) {
      throw IssueFound(pointer_to(path, "rounding"),
                       fmt::format("a box of {} m can't be rounded by {} m", sides.minCoeff(), rounding),
                       "a rounding is less than half of the smallest side; use a capsule or a sphere");
    }
    if (!even)
      throw IssueFound(pointer_to(path, "rounding"), "a rounded box can't be stretched by its `scale`",
                       "give its sides instead");
  }
  if (!shape.contains("round")) return can_be && even && by_default;
  if (!shape["round"].get<bool>()) return false;
  if (!can_be)
    throw IssueFound(pointer_to(path, "round"), "only a `sphere` or a `capsule` can be round",
                     "leave it out, or give a `box` a `rounding`");
  if (!even)
    throw IssueFound(pointer_to(path, "round"), "a shape that its `scale` stretches is not round",
                     "use the same scale along x, y and z");
  return true;
}

/// The surface of one shape or mesh file, and what is drawn of it where it has radii.
struct PartSurface {
  SurfaceMesh mesh, skin;
};

PartSurface one_part(const Json& body, const std::string& path, const Pose& pose,
                     const std::filesystem::path& base_folder, const MeshBudget& budget,
                     bool round_by_default) {
  return with_path(body, path, [&](const std::string& mesh_key) {
    SurfaceMesh mesh, skin;
    if (body.contains("mesh")) {
      mesh = read_surface_mesh(mesh_path(body, base_folder));
    } else {
      const Json& json = body["shape"];
      const bool round = is_round(json, mesh_key, pose, round_by_default);
      const ShapeRequest request = round ? ShapeRequest{read_shape(json), read_resolution(json)}
                                         : read_request(json, mesh_key, budget);
      mesh = round ? round_surface(request.shape) : surface_mesh(request.shape, request.resolution);
      if (!mesh.radius.empty()) {
        const double edge = request.resolution > 0 ? request.resolution : 0;
        const int around =
            edge > 0 ? static_cast<int>(std::clamp(2 * std::numbers::pi * mesh.radius[0] / edge, 5.0, 160.0))
                     : vertices_around(static_cast<double>(budget.copies));
        skin = shape_skin(request.shape, around);
      }
    }
    require_fits(static_cast<double>(mesh.vertices.cols()), budget, mesh_key, "");
    SurfaceMesh placed = mesh;
    placed.vertices = transformed(pose, mesh.vertices);
    require_usable_obstacle(placed, source_name(body));
    return PartSurface{std::move(mesh), std::move(skin)};
  });
}

/// Moves a part of a body to its place in it.
void place(SurfaceMesh& mesh, const Pose& pose) {
  mesh.vertices = transformed(pose, mesh.vertices);
  for (double& radius : mesh.radius) radius *= pose.scale.maxCoeff();
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

SolidMesh solid_for_body(const Json& body, const std::string& path, const Pose& pose,
                         const std::filesystem::path& base_folder, const MeshBudget& budget) {
  return with_path(body, path, [&](const std::string& mesh_key) {
    const int order = body["order"].get<int>();
    const bool hexahedra = body["elements"] == "hexahedra";
    SolidMesh mesh;
    if (body.contains("mesh")) {
      mesh = solid_from_file(body, mesh_key, base_folder, budget);
    } else if (hexahedra) {
      if (order > largest_order(CellShape::hexahedron))
        throw IssueFound(pointer_to(path, "order"), "hexahedra have order 1 or 2",
                         "use one of these, or tetrahedra");
      mesh = box_of_hexahedra(body["shape"], mesh_key, order, budget);
    } else {
      const ShapeRequest request = read_request(body["shape"], mesh_key, budget);
      mesh = as_solid_mesh(solid_mesh(request.shape, request.resolution));
      if (order > 1) {
        mesh = raised(mesh, order);
        curve_boundary(mesh, request.shape);
      }
    }
    // `order` raises a mesh file's elements; where it is not given, theirs count.
    if (mesh.order < order) {
      if (order > largest_order(mesh.shape))
        throw IssueFound(pointer_to(path, "order"), "hexahedra have order 1 or 2", "use one of these");
      mesh = raised(mesh, order);
    }
    require_fits(static_cast<double>(mesh.vertices.cols()), budget, mesh_key, "");
    SolidMesh placed = mesh;
    placed.vertices = transformed(pose, mesh.vertices);
    require_valid_solid(placed, source_name(body));
    return mesh;
  });
}

SolidSurface solid_surface_for_body(const Json& body, const std::string& path,
                                    const std::filesystem::path& base_folder) {
  SolidSurface surface;
  if (body.contains("surface_cuts")) surface.cuts = body["surface_cuts"].get<int>();
  if (!body.contains("collision_mesh")) return surface;
  const std::string key = pointer_to(path, "collision_mesh");
  if (surface.cuts > 0)
    throw IssueFound(pointer_to(path, "surface_cuts"),
                     "the body's own faces do not collide, but its `collision_mesh`",
                     "leave one of them out");
  try {
    SurfaceMesh carried = read_surface_mesh(base_folder / body["collision_mesh"].get<std::string>());
    if (carried.triangles.empty() || !carried.edges.empty() || !carried.points.empty())
      throw IssueFound(key, "what collides of a solid is made of triangles alone",
                       "remove its edges and points");
    surface.carried = std::make_shared<const SurfaceMesh>(std::move(carried));
  } catch (const InputError& error) {
    throw IssueFound(key, error.what());
  }
  return surface;
}

SurfaceMesh surface_for_body(const Json& body, const std::string& path, const Pose& pose,
                             const std::filesystem::path& base_folder, const MeshBudget& budget) {
  if (!body.contains("shapes")) return one_part(body, path, pose, base_folder, budget, false).mesh;
  SurfaceMesh all;
  MeshBudget left = budget;
  for (std::size_t i = 0; i < body["shapes"].size(); ++i) {
    const Json& part = body["shapes"][i];
    const std::string part_path = pointer_to(pointer_to(path, "shapes"), i);
    const Pose own = read_pose(part, part_path);
    SurfaceMesh surface = one_part(part, part_path, own, base_folder, left, false).mesh;
    place(surface, own);
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
    PartSurface part = one_part(body, path, pose, base_folder, budget, true);
    require_sound(body, path, part.mesh);
    StiffSurface surface{std::move(part.mesh), ideal_moments_of_shape(body), {}};
    if (!surface.mesh.radius.empty())
      surface.skin = std::make_shared<const SurfaceMesh>(std::move(part.skin));
    return surface;
  }
  StiffSurface all;
  SurfaceMesh skin;
  MeshBudget left = budget;
  std::vector<MassMoments> moments;
  bool has_formula = false, solid = true;
  for (std::size_t i = 0; i < body["shapes"].size(); ++i) {
    const Json& part = body["shapes"][i];
    const std::string part_path = pointer_to(pointer_to(path, "shapes"), i);
    const Pose own = read_pose(part, part_path);
    Pose both = own;
    both.scale = own.scale.cwiseProduct(pose.scale);
    PartSurface made = one_part(part, part_path, both, base_folder, left, true);
    SurfaceMesh& surface = made.mesh;
    require_sound(part, part_path, surface);
    SurfaceMesh& drawn = made.skin.triangles.empty() ? surface : made.skin;
    if (&drawn != &surface) place(drawn, own);
    place(surface, own);
    append_surface(skin, drawn);
    left.vertices -= static_cast<std::int64_t>(surface.vertices.cols()) * budget.copies;
    if (const std::optional<MassMoments> ideal = ideal_moments_of_shape(part)) {
      has_formula = true;
      moments.push_back(transformed(own, *ideal));
    } else {
      moments.push_back(mass_moments(surface, 1, 0));
      solid = solid && moments.back().volume > 0;
    }
    append_surface(all.mesh, surface);
  }
  if (has_formula && solid) all.ideal = sum_of(moments);
  if (!all.mesh.radius.empty()) {
    skin.radius.clear();
    all.skin = std::make_shared<const SurfaceMesh>(std::move(skin));
  }
  return all;
}

SurfaceMesh thin_mesh_for_body(const Json& body, const std::string& kind, const std::string& path,
                               const Pose& pose, const std::filesystem::path& base_folder,
                               const MeshBudget& budget) {
  if (body.contains("mesh")) {
    with_path(body, path, [&](const std::string&) {
      const std::filesystem::path file = mesh_path(body, base_folder);
      if (!std::holds_alternative<SurfaceMesh>(read_mesh(file))) {
        throw InputError(file.string(), fmt::format("this is a solid, not a {}", kind),
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
