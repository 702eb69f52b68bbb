#include <bulwark/sim/remove_body.hpp>
#include <bulwark/sim/remove_joint.hpp>

#include <algorithm>

namespace bulwark {
namespace {

/// A run of numbers that is taken out: those after it move down.
struct Gap {
  int first, count;
  bool has(int i) const { return i >= first && i < first + count; }
  int closed(int i) const { return i < first ? i : i - count; }
};

template <class T>
void erase(std::vector<T>& items, const Gap& gap) {
  items.erase(items.begin() + gap.first, items.begin() + gap.first + gap.count);
}

void erase_columns(Vectors& matrix, const Gap& gap) {
  // Empty, or of the first ones only, where a value is optional.
  const Eigen::Index first = std::min<Eigen::Index>(gap.first, matrix.cols());
  const Eigen::Index count = std::min<Eigen::Index>(gap.count, matrix.cols() - first);
  const Eigen::Index rest = matrix.cols() - first - count;
  matrix.middleCols(first, rest) = matrix.rightCols(rest).eval();
  matrix.conservativeResize(3, first + rest);
}

/// Takes out the elements with a removed vertex, and numbers the vertices of the others anew.
template <class Element>
void erase_elements(std::vector<Element>& elements, const Gap& gap) {
  std::erase_if(elements, [&](const Element& element) { return gap.has(element[0]); });
  for (Element& element : elements) {
    for (int& v : element) v = gap.closed(v);
  }
}

void erase_state(State& state, const Gap& controls) {
  for (Vectors* vectors : {&state.position, &state.velocity, &state.acceleration, &state.previous_position,
                           &state.previous_velocity}) {
    erase_columns(*vectors, controls);
  }
}

void erase_masses(World& world, const Gap& controls) {
  std::vector<Eigen::Triplet<double>> kept;
  for (const auto& entry : world.mass_entries) {
    if (controls.has(entry.row())) continue;
    kept.emplace_back(controls.closed(entry.row()), controls.closed(entry.col()), entry.value());
  }
  world.mass_entries = std::move(kept);
  const Eigen::Index end = controls.first + controls.count, rest = world.lumped_mass.size() - end;
  world.lumped_mass.segment(controls.first, rest) = world.lumped_mass.tail(rest).eval();
  world.lumped_mass.conservativeResize(controls.first + rest);
}

/// Scripts and loads never reach across bodies: one control tells whose they are.
template <class T>
void erase_by_controls(std::vector<T>& items, const Gap& controls) {
  std::erase_if(items,
                [&](const T& item) { return !item.controls.empty() && controls.has(item.controls[0]); });
  for (T& item : items) {
    for (int& c : item.controls) c = controls.closed(c);
  }
}

void erase_weights(CollisionMesh& mesh, const Gap& vertices, const Gap& controls, int control_count) {
  std::vector<Eigen::Triplet<double>> kept;
  for (int v = 0; v < mesh.weights.outerSize(); ++v) {
    if (vertices.has(v)) continue;
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator entry(mesh.weights, v); entry; ++entry) {
      kept.emplace_back(vertices.closed(v), controls.closed(static_cast<int>(entry.col())), entry.value());
    }
  }
  mesh.weights.resize(mesh.vertex_count(), control_count);
  mesh.weights.setFromTriplets(kept.begin(), kept.end());
}

void erase_surface(CollisionMesh& mesh, const Gap& vertices, const Gap& bodies) {
  erase_elements(mesh.triangles, vertices);
  erase_elements(mesh.edges, vertices);
  std::erase_if(mesh.points, [&](int v) { return vertices.has(v); });
  for (int& v : mesh.points) v = vertices.closed(v);
  std::erase_if(mesh.planes, [&](const CollisionPlane& plane) { return bodies.has(plane.body); });
  for (CollisionPlane& plane : mesh.planes) {
    plane.vertex = vertices.closed(plane.vertex);
    plane.body = bodies.closed(plane.body);
  }
  erase(mesh.vertex_body, vertices);
  for (int& b : mesh.vertex_body) b = bodies.closed(b);
  erase(mesh.bodies, bodies);
  erase_columns(mesh.rest, vertices);
}

void erase_stiff(World& world, const Gap& stiff, const Gap& bodies, const Gap& controls) {
  erase(world.stiff, stiff);
  for (StiffBody& body : world.stiff) {
    body.body = bodies.closed(body.body);
    body.first_control = controls.closed(body.first_control);
  }
  std::erase_if(world.torques, [&](const Torque& torque) { return stiff.has(torque.stiff); });
  for (Torque& torque : world.torques) torque.stiff = stiff.closed(torque.stiff);
}

void erase_friction_pairs(World& world, const Gap& bodies) {
  std::map<std::pair<int, int>, double> kept;
  for (const auto& [pair, friction] : world.friction_pairs) {
    if (bodies.has(pair.first) || bodies.has(pair.second)) continue;
    kept[{bodies.closed(pair.first), bodies.closed(pair.second)}] = friction;
  }
  world.friction_pairs = std::move(kept);
}

/// Joints that stay have none of the removed controls.
void renumber_joints(World& world, const Gap& bodies, const Gap& controls) {
  const auto renumber = [&](MaterialVector& vector) {
    for (auto& [control, weight] : vector.weights) control = controls.closed(control);
  };
  for (Joint& joint : world.joints) {
    for (int* body : {&joint.body_a, &joint.body_b}) {
      if (*body != world_body) *body = bodies.closed(*body);
    }
    renumber(joint.point_a);
    renumber(joint.point_b);
  }
  for (ConstraintRow& row : world.joint_rows) {
    for (auto& [scalar, coefficient] : row.entries) scalar = 3 * controls.closed(scalar / 3) + scalar % 3;
  }
  for (JointCoordinate& coordinate : world.joint_coordinates) {
    for (MaterialVector* vector : {&coordinate.w, &coordinate.u, &coordinate.v}) renumber(*vector);
  }
}

void erase_shells(World& world, const Gap& controls) {
  std::size_t kept = 0;
  for (std::size_t t = 0; t < world.shell_triangles.size(); ++t) {
    if (controls.has(world.shell_triangles[t][0])) continue;
    world.shell_triangles[kept] = world.shell_triangles[t];
    world.shell_material[kept++] = world.shell_material[t];
  }
  world.shell_triangles.resize(kept);
  world.shell_material.resize(kept);
  for (Triangle& t : world.shell_triangles) {
    for (int& c : t) c = controls.closed(c);
  }
}

/// `scripts` counts, for each script there was, those before it that are gone.
void erase_rods(World& world, const Gap& controls, const std::vector<int>& scripts) {
  std::erase_if(world.rod_segments, [&](const RodSegment& segment) { return controls.has(segment.turn); });
  for (RodSegment& segment : world.rod_segments) {
    for (int& c : segment.vertices) c = controls.closed(c);
    segment.turn = controls.closed(segment.turn);
    segment.director = controls.closed(segment.director);
    if (segment.script >= 0) segment.script -= scripts[segment.script];
  }
}

/// All controls of a body: its own, and the frames of a rod's segments that follow them.
Gap controls_of(const World& world, int body) {
  const std::size_t next = static_cast<std::size_t>(body) + 1;
  const int end = next < world.bodies.size() ? world.bodies[next].first_control : world.control_count();
  return {world.bodies[body].first_control, end - world.bodies[body].first_control};
}

}  // namespace

void remove_body(World& world, int body) {
  remove_joints_of(world, body);
  const Body removed = world.bodies[body];
  const Gap bodies{body, 1}, controls = controls_of(world, body),
                             vertices{removed.first_vertex, removed.vertex_count},
                             tetrahedra{removed.first_tetrahedron, removed.tetrahedron_count},
                             stiff{removed.stiff >= 0 ? removed.stiff : static_cast<int>(world.stiff.size()),
                                   removed.stiff >= 0 ? 1 : 0};

  erase_state(world.state, controls);
  erase_columns(world.rest, controls);
  erase_masses(world, controls);
  erase(world.scripted, controls);
  erase(world.held, controls);
  std::vector<int> scripts;
  int gone = 0;
  for (const Script& script : world.scripts) {
    scripts.push_back(gone);
    if (!script.controls.empty() && controls.has(script.controls[0])) ++gone;
  }
  erase_by_controls(world.scripts, controls);
  erase_by_controls(world.loads, controls);
  erase_columns(world.applied_to_controls, controls);
  if (world.applied.size() > static_cast<std::size_t>(body)) erase(world.applied, bodies);

  erase(world.tetrahedra, tetrahedra);
  for (Tetrahedron& t : world.tetrahedra) {
    for (int& c : t) c = controls.closed(c);
  }
  // Materials stay in their places: they are few, and a number that is used no more does no harm.
  erase(world.tetrahedron_material, tetrahedra);

  erase_shells(world, controls);
  erase_rods(world, controls, scripts);
  erase_stiff(world, stiff, bodies, controls);
  erase_surface(world.collision, vertices, bodies);
  erase_weights(world.collision, vertices, controls, world.control_count());
  erase_friction_pairs(world, bodies);
  renumber_joints(world, bodies, controls);

  erase(world.bodies, bodies);
  for (auto later = world.bodies.begin() + body; later != world.bodies.end(); ++later) {
    later->first_control -= controls.count;
    later->first_vertex -= vertices.count;
    later->first_tetrahedron -= tetrahedra.count;
    if (later->stiff >= 0) later->stiff -= stiff.count;
  }
}

}  // namespace bulwark
