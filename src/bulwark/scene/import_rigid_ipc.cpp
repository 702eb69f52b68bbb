#include <bulwark/base/error.hpp>
#include <bulwark/geometry/pose.hpp>
#include <bulwark/scene/import_rigid_ipc.hpp>
#include <bulwark/scene/issues.hpp>
#include <bulwark/scene/read_values.hpp>
#include <bulwark/scene/rigid_ipc_body.hpp>
#include <bulwark/scene/rigid_ipc_mesh.hpp>
#include <bulwark/scene/rigid_ipc_motion.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace bulwark {
namespace {

Json to_json(const Vector3& vector) {
  return Json::array({vector.x(), vector.y(), vector.z()});
}

/// A box that grows with the points put into it.
struct Box {
  Vector3 lower = Vector3::Constant(std::numeric_limits<double>::infinity());
  Vector3 upper = -lower;

  void add(const Vectors& points) {
    lower = lower.cwiseMin(points.rowwise().minCoeff());
    upper = upper.cwiseMax(points.rowwise().maxCoeff());
  }
  double diagonal() const { return (upper - lower).norm(); }
};

/// The factor per axis that gives the mesh's box the sides `dimensions`.
Vector3 scale_to(const Vector3& dimensions, const SurfaceMesh& surface, const std::string& path) {
  const Vector3 sides = surface.vertices.rowwise().maxCoeff() - surface.vertices.rowwise().minCoeff();
  Vector3 scale;
  for (int axis = 0; axis < 3; ++axis) {
    scale[axis] = sides[axis] > 0 ? dimensions[axis] / sides[axis] : 1;
    if (!(scale[axis] > 0)) {
      throw IssueFound(pointer_to(path, static_cast<std::size_t>(axis)),
                       "the mesh has an extent along this axis, which can't become 0",
                       "give a dimension above 0");
    }
  }
  return scale;
}

/// One body to a line, as a person would write them.
std::string scene_text(const Json& scene) {
  const auto compact = [](const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  std::string text = "{";
  for (const auto& [key, value] : scene.items()) {
    text += (text.size() > 1 ? ",\n  " : "\n  ") + compact(key) + ": ";
    if (!value.is_array() || value.empty() || !value[0].is_object()) {
      text += compact(value);
      continue;
    }
    text += "[\n";
    for (std::size_t i = 0; i < value.size(); ++i) {
      text += "    " + compact(value[i]) + (i + 1 < value.size() ? ",\n" : "\n  ]");
    }
  }
  return text + "\n}\n";
}

class Importer {
 public:
  explicit Importer(const RigidIpcOptions& options)
      : options_(options), meshes_(options.file, options.mesh_folder) {}

  ImportedScene run(const std::string& text) {
    const SceneSource source{options_.file.string(), text, {}};
    const Json document = parse_json(text, source.name);
    collect("", [&] { read_document(document); });
    throw_issues(issues_, source);
    write_bodies();
    throw_issues(issues_, source);
    if (scene_["bodies"].empty()) {
      throw InputError(source.name, "no body of this scene is enabled", "a scene needs at least one");
    }
    write_tolerance();
    for (const ImportWarnings::Warning& warning : warnings_.list()) {
      result_.warnings.push_back(
          fmt::format("{}:{}: {}: {}{}", source.name, line_of(text, warning.path), warning.path, warning.text,
                      warning.places > 1 ? fmt::format(" (at {} places)", warning.places) : ""));
    }
    result_.scene = scene_text(scene_);
    result_.body_count = scene_["bodies"].size();
    return std::move(result_);
  }

 private:
  template <class Read>
  void collect(const std::string& path, Read read) {
    try {
      read();
    } catch (const IssueFound& found) {
      issues_.push_back(found.issue());
    } catch (const InputError& error) {
      issues_.push_back({path, error.what(), ""});
    }
  }

  // ---- settings

  void read_document(const Json& document) {
    RigidIpcObject top(document, "", warnings_);
    scene_["bulwark"] = 1;
    scene_["title"] = options_.file.stem().string();
    const std::string type = top.text("scene_type", "distance_barrier_rb_problem");
    if (type != "distance_barrier_rb_problem") {
      top.warn("scene_type", "`scene_type` \"" + type + "\" becomes barrier contact between moving bodies");
    }
    const Json* problem = top.find("rigid_body_problem");
    if (problem == nullptr) {
      throw IssueFound("", "there is no `rigid_body_problem`",
                       "give a scene of rigid-ipc; scenes of ours need no import");
    }
    read_time(top);
    read_problem(*problem);
    read_contact(top);
    read_solver(top);
    for (const char* other : {"homotopy_solver", "ncp_solver", "volume_constraint"}) {
      top.leave_out(other, "it belongs to another method");
    }
    top.skip("viewport_bbox");
    top.warn_of_unknown_keys();
  }

  void read_time(RigidIpcObject& top) {
    step_ = top.positive("timestep", 0.01);
    const double max_time = top.number("max_time", -1);
    const int max_steps = top.integer("max_iterations", -1);
    constexpr int steps_without_end = 1000;
    Json& time = scene_["time"];
    time["step"] = step_;
    if (max_time > 0) {
      time["duration"] = duration_ = max_time;
    } else {
      const int steps = max_steps > 0 ? max_steps : steps_without_end;
      time["steps"] = steps;
      duration_ = steps * step_;
    }
  }

  void read_problem(const Json& json) {
    RigidIpcObject problem(json, "/rigid_body_problem", warnings_);
    const std::string stepper = problem.text("time_stepper", "default");
    if (stepper == "implicit_newmark") {
      scene_["time"]["integrator"] = "newmark";
    } else if (stepper != "default" && stepper != "implicit_euler") {
      problem.warn("time_stepper", "`time_stepper` \"" + stepper + "\" becomes implicit Euler");
    }
    scene_["gravity"] = to_json(problem.vector("gravity", Vector3::Zero()));
    friction_ = problem.number("coefficient_friction", 0);
    if (problem.number("coefficient_restitution", -1) > 0) {
      problem.leave_out("coefficient_restitution", "contact here has no restitution");
    }
    problem.leave_out("collision_eps", "contact here is never approximate");
    problem.skip("do_intersection_check");
    read_bodies(problem);
    problem.warn_of_unknown_keys();
  }

  void read_bodies(RigidIpcObject& problem) {
    const std::string path = problem.path_of("rigid_bodies");
    const Json* list = problem.find("rigid_bodies");
    if (list == nullptr || !list->is_array()) {
      throw IssueFound(path,
                       "expected a list of bodies" + (list ? ", found " + brief(*list) : std::string()));
    }
    for (std::size_t i = 0; i < list->size() && issues_.size() <= max_issues; ++i) {
      const std::string body_path = pointer_to(path, i);
      collect(body_path, [&] {
        if (auto body = read_rigid_ipc_body((*list)[i], body_path, warnings_)) {
          bodies_.push_back(std::move(*body));
        }
      });
    }
  }

  void read_contact(RigidIpcObject& top) {
    Json& contact = scene_["contact"];
    contact = Json::object();
    static const Json nothing = Json::object();
    const auto section = [&](const char* key) {
      const Json* json = top.find(key);
      return RigidIpcObject(json ? *json : nothing, top.path_of(key), warnings_);
    };
    RigidIpcObject barrier = section("distance_barrier_constraint");
    contact["distance"] = barrier.positive("initial_barrier_activation_distance", 1e-3);
    const double separation = barrier.number("minimum_separation_distance", 0);
    if (separation > 0) contact["minimum_distance"] = separation;
    const std::string type = barrier.text("barrier_type", "ipc");
    if (type != "ipc") barrier.leave_out("barrier_type", "there is one barrier, that of IPC");
    // These choose how pairs are found and followed; the paths they guarantee are the same.
    barrier.skip("detection_method");
    barrier.skip("trajectory_type");
    barrier.warn_of_unknown_keys();

    RigidIpcObject friction = section("friction_constraints");
    const int iterations = friction.integer("iterations", 1);
    contact["friction"] = iterations == 0 ? 0.0 : friction_;
    contact["static_speed"] = friction.positive("static_friction_speed_bound", 1e-3);
    contact["friction_iterations"] = std::max(iterations, 0);
    friction.warn_of_unknown_keys();
  }

  void read_solver(RigidIpcObject& top) {
    const std::string name = top.text("solver", "ipc_solver");
    if (name != "ipc_solver") top.leave_out("solver", "steps are solved by projected Newton");
    scene_["solver"] = Json::object();
    // ipc_solver inherits from newton_solver, so it is read last.
    for (const char* key : {"newton_solver", "ipc_solver"}) {
      const Json* json = top.find(key);
      if (json == nullptr) continue;
      RigidIpcObject solver(*json, top.path_of(key), warnings_);
      tolerance_ = solver.positive("velocity_conv_tol", tolerance_);
      tolerance_is_speed_ = solver.boolean("is_velocity_conv_tol_abs", tolerance_is_speed_);
      const int most = solver.integer("max_iterations", 0);
      if (most > 0) scene_["solver"]["max_iterations"] = most;
      if (solver.text("convergence_criteria", "velocity") != "velocity") {
        solver.leave_out("convergence_criteria", "a step is solved when the Newton step is small");
      }
      solver.leave_out("linear_solver", "the linear solver is picked by size");
      for (const char* other :
           {"energy_conv_tol", "line_search_lower_bound", "dhat_epsilon", "min_barrier_stiffness_scale"}) {
        solver.leave_out(other, "there is no such setting");
      }
      solver.warn_of_unknown_keys();
    }
  }

  /// Tolerances are speeds here and there: relative to the moving bodies' box here, to the world's there. A
  /// relative one is taken over as it is, which makes it the stricter where the ground is large.
  void write_tolerance() {
    const double length = moving_.diagonal();
    const bool divide = tolerance_is_speed_ && length > 0;
    scene_["solver"]["tolerance"] = divide ? tolerance_ / length : tolerance_;
  }

  // ---- bodies

  void write_bodies() {
    scene_["materials"] = Json::object();
    Json& list = scene_["bodies"] = Json::array();
    find_static_groups();
    for (const RigidIpcBody& body : bodies_) {
      if (issues_.size() > max_issues) return;
      collect(pointer_to(body.path, "mesh"), [&] {
        for (const Part& part : parts_of(body)) list.push_back(write_body(body, part));
      });
    }
  }

  /// A body of our scene: the mesh of one of theirs, or a piece of it.
  struct Part {
    std::string name;
    std::string reference;  ///< the mesh file, from the scene
    RigidIpcMesh mesh;
  };

  std::vector<Part> parts_of(const RigidIpcBody& body) {
    const RigidIpcMesh& mesh = meshes_.get(body.mesh);
    const std::string name = std::filesystem::path(body.mesh).stem().string();
    const Vector3 signs = body.dimensions ? Vector3::Ones() : Vector3(body.scale.array().sign());
    if (!body.split_components && signs == Vector3::Ones()) {
      return {{name, mesh_reference(body, mesh), mesh}};
    }
    std::string file_name = inner_name(body).replace_extension().string();
    for (int axis = 0; axis < 3; ++axis) {
      if (signs[axis] < 0) file_name += fmt::format("-mirrored-{}", "xyz"[axis]);
    }
    const SurfaceMesh whole = mirrored(mesh.surface, signs);
    if (!body.split_components) return {made_part(name, file_name, whole)};
    const std::vector<SurfaceMesh> pieces = connected_pieces(whole);
    if (pieces.empty()) {
      throw IssueFound(pointer_to(body.path, "split_components"), "the mesh has no triangles to split");
    }
    std::vector<Part> parts;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const std::string number = fmt::format("-part{:03}", i);
      parts.push_back(made_part(name + number, file_name + number, pieces[i]));
    }
    return parts;
  }

  Json write_body(const RigidIpcBody& body, const Part& part) {
    Json json;
    json["name"] = unique_name(part.name);
    const bool moves = body.type == RigidIpcBody::Type::dynamic;
    json["kind"] = !moves ? "obstacle" : options_.rigid ? "rigid" : "affine";
    json["mesh"] = part.reference;
    json["position"] = to_json(body.position);
    if (!body.euler_degrees.isZero(0)) json["rotation"]["euler_degrees"] = to_json(body.euler_degrees);
    Vector3 scale = body.scale.cwiseAbs();
    if (body.dimensions) {
      // Pieces keep the proportions of the whole mesh.
      const SurfaceMesh& whole = meshes_.get(body.mesh).surface;
      scale = scale_to(*body.dimensions, whole, pointer_to(body.path, "dimensions"));
    }
    if (scale != Vector3::Ones()) json["scale"] = to_json(scale);
    const RigidIpcMesh& mesh = part.mesh;
    const Vectors placed = transformed(read_pose(with_defaults(json), body.path), mesh.surface.vertices);
    if (moves) {
      write_dynamics(json, body, mesh, placed);
      moving_.add(placed);
    } else if (body.type == RigidIpcBody::Type::kinematic) {
      const Json motion = rigid_ipc_motion(body, center_of_mass(mesh, placed), step_, duration_);
      if (!motion.is_null()) json["motion"] = motion;
    }
    const int group = group_of(body);
    if (group >= 0) json["group"] = group;
    return json;
  }

  void write_dynamics(Json& json, const RigidIpcBody& body, const RigidIpcMesh& mesh, const Vectors& placed) {
    json["material"] = material(body.density, mesh.closed ? 0 : equivalent_thickness(mesh.surface, placed));
    const auto write = [&](const char* key, const Vector3& value) {
      if (!value.isZero(0)) json[key] = to_json(value);
    };
    write("velocity", body.velocity);
    write("angular_velocity_degrees", body.angular_velocity_degrees);
    write("force", body.force);
    write("torque", body.torque);
    if (std::find(body.fixed.begin(), body.fixed.end(), true) != body.fixed.end()) {
      const auto& fixed = body.fixed;
      json["fixed"]["translation"] = Json::array({fixed[0], fixed[1], fixed[2]});
      json["fixed"]["rotation"] = Json::array({fixed[3], fixed[4], fixed[5]});
    }
  }

  /// The name of the material of that density, made when it is new; a thickness of 0 means a closed surface.
  std::string material(double density, double thickness) {
    std::string name = fmt::format("density {}", density);
    if (thickness > 0) name += fmt::format(", thickness {}", thickness);
    Json& material = scene_["materials"][name];
    if (!material.is_null()) return name;
    material["model"] = options_.rigid ? "rigid" : "affine";
    material["density"] = density;
    if (!options_.rigid) material["stiffness"] = 1e11;
    if (thickness > 0) material["thickness"] = thickness;
    return name;
  }

  static Json with_defaults(Json body) {
    if (!body.contains("scale")) body["scale"] = 1;
    return body;
  }

  /// The mesh's name, and a number behind it from the second body of that name on.
  std::string unique_name(const std::string& name) {
    std::string result = name == "world" || name.empty() ? "body" : name;
    const std::string base = result;
    int& count = name_counts_[base];
    do {
      if (count++ > 0) result = fmt::format("{}-{}", base, count);
    } while (!names_.insert(result).second);
    return result;
  }

  // ---- groups

  /// In rigid-ipc all static and kinematic bodies are of one group; a dynamic body that shares a group with
  /// any of them joins it. Obstacles never meet here, so this matters only for such bodies.
  void find_static_groups() {
    for (const RigidIpcBody& body : bodies_) {
      if (body.type != RigidIpcBody::Type::dynamic && body.group >= 0) static_groups_.insert(body.group);
    }
  }

  int group_of(const RigidIpcBody& body) const {
    if (static_groups_.empty()) return body.type == RigidIpcBody::Type::dynamic ? body.group : -1;
    const bool joins = body.type != RigidIpcBody::Type::dynamic || static_groups_.contains(body.group);
    return joins ? *static_groups_.begin() : body.group;
  }

  // ---- mesh files

  std::filesystem::path scene_folder() const {
    return std::filesystem::absolute(options_.scene).lexically_normal().parent_path();
  }

  /// Where a file goes beside the scene, from the scene. Another file of the same name gets a number.
  std::string add_file(const std::filesystem::path& name, ImportedFile file) {
    const std::filesystem::path folder = options_.scene.stem().string() + "_meshes";
    for (int number = 1; true; ++number) {
      std::filesystem::path own = name;
      if (number > 1) {
        own.replace_filename(fmt::format("{}-{}{}", name.stem().string(), number, name.extension().string()));
      }
      file.path = scene_folder() / folder / own;
      const auto same_path = [&](const ImportedFile& other) { return other.path == file.path; };
      const auto known = std::find_if(result_.files.begin(), result_.files.end(), same_path);
      if (known != result_.files.end() && (known->source != file.source || known->text != file.text))
        continue;
      if (known == result_.files.end()) result_.files.push_back(std::move(file));
      return (folder / own).generic_string();
    }
  }

  /// The name of a body's mesh file inside a folder of meshes; names that lead out of it lose their folders.
  static std::filesystem::path inner_name(const RigidIpcBody& body) {
    const std::filesystem::path name = std::filesystem::path(body.mesh).lexically_normal();
    return name.is_relative() && *name.begin() != ".." ? name : name.filename();
  }

  std::string mesh_reference(const RigidIpcBody& body, const RigidIpcMesh& mesh) {
    if (options_.copy_meshes) return add_file(inner_name(body), {{}, mesh.file, {}});
    const std::filesystem::path file = std::filesystem::absolute(mesh.file).lexically_normal();
    return file.lexically_proximate(scene_folder()).generic_string();
  }

  /// A part whose mesh is in no file yet.
  Part made_part(const std::string& name, const std::string& file_name, const SurfaceMesh& surface) {
    const std::string reference = add_file(file_name + ".obj", {{}, {}, surface_to_obj(surface)});
    return {name, reference, {{}, surface, encloses_volume(surface)}};
  }

  const RigidIpcOptions& options_;
  RigidIpcMeshes meshes_;
  ImportWarnings warnings_;
  std::vector<Issue> issues_;
  ImportedScene result_;
  Json scene_;
  double step_ = 0, duration_ = 0, friction_ = 0;
  double tolerance_ = 1e-2;
  bool tolerance_is_speed_ = false;
  std::vector<RigidIpcBody> bodies_;
  std::set<int> static_groups_;
  std::set<std::string> names_;
  std::map<std::string, int> name_counts_;
  Box moving_;
};

}  // namespace

ImportedScene import_rigid_ipc(const std::string& text, const RigidIpcOptions& options) {
  return Importer(options).run(text);
}

}  // namespace bulwark
