#include <bulwark/base/error.hpp>
#include <bulwark/bodies/tetrahedral_mass.hpp>
#include <bulwark/math/svd3.hpp>
#include <bulwark/sim/world.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <set>

namespace bulwark {
namespace {

void append_columns(Vectors& matrix, const Vectors& columns) {
  matrix.conservativeResize(3, matrix.cols() + columns.cols());
  matrix.rightCols(columns.cols()) = columns;
}

/// New controls at `positions`; returns the first one's number.
int append_controls(World& world, const Vectors& positions) {
  const int first = world.control_count();
  const Vectors zero = Vectors::Zero(3, positions.cols());
  append_columns(world.rest, positions);
  append_columns(world.state.position, positions);
  append_columns(world.state.velocity, zero);
  append_columns(world.state.acceleration, zero);
  world.lumped_mass.conservativeResize(world.control_count());
  world.lumped_mass.tail(positions.cols()).setZero();
  world.scripted.resize(world.control_count(), 0);
  return first;
}

Body& append_body(World& world, BodyKind kind, const BodyOptions& options) {
  CollisionBody collision;
  collision.obstacle = kind == BodyKind::obstacle;
  collision.collides = options.collides;
  collision.self = options.self_contact;
  collision.group = options.group;
  world.collision.bodies.push_back(collision);
  Body body;
  body.name = options.name;
  body.kind = kind;
  body.friction = options.friction;
  body.first_control = world.control_count();
  body.first_tetrahedron = static_cast<int>(world.tetrahedra.size());
  body.first_vertex = world.collision.vertex_count();
  world.bodies.push_back(body);
  return world.bodies.back();
}

/// Adds collision vertices that are the given controls themselves.
void append_vertices(World& world, Body& body, const std::vector<int>& controls) {
  CollisionMesh& mesh = world.collision;
  const int first = mesh.vertex_count();
  Vectors rest(3, controls.size());
  for (std::size_t k = 0; k < controls.size(); ++k) {
    rest.col(k) = world.rest.col(controls[k]);
  }
  append_columns(mesh.rest, rest);
  mesh.vertex_body.resize(first + controls.size(), static_cast<int>(world.bodies.size()) - 1);
  body.vertex_count += static_cast<int>(controls.size());
  // New rows at the end of W, one entry each, written into its arrays.
  auto& W = mesh.weights;
  W.conservativeResize(mesh.vertex_count(), world.control_count());
  W.resizeNonZeros(W.nonZeros() + static_cast<int>(controls.size()));
  int end = W.outerIndexPtr()[first];
  for (std::size_t k = 0; k < controls.size(); ++k) {
    W.innerIndexPtr()[end] = controls[k];
    W.valuePtr()[end] = 1;
    W.outerIndexPtr()[first + k + 1] = ++end;
  }
}

void append_script(World& world, const std::vector<int>& controls, const Motion& motion) {
  Script script;
  script.motion = motion;
  script.controls = controls;
  script.start.resize(3, controls.size());
  for (std::size_t k = 0; k < controls.size(); ++k) {
    script.start.col(k) = world.rest.col(controls[k]);
    world.scripted[controls[k]] = 1;
  }
  world.scripts.push_back(std::move(script));
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

int add_deformable(World& world, const TetMesh& mesh, const ElasticMaterial& material,
                   const BodyOptions& options, MassKind mass) {
  const TetMesh placed = {transformed(options.pose, mesh.vertices), mesh.tetrahedra};
  for (std::size_t t = 0; t < placed.tetrahedra.size(); ++t) {
    const Tetrahedron& v = placed.tetrahedra[t];
    if (!(tetrahedron_volume(placed.vertices.col(v[0]), placed.vertices.col(v[1]), placed.vertices.col(v[2]),
                             placed.vertices.col(v[3])) > 0)) {
      throw InputError(fmt::format("body '{}'", options.name),
                       fmt::format("tetrahedron {} is inverted or has no volume", t), "repair the mesh");
    }
  }
  Body& body = append_body(world, BodyKind::deformable, options);
  const int first = append_controls(world, placed.vertices);
  body.control_count = static_cast<int>(placed.vertices.cols());
  body.tetrahedron_count = static_cast<int>(placed.tetrahedra.size());

  for (const auto& entry : tetrahedral_mass(placed, material.density, mass == MassKind::lumped)) {
    world.mass_entries.emplace_back(first + entry.row(), first + entry.col(), entry.value());
    world.lumped_mass[first + entry.row()] += entry.value();
  }
  world.materials.push_back(material);
  for (Tetrahedron t : placed.tetrahedra) {
    for (int& v : t) v += first;
    world.tetrahedra.push_back(t);
    world.tetrahedron_material.push_back(static_cast<int>(world.materials.size()) - 1);
  }

  const double total = world.lumped_mass.tail(body.control_count).sum();
  const Vector3 center = placed.vertices * world.lumped_mass.tail(body.control_count) / total;
  for (int k = 0; k < body.control_count; ++k) {
    world.state.velocity.col(first + k) =
        options.velocity + options.angular_velocity.cross(Vector3(placed.vertices.col(k)) - center);
  }

  // The collision surface: the boundary triangles, over the boundary's vertices only.
  const std::vector<Triangle> boundary = boundary_triangles(placed.tetrahedra);
  std::vector<int> vertex_of(body.control_count, -1), controls;
  for (const Triangle& t : boundary) {
    for (int v : t) vertex_of[v] = 0;
  }
  const int first_vertex = world.collision.vertex_count();
  for (int k = 0; k < body.control_count; ++k) {
    if (vertex_of[k] < 0) continue;
    vertex_of[k] = first_vertex + static_cast<int>(controls.size());
    controls.push_back(first + k);
  }
  append_vertices(world, body, controls);
  std::vector<Triangle> triangles;
  for (const Triangle& t : boundary) triangles.push_back({vertex_of[t[0]], vertex_of[t[1]], vertex_of[t[2]]});
  CollisionMesh& collision = world.collision;
  collision.triangles.insert(collision.triangles.end(), triangles.begin(), triangles.end());
  const std::vector<Edge> edges = unique_edges(triangles);
  collision.edges.insert(collision.edges.end(), edges.begin(), edges.end());
  for (std::size_t k = 0; k < controls.size(); ++k)
    collision.points.push_back(first_vertex + static_cast<int>(k));
  return static_cast<int>(world.bodies.size()) - 1;
}

int add_obstacle(World& world, const SurfaceMesh& mesh, const BodyOptions& options, const Motion& motion) {
  Body& body = append_body(world, BodyKind::obstacle, options);
  const int first = append_controls(world, transformed(options.pose, mesh.vertices));
  body.control_count = static_cast<int>(mesh.vertices.cols());
  std::vector<int> controls(body.control_count);
  for (int k = 0; k < body.control_count; ++k) controls[k] = first + k;
  const int first_vertex = world.collision.vertex_count();
  append_vertices(world, body, controls);
  append_script(world, controls, motion);

  CollisionMesh& collision = world.collision;
  std::vector<Triangle> triangles;
  for (const Triangle& t : mesh.triangles) {
    triangles.push_back({t[0] + first_vertex, t[1] + first_vertex, t[2] + first_vertex});
  }
  collision.triangles.insert(collision.triangles.end(), triangles.begin(), triangles.end());
  std::vector<Edge> edges = unique_edges(triangles);
  for (const Edge& e : mesh.edges) {
    edges.push_back({std::min(e[0], e[1]) + first_vertex, std::max(e[0], e[1]) + first_vertex});
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  collision.edges.insert(collision.edges.end(), edges.begin(), edges.end());
  std::set<int> used;
  for (const Edge& e : edges) used.insert(e.begin(), e.end());
  for (int p : mesh.points) used.insert(p + first_vertex);
  collision.points.insert(collision.points.end(), used.begin(), used.end());
  return static_cast<int>(world.bodies.size()) - 1;
}

int add_plane(World& world, const Vector3& point, const Vector3& normal, const BodyOptions& options,
              const Motion& motion) {
  if (!(normal.norm() > 0)) {
    throw InputError(fmt::format("body '{}'", options.name), "the plane's normal has no length",
                     "give a direction");
  }
  if (!motion.angular_velocity.isZero()) {
    throw InputError(fmt::format("body '{}'", options.name), "an infinite plane can't turn",
                     "use a box or a grid as the obstacle");
  }
  Body& body = append_body(world, BodyKind::obstacle, options);
  const Pose& pose = options.pose;
  const int control = append_controls(world, transformed(pose, point));
  body.control_count = 1;
  const int vertex = world.collision.vertex_count();
  append_vertices(world, body, {control});
  append_script(world, {control}, motion);
  CollisionPlane plane;
  plane.vertex = vertex;
  plane.normal = (pose.rotation * normal).normalized();
  plane.body = static_cast<int>(world.bodies.size()) - 1;
  world.collision.planes.push_back(plane);
  return plane.body;
}

int hold(World& world, int body, const Selection& selection, const Motion& motion) {
  const std::vector<int> controls = selected_controls(world, body, selection);
  for (int c : controls) {
    if (world.scripted[c]) {
      throw InputError(fmt::format("body '{}'", world.bodies[body].name),
                       fmt::format("node {} is held twice", c - world.bodies[body].first_control),
                       "make the selections disjoint");
    }
  }
  if (!controls.empty()) append_script(world, controls, motion);
  for (int c : controls) world.state.velocity.col(c).setZero();
  return static_cast<int>(controls.size());
}

int add_force(World& world, int body, const Selection& selection, const Table& force) {
  Load load;
  load.controls = selected_controls(world, body, selection);
  load.shares.assign(load.controls.size(), 1.0 / static_cast<double>(load.controls.size()));
  load.value = force;
  const int count = static_cast<int>(load.controls.size());
  if (count > 0) world.loads.push_back(std::move(load));
  return count;
}

int add_traction(World& world, int body, const Selection& selection, const Table& traction) {
  const std::vector<int> controls = selected_controls(world, body, selection);
  std::vector<char> chosen(world.control_count(), 0);
  for (int c : controls) chosen[c] = 1;
  const Body& b = world.bodies[body];
  std::vector<double> area(world.control_count(), 0.0);
  int count = 0;
  const std::vector<Tetrahedron> own(world.tetrahedra.begin() + b.first_tetrahedron,
                                     world.tetrahedra.begin() + b.first_tetrahedron + b.tetrahedron_count);
  for (const Triangle& t : boundary_triangles(own)) {
    if (!chosen[t[0]] || !chosen[t[1]] || !chosen[t[2]]) continue;
    ++count;
    const Vector3 x0 = world.rest.col(t[0]), x1 = world.rest.col(t[1]), x2 = world.rest.col(t[2]);
    for (int v : t) area[v] += (x1 - x0).cross(x2 - x0).norm() / 6;
  }
  Load load;
  load.value = traction;
  for (int c : controls) {
    if (area[c] == 0) continue;
    load.controls.push_back(c);
    load.shares.push_back(area[c]);
  }
  if (count > 0) world.loads.push_back(std::move(load));
  return count;
}

double friction_between(const World& world, int body_a, int body_b, double scene_friction) {
  const auto found = world.friction_pairs.find({std::min(body_a, body_b), std::max(body_a, body_b)});
  if (found != world.friction_pairs.end()) return found->second;
  return std::min(world.bodies[body_a].friction.value_or(scene_friction),
                  world.bodies[body_b].friction.value_or(scene_friction));
}

double scene_length(const World& world) {
  Vector3 low = Vector3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  auto include = [&](const Body& body) {
    const auto columns = world.rest.middleCols(body.first_control, body.control_count);
    low = low.cwiseMin(columns.rowwise().minCoeff());
    high = high.cwiseMax(columns.rowwise().maxCoeff());
  };
  for (const Body& body : world.bodies) {
    if (body.kind != BodyKind::obstacle && body.control_count > 0) include(body);
  }
  if (!(low[0] <= high[0])) {
    // Nothing moves: obstacles are all there is to measure.
    for (const Body& body : world.bodies) {
      if (body.control_count > 0) include(body);
    }
  }
  const double length = low[0] <= high[0] ? (high - low).norm() : 0;
  return length > 0 ? length : 1;
}

RigidMotion rigid_motion(const World& world, int body) {
  const Body& b = world.bodies[body];
  RigidMotion result;
  if (b.control_count == 0) return result;
  VectorX mass = world.lumped_mass.segment(b.first_control, b.control_count);
  if (!(mass.sum() > 0)) mass.setOnes();
  const double total = mass.sum();
  const auto rest = world.rest.middleCols(b.first_control, b.control_count);
  const auto position = world.state.position.middleCols(b.first_control, b.control_count);
  const auto velocity = world.state.velocity.middleCols(b.first_control, b.control_count);
  const Vector3 rest_center = rest * mass / total;
  result.center = position * mass / total;
  result.velocity = velocity * mass / total;
  Matrix3 covariance = Matrix3::Zero(), inertia = Matrix3::Zero();
  Vector3 momentum = Vector3::Zero();
  for (int k = 0; k < b.control_count; ++k) {
    const Vector3 x = position.col(k) - result.center, v = velocity.col(k) - result.velocity;
    covariance += mass[k] * x * (rest.col(k) - rest_center).transpose();
    inertia += mass[k] * (x.squaredNorm() * Matrix3::Identity() - x * x.transpose());
    momentum += mass[k] * x.cross(v);
  }
  const Svd3 svd = svd3(covariance);
  result.rotation = svd.u * svd.v.transpose();
  if (inertia.determinant() > 1e-12 * std::pow(inertia.trace(), 3)) {
    result.angular_velocity = inertia.inverse() * momentum;
  }
  return result;
}

}  // namespace bulwark
