#include <bulwark/bodies/rod_segment.hpp>
#include <bulwark/math/rotation.hpp>
#include <bulwark/sim/scripted_motion.hpp>

namespace bulwark {

Vectors script_targets(const World& world, const Vectors& q, double time) {
  Vectors target = q;
  for (const Script& script : world.scripts) {
    for (std::size_t k = 0; k < script.controls.size(); ++k) {
      const Vector3 start = script.start.col(k);
      if (world.roles[script.controls[k]] == ControlRole::direction) {
        const Vector3 center = script.start.col(0);  // any point: a direction turns, but does not shift
        target.col(script.controls[k]) =
            script.motion.at(time, center + start) - script.motion.at(time, center);
      } else {
        target.col(script.controls[k]) = script.motion.at(time, start);
      }
    }
  }
  for (const Script& script : world.scripts) {
    for (const int e : script.turned) {
      const RodSegment segment = rod_segment(world.elements.fixed_controls_of<4>(world.elements.elements[e]));
      const Vector3 vertex = world.rest.col(segment.vertices[0]), director = world.rest.col(segment.director);
      const double length = (world.rest.col(segment.vertices[1]) - vertex).norm();
      target(0, segment.turn) +=
          length * frame_angle(segment, q, target,
                               script.motion.at(time, vertex + director) - script.motion.at(time, vertex));
    }
  }
  return target;
}

ControlPath script_path(const World& world, const Vectors& q, const Vectors& target) {
  ControlPath path = {q, target - q, {}};
  for (const StiffBody& body : world.stiff) {
    if (world.scripted[body.first_control]) turn_towards(target, body, path);
  }
  return path;
}

void turn_towards(const Vectors& target, const StiffBody& body, ControlPath& path) {
  const int first = body.first_control;
  const Matrix3 A = deformation(body, path.from);
  const Vector3 w = rotation_vector(deformation(body, target) * A.inverse());
  if (w.isZero(0)) return;
  path.step.middleCols<3>(first + 1) = cross_matrix(w) * A;
  path.turns.push_back({body.body, first, w});
}

}  // namespace bulwark
