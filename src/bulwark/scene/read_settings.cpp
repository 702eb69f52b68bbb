#include <bulwark/base/log.hpp>
#include <bulwark/scene/issues.hpp>
#include <bulwark/scene/read_patch_penalty.hpp>
#include <bulwark/scene/read_settings.hpp>
#include <bulwark/scene/read_values.hpp>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace bulwark {
namespace {

TimeSettings read_time(const Json& json) {
  TimeSettings time;
  time.step = json["step"].get<double>();
  time.integrator = json["integrator"].get<std::string>();
  if (json.contains("ramp")) {
    if (time.integrator != "static") {
      throw IssueFound(
          "/time/ramp", "loads grow over a ramp in statics alone",
          "leave it out, or use \"integrator\": \"static\"; in motion give the loads as time tables");
    }
    time.ramp = json["ramp"].get<double>();
  }
  if (json.contains("steps")) {
    time.steps = json["steps"].get<int>();
    return time;
  }
  // The slack keeps 2.0 / 0.01 from becoming 201 steps by rounding.
  const double steps = std::max(1.0, std::ceil(json["duration"].get<double>() / time.step - 1e-9));
  constexpr double most = 1e9;
  if (!(steps <= most)) {
    throw IssueFound("/time/duration", "more than 1e9 steps of " + json["step"].dump() + " s",
                     "give a shorter duration or a longer step");
  }
  time.steps = static_cast<int>(steps);
  return time;
}

/// Names of broad phases that are gone are read for one version.
std::string read_broad_phase(const Json& json) {
  const std::string name = json.get<std::string>();
  if (name != "hash-grid" && name != "sweep") return name;
  log_warning(
      "/contact/broad_phase: \"{}\" was removed, since it gained nothing; \"auto\" is used instead\n"
      "  write \"auto\", or leave the key out: the results are the same",
      name);
  return "auto";
}

ContactSettings read_contact(const Json& json) {
  ContactSettings contact;
  contact.model = *contact_model_of(json["model"].get<std::string>());
  contact.enabled = contact.model != ContactModelKind::none ||
                    std::any_of(json["pairs"].begin(), json["pairs"].end(), [](const Json& pair) {
                      return pair.contains("model") && pair["model"] != "none";
                    });
  contact.formulation = json["formulation"].get<std::string>();
  contact.distance = read_scaled(json["distance"]);
  contact.minimum_distance = json["minimum_distance"].get<double>();
  if (json["stiffness"].is_number()) contact.stiffness = json["stiffness"].get<double>();
  contact.restitution_damping = json["restitution_damping"].get<double>();
  contact.friction = json["friction"].get<double>();
  contact.static_speed = read_scaled(json["static_speed"]);
  contact.friction_iterations = json["friction_iterations"].get<int>();
  contact.ccd = json["ccd"].get<std::string>();
  contact.broad_phase = read_broad_phase(json["broad_phase"]);
  contact.self = json["self"].get<bool>();
  const Json& hydroelastic = json["hydroelastic"];
  contact.patch_penalty = read_patch_penalty(json["patch_penalty"], "/contact/patch_penalty");
  contact.hydroelastic.modulus = hydroelastic["modulus"].get<double>();
  contact.hydroelastic.dissipation = hydroelastic["dissipation"].get<double>();
  contact.hydroelastic.resolution = read_scaled(hydroelastic["resolution"]);
  return contact;
}

NewtonRule read_newton(const Json& json) {
  return {json["gradient_tolerance"].get<double>(), json["relative_tolerance"].get<double>()};
}

AdamwRule read_adamw(const Json& json) {
  AdamwRule rule;
  if (json["rate"].is_number()) rule.rate = json["rate"].get<double>();
  rule.beta1 = json["beta1"].get<double>();
  rule.beta2 = json["beta2"].get<double>();
  rule.epsilon = json["epsilon"].get<double>();
  rule.weight_decay = json["weight_decay"].get<double>();
  rule.rate_decay = json["rate_decay"].get<double>();
  rule.rate_growth = json["rate_growth"].get<double>();
  rule.check_interval = json["check_interval"].get<int>();
  rule.gradient_tolerance = json["gradient_tolerance"].get<double>();
  rule.relative_tolerance = json["relative_tolerance"].get<double>();
  rule.decrease_tolerance = json["decrease_tolerance"].get<double>();
  rule.max_iterations = json["max_iterations"].get<int>();
  rule.max_step_iterations = json["max_step_iterations"].get<int>();
  return rule;
}

SolverSettings read_solver(const Json& json) {
  SolverSettings solver;
  solver.minimiser = json["minimiser"].get<std::string>();
  for (const std::string method : {"newton", "adamw"}) {
    if (!json.contains(method) || solver.minimiser == method) continue;
    throw IssueFound("/solver/" + method, "these are parameters of another minimiser than that of the scene",
                     "write \"minimiser\": \"" + method + "\", or leave them out");
  }
  if (json.contains("newton")) solver.newton = read_newton(json["newton"]);
  if (json.contains("adamw")) solver.adamw = read_adamw(json["adamw"]);
  solver.tolerance = json["tolerance"].get<double>();
  solver.max_iterations = json["max_iterations"].get<int>();
  solver.linear = json["linear"].get<std::string>();
  solver.psd = json["psd"].get<std::string>();
  solver.threads = json["threads"].get<int>();
  solver.max_halvings = json["max_halvings"].get<int>();
  solver.check_energy = json["check_energy"].get<bool>();
  solver.check_passing = json["check_passing"].get<bool>();
  solver.max_step_iterations = json["max_step_iterations"].get<int>();
  return solver;
}

OutputSettings read_output(const Json& json) {
  const auto has_field = [&](const char* name) {
    const Json& fields = json["fields"];
    return std::find(fields.begin(), fields.end(), name) != fields.end();
  };
  OutputSettings output;
  output.every = json["every"].get<int>();
  output.checkpoint_every_seconds = json["checkpoint_every_seconds"].get<double>();
  output.velocity = has_field("velocity");
  output.stress = has_field("stress");
  output.contact_force = has_field("contact_force");
  output.contact_pressure = has_field("contact_pressure");
  output.stress_tensor = has_field("stress_tensor");
  output.second_stress = has_field("second_stress");
  output.strain = has_field("strain");
  output.principal_stress = has_field("principal_stress");
  output.energy_density = has_field("energy_density");
  output.integration_points = has_field("integration_points");
  output.bodies_csv = json["bodies_csv"].get<bool>();
  output.joints_csv = json["joints_csv"].get<bool>();
  output.pairs_csv = json["pairs_csv"].get<bool>();
  return output;
}

CameraSettings read_camera(const Json& json) {
  const CameraSettings camera{read_vector(json["position"]), read_vector(json["target"]),
                              json["field_of_view_degrees"].get<double>()};
  if (camera.position == camera.target) {
    throw IssueFound("/camera/target", "it is where the camera is, so there is no direction to look in",
                     "give the point that should be in the middle of the picture");
  }
  return camera;
}

}  // namespace

Settings read_settings(const Json& scene) {
  if (scene.contains("thickness") && scene["dimension"] != 2)
    throw IssueFound("/thickness", "only a scene of dimension 2 has a thickness",
                     "add \"dimension\": 2, or leave it out");
  Settings settings;
  settings.title = scene["title"].get<std::string>();
  settings.time = read_time(scene["time"]);
  settings.gravity = read_vector(scene["gravity"]);
  settings.contact = read_contact(scene["contact"]);
  settings.solver = read_solver(scene["solver"]);
  settings.output = read_output(scene["output"]);
  if (scene.contains("camera")) settings.camera = read_camera(scene["camera"]);
  return settings;
}

}  // namespace bulwark
