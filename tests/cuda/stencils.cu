// Every stencil, and CCD, on both machines. CI compiles it, which shows that the physics is device code; run
// where there is a GPU, it evaluates random inputs on host and device and compares.
#include <bulwark/collision/additive_ccd.hpp>
#include <bulwark/collision/curved_ccd.hpp>
#include <bulwark/collision/tight_inclusion.hpp>
#include <bulwark/stencils/contact_barrier.hpp>
#include <bulwark/stencils/cubic_limit.hpp>
#include <bulwark/stencils/dihedral_angle.hpp>
#include <bulwark/stencils/friction.hpp>
#include <bulwark/stencils/joint_coordinate.hpp>
#include <bulwark/stencils/joint_potential.hpp>
#include <bulwark/stencils/kelvin_voigt.hpp>
#include <bulwark/stencils/membrane.hpp>
#include <bulwark/stencils/orthogonality.hpp>
#include <bulwark/stencils/patch_spring.hpp>
#include <bulwark/stencils/plane_limit.hpp>
#include <bulwark/stencils/pressure_patch.hpp>
#include <bulwark/stencils/rod_bend_twist.hpp>
#include <bulwark/stencils/rod_stretch.hpp>
#include <bulwark/stencils/rolling_resistance.hpp>
#include <bulwark/stencils/shell_bending.hpp>
#include <bulwark/stencils/solid_point.hpp>
#include <bulwark/stencils/stiff_pair_sum.hpp>
#include <bulwark/stencils/triangle_overlap.hpp>
#include <bulwark/stencils/volume_barrier.hpp>

#include <chrono>
#include <cstdio>
#include <random>
#include <vector>

using namespace bulwark;

constexpr int input_size = 24;
constexpr int result_size = 35;

template <class Model, int N>
__host__ __device__ double all_of_solid(const SolidPoint<N>& point, const typename Model::Parameters& m,
                                        const ElementControls<N>& x) {
  ElementControls<N> gradient = ElementControls<N>::Zero();
  add_solid_gradient<Model, N>(point, m, x, gradient);
  ElementBlocks<N> blocks = ElementBlocks<N>::Zero();
  add_solid_hessian<Model, N>(point, m, x, Psd::clamp, blocks);
  return solid_energy<Model, N>(point, m, x) + gradient.norm() + blocks.norm();
}

/// Cloth, with and without a strain limit.
__host__ __device__ double all_of_membrane(const MembraneMaterial& m, const Vector3* X, const Vector3* x,
                                           const Vector3* p) {
  const MembraneRest rest = membrane_rest(X, 1e-3);
  const double step = m.limit.active() ? membrane_largest_step(rest, m.limit, X, p) : 0;
  return membrane_energy(rest, m, x) + membrane_gradient(rest, m, x).norm() +
         membrane_hessian(rest, m, x, Psd::clamp).norm() + step;
}

/// Bending and twisting of two segments from e0 and e1 at rest to v.
__host__ __device__ double all_of_rod(const Vector3& e0, const Vector3& e1, const RodVariables& v) {
  RodFrame frames[2];
  const Vector3 e[2] = {e0, e1};
  for (int k = 0; k < 2; ++k) frames[k] = {e[k].normalized(), e[k].normalized().unitOrthogonal()};
  const RodVertexRest rest = rod_vertex_rest(e0, e1, frames, 2.0, 3.0);
  const RodJet jet = rod_vertex_jet(rest, frames, v);
  return rod_vertex_energy(rest, frames, v) + jet.gradient.norm() + jet.hessian.norm();
}

/// A joint's coordinate under a spring, a weak spring, a force, damping and a range.
__host__ __device__ double all_of_joint(JointMeasure measure, const JointVectors& vectors) {
  const JointDerivatives d = joint_derivatives(measure, vectors, 7.0);
  double sum = d.gradient.norm() + d.hessian.norm();
  JointPotential p;
  p.stiffness = 3;
  p.target = 0.2;
  p.low = d.value - 0.3;
  p.high = d.value + 5;
  p.width = 0.5;
  for (const JointPotentialKind kind : {JointPotentialKind::spring, JointPotentialKind::force,
                                        JointPotentialKind::damping, JointPotentialKind::range}) {
    p.kind = kind;
    const JointPotentialDerivatives of = joint_potential(p, d.value);
    sum += of.value + of.first + of.second + joint_hessian(d, of.first, of.second).norm();
    p.largest_force = 0.1;
  }
  return sum;
}

/// A triangle that bends by the angles d at its edges, one of which is free; G: the angles' gradients.
__host__ __device__ double all_of_bending(const Vector3* X, const Vector3& d, const Vector3* x) {
  const double sign[3] = {1, -1, 0};
  const BendingRest rest = bending_rest(X, 1.0, 0.3, sign);
  Vector3 slopes = Vector3::Zero();
  add_bending_slopes(rest, d, slopes);
  Eigen::Matrix<double, 18, 3> G;
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 3; ++k) G.block<3, 1>(3 * i, k) = (k + 1) * x[(i + k) % 4];
  }
  return bending_energy(slopes[0], d[0]) + slopes.norm() + rest.own.norm() + bending_hessian(rest, G).norm();
}

/// Energy, gradient and Hessians of a contact with the given closest points.
__host__ __device__ double all_of_contact(const SlidingPoints& c, const NormalBarrier& b,
                                          const BarrierRange& range) {
  return contact_energy(b, 2) + contact_gradient(c, b, 2).norm() + contact_normal_hessian(c, b, 2).norm() +
         contact_hessian(c, range, Psd::clamp).norm() + barrier_force(c.squared_distance(), range) +
         barrier(range.argument(c.squared_distance()), range.end()) + range.reach();
}

/// Contacts between two rigid and two affine bodies.
__host__ __device__ double all_of_pair_sums(const Vector3* x, const Vector3* p) {
  const Matrix3 K = x[0] * x[0].transpose(), L = x[1] * x[1].transpose();
  RigidPairSum rigid;
  rigid.add(p[0], p[1], K);
  rigid.add_vectors(p[2], p[3], K, x[0] * x[1].transpose(), L);
  const Eigen::Vector4d s_a(1, p[0].x(), p[0].y(), p[0].z()), s_b(-1, p[1].x(), p[1].y(), p[1].z());
  AffinePairSum affine;
  affine.add(s_a, s_b, K);
  affine.add(s_b, s_a, L);
  return rigid.lever_a.norm() + rigid.lever_b.norm() + rigid.aa.norm() + rigid.ab.norm() + rigid.bb.norm() +
         affine.aa.norm() + affine.bb.norm() + AffinePairSum::block(affine.ab.col(5)).norm();
}

/// The overlap of a triangle with another one and with its plane, and the spring of a patch.
__host__ __device__ double all_of_patch(const Vector3* a, const Vector3* b, const Vector3& u) {
  const Vector3 normal = (b[1] - b[0]).cross(b[2] - b[0]).normalized();
  const TriangleOverlap behind[2] = {overlap_with_triangle(a, b, 1.0), overlap_with_plane(a, b[0], normal)};
  double sum = 0;
  for (int k = 0; k < 2; ++k) {
    const PillarPoint center = pillar_center(behind[k], k == 0 ? b : nullptr);
    sum += behind[k].area + behind[k].volume + behind[k].deepest + center.volume * center.first.norm();
  }
  PatchSpring spring = {normal, 0.5, 2.0, Vector3(0, 0, 0), 3.0, 0.7, 0.2};
  return sum + patch_energy(spring, u) + patch_gradient(spring, u).norm() + patch_hessian(spring, u).norm();
}

/// Points x and displaced points p from 24 numbers; one number per stencil or query.
__host__ __device__ void every_stencil(const double* input, double* result) {
  Vector3 x[4], p[4];
  for (int i = 0; i < 4; ++i) {
    x[i] = Vector3(input[3 * i], input[3 * i + 1], input[3 * i + 2]);
    p[i] = Vector3(input[12 + 3 * i], input[13 + 3 * i], input[14 + 3 * i]);
  }
  int k = 0;
  // A regular rest shape, deformed by p.
  const Vector3 X[4] = {Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)};
  Vector3 deformed[4];
  for (int i = 0; i < 4; ++i) deformed[i] = X[i] + 0.1 * p[i];
  SolidPoint<4> point;
  point.gradients << -1, 1, 0, 0, -1, 0, 1, 0, -1, 0, 0, 1;
  point.weight = 1.0 / 6;
  ElementControls<4> corners;
  for (int i = 0; i < 4; ++i) corners.col(i) = deformed[i];
  const LameConstants m = lame_constants(1e6, 0.4);
  result[k++] = all_of_solid<NeoHookean, 4>(point, m, corners);
  result[k++] = all_of_solid<FixedCorotational, 4>(point, m, corners);
  result[k++] = all_of_solid<SaintVenantKirchhoff, 4>(point, m, corners);
  result[k++] = all_of_solid<LinearElastic, 4>(point, m, corners);
  result[k++] = all_of_solid<MooneyRivlin, 4>(point, {1e5, 2e5, 1e6}, corners);
  Anisotropic::Parameters axes;
  axes.stiffness.setZero();
  for (int i = 0; i < 6; ++i) axes.stiffness(i, i) = 1e6 / (i + 1);
  axes.stiffness(0, 1) = axes.stiffness(1, 0) = 1e5;
  result[k++] = all_of_solid<Anisotropic, 4>(point, axes, corners);
  result[k++] = all_of_solid<VolumeBarrier, 4>(point, {1e5}, ElementControls<4>(0.4 * corners));
  result[k++] = tetrahedron_largest_step(X, p, 0.2, 1);
  ElementBlocks<4> viscous = ElementBlocks<4>::Zero();
  add_kelvin_voigt_resistance<4>(point, {2.0, 3.0}, corners, viscous);
  result[k++] = viscous.norm();

  // Stiff and thin bodies, near their rest shapes.
  Matrix3 A;
  A << X[1] + 0.1 * p[0], X[2] + 0.1 * p[1], X[3] + 0.1 * p[2];
  result[k++] = orthogonality_energy(A, 2) + orthogonality_gradient(A, 2).norm() +
                orthogonality_hessian(A, 2, Psd::clamp).norm();
  const MembraneMaterial free_cloth = {plane_stress_constants(1e5, 0.3), {}};
  const MembraneMaterial limited_cloth = {plane_stress_constants(1e5, 0.3), {2.0, 1e5}};
  result[k++] = all_of_membrane(free_cloth, X, deformed, p);
  result[k++] = all_of_membrane(limited_cloth, X, deformed, p);
  const Vector3 sheet[4] = {deformed[0], deformed[1], deformed[2], Vector3(0.5, -1, 0) + 0.1 * p[3]};
  result[k++] = dihedral_angle(sheet) + dihedral_gradient(hinge_frame(sheet)).norm() +
                dihedral_hessian(hinge_frame(sheet), 0.3, 2.0, Psd::clamp).norm();
  result[k++] = all_of_bending(X, p[0], deformed);
  const RodStretchRest stretch = {1.0, 5.0};
  const Vector3 e0 = Vector3(1, 0, 0) + 0.2 * p[0], e1 = Vector3(1, 0.3, 0) + 0.2 * p[1];
  result[k++] = rod_stretch_energy(stretch, e0) + rod_stretch_gradient(stretch, e0).norm() +
                rod_stretch_hessian(stretch, e0, Psd::clamp).norm() + rod_largest_step(e0, p[2], 0.1);
  RodVariables bent;
  bent << e0 + 0.2 * p[2], e1 + 0.2 * p[3], 0.3 * p[2].x(), 0.4 * p[3].y();
  result[k++] = all_of_rod(e0, e1, bent);
  const JointVectors joint = {Vector3(0.6, 0, 0) + 0.1 * p[0], Vector3(0.8, 0.2, 0) + 0.1 * p[1],
                              Vector3(0, 1, 0.1) + 0.1 * p[2]};
  result[k] = 0;
  for (const JointMeasure measure : {JointMeasure::dot, JointMeasure::length, JointMeasure::angle,
                                     JointMeasure::tilt, JointMeasure::height})
    result[k] += all_of_joint(measure, joint);
  ++k;

  const BarrierRange range{2.0, 0};
  for (int kind = 0; kind < 2; ++kind) {
    const ClosestFeatures features = kind == 0 ? point_triangle_features(x[0], x[1], x[2], x[3])
                                               : edge_edge_features(x[0], x[1], x[2], x[3]);
    const SlidingPoints c = sliding_points_of_pair(features, x);
    const double eps = 10 * edge_mollifier_threshold(x[0], x[1], x[2], x[3]);
    const NormalBarrier b = normal_barrier(c.squared_distance(), range);
    result[k++] = all_of_contact(c, b, range);
    result[k++] = kind == 0 ? point_triangle_squared_distance(x) : edge_edge_squared_distance(x);
    if (kind == 1) {
      const MollifierSquare square = edge_mollifier_square(x, eps);
      result[k++] = contact_energy(b, 2 * edge_mollifier(x, eps)) +
                    mollified_contact_gradient(x, closest_points_of_pair(features, x), eps, b, 2).norm() +
                    mollified_contact_hessian(x, c, eps, range, Psd::clamp).norm() + square.uu.norm() +
                    square.uv.norm() + square.vv.norm();
    }
    const FrictionPair pair{1.0, c.weight, tangent_plane(c.r)};
    const Vector2 slip = friction_slip(pair, p, 4);
    result[k++] = friction_energy(pair, slip, 1e-1) + friction_gradient(pair, slip, 1e-1).norm() +
                  friction_hessian(pair, slip, 1e-1).norm();
    FrictionPair round = pair;
    RollingPair rolling;
    set_rolling_axes(rolling, c.r, 1.0, 0.5);
    Matrix3 turned[2];
    for (int side = 0; side < 2; ++side) {
      turned[side] = rotation_matrix(p[side]);
      set_lever(round, side, x[side], p[side], turned[side]);
      set_turning_side(rolling, side, p[side], turned[side]);
      turned[side] += 0.1 * x[2] * p[2].transpose();
    }
    const Vector2 round_slip = friction_slip(round, p, 4, turned);
    const Vector3 turn = relative_turn(rolling, turned);
    result[k - 1] += friction_energy(round, round_slip, 1e-1) + rolling_energy(rolling, turn, 1e-1) +
                     rolling_gradient(rolling, turn, 1e-1).norm() +
                     rolling_hessian(rolling, turn, 1e-1).norm() + turn_derivative(rolling, 1, 2).norm() +
                     normal_barrier(c.squared_distance(), range.beyond(0.5 * c.r.norm())).energy +
                     nearest_turn(turned[0], 3 * p[0]).norm() + mean_spin(turned[0], turned[1]).norm();
  }

  const PressurePatch patch{1.0, 0.5 * p[0].x(), 1 + p[0].y()};
  result[k++] = pressure_patch_end(patch) + pressure_patch_force(patch, p[1].x()) +
                pressure_patch_energy(patch, p[1].x()) + pressure_patch_curvature(patch, p[1].x());
  result[k++] = all_of_pair_sums(x, p);
  const SlidingPoints over_plane = sliding_points(PairKind::point_plane, x, X[3]);
  const double height = over_plane.r.norm();
  result[k++] = all_of_contact(over_plane, plane_barrier(over_plane, X[3], range), range) +
                plane_largest_step(height, p[0].z(), 0.1 * height) +
                turning_plane_largest_step(height, p[0].z(), X[3], x[1], p[1], 0.1 * height);

  CcdQuery query;
  for (int i = 0; i < 4; ++i) {
    query.x[i] = x[i];
    query.p[i] = p[i];
  }
  result[k++] = additive_ccd<false>(query, {});
  result[k++] = additive_ccd<true>(query, {});
  result[k++] = tight_inclusion_ccd<false>(query, {}, 100);
  result[k++] = tight_inclusion_ccd<true>(query, {}, 100);

  const RotationDerivatives rotation(2 * p[1]);
  result[k++] = (rotation_vector(rotation_matrix(p[1])) - p[1]).norm() + rotation.first(0).norm() +
                rotation.second(1, 2).norm();
  const BodyPath first = {0.5 * x[3], p[0], 2 * p[1]}, second = {x[0], p[2], p[3]};
  CurvedQuery curved;
  for (int i = 0; i < 4; ++i) {
    curved.x[i] = x[i];
    curved.p[i] = Vector3::Zero();
    curved.path[i] = i < 1 ? &first : &second;
  }
  result[k++] = curved_ccd<false>(curved, {});
  curved.path[1] = &first;
  result[k++] = curved_ccd<true>(curved, {});
  result[k++] = all_of_patch(x, p, x[3]);
}

__global__ void every_stencil_kernel(const double* input, double* result, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) every_stencil(input + input_size * i, result + result_size * i);
}

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("no GPU on this machine: nothing compared\n");
    return 0;
  }
  const char* names[result_size] = {"neo-hookean",
                                    "fixed corotational",
                                    "svk",
                                    "linear elastic",
                                    "mooney-rivlin",
                                    "anisotropic",
                                    "volume barrier",
                                    "inversion step",
                                    "kelvin-voigt",
                                    "orthogonality",
                                    "membrane",
                                    "membrane with limit",
                                    "dihedral angle",
                                    "shell bending",
                                    "rod stretch",
                                    "rod bend and twist",
                                    "joints",
                                    "point-triangle barrier",
                                    "point-triangle distance",
                                    "friction",
                                    "edge-edge barrier",
                                    "edge-edge distance",
                                    "mollified edge-edge",
                                    "friction of edges",
                                    "pressure patch",
                                    "pairs of stiff bodies",
                                    "point-plane barrier, limits",
                                    "additive ccd, points",
                                    "additive ccd, edges",
                                    "tight inclusion, points",
                                    "tight inclusion, edges",
                                    "rotation derivatives",
                                    "curved ccd, points",
                                    "curved ccd, edges",
                                    "patches"};
  constexpr int count = 4096;  // collision detection takes up to milliseconds on the host
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> input(input_size * count), host(result_size * count), device(result_size * count);
  for (double& value : input) value = uniform(random);
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i) every_stencil(&input[input_size * i], &host[result_size * i]);
  const double host_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  double *device_input = nullptr, *device_result = nullptr;
  cudaMalloc(&device_input, input.size() * sizeof(double));
  cudaMalloc(&device_result, device.size() * sizeof(double));
  cudaMemcpy(device_input, input.data(), input.size() * sizeof(double), cudaMemcpyHostToDevice);
  float milliseconds = 0;
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  for (int run = 0; run < 2; ++run) {  // the first loads the code
    cudaEventRecord(start);
    every_stencil_kernel<<<(count + 127) / 128, 128>>>(device_input, device_result, count);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&milliseconds, start, stop);
  }
  if (cudaGetLastError() != cudaSuccess) {
    std::printf("the kernel failed\n");
    return 1;
  }
  cudaMemcpy(device.data(), device_result, device.size() * sizeof(double), cudaMemcpyDeviceToHost);
  std::printf("%d inputs: host %.1f ms on one core, device %.2f ms\n", count, 1e3 * host_seconds,
              milliseconds);
  bool alike = true;
  for (int k = 0; k < result_size; ++k) {
    double worst = 0;
    int equal = 0, apart = 0;
    for (int i = 0; i < count; ++i) {
      const double a = host[result_size * i + k], b = device[result_size * i + k];
      if (a == b) ++equal;
      const double difference = a == b ? 0 : std::abs(a - b) / (1e-6 + std::abs(a));
      worst = std::max(worst, difference);
      if (!(difference < 1e-6)) ++apart;
    }
    std::printf("%-26s same bits %5.1f %%  largest relative difference %.2e  above 1e-6: %d\n", names[k],
                100.0 * equal / count, worst, apart);
    // Ill-conditioned samples of random points may differ more; they are few.
    alike = alike && apart <= count / 1000;
  }
  return alike ? 0 : 1;
}
