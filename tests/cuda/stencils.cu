// Compile-only: every stencil, and CCD, as device code.
#include <bulwark/collision/additive_ccd.hpp>
#include <bulwark/collision/tight_inclusion.hpp>
#include <bulwark/stencils/contact_barrier.hpp>
#include <bulwark/stencils/friction.hpp>
#include <bulwark/stencils/tetrahedron.hpp>
#include <bulwark/stencils/tetrahedron_inversion.hpp>

using namespace bulwark;

template <class Model>
__device__ double all_of_tetrahedron(const TetRest& rest, const LameConstants& m, const Vector3* x) {
  return tetrahedron_energy<Model>(rest, m, x) + tetrahedron_gradient<Model>(rest, m, x).sum() +
         tetrahedron_hessian<Model>(rest, m, x, Psd::clamp).sum();
}

__global__ void every_stencil(const double* input, double* output) {
  Vector3 x[4], p[4];
  for (int i = 0; i < 4; ++i) {
    x[i] = Vector3(input[3 * i], input[3 * i + 1], input[3 * i + 2]);
    p[i] = Vector3(input[12 + 3 * i], input[13 + 3 * i], input[14 + 3 * i]);
  }
  const TetRest rest = tetrahedron_rest(x);
  const LameConstants m = lame_constants(1e6, 0.4);
  double sum = all_of_tetrahedron<NeoHookean>(rest, m, p) +
               all_of_tetrahedron<FixedCorotational>(rest, m, p) +
               all_of_tetrahedron<SaintVenantKirchhoff>(rest, m, p);
  sum += linear_tetrahedron_energy(rest, m, p) + linear_tetrahedron_gradient(rest, m, p).sum() +
         linear_tetrahedron_hessian(rest, m).sum();
  sum += tetrahedron_largest_step(x, p, 0.2, 1);

  const BarrierRange range{0.1, 0.01};
  for (const ClosestFeatures& features :
       {point_triangle_features(x[0], x[1], x[2], x[3]), edge_edge_features(x[0], x[1], x[2], x[3])}) {
    const ClosestPoints c = closest_points_of_pair(features, x);
    const double eps = edge_mollifier_threshold(x[0], x[1], x[2], x[3]);
    sum += contact_energy(c.squared_distance(), range) + contact_gradient(c, range).sum() +
           contact_hessian(c, range, Psd::clamp).sum();
    sum += mollified_contact_energy(x, c, eps, range) + mollified_contact_gradient(x, c, eps, range).sum() +
           mollified_contact_hessian(x, c, eps, range, Psd::clamp).sum();
    const FrictionPair pair{1.0, c.weight, tangent_plane(c.r)};
    const Vector2 slip = friction_slip(pair, p, 4);
    sum += friction_energy(pair, slip, 1e-3) + friction_gradient(pair, slip, 1e-3).sum() +
           friction_hessian(pair, slip, 1e-3).sum();
  }

  CcdQuery query;
  for (int i = 0; i < 4; ++i) {
    query.x[i] = x[i];
    query.p[i] = p[i];
  }
  sum += additive_ccd<false>(query, {}) + additive_ccd<true>(query, {});
  sum += tight_inclusion_ccd<false>(query, {}, 100) + tight_inclusion_ccd<true>(query, {}, 100);
  sum += additive_impact<false>(query, {}).time + tight_inclusion_impact<true>(query, {}, 100).time;
  output[0] = sum;
}
