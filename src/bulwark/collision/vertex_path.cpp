#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/vertex_path.hpp>

namespace bulwark {

Vectors VertexPath::at(const CollisionMesh& mesh, double t) const {
  Vectors x = from + t * straight;
  if (turns.empty()) return x;
  std::vector<RodriguesCoefficients> coefficients(turns.size());
  for (std::size_t k = 0; k < turns.size(); ++k)
    coefficients[k] = rodrigues_coefficients((t * turns[k].rotation).norm());
  parallel_for(static_cast<std::size_t>(x.cols()), [&](std::size_t v) {
    const BodyPath* turn = turn_of(mesh, static_cast<int>(v));
    if (turn == nullptr) return;
    x.col(v) +=
        arm_displacement(t * turn->rotation, coefficients[turn - turns.data()], from.col(v) - turn->center);
  });
  return x;
}

VertexPath VertexPath::part(double t) const {
  VertexPath result = {from, t * straight, turns, turn_of_body};
  for (BodyPath& turn : result.turns) {
    turn.rotation *= t;
  }
  return result;
}

VertexPath VertexPath::reversed(const Vectors& end) const {
  VertexPath result = {end, -straight, turns, turn_of_body};
  for (BodyPath& turn : result.turns) {
    turn.center += turn.displacement;
    turn.displacement = -turn.displacement;
    turn.rotation = -turn.rotation;
  }
  return result;
}

}  // namespace bulwark
