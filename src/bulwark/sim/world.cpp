#include <bulwark/base/error.hpp>
#include <bulwark/bodies/tetrahedral_mass.hpp>
#include <bulwark/geometry/flat_parts.hpp>
#include <bulwark/geometry/mass_moments.hpp>
#include <bulwark/integrate/free_flight.hpp>
#include <bulwark/math/jacobi_eigen.hpp>
#include <bulwark/math/rotation.hpp>
#include <bulwark/math/svd3.hpp>
#include <bulwark/sim/holds_and_loads.hpp>
#include <bulwark/sim/thin_bodies.hpp>
#include <bulwark/sim/world_arrays.hpp>

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
  append_zeros(world, Thing::control, static_cast<int>(positions.cols()));
  world.rest.rightCols(positions.cols()) = positions;
  world.state.position.rightCols(positions.cols()) = positions;
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
  body.id = world.next_body_id++;
  body.name = options.name;
  body.kind = kind;
  body.friction = options.friction;
  body.restitution_damping = options.restitution_damping;
  body.first_control = world.control_count();
  body.first_tetrahedron = static_cast<int>(world.tetrahedra.size());
  body.first_vertex = world.collision.vertex_count();
  world.bodies.push_back(body);
  return world.bodies.back();
}

struct Weight {
  int control;
  double value;
};

/// Adds `count` collision vertices at `rest`; vertex k gets the `per_vertex` weights that weights(k) points
/// to, by ascending control.
template <class WeightsOf>
void append_vertices(World& world, Body& body, const Vectors& rest, int per_vertex, WeightsOf&& weights) {
  CollisionMesh& mesh = world.collision;
  const int first = mesh.vertex_count(), count = static_cast<int>(rest.cols());
  append_columns(mesh.rest, rest);
  mesh.vertex_body.resize(first + count, static_cast<int>(world.bodies.size()) - 1);
  body.vertex_count += count;
  // New rows at the end of W, written into its arrays.
  auto& W = mesh.weights;
  W.conservativeResize(mesh.vertex_count(), world.control_count());
  W.resizeNonZeros(W.nonZeros() + per_vertex * count);
  int end = W.outerIndexPtr()[first];
  for (int k = 0; k < count; ++k) {
    const auto row = weights(k);
    for (int i = 0; i < per_vertex; ++i, ++end) {
      W.innerIndexPtr()[end] = row[i].control;
      W.valuePtr()[end] = row[i].value;
    }
    W.outerIndexPtr()[first + k + 1] = end;
  }
}

/// Adds collision vertices that are the given controls themselves.
void append_vertices(World& world, Body& body, const std::vector<int>& controls) {
  Vectors rest(3, controls.size());
  for (std::size_t k = 0; k < controls.size(); ++k) rest.col(k) = world.rest.col(controls[k]);
  append_vertices(world, body, rest, 1, [&](int k) { return std::array<Weight, 1>{{{controls[k], 1.0}}}; });
}

/// Adds the elements of a surface whose vertices were appended last: its triangles, edges, wires and points.
/// `needed(edge)` and `needed_point(vertex)` may leave out what contact does not need.
template <class NeedsEdge, class NeedsPoint>
void append_elements(World& world, const SurfaceMesh& mesh, int first_vertex, NeedsEdge&& needs_edge,
                     NeedsPoint&& needs_point) {
  CollisionMesh& collision = world.collision;
  std::vector<Triangle> triangles;
  for (const Triangle& t : mesh.triangles) {
    triangles.push_back({t[0] + first_vertex, t[1] + first_vertex, t[2] + first_vertex});
  }
  collision.triangles.insert(collision.triangles.end(), triangles.begin(), triangles.end());
  std::vector<Edge> edges = unique_edges(mesh.triangles);
  for (const Edge& e : mesh.edges) edges.push_back({std::min(e[0], e[1]), std::max(e[0], e[1])});
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::set<int> used;
  for (const Edge& e : edges) {
    used.insert(e.begin(), e.end());
    if (needs_edge(e)) collision.edges.push_back({e[0] + first_vertex, e[1] + first_vertex});
  }
  used.insert(mesh.points.begin(), mesh.points.end());
  for (const int p : used) {
    if (needs_point(p)) collision.points.push_back(p + first_vertex);
  }
}

/// The stated mass of a body in its pose. Its volume, on which the stiffness acts, is what the material's
/// density gives it.
MassMoments given_moments(const GivenMass& given, const BodyOptions& options, double density) {
  const std::string place = fmt::format("body '{}'", options.name);
  if (!(given.mass > 0) || !std::isfinite(given.mass))
    throw InputError(place, fmt::format("its mass is {} kg", given.mass), "give a mass above 0");
  MassMoments moments;
  moments.mass = given.mass;
  moments.volume = given.mass / density;
  moments.center = options.pose.position + options.pose.rotation * given.center;
  const Matrix3 turned = options.pose.rotation * given.inertia * options.pose.rotation.transpose();
  moments.second = second_moment_of(0.5 * (turned + turned.transpose()));
  const Vector3 second = sorted_eigen<3>(moments.second).values;
  if (second[0] > least_moment_ratio * second[2]) return moments;
  throw InputError(
      place,
      fmt::format("its inertia has the principal moments {:.6g}, {:.6g} and {:.6g} kg m^2, and in every "
                  "body the largest is less than the sum of the others",
                  second[0] + second[1], second[0] + second[2], second[1] + second[2]),
      "check its units and signs: [xx, yy, zz, xy, xz, yz] about the center of mass");
}

/// Mass from the shape and the density.
MassMoments shape_moments(const SurfaceMesh& placed, const StiffMaterial& material, const std::string& name) {
  MassMoments moments = mass_moments(placed, material.density, material.thickness);
  if (moments.volume < 0) {
    // Turned inside out: the same solid.
    moments.volume = -moments.volume;
    moments.mass = -moments.mass;
    moments.second = -moments.second;
  }
  if (!(moments.mass > 0)) {
    const std::string place = fmt::format("body '{}'", name);
    if (is_closed(placed)) throw InputError(place, "its surface encloses no volume", "repair the mesh");
    throw InputError(place, "its surface is not closed, so it has no volume and no mass",
                     "close the surface, or give its material a `thickness`");
  }
  return moments;
}

int add_stiff(World& world, const SurfaceMesh& mesh, const StiffMaterial& material,
              const BodyOptions& options, bool rigid) {
  SurfaceMesh placed = mesh;
  placed.vertices = transformed(options.pose, mesh.vertices);
  const MassMoments moments = options.mass ? given_moments(*options.mass, options, material.density)
                                           : shape_moments(placed, material, options.name);
  BodyOptions own = options;
  own.self_contact = false;
  Body& body = append_body(world, rigid ? BodyKind::rigid : BodyKind::affine, own);
  Vectors controls(3, 4);
  controls << moments.center, Matrix3::Identity();
  const int first = append_controls(world, controls);
  body.control_count = 4;
  body.stiff = static_cast<int>(world.stiff.size());
  const Vectors X = placed.vertices.colwise() - moments.center;
  StiffBody stiff;
  stiff.body = static_cast<int>(world.bodies.size()) - 1;
  stiff.first_control = first;
  stiff.rigid = rigid;
  stiff.mass = moments.mass;
  stiff.second_moment = moments.second;
  stiff.stiffness = material.stiffness * moments.volume;
  stiff.low = X.rowwise().minCoeff();
  stiff.high = X.rowwise().maxCoeff();
  world.stiff.push_back(stiff);

  world.mass_entries.emplace_back(first, first, moments.mass);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      world.mass_entries.emplace_back(first + 1 + i, first + 1 + j, moments.second(i, j));
  }
  world.lumped_mass[first] = moments.mass;  // gravity pulls at the center alone
  world.state.velocity.col(first) = options.velocity;
  world.state.velocity.middleCols<3>(first + 1) = cross_matrix(options.angular_velocity);

  const int first_vertex = world.collision.vertex_count();
  append_vertices(world, body, placed.vertices, 4, [&](int k) {
    return std::array<Weight, 4>{
        {{first, 1}, {first + 1, X(0, k)}, {first + 2, X(1, k)}, {first + 3, X(2, k)}}};
  });
  const FlatParts flat = flat_parts(placed);
  append_elements(
      world, placed, first_vertex, [&](const Edge& e) { return !flat.edges.contains(e); },
      [&](int v) { return !flat.inner_vertices.contains(v); });
  return stiff.body;
}

}  // namespace

std::string_view body_kind_name(BodyKind kind) {
  switch (kind) {
    case BodyKind::deformable:
      return "deformable";
    case BodyKind::affine:
      return "affine";
    case BodyKind::rigid:
      return "rigid";
    case BodyKind::shell:
      return "shell";
    case BodyKind::rod:
      return "rod";
    case BodyKind::obstacle:
      return "obstacle";
  }
  return "unknown";
}

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

  // A copy: sums of a part of a vector depend, in their last bits, on where it begins.
  const VectorX masses = world.lumped_mass.tail(body.control_count);
  const Vector3 center = placed.vertices * masses / masses.sum();
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

int append_vertex_body(World& world, BodyKind kind, const SurfaceMesh& mesh, const Vectors& more_controls,
                       const BodyOptions& options) {
  Body& body = append_body(world, kind, options);
  const int first = append_controls(world, mesh.vertices);
  append_controls(world, more_controls);
  body.control_count = static_cast<int>(mesh.vertices.cols());
  std::vector<int> controls(body.control_count);
  for (int k = 0; k < body.control_count; ++k) controls[k] = first + k;
  const int first_vertex = world.collision.vertex_count();
  append_vertices(world, body, controls);
  append_elements(world, mesh, first_vertex, [](const Edge&) { return true; }, [](int) { return true; });
  return static_cast<int>(world.bodies.size()) - 1;
}

int add_affine(World& world, const SurfaceMesh& mesh, const StiffMaterial& material,
               const BodyOptions& options) {
  return add_stiff(world, mesh, material, options, false);
}

int add_rigid(World& world, const SurfaceMesh& mesh, const StiffMaterial& material,
              const BodyOptions& options) {
  return add_stiff(world, mesh, material, options, true);
}

int add_obstacle(World& world, const SurfaceMesh& mesh, const BodyOptions& options, const Motion& motion) {
  Body& body = append_body(world, BodyKind::obstacle, options);
  const int first = append_controls(world, transformed(options.pose, mesh.vertices));
  body.control_count = static_cast<int>(mesh.vertices.cols());
  std::vector<int> controls(body.control_count);
  for (int k = 0; k < body.control_count; ++k) controls[k] = first + k;
  const int first_vertex = world.collision.vertex_count();
  append_vertices(world, body, controls);
  add_script(world, controls, motion);

  // Where a script meets something it moves the vertices one by one: only what stays is sure to stay flat.
  SurfaceMesh placed = mesh;
  placed.vertices = transformed(options.pose, mesh.vertices);
  const FlatParts flat = motion.is_still() ? flat_parts(placed) : FlatParts();
  append_elements(
      world, mesh, first_vertex, [&](const Edge& e) { return !flat.edges.contains(e); },
      [&](int v) { return !flat.inner_vertices.contains(v); });
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
  add_script(world, {control}, motion);
  CollisionPlane plane;
  plane.vertex = vertex;
  plane.normal = (pose.rotation * normal).normalized();
  plane.body = static_cast<int>(world.bodies.size()) - 1;
  world.collision.planes.push_back(plane);
  return plane.body;
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
    const auto columns = body.stiff >= 0
                             ? world.collision.rest.middleCols(body.first_vertex, body.vertex_count)
                             : world.rest.middleCols(body.first_control, body.control_count);
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

RigidMotion rigid_motion(const World& world, int body, const State& state) {
  const Body& b = world.bodies[body];
  RigidMotion result;
  if (b.control_count == 0) return result;
  if (b.stiff >= 0) {
    const StiffBody& stiff = world.stiff[b.stiff];
    const Matrix3 A = deformation(stiff, state.position), rate = deformation(stiff, state.velocity);
    result.center = center(stiff, state.position);
    result.velocity = center(stiff, state.velocity);
    const Svd3 svd = svd3(A);
    result.rotation = svd.u * svd.v.transpose();
    const Vector3 momentum = angular_momentum(A, rate, stiff.second_moment);
    result.angular_velocity = angular_velocity(A, momentum, stiff.second_moment);
    return result;
  }
  VectorX mass = world.lumped_mass.segment(b.first_control, b.control_count);
  if (!(mass.sum() > 0)) mass.setOnes();
  const double total = mass.sum();
  const auto rest = world.rest.middleCols(b.first_control, b.control_count);
  const auto position = state.position.middleCols(b.first_control, b.control_count);
  const auto velocity = state.velocity.middleCols(b.first_control, b.control_count);
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

RigidMotion rigid_motion(const World& world, int body) {
  return rigid_motion(world, body, world.state);
}

}  // namespace bulwark
