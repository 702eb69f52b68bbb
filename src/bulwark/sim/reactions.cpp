#include <bulwark/bodies/rod_segment.hpp>
#include <bulwark/sim/body_nodes.hpp>
#include <bulwark/sim/plane_axes.hpp>
#include <bulwark/sim/reactions.hpp>

#include <algorithm>
#include <map>

namespace bulwark {
namespace {

bool held_by_axes(const World& world, const StiffBody& body) {
  if (world.scripted[body.first_control]) return false;
  for (int c = body.first_control; c < body.first_control + 4; ++c) {
    if (held_besides_plane(world, c) != 0) return true;
  }
  return false;
}

Vector3 along(HeldAxes axes, const Vector3& v) {
  Vector3 result = Vector3::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    if (axes >> axis & 1) result[axis] = v[axis];
  }
  return result;
}

Wrench of_stiff_body(const World& world, const StiffBody& body, const Vectors& q, const Vectors& support) {
  const int first = body.first_control;
  Wrench wrench;
  wrench.point = q.col(first);
  wrench.force = along(world.held[first], support.col(first));
  // A rigid body's first column has the axes about which it is held; they are the unknowns of all three.
  const bool turns = body.rigid && !world.scripted[first];
  for (int c = first + 1; c < first + 4; ++c) {
    const Vector3 a = q.col(c);
    wrench.torque += a.cross(turns ? Vector3(support.col(c)) : along(world.held[c], support.col(c)));
  }
  if (turns) wrench.torque = along(world.held[first + 1], wrench.torque);
  return wrench;
}

/// Slopes among the controls pass on moments alone.
Wrench of_points(const World& world, const std::vector<int>& controls, const Vectors& q,
                 const Vectors& support) {
  Wrench wrench;
  const auto is_point = [&](int c) { return world.roles[c] == ControlRole::point; };
  const auto points = static_cast<double>(std::count_if(controls.begin(), controls.end(), is_point));
  for (const int c : controls) {
    if (is_point(c)) wrench.point += q.col(c) / points;
  }
  for (const int c : controls) {
    if (is_point(c)) {
      wrench.add(Vector3(q.col(c)), Vector3(support.col(c)));
    } else if (world.roles[c] == ControlRole::direction) {
      wrench.torque += Vector3(q.col(c)).cross(Vector3(support.col(c)));
    }
  }
  return wrench;
}

/// A frame that is held passes on its twisting moment: the control of the turn is rest length * angle.
Vector3 twisting_moment(const World& world, const RodSegment& segment, const Vectors& q,
                        const Vectors& support) {
  const auto [a, b] = segment.vertices;
  const double length = (world.rest.col(b) - world.rest.col(a)).norm();
  return support(0, segment.turn) * length * Vector3(q.col(b) - q.col(a)).normalized();
}

}  // namespace

bool any_reactions(const World& world) {
  for (const Script& script : world.scripts) {
    if (!script.controls.empty() && !world.bodies[body_of_control(world, script.controls[0])].is_obstacle())
      return true;
  }
  return std::any_of(world.stiff.begin(), world.stiff.end(),
                     [&](const StiffBody& body) { return held_by_axes(world, body); });
}

std::vector<Reaction> reactions_of(const World& world, const Vectors& q, const Vectors& support) {
  std::vector<Reaction> result;
  for (const Script& script : world.scripts) {
    if (script.controls.empty()) continue;
    const int body = body_of_control(world, script.controls[0]);
    const Body& b = world.bodies[body];
    if (b.is_obstacle()) continue;
    Reaction reaction;
    reaction.body = body;
    if (b.is_stiff()) {
      reaction.points = 1;
      reaction.wrench = of_stiff_body(world, world.stiff[b.stiff], q, support);
    } else {
      reaction.points =
          static_cast<int>(std::count_if(script.controls.begin(), script.controls.end(),
                                         [&](int c) { return world.roles[c] == ControlRole::point; }));
      reaction.wrench = of_points(world, script.controls, q, support);
      for (const int e : script.turned) {
        const RodSegment segment =
            rod_segment(world.elements.fixed_controls_of<4>(world.elements.elements[e]));
        reaction.wrench.torque += twisting_moment(world, segment, q, support);
      }
    }
    result.push_back(reaction);
  }
  for (const StiffBody& body : world.stiff) {
    if (held_by_axes(world, body))
      result.push_back({body.body, 0, 1, of_stiff_body(world, body, q, support)});
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const Reaction& a, const Reaction& b) { return a.body < b.body; });
  for (std::size_t i = 1; i < result.size(); ++i) {
    if (result[i].body == result[i - 1].body) result[i].part = result[i - 1].part + 1;
  }
  return result;
}

Wrench reaction_of_body(const World& world, int body, const std::vector<Reaction>& reactions,
                        const std::vector<ContactForce>& contacts, const std::vector<JointState>& joints) {
  Wrench sum;
  if (world.bodies[body].is_obstacle()) {
    sum = contact_wrench(body, rigid_motion(world, body).center, contacts);
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const Joint& joint = world.joints[j];
      const Wrench on_first = {reaction_point(world, joint), joints[j].force, joints[j].torque};
      if (joint.body_a == body) sum.add(on_first);
      if (joint.body_b == body) sum.add(on_first.opposite());
    }
    return sum.opposite();
  }
  int points = 0;
  for (const Reaction& r : reactions) {
    if (r.body != body) continue;
    sum.point += r.points * r.wrench.point;
    points += r.points;
  }
  if (points > 0) sum.point /= points;
  for (const Reaction& r : reactions) {
    if (r.body == body) sum.add(r.wrench);
  }
  return sum;
}

std::vector<ContactPairForce> contact_pair_forces(const std::vector<ContactForce>& contacts) {
  std::map<std::pair<int, int>, std::vector<const ContactForce*>> pairs;
  for (const ContactForce& contact : contacts) {
    if (contact.body_a == contact.body_b) continue;
    pairs[std::minmax(contact.body_a, contact.body_b)].push_back(&contact);
  }
  std::vector<ContactPairForce> result;
  for (const auto& [bodies, members] : pairs) {
    ContactPairForce pair{bodies.first, bodies.second, static_cast<int>(members.size()), {}};
    double weights = 0;
    Vector3 weighted = Vector3::Zero(), mean = Vector3::Zero();
    for (const ContactForce* contact : members) {
      const double weight = contact->normal_force.norm();
      weights += weight;
      weighted += weight * contact->position;
      mean += contact->position / static_cast<double>(members.size());
    }
    pair.wrench.point = weights > 0 ? Vector3(weighted / weights) : mean;
    for (const ContactForce* contact : members) {
      const double sign = contact->body_a == bodies.first ? 1 : -1;
      pair.wrench.add(contact->position, sign * (contact->normal_force + contact->friction_force));
    }
    result.push_back(pair);
  }
  return result;
}

Wrench contact_wrench(int body, const Vector3& point, const std::vector<ContactForce>& contacts) {
  Wrench sum;
  sum.point = point;
  for (const ContactForce& contact : contacts) {
    const Vector3 on_a = contact.normal_force + contact.friction_force;
    if (contact.body_a == body) sum.add(contact.position, on_a);
    if (contact.body_b == body) sum.add(contact.position, Vector3(-on_a));
  }
  return sum;
}

Vector3 reaction_point(const World& world, const Joint& joint) {
  const bool first = joint.body_a != world_body && !world.bodies[joint.body_a].is_obstacle();
  return (first ? joint.point_a : joint.point_b).at(world.state.position);
}

}  // namespace bulwark
