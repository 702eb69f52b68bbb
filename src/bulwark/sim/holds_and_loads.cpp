#include <bulwark/base/error.hpp>
#include <bulwark/math/rotation.hpp>
#include <bulwark/sim/holds_and_loads.hpp>
#include <bulwark/sim/thin_bodies.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

namespace bulwark {
namespace {

/// Numbers of the selected vertices of a stiff body's surface.
std::vector<int> selected_vertices(const World& world, int body, const Selection& selection) {
  const Body& b = world.bodies[body];
  std::vector<int> chosen =
      select(selection, world.collision.rest.middleCols(b.first_vertex, b.vertex_count));
  for (int& v : chosen) {
    if (v < 0 || v >= b.vertex_count) {
      throw InputError(fmt::format("body '{}'", b.name), fmt::format("node {} does not exist", v),
                       fmt::format("its nodes are 0 to {}", b.vertex_count - 1));
    }
    v += b.first_vertex;
  }
  return chosen;
}

std::vector<int> selected_controls(const World& world, int body, const Selection& selection) {
  const Body& b = world.bodies[body];
  std::vector<int> chosen = select(selection, world.rest.middleCols(b.first_control, b.control_count));
  for (int& c : chosen) {
    if (c < 0 || c >= b.control_count) {
      throw InputError(fmt::format("body '{}'", b.name), fmt::format("node {} does not exist", c),
                       fmt::format("its nodes are 0 to {}", b.control_count - 1));
    }
    c += b.first_control;
  }
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
               const std::array<bool, 3>& rotation) {
  const Body& b = world.bodies[body];
  const std::string place = fmt::format("body '{}'", b.name);
  if (b.stiff < 0) {
    throw InputError(place, "only affine and rigid bodies can be held by axes", "hold a selection instead");
  }
  StiffBody& stiff = world.stiff[b.stiff];
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

int hold(World& world, int body, const Selection& selection, const Motion& motion) {
  if (world.bodies[body].stiff >= 0) {
    const int chosen = static_cast<int>(selected_vertices(world, body, selection).size());
    if (chosen == 0) return 0;
    if (chosen < world.bodies[body].vertex_count) {
      throw InputError(fmt::format("body '{}'", world.bodies[body].name),
                       "a stiff body can't be held at some of its points alone",
                       "hold all of it (`true`), or axes of it (`translation`, `rotation`)");
    }
    const int first = world.bodies[body].first_control;
    if (world.scripted[first]) {
      throw InputError(fmt::format("body '{}'", world.bodies[body].name), "it is held twice",
                       "give it one motion");
    }
    add_script(world, {first, first + 1, first + 2, first + 3}, motion);
    world.scripts.back().of_stiff_body = true;
    world.state.velocity.middleCols<4>(first).setZero();
    return chosen;
  }
  const std::vector<int> controls = selected_controls(world, body, selection);
  for (int c : controls) {
    if (world.scripted[c]) {
      throw InputError(fmt::format("body '{}'", world.bodies[body].name),
                       fmt::format("node {} is held twice", c - world.bodies[body].first_control),
                       "make the selections disjoint");
    }
  }
  if (!controls.empty()) add_script(world, controls, motion);
  if (world.bodies[body].kind == BodyKind::rod) hold_rod_frames(world, controls);
  for (int c : controls) world.state.velocity.col(c).setZero();
  return static_cast<int>(controls.size());
}

int add_force(World& world, int body, const Selection& selection, const Table& force) {
  Load load;
  if (world.bodies[body].stiff >= 0) {
    const std::vector<int> vertices = selected_vertices(world, body, selection);
    if (vertices.empty()) return 0;
    const int first = world.bodies[body].first_control;
    load.value = force;
    load.value.begin = world.state.time;
    load.controls = {first, first + 1, first + 2, first + 3};
    load.shares = {1, 0, 0, 0};
    if (static_cast<int>(vertices.size()) < world.bodies[body].vertex_count) {
      const double share = 1.0 / static_cast<double>(vertices.size());
      for (const int v : vertices) {
        const Vector3 X = world.collision.rest.col(v) - world.rest.col(first);
        for (int k = 0; k < 3; ++k) load.shares[1 + k] += share * X[k];
      }
    }
    world.loads.push_back(std::move(load));
    return static_cast<int>(vertices.size());
  }
  load.controls = selected_controls(world, body, selection);
  load.shares.assign(load.controls.size(), 1.0 / static_cast<double>(load.controls.size()));
  load.value = force;
  load.value.begin = world.state.time;
  const int count = static_cast<int>(load.controls.size());
  if (count > 0) world.loads.push_back(std::move(load));
  return count;
}

void add_torque(World& world, int body, const Table& torque) {
  const Body& b = world.bodies[body];
  if (b.stiff < 0) {
    throw InputError(fmt::format("body '{}'", b.name), "only affine and rigid bodies take a torque",
                     "use forces on selections instead");
  }
  world.torques.push_back({b.stiff, torque});
  world.torques.back().value.begin = world.state.time;
}

int add_traction(World& world, int body, const Selection& selection, const Table& traction) {
  if (world.bodies[body].stiff >= 0) {
    throw InputError(fmt::format("body '{}'", world.bodies[body].name), "a stiff body takes no traction",
                     "give the total as a `force` on the selection");
  }
  const std::vector<int> controls = selected_controls(world, body, selection);
  std::vector<char> chosen(world.control_count(), 0);
  for (int c : controls) chosen[c] = 1;
  const Body& b = world.bodies[body];
  std::vector<double> area(world.control_count(), 0.0);
  int count = 0;
  const std::vector<Tetrahedron> own(world.tetrahedra.begin() + b.first_tetrahedron,
                                     world.tetrahedra.begin() + b.first_tetrahedron + b.tetrahedron_count);
  std::vector<Triangle> surface = boundary_triangles(own);
  // A shell's own triangles; `chosen` has controls of this body alone.
  if (b.kind == BodyKind::shell) surface = world.shell_triangles;
  for (const Triangle& t : surface) {
    if (!chosen[t[0]] || !chosen[t[1]] || !chosen[t[2]]) continue;
    ++count;
    const Vector3 x0 = world.rest.col(t[0]), x1 = world.rest.col(t[1]), x2 = world.rest.col(t[2]);
    for (int v : t) area[v] += (x1 - x0).cross(x2 - x0).norm() / 6;
  }
  Load load;
  load.value = traction;
  load.value.begin = world.state.time;
  for (int c : controls) {
    if (area[c] == 0) continue;
    load.controls.push_back(c);
    load.shares.push_back(area[c]);
  }
  if (count > 0) world.loads.push_back(std::move(load));
  return count;
}

}  // namespace bulwark
