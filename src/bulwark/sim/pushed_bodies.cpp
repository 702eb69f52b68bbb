#include <bulwark/sim/pushed_bodies.hpp>

namespace bulwark {
namespace {

int body_of(const CollisionMesh& mesh, const Primitive& primitive) {
  switch (primitive.kind) {
    case PrimitiveKind::vertex:
      return mesh.vertex_body[primitive.number];
    case PrimitiveKind::edge:
      return mesh.vertex_body[mesh.edges[primitive.number][0]];
    case PrimitiveKind::triangle:
      return mesh.vertex_body[mesh.triangles[primitive.number][0]];
    case PrimitiveKind::plane:
      break;
  }
  return mesh.planes[primitive.number].body;
}

}  // namespace

PushedBodies::PushedBodies(const World& world, const BarrierContact* contact, const LimitCause& blocker)
    : world_(world), sets_(world.bodies.size()) {
  const CollisionMesh& mesh = world.collision;
  if (contact != nullptr) {
    for (const ContactPair& c : contact->contacts())
      meetings_.push_back({mesh.vertex_body[c.vertex[0]], mesh.vertex_body[c.second_side()]});
  }
  if (blocker.reason == LimitReason::contact)
    meetings_.push_back({body_of(mesh, blocker.pair[0]), body_of(mesh, blocker.pair[1])});
  for (const Joint& joint : world.joints) {
    if (joint.body_b >= 0) meetings_.push_back({joint.body_a, joint.body_b});
  }
  for (const auto& [a, b] : meetings_) {
    if (!world.bodies[a].is_obstacle() && !world.bodies[b].is_obstacle()) sets_.join(a, b);
  }
}

std::vector<int> PushedBodies::of(int body) {
  std::vector<char> pushed(world_.bodies.size(), 0);  // sets, by their names
  if (world_.bodies[body].is_obstacle()) {
    for (const auto& [a, b] : meetings_) {
      if (a == body) pushed[sets_.find(b)] = 1;
      if (b == body) pushed[sets_.find(a)] = 1;
    }
  } else {
    pushed[sets_.find(body)] = 1;
  }
  std::vector<int> bodies;
  for (std::size_t b = 0; b < pushed.size(); ++b) {
    if (!world_.bodies[b].is_obstacle() && pushed[sets_.find(static_cast<int>(b))])
      bodies.push_back(static_cast<int>(b));
  }
  return bodies;
}

}  // namespace bulwark
