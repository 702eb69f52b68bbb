#include "arrays.hpp"
#include "bindings.hpp"
#include "running_scene.hpp"

#include <bulwark/sim/steered_joint.hpp>

#include <pybind11/stl.h>

#include <cmath>

namespace bulwark::python {
namespace py = pybind11;
namespace {

py::tuple as_tuple(const Wrench& wrench) {
  return py::make_tuple(copied(wrench.force), copied(wrench.torque), copied(wrench.point));
}

const char* law_name(DriveLaw law) {
  switch (law) {
    case DriveLaw::spring:
    case DriveLaw::position:
      return "target";
    case DriveLaw::speed:
      return "speed";
    default:
      return "force";
  }
}

py::dict joint_info(RunningScene& scene, const std::string& name) {
  const SteeredJoint joint = scene.simulation().joint(name);
  const World& world = scene.world();
  const Joint& j = world.joints[joint_index(world, name)];
  const auto body_name = [&](int body) { return body == world_body ? "world" : world.bodies[body].name; };
  py::dict info;
  info["kind"] = std::string(joint_kind_name(j.kind));
  info["angular"] = j.angular;
  info["bodies"] = py::make_tuple(body_name(j.body_a), body_name(j.body_b));
  info["coordinates"] = joint.coordinates();
  info["rate"] = joint.rate();
  info["reaction"] = as_tuple(joint.reaction());
  if (const std::optional<DriveSetting> drive = joint.drive()) {
    info["law"] = law_name(drive->law);
    info["value"] = drive->value;
    info["stiffness"] = drive->stiffness;
    info["max_force"] = drive->max_force;
    info["driven_by"] = world.joints[world.joint_drives[drive->drive].joint].name;
  }
  return info;
}

void steer(RunningScene& scene, const std::string& name, const std::map<std::string, double>& values) {
  Steering steering;
  for (const auto& [key, value] : values) {
    if (key == "target") steering.target = value;
    if (key == "speed") steering.speed = value;
    if (key == "force") steering.force = value;
    if (key == "stiffness") steering.stiffness = value;
    if (key == "max_force") steering.max_force = value;
  }
  scene.simulation().steer(name, steering);
}

py::list reactions(const RunningScene& scene, int body) {
  py::list list;
  for (const Reaction& reaction : scene.simulation().reactions()) {
    if (reaction.body == body) list.append(as_tuple(reaction.wrench));
  }
  return list;
}

py::tuple reaction(const RunningScene& scene, int body) {
  const Simulation& simulation = scene.simulation();
  const bool obstacle = scene.world().bodies[body].is_obstacle();
  return as_tuple(reaction_of_body(scene.world(), body, simulation.reactions(),
                                   obstacle ? simulation.contacts() : std::vector<ContactForce>{},
                                   simulation.joint_states()));
}

py::tuple contact_wrench_of(const RunningScene& scene, int body) {
  return as_tuple(
      contact_wrench(body, rigid_motion(scene.world(), body).center, scene.simulation().contacts()));
}

/// A pair of bodies in the structured array of contact_pairs().
struct PairRow {
  std::int32_t body_a, body_b, contacts, unused;
  double position[3], force[3], torque[3];
};

py::array_t<PairRow> contact_pairs(const RunningScene& scene) {
  std::vector<ContactPairForce> pairs;
  {
    const py::gil_scoped_release release;
    pairs = contact_pair_forces(scene.simulation().contacts());
  }
  py::array_t<PairRow> rows(static_cast<py::ssize_t>(pairs.size()));
  PairRow* row = rows.mutable_data();
  for (const ContactPairForce& pair : pairs) {
    row->body_a = pair.body_a;
    row->body_b = pair.body_b;
    row->contacts = pair.contacts;
    Eigen::Map<Vector3>(row->position) = pair.wrench.point;
    Eigen::Map<Vector3>(row->force) = pair.wrench.force;
    Eigen::Map<Vector3>(row->torque) = pair.wrench.torque;
    ++row;
  }
  return rows;
}

}  // namespace

void bind_joints_and_reactions(py::class_<RunningScene, std::shared_ptr<RunningScene>>& scene) {
  PYBIND11_NUMPY_DTYPE(PairRow, body_a, body_b, contacts, position, force, torque);
  scene.def("joint_info", &joint_info, py::arg("name"), "What a joint does and how it is driven.")
      .def("steer", &steer, py::arg("name"), py::arg("values"), "Steers a motor or spring.")
      .def(
          "release", [](RunningScene& s, const std::string& name) { s.simulation().release(name); },
          py::arg("name"), "Lets a motor or spring follow the scene again.")
      .def("reaction", &reaction, py::arg("body"), "Reaction on a held body: force, torque, point.")
      .def("reactions", &reactions, py::arg("body"), "Reaction on each of its held parts.")
      .def("contact_wrench", &contact_wrench_of, py::arg("body"), "All contact forces on a body.")
      .def("contact_pairs", &contact_pairs, "Contact forces by pairs of bodies, as a structured array.");
}

}  // namespace bulwark::python
