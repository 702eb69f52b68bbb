#include <bulwark/bodies/obstacle_body.hpp>
#include <bulwark/bodies/particles_body.hpp>
#include <bulwark/bodies/rod_body.hpp>
#include <bulwark/bodies/shell_body.hpp>
#include <bulwark/bodies/stiff_layout.hpp>
#include <bulwark/sim/holds_and_loads.hpp>
#include <bulwark/sim/world_arrays.hpp>

#include <algorithm>
#include <numeric>

namespace bulwark {
namespace {

void append_controls(World& world, const BodyLayout& layout) {
  const int first = world.control_count(), count = layout.control_count();
  append_zeros(world, Thing::control, count);
  world.rest.rightCols(count) = layout.controls;
  world.state.position.rightCols(count) = layout.controls;
  world.state.velocity.rightCols(count) = layout.velocity;
  world.gravity_mass.tail(count) = layout.gravity_mass;
  std::copy(layout.roles.begin(), layout.roles.end(), world.roles.begin() + first);
  world.lever.tail(count) = layout.lever;
  std::copy(layout.held.begin(), layout.held.end(), world.held.begin() + first);
  for (const auto& entry : layout.mass)
    world.mass_entries.emplace_back(first + entry.row(), first + entry.col(), entry.value());
}

void append_elements(ElementTable& table, const ElementTable& own, int first_control) {
  const int controls = static_cast<int>(table.controls.size());
  const int materials = static_cast<int>(table.materials.size());
  for (Element element : own.elements) {
    element.first_control += controls;
    element.material += materials;
    table.elements.push_back(element);
  }
  for (const int control : own.controls) table.controls.push_back(first_control + control);
  table.materials.insert(table.materials.end(), own.materials.begin(), own.materials.end());
}

void append_surface(World& world, const BodyLayout& layout, int body, int first_control) {
  CollisionMesh& mesh = world.collision;
  const int first = mesh.vertex_count(), count = static_cast<int>(layout.vertices.cols());
  mesh.rest.conservativeResize(3, first + count);
  mesh.rest.rightCols(count) = layout.vertices;
  mesh.vertex_body.resize(first + count, body);
  // New rows at the end of W, written into its arrays.
  auto& W = mesh.weights;
  W.conservativeResize(first + count, world.control_count());
  W.resizeNonZeros(W.nonZeros() + static_cast<Eigen::Index>(layout.weights.size()));
  int end = W.outerIndexPtr()[first];
  int next = 0;
  for (int k = 0; k < count; ++k) {
    for (const int last = layout.weights_end(k); next < last; ++next, ++end) {
      W.innerIndexPtr()[end] = first_control + layout.weights[next].control;
      W.valuePtr()[end] = layout.weights[next].value;
    }
    W.outerIndexPtr()[first + k + 1] = end;
  }
  if (!layout.radius.empty()) {
    mesh.radius.resize(first, 0);
    mesh.radius.insert(mesh.radius.end(), layout.radius.begin(), layout.radius.end());
    drop_last_zeros(mesh.radius);
  }
  if (!layout.corner_shares.empty()) {
    mesh.corner_shares.resize(mesh.triangles.size());
    mesh.corner_shares.insert(mesh.corner_shares.end(), layout.corner_shares.begin(),
                              layout.corner_shares.end());
    drop_last_zeros(mesh.corner_shares);
  }
  for (const Triangle& t : layout.triangles)
    mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  for (const Edge& e : layout.edges) mesh.edges.push_back({first + e[0], first + e[1]});
  mesh.edge_role.insert(mesh.edge_role.end(), layout.edge_role.begin(), layout.edge_role.end());
  for (const int p : layout.points) mesh.points.push_back(first + p);
  if (layout.plane_normal) mesh.planes.push_back({first, *layout.plane_normal, body});
}

}  // namespace

int add_body(World& world, const BodyLayout& layout, const BodyOptions& options) {
  const int index = static_cast<int>(world.bodies.size());
  Body body;
  body.id = world.next_body_id++;
  body.name = options.name;
  body.kind = layout.kind;
  body.nodes = layout.nodes;
  body.directions_per_node = layout.directions_per_node;
  body.face_cuts = layout.face_cuts;
  body.friction = options.friction;
  body.restitution_damping = options.restitution_damping;
  body.hydroelastic_modulus = options.hydroelastic_modulus;
  body.rolling_resistance = options.rolling_resistance;
  body.spinning_resistance = options.spinning_resistance;
  body.skin = layout.skin;
  body.first_control = world.control_count();
  body.control_count = layout.control_count();
  body.point_count =
      static_cast<int>(std::count(layout.roles.begin(), layout.roles.end(), ControlRole::point));
  body.first_element = world.elements.size();
  body.element_count = layout.elements.size();
  body.first_vertex = world.collision.vertex_count();
  body.vertex_count = static_cast<int>(layout.vertices.cols());
  if (layout.stiff) {
    body.stiff = static_cast<int>(world.stiff.size());
    world.stiff.push_back(*layout.stiff);
    world.stiff.back().body = index;
    world.stiff.back().first_control = body.first_control;
  }
  CollisionBody collision;
  collision.obstacle = body.is_obstacle();
  collision.collides = options.collides;
  collision.self = layout.meets_itself;
  collision.group = options.group;
  world.bodies.push_back(body);
  world.collision.bodies.push_back(collision);

  append_controls(world, layout);
  append_elements(world.elements, layout.elements, body.first_control);
  append_surface(world, layout, index, body.first_control);
  if (layout.motion) {
    std::vector<int> all(body.control_count);
    std::iota(all.begin(), all.end(), body.first_control);
    add_script(world, all, *layout.motion);
  }
  return index;
}

int add_deformable(World& world, const TetMesh& mesh, const ElasticMaterial& material,
                   const BodyOptions& options, MassKind mass) {
  return add_body(world, deformable_body(mesh, material, options, mass), options);
}

int add_deformable(World& world, const SolidMesh& mesh, const ElasticMaterial& material,
                   const BodyOptions& options, MassKind mass, const SolidSurface& surface) {
  return add_body(world, deformable_body(mesh, material, options, mass, surface), options);
}

int add_ancf(World& world, const AncfMesh& mesh, const ElasticMaterial& material, const BodyOptions& options,
             int surface_cuts) {
  return add_body(world, ancf_body(mesh, material, options, surface_cuts), options);
}

int add_affine(World& world, const SurfaceMesh& mesh, const StiffMaterial& material,
               const BodyOptions& options) {
  return add_body(world, affine_body(mesh, material, options), options);
}

int add_rigid(World& world, const SurfaceMesh& mesh, const StiffMaterial& material,
              const BodyOptions& options) {
  return add_body(world, rigid_body(mesh, material, options), options);
}

int add_shell(World& world, const SurfaceMesh& mesh, const ClothMaterial& material,
              const BodyOptions& options) {
  return add_body(world, shell_body(mesh, material, options), options);
}

int add_rod(World& world, const SurfaceMesh& mesh, const RodMaterial& material, const BodyOptions& options) {
  return add_body(world, rod_body(mesh, material, options), options);
}

int add_particles(World& world, const SurfaceMesh& mesh, double mass, const SpringMaterial& springs,
                  const BodyOptions& options) {
  return add_body(world, particles_body(mesh, mass, springs, options), options);
}

int add_obstacle(World& world, const SurfaceMesh& mesh, const BodyOptions& options, const Motion& motion) {
  return add_body(world, obstacle_body(mesh, options, motion), options);
}

int add_plane(World& world, const Vector3& point, const Vector3& normal, const BodyOptions& options,
              const Motion& motion) {
  return add_body(world, plane_body(point, normal, options, motion), options);
}

}  // namespace bulwark
