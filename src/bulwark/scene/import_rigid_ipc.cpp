#include <bulwark/base/error.hpp>
#include <bulwark/scene/import_rigid_ipc.hpp>
#include <bulwark/scene/issues.hpp>
#include <bulwark/scene/rigid_ipc_bodies.hpp>
#include <bulwark/scene/rigid_ipc_planar.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace bulwark {
namespace {

class Importer {
 public:
  explicit Importer(const RigidIpcOptions& options) : options_(options) {}

  ImportedScene run(const std::string& text) {
    const SceneSource source{options_.file.string(), text, {}};
    const Json document = parse_json(text, source.name);
    collect_issue(issues_, "", [&] { read_document(document); });
    throw_issues(issues_, source);
    write_bodies();
    throw_issues(issues_, source);
    if (scene_["bodies"].empty()) {
      throw InputError(source.name, "no body of this scene is enabled", "a scene needs at least one");
    }
    for (const ImportWarnings::Warning& warning : warnings_.list()) {
      result_.warnings.push_back(
          fmt::format("{}:{}: {}: {}{}", source.name, line_of(text, warning.path), warning.path, warning.text,
                      warning.places > 1 ? fmt::format(" (at {} places)", warning.places) : ""));
    }
    result_.scene = imported_scene_text(scene_);
    result_.body_count = scene_["bodies"].size();
    return std::move(result_);
  }

 private:
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
                       "give a rigid-ipc scene; Bulwark scenes need no import");
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
    planar_ = is_planar_rigid_ipc(json);
    if (planar_) {
      scene_["dimension"] = 2;
      const Json* gravity = problem.find("gravity");
      scene_["gravity"] = gravity == nullptr ? Json({0.0, 0.0}) : *gravity;
    } else {
      scene_["gravity"] = to_json(problem.vector("gravity", Vector3::Zero()));
    }
    friction_ = problem.number("coefficient_friction", 0);
    if (problem.number("coefficient_restitution", -1) > 0) {
      problem.leave_out("coefficient_restitution",
                        "see `bulwark restitution` for the damping that gives such a bounce");
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
    std::optional<RigidIpcPlanarWriter> planar;
    if (planar_) planar.emplace(options_, duration_);
    for (std::size_t i = 0; i < list->size() && issues_.size() <= max_issues; ++i) {
      const std::string body_path = pointer_to(path, i);
      collect_issue(issues_, body_path, [&] {
        if (planar) return planar->add((*list)[i], body_path, warnings_);
        if (auto body = read_rigid_ipc_body((*list)[i], body_path, warnings_)) {
          settle_single_fixed_turn(*body);
          bodies_.push_back(std::move(*body));
        }
      });
    }
    if (!planar) return;
    scene_["bodies"] = std::move(planar->bodies);
    planar_size_ = planar->moving.diagonal();
  }

  /// One rotation that is fixed means a principal axis of the body there, an axis of the world here; and
  /// affine bodies can't be held about one axis alone.
  void settle_single_fixed_turn(RigidIpcBody& body) {
    const auto turns = std::count(body.fixed.begin() + 3, body.fixed.end(), true);
    if (turns != 1 || body.type != RigidIpcBody::Type::dynamic) return;
    const std::string path = pointer_to(body.path, "is_dof_fixed");
    if (options_.rigid) {
      warnings_.add(path, "a single fixed rotation is taken about the world's axis, not the body's own");
    } else {
      warnings_.add(path, "affine bodies can't be held about one axis alone: they turn freely; use --rigid");
      std::fill(body.fixed.begin() + 3, body.fixed.end(), false);
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
      solver.leave_out("linear_solver", "the linear solver is chosen by size");
      for (const char* other :
           {"energy_conv_tol", "line_search_lower_bound", "dhat_epsilon", "min_barrier_stiffness_scale"}) {
        solver.leave_out(other, "there is no such setting");
      }
      solver.warn_of_unknown_keys();
    }
  }

  void write_bodies() {
    if (planar_) return write_tolerance(planar_size_);
    RigidIpcContext context{step_, duration_, {}};
    for (const RigidIpcBody& body : bodies_) {
      if (body.type != RigidIpcBody::Type::dynamic && body.group >= 0)
        context.static_groups.insert(body.group);
    }
    RigidIpcBodyWriter writer(options_, context);
    for (const RigidIpcBody& body : bodies_) {
      if (issues_.size() > max_issues) return;
      collect_issue(issues_, pointer_to(body.path, "mesh"), [&] { writer.add(body); });
    }
    scene_["materials"] = std::move(writer.materials);
    scene_["bodies"] = std::move(writer.bodies);
    result_.files = std::move(writer.files);
    write_tolerance(writer.moving.diagonal());
  }

  /// Tolerances are speeds here and there: relative to the moving bodies' box here, to the world's there. A
  /// relative one is taken over as it is, which makes it the stricter where the ground is large.
  void write_tolerance(double length) {
    const bool divide = tolerance_is_speed_ && length > 0;
    scene_["solver"]["tolerance"] = divide ? tolerance_ / length : tolerance_;
  }

  const RigidIpcOptions& options_;
  ImportWarnings warnings_;
  std::vector<Issue> issues_;
  std::vector<RigidIpcBody> bodies_;
  ImportedScene result_;
  Json scene_;
  double step_ = 0, duration_ = 0, friction_ = 0;
  bool planar_ = false;
  double planar_size_ = 0;  ///< of the box around all that moves
  double tolerance_ = 1e-2;
  bool tolerance_is_speed_ = false;
};

}  // namespace

ImportedScene import_rigid_ipc(const std::string& text, const RigidIpcOptions& options) {
  return Importer(options).run(text);
}

}  // namespace bulwark
