#include <bulwark/sim/body_nodes.hpp>
#include <bulwark/sim/name_parts.hpp>

#include <algorithm>

namespace bulwark {
namespace {

int own_vertex(const World& world, int vertex) {
  const Body& body = world.bodies[world.collision.vertex_body[vertex]];
  const int node = node_of_vertex(world, body, vertex);
  return node >= 0 ? node : vertex - body.first_vertex;
}

/// The body of a primitive with these vertices, which are its corners.
template <std::size_t N>
BodyPart with_corners(const World& world, BodyPart::Kind kind, const std::array<int, N>& vertices) {
  BodyPart part;
  part.body = world.bodies[world.collision.vertex_body[vertices[0]]].name;
  part.kind = kind;
  for (std::size_t i = 0; i < N; ++i) part.corners[i] = own_vertex(world, vertices[i]);
  return part;
}

BodyPart part_of_vertex(const World& world, int vertex) {
  const Body& body = world.bodies[world.collision.vertex_body[vertex]];
  BodyPart part;
  part.body = body.name;
  part.kind = is_solid(world, body) && node_of_vertex(world, body, vertex) >= 0 ? BodyPart::Kind::node
                                                                                : BodyPart::Kind::vertex;
  part.number = own_vertex(world, vertex);
  return part;
}

/// A solid has no numbers for the triangles of its surface, so they go by their nodes.
BodyPart part_of_triangle(const World& world, int triangle) {
  const std::vector<Triangle>& triangles = world.collision.triangles;
  const Triangle& t = triangles[triangle];
  BodyPart part = with_corners(world, BodyPart::Kind::triangle, t);
  const Body& body = world.bodies[world.collision.vertex_body[t[0]]];
  if (is_solid(world, body)) return part;
  // The triangles of a body follow each other.
  const auto first = std::partition_point(triangles.begin(), triangles.end(), [&](const Triangle& other) {
    return other[0] < body.first_vertex;
  });
  part.number = triangle - static_cast<int>(first - triangles.begin());
  return part;
}

}  // namespace

BodyPart part_of_control(const World& world, int control) {
  const Body& body = world.bodies[body_of_control(world, control)];
  BodyPart part;
  part.body = body.name;
  if (body.nodes == NodeKind::points && world.roles[control] == ControlRole::point) {
    part.kind = BodyPart::Kind::node;
    part.number = control - body.first_control;
  }
  return part;
}

BodyPart part_of_primitive(const World& world, const Primitive& primitive) {
  switch (primitive.kind) {
    case PrimitiveKind::vertex:
      return part_of_vertex(world, primitive.number);
    case PrimitiveKind::edge:
      if (const Edge& e = world.collision.edges[primitive.number]; is_lone_point(e))
        return part_of_vertex(world, e[0]);
      return with_corners(world, BodyPart::Kind::edge, world.collision.edges[primitive.number]);
    case PrimitiveKind::triangle:
      return part_of_triangle(world, primitive.number);
    case PrimitiveKind::plane:
      break;
  }
  BodyPart plane;
  plane.body = world.bodies[world.collision.planes[primitive.number].body].name;
  return plane;
}

BodyPart part_of_element(const World& world, int element) {
  const Element& of = world.elements.elements[element];
  const Body& body = world.bodies[body_of_control(world, world.elements.controls_of(of)[0])];
  BodyPart part;
  part.body = body.name;
  part.kind = BodyPart::Kind::element;
  part.element = of.type;
  part.number = element - body.first_element;
  return part;
}

StepCulprit culprit_of(const World& world, const LimitCause& cause) {
  StepCulprit culprit;
  culprit.reason = cause.reason;
  switch (cause.reason) {
    case LimitReason::none:
    case LimitReason::pair_count:
      break;
    case LimitReason::contact:
      for (const Primitive& side : cause.pair) culprit.parts.push_back(part_of_primitive(world, side));
      break;
    case LimitReason::volume:
    case LimitReason::length:
    case LimitReason::strain_limit:
      culprit.parts.push_back(part_of_element(world, cause.number));
      break;
    case LimitReason::joint_range:
      culprit.joint = world.joints[cause.number].name;
      break;
  }
  return culprit;
}

}  // namespace bulwark
