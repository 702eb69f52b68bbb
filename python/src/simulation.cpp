// Simulation as Python sees it: bodies go by their index here; the package wraps them in objects.
#include "arrays.hpp"
#include "bindings.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/sim/body_nodes.hpp>
#include <bulwark/sim/body_state.hpp>
#include <bulwark/sim/stress_field.hpp>

#include <pybind11/stl.h>

#include <Eigen/Geometry>
#include <cmath>

namespace bulwark::python {
namespace py = pybind11;
namespace {

using ScenePointer = std::shared_ptr<RunningScene>;
using Release = py::call_guard<py::gil_scoped_release>;

/// A contact in the structured array of contacts().
struct ContactRow {
  std::int32_t body_a, body_b;
  double position[3], normal_force[3], friction_force[3], distance;
};

py::array_t<ContactRow> contacts(const RunningScene& scene) {
  std::vector<ContactForce> found;
  {
    const py::gil_scoped_release release;
    found = scene.simulation().contacts();
  }
  py::array_t<ContactRow> rows(static_cast<py::ssize_t>(found.size()));
  ContactRow* row = rows.mutable_data();
  for (const ContactForce& contact : found) {
    row->body_a = contact.body_a;
    row->body_b = contact.body_b;
    row->distance = contact.distance;
    Eigen::Map<Vector3>(row->position) = contact.position;
    Eigen::Map<Vector3>(row->normal_force) = contact.normal_force;
    Eigen::Map<Vector3>(row->friction_force) = contact.friction_force;
    ++row;
  }
  return rows;
}

py::dict integration_points_of(const RunningScene& scene) {
  IntegrationPoints points;
  {
    const py::gil_scoped_release release;
    points = integration_points(scene.world(), scene.world().state.position);
  }
  const auto tensors = [](const SymmetricTensors& columns) {
    py::array_t<double> rows({static_cast<py::ssize_t>(columns.cols()), py::ssize_t{3}, py::ssize_t{3}});
    double* row = rows.mutable_data();
    for (Eigen::Index i = 0; i < columns.cols(); ++i, row += 9)
      Eigen::Map<Matrix3>{row} = matrix_of(columns.col(i));  // symmetric: rows are columns
    return rows;
  };
  const auto numbers = [](const auto& values) {
    return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
  };
  py::dict result;
  result["body"] = py::array_t<int>(py::cast(points.body));
  result["element"] = py::array_t<int>(py::cast(points.element));
  result["position"] = copied(points.position);
  result["volume"] = numbers(points.volume);
  result["cauchy"] = tensors(points.stress.cauchy);
  result["second"] = tensors(points.stress.second);
  result["strain"] = tensors(points.stress.strain);
  result["von_mises"] = numbers(points.stress.von_mises());
  result["energy_density"] = numbers(points.stress.energy_density);
  return result;
}

/// A joint in the structured array of joints().
struct JointRow {
  double coordinate, coordinates[3], error;
  double force[3], torque[3];
};

/// As the last step left them; coordinates alone before the first.
py::array_t<JointRow> joints(const RunningScene& scene) {
  const World& world = scene.world();
  const std::vector<JointState>& states = scene.simulation().joint_states();
  py::array_t<JointRow> rows(static_cast<py::ssize_t>(world.joints.size()));
  JointRow* row = rows.mutable_data();
  for (std::size_t j = 0; j < world.joints.size(); ++j, ++row) {
    const JointState state = j < states.size() ? states[j] : JointState{};
    const std::vector<int>& coordinates = world.joints[j].coordinates;
    for (std::size_t k = 0; k < 3; ++k) {
      row->coordinates[k] =
          k < coordinates.size() ? world.state.joint_coordinates[coordinates[k]] : std::nan("");
    }
    row->coordinate = row->coordinates[0];
    row->error = state.error;
    Eigen::Map<Vector3>{row->force} = state.force;
    Eigen::Map<Vector3>{row->torque} = state.torque;
  }
  return rows;
}

std::vector<std::string> joint_names(const RunningScene& scene) {
  std::vector<std::string> names;
  for (const Joint& joint : scene.world().joints) names.push_back(joint.name);
  return names;
}

/// All bodies: x y z qw qx qy qz, with qw >= 0.
py::array_t<double> poses(const RunningScene& scene) {
  const World& world = scene.world();
  py::array_t<double> rows({static_cast<py::ssize_t>(world.bodies.size()), py::ssize_t{7}});
  double* row = rows.mutable_data();
  for (std::size_t i = 0; i < world.bodies.size(); ++i, row += 7) {
    const RigidMotion motion = rigid_motion(world, static_cast<int>(i));
    Eigen::Quaterniond q(motion.rotation);
    if (q.w() < 0) q.coeffs() = -q.coeffs();
    Eigen::Map<Vector3>{row} = motion.center;
    row[3] = q.w();
    Eigen::Map<Vector3>(row + 4) = q.vec();
  }
  return rows;
}

/// All bodies: vx vy vz wx wy wz.
py::array_t<double> body_velocities(const RunningScene& scene) {
  const World& world = scene.world();
  py::array_t<double> rows({static_cast<py::ssize_t>(world.bodies.size()), py::ssize_t{6}});
  double* row = rows.mutable_data();
  for (std::size_t i = 0; i < world.bodies.size(); ++i, row += 6) {
    const RigidMotion motion = rigid_motion(world, static_cast<int>(i));
    Eigen::Map<Vector3>{row} = motion.velocity;
    Eigen::Map<Vector3>(row + 3) = motion.angular_velocity;
  }
  return rows;
}

py::tuple body_motion(const RunningScene& scene, int body) {
  const RigidMotion motion = rigid_motion(scene.world(), body);
  const Matrix3 rows = motion.rotation.transpose();
  return py::make_tuple(copied(motion.center), py::array_t<double>({3, 3}, rows.data()),
                        copied(motion.velocity), copied(motion.angular_velocity));
}

/// Sets what is given, in one checked change.
void move_body(RunningScene& scene, int body, const std::optional<Rows>& position,
               const std::optional<Rows>& rotation, const std::optional<Rows>& velocity,
               const std::optional<Rows>& angular_velocity) {
  Simulation& simulation = scene.simulation();
  const World& world = simulation.world();
  State state = world.state;
  const RigidMotion now = rigid_motion(world, body);
  if (position || rotation) {
    place_body(world, body, position ? vector(*position, "position") : now.center,
               rotation ? matrix(*rotation, "rotation") : now.rotation, state);
  }
  if (velocity || angular_velocity) {
    const RigidMotion placed = rigid_motion(world, body, state);
    set_body_velocity(
        world, body, velocity ? vector(*velocity, "velocity") : placed.velocity,
        angular_velocity ? vector(*angular_velocity, "angular_velocity") : placed.angular_velocity, state);
  }
  const py::gil_scoped_release release;
  simulation.move_to(state.position, state.velocity);
}

void move_to(RunningScene& scene, const std::optional<Rows>& positions,
             const std::optional<Rows>& velocities) {
  const State& state = scene.world().state;
  const Vectors position = positions ? columns(*positions, "positions") : state.position;
  const Vectors velocity = velocities ? columns(*velocities, "velocities") : state.velocity;
  const py::gil_scoped_release release;
  scene.simulation().move_to(position, velocity);
}

py::dict body_info(const RunningScene& scene, int body) {
  const Body& b = scene.world().bodies[body];
  const World& world = scene.world();
  py::dict info;
  info["id"] = b.id;
  info["name"] = b.name;
  info["kind"] = std::string(body_kind_name(b.kind));
  info["mass"] = mass_of(world, b);
  info["controls"] =
      py::make_tuple(b.first_control, b.first_control + (b.is_stiff() ? b.control_count : b.point_count));
  info["vertices"] = py::make_tuple(b.first_vertex, b.first_vertex + b.vertex_count);
  return info;
}

std::int64_t find_body(const RunningScene& scene, const std::string& name) {
  for (const Body& body : scene.world().bodies) {
    if (body.name == name) return body.id;
  }
  return -1;
}

void apply(RunningScene& scene, int body, const std::optional<Rows>& force,
           const std::optional<Rows>& torque) {
  const std::vector<Applied>& all = scene.world().applied;
  Applied applied = static_cast<std::size_t>(body) < all.size() ? all[body] : Applied{};
  if (force) applied.force = vector(*force, "force");
  if (torque) applied.torque = vector(*torque, "torque");
  scene.simulation().apply(body, applied);
}

py::tuple applied_to(const RunningScene& scene, int body) {
  const std::vector<Applied>& all = scene.world().applied;
  const Applied applied = static_cast<std::size_t>(body) < all.size() ? all[body] : Applied{};
  return py::make_tuple(copied(applied.force), copied(applied.torque));
}

py::dict derived(const RunningScene& scene) {
  const Derived& d = scene.simulation().derived();
  py::dict values;
  values["length"] = d.length;
  values["contact_distance"] = d.contact_distance;
  values["static_speed"] = d.static_speed;
  values["tolerance_speed"] = d.tolerance_speed;
  return values;
}

py::array_t<int> triangles(const RunningScene& scene) {
  const std::vector<Triangle>& all = scene.world().collision.triangles;
  return py::array_t<int>({static_cast<py::ssize_t>(all.size()), py::ssize_t{3}},
                          all.empty() ? nullptr : all.front().data());
}

void restore(RunningScene& scene, const State& state) {
  if (state.position.cols() != scene.world().control_count()) {
    throw InputError("state", "it belongs to a world of another size",
                     "add or remove bodies as they were when it was taken, or use Simulation.load");
  }
  scene.simulation().restore(state);
}

}  // namespace

void bind_simulation(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(ContactRow, body_a, body_b, position, normal_force, friction_force, distance);
  PYBIND11_NUMPY_DTYPE(JointRow, coordinate, coordinates, error, force, torque);
  const auto fast = py::return_value_policy::copy;

  py::class_<State>(module, "State", "A saved state: positions, velocities and the integrator's past.")
      .def_readonly("step", &State::step, "Steps done.")
      .def_readonly("time", &State::time, "Simulated time (s).");

  py::class_<RunningScene, ScenePointer> running(module, "RunningScene", "A scene that is being simulated.");
  bind_joints_and_reactions(running);
  running
      .def(py::init<const std::string&, const std::string&, const std::string&,
                    const std::vector<std::string>&, std::optional<int>, bool>(),
           py::arg("text"), py::arg("name"), py::arg("base_folder"), py::arg("overrides"), py::arg("threads"),
           py::arg("is_file"), Release(), "Builds a scene from JSON text and checks its start.")
      .def("step", &RunningScene::step, Release(), "One time step.")
      .def_property_readonly(
          "step_count", [](const RunningScene& s) { return s.world().state.step; }, "Steps done.")
      .def_property_readonly(
          "time", [](const RunningScene& s) { return s.world().state.time; }, "Simulated time (s).")
      .def_property_readonly(
          "positions", [](const ScenePointer& s) { return view(s, s->world().state.position, false); },
          "Positions of the controls, a read-only view.")
      .def_property_readonly(
          "velocities", [](const ScenePointer& s) { return view(s, s->world().state.velocity, false); },
          "Velocities of the controls, a read-only view.")
      .def_property_readonly(
          "control_forces",
          [](const ScenePointer& s) { return view(s, s->simulation().applied_to_controls(), true); },
          "Forces on the controls, a view to write to.")
      .def("move_to", &move_to, py::arg("positions"), py::arg("velocities"),
           "Sets positions and velocities of all controls, checked.")
      .def(
          "body_count", [](const RunningScene& s) { return s.world().bodies.size(); }, "Number of bodies.")
      .def("find_body", &find_body, py::arg("name"),
           "The id of the body of this name; -1 when there is none.")
      .def("body_info", &body_info, py::arg("body"), "Name, kind, mass and ranges of a body.")
      .def(
          "index_of", [](const RunningScene& s, std::int64_t id) { return index_of(s.world(), id); },
          py::arg("id"), "The body's index; -1 when it was removed.")
      .def("body_motion", &body_motion, py::arg("body"), "Position, rotation, velocity, angular velocity.")
      .def("move_body", &move_body, py::arg("body"), py::arg("position"), py::arg("rotation"),
           py::arg("velocity"), py::arg("angular_velocity"), "Sets what is given, checked.")
      .def("poses", &poses, "All bodies: x y z qw qx qy qz.")
      .def("body_velocities", &body_velocities, "All bodies: vx vy vz wx wy wz.")
      .def("apply", &apply, py::arg("body"), py::arg("force"), py::arg("torque"),
           "Sets the force and torque on a body.")
      .def("applied", &applied_to, py::arg("body"), "The force and torque on a body.")
      .def("joints", &joints, "The joints, as a structured array.")
      .def("joint_names", &joint_names, "The joints' names, in the order of joints().")
      .def("contacts", &contacts, "The contacts, as a structured array.")
      .def(
          "contact_forces", [](const RunningScene& s) { return copied(s.simulation().contact_forces()); },
          "Contact force on every control (N).")
      .def(
          "vertex_contact_forces",
          [](const RunningScene& s) { return copied(s.simulation().vertex_contact_forces()); },
          "Contact force on every vertex of the surface (N).")
      .def(
          "contact_pressure",
          [](const RunningScene& s) {
            const ContactPressure contact = s.simulation().contact_pressure();
            return py::array_t<double>(static_cast<py::ssize_t>(contact.pressure.size()),
                                       contact.pressure.data());
          },
          "Contact pressure on every vertex of the surface (Pa).")
      .def(
          "contact_traction",
          [](const RunningScene& s) { return copied(s.simulation().contact_pressure().traction); },
          "Friction's traction on every vertex of the surface (Pa).")
      .def(
          "vertices",
          [](const RunningScene& s) {
            return copied(vertex_positions(s.world().collision, s.world().state.position));
          },
          "Positions of the surface's vertices.")
      .def("triangles", &triangles, "The surface's triangles, by vertex.")
      .def(
          "vertex_bodies",
          [](const RunningScene& s) { return py::array_t<int>(py::cast(s.world().collision.vertex_body)); },
          "The body of every vertex of the surface.")
      .def(
          "von_mises_stress",
          [](const RunningScene& s) {
            return py::array_t<double>(py::cast(s.simulation().von_mises_stress()));
          },
          "Von Mises stress of every tetrahedron (Pa).")
      .def("integration_points", &integration_points_of, "Stress and strain where the energy is summed over.")
      .def("add", &RunningScene::add, py::arg("text"), Release(), "Adds bodies; returns their indices.")
      .def("remove", &RunningScene::remove, py::arg("bodies"), Release(), "Removes bodies.")
      .def("remove_joints", &RunningScene::remove_joints, py::arg("names"), Release(),
           "Removes joints by name.")
      .def(
          "state", [](const RunningScene& s) { return State(s.world().state); }, fast, "The present state.")
      .def("restore", &restore, py::arg("state"), "Returns to a state of this scene.")
      .def(
          "checkpoint", [](const RunningScene& s) { return py::bytes(s.checkpoint()); },
          "The present state, as bytes.")
      .def(
          "changes",
          [](const RunningScene& s) {
            py::list list;
            for (const Change& change : s.changes())
              list.append(py::make_tuple(change.time, change.kind, change.what));
            return list;
          },
          "What was added and removed: time, kind, JSON.")
      .def(
          "replay",
          [](RunningScene& s, const std::vector<std::tuple<double, std::string, std::string>>& changes,
             const std::string& checkpoint, const std::string& place) {
            std::vector<Change> list;
            for (const auto& [time, kind, what] : changes) list.push_back({time, kind, what});
            const py::gil_scoped_release release;
            s.replay(list, checkpoint, place);
          },
          py::arg("changes"), py::arg("checkpoint"), py::arg("place"),
          "Makes the changes of a saved run again, and continues from its state.")
      .def_property_readonly("resolved", &RunningScene::resolved, "The scene with all defaults, as JSON.")
      .def_property_readonly("base_folder", &RunningScene::base_folder, "Mesh files are relative to this.")
      .def_property_readonly("name", &RunningScene::name, "Where the scene came from.")
      .def_property_readonly(
          "planned_steps", [](const RunningScene& s) { return s.simulation().settings().time.steps; },
          "The steps that the scene asks for.")
      .def_property_readonly(
          "time_step", [](const RunningScene& s) { return s.simulation().settings().time.step; },
          "The time step (s).")
      .def_property_readonly("derived", &derived, "Values derived from the scene at its start.");
}

}  // namespace bulwark::python
