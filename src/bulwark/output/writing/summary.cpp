#include <bulwark/output/writing/machine.hpp>
#include <bulwark/output/writing/summary.hpp>
#include <bulwark/sim/body_nodes.hpp>
#include <bulwark/sim/contact_model.hpp>
#include <bulwark/sim/face_distance.hpp>

#include <nlohmann/json.hpp>

namespace bulwark {
namespace {

using Json = nlohmann::ordered_json;

Json machine_json() {
  const Machine machine = this_machine();
  return {{"processor", machine.processor},
          {"hardware_threads", machine.hardware_threads},
          {"threads_used", machine.threads_used},
          {"system", machine.system}};
}

Json scene_json(const RunOrigin& origin, const Simulation& simulation) {
  Json resolved = Json::parse(origin.resolved_scene, nullptr, false, true);
  if (resolved.is_discarded()) resolved = nullptr;
  return {{"file", origin.scene_file}, {"title", simulation.settings().title}, {"resolved", resolved}};
}

Json counts_json(const World& world) {
  return {{"bodies", world.bodies.size()},
          {"controls", world.control_count()},
          {"tetrahedra", world.elements.count_of(ElementType::tetrahedron)},
          {"surface_triangles", world.collision.triangles.size()},
          {"surface_edges", world.collision.edges.size()}};
}

/// How bodies touch, and what of it is promised.
Json contact_json(const Simulation& simulation) {
  const World& world = simulation.world();
  const ContactSettings& contact = simulation.settings().contact;
  Json models = Json::object();
  for (std::size_t kind = 0; kind < contact_model_names.size(); ++kind) {
    const std::size_t pairs = pairs_under(world, static_cast<ContactModelKind>(kind)).size();
    if (pairs > 0) models[std::string(contact_model_names[kind])] = pairs;
  }
  const std::string missing = missing_promise(world, contact);
  Json json = {{"model", contact_model_name(contact.model)},
               {"pairs_not_under_the_barrier", world.collision.unguarded_pairs.size()},
               {"models_of_these", models},
               {"no_intersection_promised", missing.empty()}};
  if (!missing.empty()) json["not_promised"] = missing;
  return json;
}

/// Of the bodies whose elements' faces are not just what collides (m).
Json face_distances_json(const World& world) {
  Json distances = Json::object();
  for (const Body& body : world.bodies) {
    const double distance = face_distance(world, body);
    if (distance > 1e-9 * body_length(world, body)) distances[body.name] = distance;
  }
  return distances;
}

Json derived_json(const Simulation& simulation) {
  const Derived& derived = simulation.derived();
  return {{"length", derived.length},
          {"contact_distance", derived.contact_distance},
          {"static_speed", derived.static_speed},
          {"tolerance_speed", derived.tolerance_speed},
          {"distance_from_faces", face_distances_json(simulation.world())}};
}

Json totals_json(const RunTotals& totals, const std::string& minimiser) {
  return {{"steps", totals.steps},
          {minimiser + "_iterations", totals.iterations},
          {"linear_solves", totals.linear_solves},
          {"steps_in_parts", totals.steps_in_parts},
          {"most_contacts", totals.most_contacts}};
}

Json seconds_json(const RunTotals& totals) {
  Json seconds = {{"total", totals.seconds}};
  double other = totals.seconds;
  for (std::size_t phase = 0; phase < phase_names.size(); ++phase) {
    seconds[std::string(phase_names[phase])] = totals.profile.seconds[phase];
    if (takes_time(static_cast<Phase>(phase))) other -= totals.profile.seconds[phase];
  }
  seconds["other"] = std::max(other, 0.0);
  return seconds;
}

std::string state_name(RunState state) {
  switch (state) {
    case RunState::running:
      return "running";
    case RunState::done:
      return "done";
    case RunState::interrupted:
      return "interrupted";
    case RunState::failed:
      return "failed";
  }
  return "";
}

}  // namespace

std::string summary_json(const RunOrigin& origin, const Simulation& simulation, const RunTotals& totals,
                         RunState state, const std::string& message) {
  const State& now = simulation.world().state;
  Json summary = {{"program", "bulwark"}, {"version", origin.version}, {"state", state_name(state)}};
  if (!message.empty()) summary["message"] = message;
  summary["step"] = now.step;
  summary["time"] = now.time;
  // Infinity (nothing ever came into contact range) has no JSON number and becomes null.
  summary["worst_min_distance"] = totals.worst_min_distance;
  summary["worst_rigidity_error"] = totals.worst_rigidity_error;
  summary["totals"] = totals_json(totals, simulation.settings().solver.minimiser);
  summary["seconds"] = seconds_json(totals);
  summary["derived"] = derived_json(simulation);
  summary["contact"] = contact_json(simulation);
  summary["counts"] = counts_json(simulation.world());
  summary["machine"] = machine_json();
  summary["scene"] = scene_json(origin, simulation);
  return summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace bulwark
