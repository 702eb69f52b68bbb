#include <bulwark/base/error.hpp>
#include <bulwark/bodies/rod_segment.hpp>
#include <bulwark/math/rotation.hpp>
#include <bulwark/sim/body_nodes.hpp>
#include <bulwark/sim/face_shares.hpp>
#include <bulwark/sim/holds_and_loads.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace bulwark {
namespace {

/// The selected nodes of a body, by its own numbers.
std::vector<int> selected_nodes(const World& world, int body, const Selection& selection) {
  const Body& b = world.bodies[body];
  std::vector<int> chosen = select(selection, rest_nodes(world, b));
  for (const int node : chosen) {
    if (node < 0 || node >= b.node_count()) {
      throw InputError(fmt::format("body '{}'", b.name), fmt::format("node {} does not exist", node),
                       fmt::format("its nodes are 0 to {}", b.node_count() - 1));
    }
  }
  return chosen;
}

/// Segments of rods whose two vertices both follow the script that was added last follow it with their
/// frames.
void turn_frames(World& world, const Body& body) {
  Script& script = world.scripts.back();
  const std::set<int> chosen(script.controls.begin(), script.controls.end());
  for (int e = body.first_element; e < body.first_element + body.element_count; ++e) {
    const Element& element = world.elements.elements[e];
    if (element.type != ElementType::rod_segment) continue;
    const RodSegment segment = rod_segment(world.elements.fixed_controls_of<4>(element));
    if (!chosen.contains(segment.vertices[0]) || !chosen.contains(segment.vertices[1])) continue;
    script.turned.push_back(e);
    world.scripted[segment.turn] = 1;
    world.held[segment.turn] = all_axes;
  }
}

/// All controls of a body that moves as one follow a script, or none does.
int hold_stiff(World& world, int body, int chosen, const Motion& motion) {
  const Body& b = world.bodies[body];
  if (chosen == 0) return 0;
  if (chosen < b.node_count()) {
    throw InputError(fmt::format("body '{}'", b.name),
                     "a stiff body can't be held at some of its points alone",
                     "hold all of it (`true`), or axes of it (`translation`, `rotation`)");
  }
  if (world.scripted[b.first_control]) {
    throw InputError(fmt::format("body '{}'", b.name), "it is held twice", "give it one motion");
  }
  std::vector<int> all(b.control_count);
  std::iota(all.begin(), all.end(), b.first_control);
  add_script(world, all, motion);
  world.state.velocity.middleCols(b.first_control, b.control_count).setZero();
  return chosen;
}

}  // namespace

void add_script(World& world, const std::vector<int>& controls, const Motion& motion) {
  Script script;
  script.motion = motion;
  script.motion.begin = world.state.time;
  script.controls = controls;
  script.start.resize(3, controls.size());
  for (std::size_t k = 0; k < controls.size(); ++k) {
    script.start.col(k) = world.state.position.col(controls[k]);
    world.scripted[controls[k]] = 1;
    world.held[controls[k]] = all_axes;
  }
  world.scripts.push_back(std::move(script));
}

void hold_axes(World& world, int body, const std::array<bool, 3>& translation,
               const std::array<bool, 3>& also_about) {
  const Body& b = world.bodies[body];
  const std::string place = fmt::format("body '{}'", b.name);
  if (!b.is_stiff()) {
    throw InputError(place, "only affine and rigid bodies can be held by axes", "hold a selection instead");
  }
  StiffBody& stiff = world.stiff[b.stiff];
  std::array<bool, 3> rotation = also_about;
  for (int axis = 0; axis < 3; ++axis) rotation[axis] = rotation[axis] || !stiff.turns_about[axis];
  HeldAxes along = 0, about = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (rotation[axis]) stiff.turns_about[axis] = false;
    along |= static_cast<HeldAxes>(translation[axis] << axis);
    about |= static_cast<HeldAxes>(rotation[axis] << axis);
    if (translation[axis]) world.state.velocity(axis, stiff.first_control) = 0;
  }
  world.held[stiff.first_control] |= along;
  HeldAxes* columns = &world.held[stiff.first_control + 1];
  const auto held_count = std::count(rotation.begin(), rotation.end(), true);
  if (stiff.rigid) {
    columns[0] |= about;
  } else if (held_count == 1) {
    throw InputError(place, "an affine body's rotation can't be held about one axis alone",
                     "hold it about two or three, or make the body rigid");
  } else if (held_count > 0) {
    for (int k = 0; k < 3; ++k) {
      // The held axes' material directions: with two of them held, the third one stays where it is, and the
      // others stay at right angles to it.
      const bool stays = held_count == 3 || !rotation[k];
      const int free_axis =
          static_cast<int>(std::find(rotation.begin(), rotation.end(), false) - rotation.begin());
      columns[k] = stays ? all_axes : static_cast<HeldAxes>(1 << free_axis);
    }
  }
  // What is held does not move at the start either.
  const Matrix3 rate = world.state.velocity.middleCols<3>(stiff.first_control + 1);
  Vector3 spin = {rate(2, 1), rate(0, 2), rate(1, 0)};
  for (int axis = 0; axis < 3; ++axis) {
    if (rotation[axis]) spin[axis] = 0;
  }
  world.state.velocity.middleCols<3>(stiff.first_control + 1) = cross_matrix(spin);
}

int hold(World& world, int body, const Selection& selection, const Motion& motion, bool hinged) {
  const Body& b = world.bodies[body];
  std::vector<int> controls = selected_nodes(world, body, selection);
  if (b.is_stiff()) return hold_stiff(world, body, static_cast<int>(controls.size()), motion);
  for (int& node : controls) {
    if (world.scripted[b.first_control + node]) {
      throw InputError(fmt::format("body '{}'", b.name), fmt::format("node {} is held twice", node),
                       "make the selections disjoint");
    }
    node += b.first_control;
  }
  if (controls.empty()) return 0;
  const std::size_t count = controls.size();
  for (std::size_t k = 0; !hinged && k < count; ++k) {
    const int node = controls[k] - b.first_control;
    for (int d = 0; d < b.directions_per_node; ++d)
      controls.push_back(b.first_control + b.point_count + b.directions_per_node * node + d);
  }
  add_script(world, controls, motion);
  turn_frames(world, b);
  for (const int c : controls) world.state.velocity.col(c).setZero();
  return static_cast<int>(count);
}

int hold_along(World& world, int body, const Selection& selection, HeldAxes axes) {
  const Body& b = world.bodies[body];
  if (b.is_stiff()) {
    throw InputError(fmt::format("body '{}'", b.name),
                     "a stiff body can't be held at some of its points alone",
                     "hold axes of it (`translation`, `rotation`)");
  }
  const std::vector<int> nodes = selected_nodes(world, body, selection);
  for (const int node : nodes) {
    const int control = b.first_control + node;
    world.held[control] |= axes;
    for (int axis = 0; axis < 3; ++axis) {
      if (axes & (1 << axis)) world.state.velocity(axis, control) = 0;
    }
  }
  return static_cast<int>(nodes.size());
}

int add_force(World& world, int body, const Selection& selection, const Table& force) {
  const Body& b = world.bodies[body];
  const bool outside = is_loaded_outside(world, b) && !std::holds_alternative<SelectNodes>(selection) &&
                       !std::holds_alternative<SelectAll>(selection);
  const Vectors places = outside ? loaded_points(world, b) : Vectors();
  const std::vector<int> points =
      outside ? select(selection, places) : selected_nodes(world, body, selection);
  if (points.empty()) return 0;
  Load load;
  load.value = force;
  load.value.begin = world.state.time;
  std::map<int, double> shares;
  const Eigen::Index all = outside ? places.cols() : b.node_count();
  if (b.is_stiff() && static_cast<Eigen::Index>(points.size()) == all) {
    shares[b.first_control] = 1;  // at the center of mass, wherever the points are
  } else if (outside) {
    // Together they act at the mean of the points.
    Vector3 mean = Vector3::Zero();
    for (const int k : points) mean += places.col(k) / static_cast<double>(points.size());
    const StiffBody& stiff = world.stiff[b.stiff];
    const Vector3 X = deformation(stiff, world.rest).inverse() * (mean - world.rest.col(stiff.first_control));
    shares[b.first_control] = 1;
    for (int axis = 0; axis < 3; ++axis) shares[b.first_control + 1 + axis] = X[axis];
  } else {
    const double part = 1.0 / static_cast<double>(points.size());
    for (const int node : points)
      for_each_weight(world, b, node, [&](int control, double weight) { shares[control] += part * weight; });
  }
  for (const auto& [control, share] : shares) {
    load.controls.push_back(control);
    load.shares.push_back(share);
  }
  world.loads.push_back(std::move(load));
  return static_cast<int>(points.size());
}

void add_torque(World& world, int body, const Table& torque) {
  const Body& b = world.bodies[body];
  if (!b.is_stiff()) {
    throw InputError(fmt::format("body '{}'", b.name), "only affine and rigid bodies take a torque",
                     "use forces on selections instead");
  }
  world.torques.push_back({b.stiff, torque});
  world.torques.back().value.begin = world.state.time;
}

int add_traction(World& world, int body, const Selection& selection, const Table& traction) {
  const Body& b = world.bodies[body];
  if (b.is_stiff()) {
    throw InputError(fmt::format("body '{}'", b.name), "a stiff body takes no traction",
                     "give the total as a `force` on the selection");
  }
  std::vector<char> chosen(b.control_count, 0);
  for (const int node : selected_nodes(world, body, selection)) chosen[node] = 1;
  const FaceShares faces = face_shares(world, b, chosen);
  Load load;
  load.value = traction;
  load.value.begin = world.state.time;
  for (int k = 0; k < b.control_count; ++k) {
    if (faces.area[k] == 0) continue;
    load.controls.push_back(b.first_control + k);
    load.shares.push_back(faces.area[k]);
  }
  if (faces.count > 0) world.loads.push_back(std::move(load));
  return faces.count;
}

}  // namespace bulwark
