#include <bulwark/collision/broad_phase.hpp>
#include <bulwark/collision/contact_areas.hpp>
#include <bulwark/collision/flat_faces.hpp>
#include <bulwark/collision/pair_offset.hpp>
#include <bulwark/sim/body_nodes.hpp>
#include <bulwark/sim/derive.hpp>
#include <bulwark/sim/statics.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace bulwark {
namespace {

constexpr double none = BodyScale::none;

/// The smallest distance of each body's solid to itself at rest, as far as it is below `wanted` + the minimum
/// distance; else infinity.
std::vector<double> self_gaps(const World& world, const std::vector<double>& wanted,
                              double minimum_distance) {
  const CollisionMesh& mesh = world.collision;
  std::vector<double> gaps(mesh.bodies.size(), none);
  // Only bodies that can meet themselves are searched: the others' primitives are left out.
  std::vector<char> meets_itself(mesh.bodies.size());
  for (std::size_t b = 0; b < mesh.bodies.size(); ++b)
    meets_itself[b] = mesh.may_collide(static_cast<int>(b), static_cast<int>(b));
  if (std::find(meets_itself.begin(), meets_itself.end(), 1) == meets_itself.end()) return gaps;
  const CollisionMesh own = mesh_of_bodies(mesh, meets_itself);
  const Vectors positions = vertex_positions(mesh, world.rest);
  VertexBoxes boxes = swept_boxes(positions, positions, 0);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const double reach = wanted[mesh.vertex_body[v]];
    if (!(reach < none)) continue;
    boxes.lower.col(v).array() -= 0.5 * (reach + minimum_distance);
    boxes.upper.col(v).array() += 0.5 * (reach + minimum_distance);
  }
  grow_by_radii(mesh, boxes);
  const Candidates near = make_bvh()->find(own, boxes);
  auto include = [&](const auto& candidate, int vertex_a, int vertex_b) {
    const int body = mesh.vertex_body[vertex_a];
    if (body != mesh.vertex_body[vertex_b]) return;
    const std::array<Vector3, 4> x = positions_of(vertices_of(own, candidate), positions);
    const double distance = std::sqrt(squared_distance(features_of(candidate, x), x.data()));
    gaps[body] = std::min(gaps[body], distance - pair_offset(own, candidate));
  };
  for (const PointTriangleCandidate& c : near.point_triangle)
    include(c, c.point, own.triangles[c.triangle][0]);
  for (const EdgeEdgeCandidate& c : near.edge_edge)
    include(c, own.edges[c.edge_a][0], own.edges[c.edge_b][0]);
  return gaps;
}

double scaled(const Scaled& value, double length) {
  return value.relative ? value.value * length : value.value;
}

/// Mass of a node of a soft body, or of a whole stiff one.
double contact_mass(const World& world, const Body& body) {
  const double mass = mass_of(world, body);
  return mass > 0 ? mass / body.point_count : none;
}

/// The area-weighted formulation's kg/m^2: mass over the area that contact feels.
double contact_mass_per_area(const World& world, const Body& body, const ContactAreas& areas,
                             double distance) {
  const double mass = mass_of(world, body);
  double area = 0;
  for (int v = body.first_vertex; v < body.first_vertex + body.vertex_count; ++v) area += areas.of_vertex(v);
  return mass > 0 ? mass / std::max(area, distance * distance) : none;
}

}  // namespace

Derived derive(const World& world, const Settings& settings) {
  Derived derived;
  const double tolerance = settings.solver.tolerance * (is_static(settings) ? static_tolerance : 1);
  const std::size_t count = world.bodies.size();
  derived.bodies.resize(count);
  std::vector<double> length(count, 0);
  double smallest = none;
  for (std::size_t b = 0; b < count; ++b) {
    length[b] = body_length(world, world.bodies[b]);
    if (!world.bodies[b].is_obstacle() && length[b] > 0) smallest = std::min(smallest, length[b]);
  }
  std::vector<double> wanted(count, none);
  for (std::size_t b = 0; b < count; ++b) {
    BodyDerived& own = derived.bodies[b];
    if (world.bodies[b].is_obstacle()) {
      own = {none, none, false, none, none};
      continue;
    }
    // A single point has no size: that of the others has to serve.
    own.length = length[b] > 0 ? length[b] : smallest < none ? smallest : 1;
    own.contact_distance = wanted[b] = scaled(settings.contact.distance, own.length);
    own.static_speed = scaled(settings.contact.static_speed, own.length);
    own.tolerance_speed = tolerance * own.length;
  }
  if (settings.contact.enabled && settings.contact.distance.relative) {
    const double minimum = settings.contact.minimum_distance;
    const std::vector<double> gaps = self_gaps(world, wanted, minimum);
    for (std::size_t b = 0; b < count; ++b) {
      // What begins within the minimum distance is refused later (check_minimum_distance).
      const double room = gaps[b] - minimum;
      if (!(room > 0) || !(room < wanted[b])) continue;
      derived.bodies[b].contact_distance = 0.9 * room;
      derived.bodies[b].distance_capped = true;
    }
  }
  derived.length = derived.contact_distance = derived.static_speed = derived.tolerance_speed = none;
  for (const BodyDerived& own : derived.bodies) {
    derived.length = std::min(derived.length, own.length);
    derived.contact_distance = std::min(derived.contact_distance, own.contact_distance);
    derived.static_speed = std::min(derived.static_speed, own.static_speed);
    derived.tolerance_speed = std::min(derived.tolerance_speed, own.tolerance_speed);
  }
  if (!(derived.length < none)) {
    // Nothing moves; numbers are wanted all the same.
    derived.length = 1;
    derived.contact_distance = scaled(settings.contact.distance, 1);
    derived.static_speed = scaled(settings.contact.static_speed, 1);
    derived.tolerance_speed = tolerance;
  }
  return derived;
}

ContactScales contact_scales(const World& world, const Settings& settings, const Derived& derived,
                             double time_scale) {
  ContactScales::Options options;
  options.per_area = settings.contact.formulation == "area-weighted";
  const ContactAreas areas =
      options.per_area ? ContactAreas(world.collision, FlatFaces(world.collision)) : ContactAreas();
  std::vector<BodyScale> scales(world.bodies.size());
  for (std::size_t b = 0; b < scales.size(); ++b) {
    const Body& body = world.bodies[b];
    if (body.is_obstacle()) continue;
    const BodyDerived& own = derived.bodies[b];
    const double mass = options.per_area ? contact_mass_per_area(world, body, areas, own.contact_distance)
                                         : contact_mass(world, body);
    scales[b] = {own.length, own.contact_distance, mass, own.static_speed, body.is_stiff()};
  }
  options.minimum_distance = settings.contact.minimum_distance;
  options.time_scale = time_scale;
  options.acceleration = settings.gravity.norm();
  options.stiffness = settings.contact.stiffness;
  return {std::move(scales), options};
}

double average_mass(const World& world, const std::vector<int>& bodies) {
  double sum = 0;
  int count = 0;
  for (const bool stiff : {false, true}) {
    for (const int b : bodies) {
      const Body& body = world.bodies[b];
      if (body.is_obstacle() || body.is_stiff() != stiff) continue;
      const double mass = contact_mass(world, body);
      if (!(mass < none)) continue;
      sum += mass * body.point_count;
      count += body.point_count;
    }
    if (count > 0) return sum / count;
  }
  if (bodies.size() == world.bodies.size()) return 1;
  std::vector<int> all(world.bodies.size());
  std::iota(all.begin(), all.end(), 0);
  return average_mass(world, all);
}

}  // namespace bulwark
