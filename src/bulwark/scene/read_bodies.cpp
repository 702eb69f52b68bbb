#include <bulwark/base/error.hpp>
#include <bulwark/bodies/elastic_law.hpp>
#include <bulwark/geometry/ideal_moments.hpp>
#include <bulwark/geometry/planar_outline.hpp>
#include <bulwark/math/jacobi_eigen.hpp>
#include <bulwark/scene/body_mesh.hpp>
#include <bulwark/scene/nearest.hpp>
#include <bulwark/scene/planar_mesh.hpp>
#include <bulwark/scene/read_ancf.hpp>
#include <bulwark/scene/read_bodies.hpp>
#include <bulwark/scene/read_contact_pairs.hpp>
#include <bulwark/scene/read_held_parts.hpp>
#include <bulwark/scene/read_material.hpp>
#include <bulwark/scene/read_values.hpp>
#include <bulwark/sim/append_parts.hpp>
#include <bulwark/sim/body_nodes.hpp>
#include <bulwark/sim/contact_model.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <set>

namespace bulwark {
namespace {

/// A grid of copies; one, where the body is not repeated.
struct Copies {
  bool repeated = false;
  std::array<int, 3> count = {1, 1, 1};
  Vector3 spacing = Vector3::Zero();

  std::int64_t total() const { return std::int64_t{count[0]} * count[1] * count[2]; }
};

std::optional<GivenMass> read_given_mass(const Json& body) {
  if (!body.contains("mass") || !body["mass"].is_object()) return {};
  const Json& json = body["mass"];
  const auto j = json["inertia"].get<std::array<double, 6>>();  // xx, yy, zz, xy, xz, yz
  GivenMass given{json["mass"].get<double>(), read_vector(json["center"]), {}};
  given.inertia << j[0], j[3], j[4], j[3], j[1], j[5], j[4], j[5], j[2];
  return given;
}

/// How far bodies of a scene in the plane reach along z.
std::optional<double> read_thickness(const Json& scene) {
  if (scene["dimension"] != 2) return {};
  return scene.value("thickness", 1.0);
}

Copies read_copies(const Json& body) {
  Copies copies;
  if (!body.contains("repeat")) return copies;
  const Json& repeat = body["repeat"];
  copies.repeated = true;
  for (int axis = 0; axis < 3; ++axis) copies.count[axis] = repeat["count"][axis].get<int>();
  copies.spacing = read_vector(repeat["spacing"]);
  return copies;
}

/// Calls add(name, offset) for each copy.
template <class Add>
void for_each_copy(const Copies& copies, const std::string& name, Add add) {
  for (int i = 0; i < copies.count[0]; ++i) {
    for (int j = 0; j < copies.count[1]; ++j) {
      for (int k = 0; k < copies.count[2]; ++k) {
        const Vector3 offset = Vector3(i, j, k).cwiseProduct(copies.spacing);
        add(copies.repeated ? fmt::format("{}[{},{},{}]", name, i, j, k) : name, offset);
      }
    }
  }
}

std::string text_of(const Vector3& point) {
  return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", point.x(), point.y(), point.z());
}

/// Throws for a selection that names nodes which the body does not have.
void require_nodes_exist(const Selection& selection, const std::string& path, Eigen::Index node_count) {
  const auto* list = std::get_if<SelectNodes>(&selection);
  if (list == nullptr) return;
  for (const int node : list->nodes) {
    if (node >= node_count) {
      throw IssueFound(path, fmt::format("there is no node {}", node),
                       fmt::format("the body's nodes are numbered from 0 to {}", node_count - 1));
    }
  }
}

template <class Value>
std::vector<std::string> keys_of(const std::map<std::string, Value>& map) {
  std::vector<std::string> keys;
  keys.reserve(map.size());
  for (const auto& [key, value] : map) keys.push_back(key);
  return keys;
}

class BodyReader {
 public:
  BodyReader(World& world, const Json& scene, const LoadOptions& options, std::vector<Issue>& issues,
             std::vector<std::string>& remarks)
      : world_(world), pending_(world), scene_(scene), options_(options), issues_(issues), remarks_(remarks) {
    world.thickness = read_thickness(scene);
    world.contact_model = *contact_model_of(scene["contact"]["model"].get<std::string>());
    for (const auto& [name, json] : scene["materials"].items()) materials_[name] = read_material(json);
  }

  void read_all() {
    const Json& bodies = scene_["bodies"];
    for (std::size_t i = 0; i < bodies.size() && issues_.size() <= max_issues; ++i) {
      const std::string path = pointer_to("/bodies", i);
      collect_issue(issues_, path, [&] { read_body(bodies[i], i, path); });
    }
    pending_.finish();
    if (facetted_ > 0) {
      remarks_.push_back(fmt::format("body '{}'{} {}", facetted_name_,
                                     facetted_ > 1 ? fmt::format(" (and {} more)", facetted_ - 1) : "",
                                     facets_));
    }
    if (!issues_.empty()) return;  // names of bodies that failed would be missing
    read_contact_pairs(world_, scene_["contact"]["pairs"], indices_of_name_, issues_);
    update_contact_models(world_);
  }

 private:
  void read_body(const Json& body, std::size_t index, const std::string& path) {
    const std::string kind = body["kind"].get<std::string>();
    const std::string name =
        body.contains("name") ? body["name"].get<std::string>() : fmt::format("{}-{}", kind, index);
    check_name(name, path);
    const Copies copies = read_copies(body);
    const std::int64_t bodies = pending_.body_count();
    if (copies.total() > options_.max_bodies - bodies) {
      throw IssueFound(path, fmt::format("the scene has more than {} bodies", options_.max_bodies),
                       copies.repeated ? "lower the counts of `repeat`" : "");
    }
    if (kind == "deformable" || kind == "shell" || kind == "rod" || kind == "particles" ||
        kind == "ancf-beam" || kind == "ancf-shell") {
      read_soft(body, kind, name, copies, path);
    } else if (kind == "affine" || kind == "rigid") {
      read_stiff(body, kind, name, copies, path);
    } else {
      read_obstacle(body, name, copies, path);
    }
  }

  void check_name(const std::string& name, const std::string& path) {
    const std::string name_path = pointer_to(path, "name");
    const bool plain = std::none_of(name.begin(), name.end(), [](unsigned char c) {
      return c < 0x20 || c == 0x7f || c == '[' || c == ']' || c == '"';
    });
    if (!plain) {
      throw IssueFound(name_path, "a name can't contain quotes, brackets or control characters",
                       "brackets mark the copies that `repeat` makes");
    }
    if (name == "world")
      throw IssueFound(name_path, "\"world\" stands for the world itself", "choose another name");
    const auto [other, is_new] = path_of_name_.emplace(name, path);
    if (!is_new) {
      throw IssueFound(name_path, fmt::format("the name \"{}\" is taken by {}", name, other->second),
                       "names of bodies must differ");
    }
  }

  BodyOptions read_options(const Json& body, const std::string& path) const {
    BodyOptions options;
    options.pose = read_pose(body, path);
    options.plane_thickness = world_.thickness;
    if (body.contains("friction")) options.friction = body["friction"].get<double>();
    if (body.contains("restitution_damping"))
      options.restitution_damping = body["restitution_damping"].get<double>();
    if (body.contains("hydroelastic_modulus"))
      options.hydroelastic_modulus = body["hydroelastic_modulus"].get<double>();
    if (body.contains("rolling_resistance"))
      options.rolling_resistance = body["rolling_resistance"].get<double>();
    if (body.contains("spinning_resistance"))
      options.spinning_resistance = body["spinning_resistance"].get<double>();
    for (const char* key : {"offset", "radius"}) {
      if (body.contains(key)) options.offset = body[key].get<double>();
    }
    options.collides = body["collides"].get<bool>();
    options.self_contact =
        scene_["contact"]["self"].get<bool>() && world_.contact_model != ContactModelKind::none;
    if (body.contains("group")) options.group = body["group"].get<int>();
    return options;
  }

  /// The material of a body of the given kind.
  BodyMaterial find_material(const Json& material, const std::string& kind, const std::string& path) const {
    if (material.is_object()) return read_material(material);
    const std::string name = material.get<std::string>();
    const auto found = materials_.find(name);
    if (found != materials_.end()) {
      const std::string& model = found->second.model;
      if (suits(model, kind)) return found->second;
      throw IssueFound(path,
                       fmt::format("a body of kind \"{}\" can't have the material \"{}\" of model \"{}\"",
                                   kind, name, model),
                       kind == "deformable" || kind == "ancf-beam" || kind == "ancf-shell"
                           ? "use an elastic model, such as \"neo-hookean\""
                           : fmt::format("use a material of model \"{}\"", kind == "shell"       ? "cloth"
                                                                           : kind == "particles" ? "spring"
                                                                                                 : kind));
    }
    const std::vector<std::string> known = keys_of(materials_);
    throw IssueFound(path, fmt::format("there is no material \"{}\"", name),
                     known.empty() ? "the scene has no `materials`" : suggestion(name, known, "materials"));
  }

  /// The material of a stiff body, which may be left out (or have no density) where the body has a mass.
  BodyMaterial stiff_material(const Json& body, const std::string& kind, const std::string& path) const {
    const bool has_mass = body.contains("mass");
    if (!body.contains("material")) {
      if (has_mass) return {};
      throw IssueFound(
          path, "missing key \"material\"",
          "add \"material\": a material's name, or a material with a `density`; or give the body "
          "a \"mass\" in kg");
    }
    const std::string material_path = pointer_to(path, "material");
    const BodyMaterial material = find_material(body["material"], kind, material_path);
    if (!material.has_density && !has_mass) {
      throw IssueFound(material_path, "missing key \"density\"",
                       "add \"density\" (kg/m^3) to the material, or give the body a \"mass\" in kg");
    }
    return material;
  }

  /// The mass of a stiff body whose shape has a formula, or that has a total mass: the shape's own moments.
  static void set_mass(const Json& body, const StiffSurface& surface, BodyOptions& options,
                       StiffMaterial& material) {
    const bool total = body.contains("mass");
    Pose scaled;
    scaled.scale = options.pose.scale;
    MassMoments moments;
    if (surface.ideal) {
      moments = transformed(scaled, *surface.ideal);
    } else if (total) {
      const SurfaceMesh mesh = {transformed(scaled, surface.mesh.vertices),
                                surface.mesh.triangles,
                                surface.mesh.edges,
                                surface.mesh.points,
                                {}};
      moments = mass_moments(mesh, 1, material.thickness);
    } else {
      return;
    }
    if (moments.volume < 0) {  // turned inside out: the same solid
      moments.volume = -moments.volume;
      moments.second = -moments.second;
    }
    if (!(moments.volume > 0)) return;  // a message follows when the body is added
    if (total) material.density = body["mass"].get<double>() / moments.volume;
    const Vector3 second = sorted_eigen<3>(moments.second).values;
    if (!(second[0] > least_moment_ratio * second[2])) return;  // too flat: the mesh's own moments do
    options.mass = GivenMass{material.density * moments.volume, moments.center,
                             material.density * inertia_tensor(moments.second)};
  }

  /// The same in a plane, where the body's own outline has the moments: a total mass gives the density.
  static void set_planar_mass(const Json& body, const SurfaceMesh& mesh, const BodyOptions& options,
                              StiffMaterial& material) {
    if (!body.contains("mass")) return;
    Pose scaled;
    scaled.scale = options.pose.scale;
    SurfaceMesh large = mesh;
    large.vertices = transformed(scaled, mesh.vertices);
    for (double& radius : large.radius) radius *= scaled.scale.maxCoeff();
    const double volume = planar_moments(large, 1, material.thickness).volume * *options.plane_thickness;
    if (volume > 0) material.density = body["mass"].get<double>() / volume;
  }

  /// Notes that a soft body weighs less than the round shape that its mesh stands for.
  void note_facets(const std::string& name, const Json& body, const SolidMesh& solid, double density,
                   const Pose& pose) {
    constexpr double worth_saying = 0.02;
    const std::optional<MassMoments> ideal = ideal_moments_of_shape(body);
    if (!ideal) return;
    double volume = 0;
    if (solid.shape != CellShape::tetrahedron || solid.order > 1) return;  // curved, or a box
    for (int c = 0; c < solid.cell_count(); ++c) {
      const auto t = solid.cell(c);
      volume += tetrahedron_volume(solid.vertices.col(t[0]), solid.vertices.col(t[1]),
                                   solid.vertices.col(t[2]), solid.vertices.col(t[3]));
    }
    const double missing = 1 - volume / ideal->volume, unit = density * pose.scale.prod();
    if (std::abs(missing) <= worth_saying) return;
    if (facetted_++ > 0) return;
    facets_ = fmt::format(
        "weighs {:.4g} kg by its mesh, {:.0f} % {} than the round shape that it stands for ({:.4g} kg); a "
        "smaller `resolution` is rounder",
        unit * volume, 100 * std::abs(missing), missing > 0 ? "less" : "more", unit * ideal->volume);
    facetted_name_ = name;
  }

  /// The springs that the body names, as edges of its mesh.
  static void add_springs(const Json& body, const std::string& path, SurfaceMesh& mesh) {
    const Json& springs = body["springs"];
    for (std::size_t i = 0; i < springs.size(); ++i) {
      for (const Json& end : springs[i]) {
        // Compared as doubles: numbers of any size do not fit an int.
        if (end.get<double>() < static_cast<double>(mesh.vertices.cols())) continue;
        throw IssueFound(pointer_to(pointer_to(path, "springs"), i),
                         fmt::format("there is no particle {}", brief(end)),
                         fmt::format("the particles are numbered from 0 to {}", mesh.vertices.cols() - 1));
      }
      mesh.edges.push_back({springs[i][0].get<int>(), springs[i][1].get<int>()});
    }
    if (!mesh.edges.empty() && !body.contains("material")) {
      throw IssueFound(path, "its edges are springs, but it has no material",
                       "add \"material\": { \"model\": \"spring\", \"stiffness\": 1000 } (N/m)");
    }
  }

  static void require_stable(const BodyMaterial& material, const std::string& path) {
    if (material.model != "orthotropic" || is_stable_orthotropic(material.elastic)) return;
    throw IssueFound(
        path, "the orthotropic material is not stable: its Poisson's ratios are too large for its moduli",
        "a stable material has nu_ij^2 < E_i / E_j; all three near that limit are too large together");
  }

  void require_plane_kind(const BodyMaterial& material, const std::string& path) const {
    if (!material.elastic.plane_stress) return;
    if (!world_.thickness)
      throw IssueFound(path, "only a scene of dimension 2 has plane stress", "leave `plane` out");
    if (has_plane_stress(material.elastic.model)) return;
    throw IssueFound(path, fmt::format("plane stress is not known of \"{}\"", material.model),
                     "use \"svk\" or \"linear-elastic\", or `plane`: \"strain\"");
  }

  MeshBudget budget_for(const Copies& copies) const {
    return {options_.max_vertices - pending_.control_count(), copies.total()};
  }

  void read_soft(const Json& body, const std::string& kind, const std::string& name, const Copies& copies,
                 const std::string& path) {
    BodyOptions options = read_options(body, path);
    options.velocity = read_vector(body["velocity"]);
    options.angular_velocity = read_vector(body["angular_velocity_degrees"]) * (std::numbers::pi / 180);
    // Particles without springs need no material.
    BodyMaterial material = body.contains("material")
                                ? find_material(body["material"], kind, pointer_to(path, "material"))
                                : BodyMaterial();
    if (!options.friction) options.friction = material.friction;
    require_stable(material, pointer_to(path, "material"));
    SolidMesh solid;
    SolidSurface solid_surface;
    AncfMesh ancf;
    SurfaceMesh thin;
    const bool has_slopes = kind == "ancf-beam" || kind == "ancf-shell";
    if (kind == "deformable") {
      solid = world_.thickness
                  ? planar_solid_for_body(body, path, options_.base_folder, budget_for(copies))
                  : solid_for_body(body, path, options.pose, options_.base_folder, budget_for(copies));
      solid_surface = solid_surface_for_body(body, path, options_.base_folder);
      if (!world_.thickness) note_facets(name, body, solid, material.elastic.density, options.pose);
      require_plane_kind(material, pointer_to(path, "material"));
    } else if (has_slopes) {
      ancf = read_ancf_mesh(body, path, options_.base_folder, budget_for(copies), material.elastic);
    } else {
      thin = world_.thickness ? planar_surface_for_body(body, path, options.pose, options_.base_folder,
                                                        budget_for(copies), false)
                              : thin_mesh_for_body(body, kind, path, options.pose, options_.base_folder,
                                                   budget_for(copies));
      if (world_.thickness && !thin.radius.empty())
        throw IssueFound(pointer_to(path, "shape"), "particles are points and the lines between them alone",
                         "use `points`, and `radius` for disks");
      if (kind == "particles") add_springs(body, path, thin);
    }
    const std::vector<HeldPart> held = read_held_parts(body, path, options.pose.position, solid.node_sets);
    const std::vector<LoadedPart> loaded = read_loads(body, path, solid.node_sets);
    const Eigen::Index nodes = std::max({solid.vertices.cols(), thin.vertices.cols(), ancf.nodes.cols()});
    for (const HeldPart& part : held) {
      require_nodes_exist(part.selection, part.path, nodes);
      if (part.hinged && !has_slopes) {
        throw IssueFound(part.path, "only nodes with slopes, those of ANCF beams and shells, can be `hinged`",
                         "leave it out: the nodes of this body have no slopes that could be held");
      }
    }
    for (const LoadedPart& part : loaded) require_nodes_exist(part.selection, part.path, nodes);
    auto add_to = [&](World& part) {
      if (kind == "shell") return add_shell(part, thin, material.cloth, options);
      if (kind == "rod") return add_rod(part, thin, material.rod, options);
      if (kind == "particles")
        return add_particles(part, thin, body["mass"].get<double>(), material.spring, options);
      if (has_slopes) return add_ancf(part, ancf, material.elastic, options, body.value("surface_cuts", 0));
      const MassKind mass = body["mass"] == "lumped" ? MassKind::lumped : MassKind::consistent;
      return add_deformable(part, solid, material.elastic, options, mass, solid_surface);
    };
    const Pose pose = options.pose;
    for_each_copy(copies, name, [&](const std::string& copy_name, const Vector3& offset) {
      options.name = copy_name;
      options.pose.position = pose.position + offset;
      World own = pending_.new_part();
      const int index = add_to(own);
      for (const HeldPart& part : held)
        require_some(own, index, hold_part(own, index, part, offset), "point", part.path);
      for (const LoadedPart& part : loaded) {
        const Selection selection = shifted(part.selection, offset);
        if (part.is_traction) {
          require_some(own, index, add_traction(own, index, selection, part.value), "surface triangle",
                       part.path);
        } else {
          require_some(own, index, add_force(own, index, selection, part.value), "point", part.path, true);
        }
      }
      remember(name, copy_name, pending_.add(std::move(own)));
    });
  }

  static int hold_part(World& world, int body, const HeldPart& part, const Vector3& offset) {
    try {
      if (part.axes != all_axes) return hold_along(world, body, shifted(part.selection, offset), part.axes);
      return hold(world, body, shifted(part.selection, offset), shifted(part.motion, offset), part.hinged);
    } catch (const InputError& error) {
      throw IssueFound(part.path, error.what());
    }
  }

  void read_stiff(const Json& body, const std::string& kind, const std::string& name, const Copies& copies,
                  const std::string& path) {
    BodyOptions options = read_options(body, path);
    options.velocity = read_vector(body["velocity"]);
    options.angular_velocity = read_vector(body["angular_velocity_degrees"]) * (std::numbers::pi / 180);
    BodyMaterial material = stiff_material(body, kind, path);
    if (!options.friction) options.friction = material.friction;
    options.mass = read_given_mass(body);
    const Json& fixed = body["fixed"];
    std::vector<HeldPart> held;
    if (!fixed.is_object()) {
      held = read_held_parts(body, path, options.pose.position);
    } else if (body.contains("motion")) {
      throw IssueFound(pointer_to(path, "motion"), "a body that is held by axes can't follow a motion",
                       "set `fixed` to true");
    }
    std::vector<LoadedPart> forces = read_loads(body, path);
    std::vector<Table> torques;
    if (body.contains("torque")) torques = read_torques(body["torque"], pointer_to(path, "torque"));
    const MassOrigin origin = options.mass                   ? MassOrigin::given
                              : material.stiff.thickness > 0 ? MassOrigin::of_sheet
                                                             : MassOrigin::of_solid;
    const StiffSurface surface =
        world_.thickness
            ? StiffSurface{planar_surface_for_body(body, path, options.pose, options_.base_folder,
                                                   budget_for(copies), !options.mass),
                           {},
                           {}}
            : stiff_surface_for_body(body, path, options.pose, options_.base_folder, budget_for(copies),
                                     origin, mesh_checks_);
    const SurfaceMesh& mesh = surface.mesh;
    options.skin = surface.skin;
    if (!options.mass && world_.thickness) set_planar_mass(body, mesh, options, material.stiff);
    if (!options.mass && !world_.thickness) set_mass(body, surface, options, material.stiff);
    for (const LoadedPart& part : forces)
      require_nodes_exist(part.selection, part.path, mesh.vertices.cols());
    const Pose pose = options.pose;
    for_each_copy(copies, name, [&](const std::string& copy_name, const Vector3& offset) {
      options.name = copy_name;
      options.pose.position = pose.position + offset;
      World own = pending_.new_part();
      const int index = kind == "rigid" ? add_rigid(own, mesh, material.stiff, options)
                                        : add_affine(own, mesh, material.stiff, options);
      for (const HeldPart& part : held) hold_part(own, index, part, offset);
      if (fixed.is_object()) hold_axes_of(own, index, fixed, pointer_to(path, "fixed"));
      for (const LoadedPart& part : forces) {
        require_some(own, index, add_force(own, index, shifted(part.selection, offset), part.value), "point",
                     part.path, true);
      }
      for (const Table& torque : torques) add_torque(own, index, torque);
      remember(name, copy_name, pending_.add(std::move(own)));
    });
  }

  static void hold_axes_of(World& world, int body, const Json& axes, const std::string& path) {
    try {
      hold_axes(world, body, read_flags(axes["translation"]), read_flags(axes["rotation"]));
    } catch (const InputError& error) {
      throw IssueFound(path, error.what());
    }
  }

  static std::array<bool, 3> read_flags(const Json& flags) {
    return {flags[0].get<bool>(), flags[1].get<bool>(), flags[2].get<bool>()};
  }

  static std::vector<Table> read_torques(const Json& torque, const std::string& path) {
    std::vector<Table> tables;
    auto read = [&](const Json& one, const std::string& where) {
      if (one.is_object() && one.contains("selection")) {
        throw IssueFound(pointer_to(where, "selection"), "a torque acts on the whole body",
                         "leave the selection out, or use forces");
      }
      tables.push_back(read_table(one, where));
    };
    if (torque.is_array() && torque[0].is_object()) {
      for (std::size_t i = 0; i < torque.size(); ++i) read(torque[i], pointer_to(path, i));
    } else {
      read(torque, path);
    }
    return tables;
  }

  void read_obstacle(const Json& body, const std::string& name, const Copies& copies,
                     const std::string& path) {
    BodyOptions options = read_options(body, path);
    const Pose pose = options.pose;
    Motion motion;
    if (body.contains("motion"))
      motion = read_motion(body["motion"], pointer_to(path, "motion"), pose.position);
    const std::string plane_key = world_.thickness ? "half_plane" : "plane";
    if (body.contains("shape") && body["shape"].contains(plane_key)) {
      const Json& plane = body["shape"][plane_key];
      require_no_turn(motion, pointer_to(path, "motion"));
      const Vector3 normal =
          read_direction(plane["normal"], fmt::format("{}/shape/{}/normal", path, plane_key));
      const Vector3 point = transformed(pose, read_vector(plane["point"]));
      // A scale stretches the plane's tangents, so its normal goes by the inverse.
      const Vector3 turned = (pose.rotation * normal.cwiseQuotient(pose.scale)).stableNormalized();
      options.pose = {};
      for_each_copy(copies, name, [&](const std::string& copy_name, const Vector3& offset) {
        options.name = copy_name;
        World own = pending_.new_part();
        add_plane(own, point + offset, turned, options, shifted(motion, offset));
        remember(name, copy_name, pending_.add(std::move(own)));
      });
      return;
    }
    const SurfaceMesh mesh =
        world_.thickness
            ? planar_surface_for_body(body, path, pose, options_.base_folder, budget_for(copies), false)
            : surface_for_body(body, path, pose, options_.base_folder, budget_for(copies));
    if (!mesh.radius.empty() && (!mesh.points.empty() || !mesh.edges.empty()) && turns(motion)) {
      throw IssueFound(pointer_to(path, "motion"), "a round obstacle can't turn: friction would not feel it",
                       "make it a \"rigid\" body with \"fixed\": true, or set \"round\" to false");
    }
    for_each_copy(copies, name, [&](const std::string& copy_name, const Vector3& offset) {
      options.name = copy_name;
      options.pose.position = pose.position + offset;
      World own = pending_.new_part();
      add_obstacle(own, mesh, options, shifted(motion, offset));
      remember(name, copy_name, pending_.add(std::move(own)));
    });
  }

  static bool turns(const Motion& motion) {
    return !motion.angular_velocity.isZero(0) ||
           std::any_of(motion.keyframes.begin(), motion.keyframes.end(),
                       [](const Keyframe& key) { return !key.rotation.isZero(0); });
  }

  static void require_no_turn(const Motion& motion, const std::string& path) {
    if (turns(motion))
      throw IssueFound(path, "an infinite plane can move but not turn", "use a large thin box instead");
  }

  static void require_some(const World& world, int body, int count, const char* what, const std::string& path,
                           bool of_force = false) {
    if (count > 0) return;
    const Body& place = world.bodies[body];
    const Vectors points = of_force ? loaded_points(world, place) : rest_nodes(world, place);
    const double radius = of_force && is_loaded_outside(world, place) ? 0 : largest_radius(world, place);
    throw IssueFound(
        path, fmt::format("the selection has no {} of body \"{}\"", what, place.name),
        fmt::format(
            "the body{} from {} to {}{}", radius > 0 ? "'s points reach" : " reaches",
            text_of(points.rowwise().minCoeff()), text_of(points.rowwise().maxCoeff()),
            radius > 0
                ? fmt::format(
                      "; its solid reaches {:.6g} m beyond them, and selections choose points: let the "
                      "selection reach in as far",
                      radius)
                : ""));
  }

  void remember(const std::string& name, const std::string& copy_name, int index) {
    indices_of_name_[name].push_back(index);
    if (copy_name != name) indices_of_name_[copy_name].push_back(index);
  }

  World& world_;
  PendingParts pending_;
  const Json& scene_;
  const LoadOptions& options_;
  std::vector<Issue>& issues_;
  std::vector<std::string>& remarks_;
  int facetted_ = 0;  ///< soft bodies that weigh less than their shape, and what is said of the first
  std::string facetted_name_, facets_;
  std::map<std::string, BodyMaterial> materials_;
  MeshFileChecks mesh_checks_;
  std::map<std::string, std::string> path_of_name_;
  BodiesOfName indices_of_name_;
};

}  // namespace

void read_bodies(World& world, const Json& scene, const LoadOptions& options, std::vector<Issue>& issues,
                 std::vector<std::string>& remarks) {
  BodyReader(world, scene, options, issues, remarks).read_all();
}

}  // namespace bulwark
