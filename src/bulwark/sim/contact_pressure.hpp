// Contact as a load on the surface: pressure and tangential traction of every vertex of the collision mesh.
//
//   p_v = |f_n| / a_v,   t_v = f_t / a_v,   a_v = 1/3 sum over triangles at v of |T| max(0, -n_T . f_n / |f_n|)
//
// with f_n the contact force on v without friction, f_t the friction, and the triangles as they are now. Only
// what faces the force counts, so that a vertex at the edge of a pressed face has the area of that face alone;
// the orientation of triangles does not matter. A free segment adds half its length times its thickness to the
// areas of its ends, a sphere has pi r^2. What has no area, a point or a wire without a radius, has pressure 0.
#pragma once

#include <bulwark/sim/world.hpp>

#include <vector>

namespace bulwark {

/// Forces on the vertices of the collision mesh (N).
struct VertexForces {
  Vectors normal;    ///< of the barrier and its damping
  Vectors friction;  ///< of friction
};

struct ContactPressure {
  std::vector<double> pressure;  ///< Pa, positive in compression
  Vectors traction;              ///< Pa, that of friction
};

ContactPressure contact_pressure(const World& world, const VertexForces& forces);

}  // namespace bulwark
