// The lines of contact and friction in the derivative test.
#include "stencils/sampling.hpp"

#include <bulwark/math/rotation.hpp>
#include <bulwark/stencils/contact_barrier.hpp>
#include <bulwark/stencils/friction.hpp>
#include <bulwark/stencils/patch_spring.hpp>
#include <bulwark/stencils/pressure_patch.hpp>
#include <bulwark/stencils/rolling_resistance.hpp>
#include <bulwark/stencils/stiff_pair_sum.hpp>

namespace bulwark::test {
namespace {

/// A contact pair of `kind` at a distance between `closest` and 1 times d-hat = scale / 10.
StencilSample contact_sample(std::mt19937& random, double scale, PairKind kind, double closest,
                             double minimum_distance) {
  const double dhat = 0.1 * scale;
  const BarrierRange range = BarrierRange{dhat, 0}.beyond(minimum_distance * scale);
  const double distance =
      range.minimum_distance + dhat * between(random, closest, std::min(10 * closest, 0.95));
  const Matrix3 rotation = random_rotation(random);
  const Vector3 up = Vector3::UnitZ();
  Points x;
  const int count = vertex_count(kind);
  const double s1 = between(random, 0.2, 0.4), s2 = between(random, 0.2, 0.4);
  const Vector3 a = Vector3::Zero(), b = scale * Vector3(1, 0.2, 0), c = scale * Vector3(0.1, 0.9, 0);
  switch (kind) {
    case PairKind::point_point:
    case PairKind::point_plane:
      x = {distance * up, a, a, a};
      break;
    case PairKind::point_edge:
      x = {b * s1 + distance * up, a, b, a};
      break;
    case PairKind::point_triangle:
      x = {b * s1 + c * s2 + distance * up, a, b, c};
      break;
    case PairKind::edge_edge:
      x = {a, b, b * s1 - c * s2 + distance * up, b * s1 + c * (1 - s2) + distance * up};
      break;
  }
  for (Vector3& v : x) v = rotation * v;
  const Vector3 normal = rotation * up;
  const double strength = between(random, 0.1, 10);
  auto barrier_of = [=](const ClosestPoints& at) {
    return kind == PairKind::point_plane ? plane_barrier(at, normal, range)
                                         : normal_barrier(at.squared_distance(), range);
  };
  StencilSample s;
  s.x = flattened(x, count);
  s.scale = scale;
  s.step = std::min(distance - range.minimum_distance, 0.3 * scale) * 0.5;
  s.energy = [=](const Eigen::VectorXd& v) {
    return contact_energy(barrier_of(closest_points(kind, points(v).data(), normal)), strength);
  };
  s.gradient = [=](const Eigen::VectorXd& v) {
    const ClosestPoints at = closest_points(kind, points(v).data(), normal);
    return Eigen::VectorXd(contact_gradient(at, barrier_of(at), strength).head(3 * count));
  };
  s.hessian = [=](const Eigen::VectorXd& v, bool projected) {
    return Eigen::MatrixXd(strength * contact_hessian(sliding_points(kind, points(v).data(), normal), range,
                                                      projected ? Psd::clamp : Psd::none)
                                          .topLeftCorner(3 * count, 3 * count));
  };
  return s;
}

/// A point and a triangle, or two edges, whose closest features are found anew at every place.
StencilSample pair_sample(std::mt19937& random, double scale, bool edges) {
  StencilSample s =
      contact_sample(random, scale, edges ? PairKind::edge_edge : PairKind::point_triangle, 0.1, 0);
  const BarrierRange range{0.1 * scale, 0};
  auto features_at = [=](const Points& x) {
    return edges ? edge_edge_features(x[0], x[1], x[2], x[3])
                 : point_triangle_features(x[0], x[1], x[2], x[3]);
  };
  s.energy = [=](const Eigen::VectorXd& v) {
    const Points x = points(v);
    const double D = edges ? edge_edge_squared_distance(x.data()) : point_triangle_squared_distance(x.data());
    return contact_energy(normal_barrier(D, range), 1);
  };
  s.gradient = [=](const Eigen::VectorXd& v) {
    const Points x = points(v);
    const ClosestPoints c = closest_points_of_pair(features_at(x), x.data());
    return Eigen::VectorXd(contact_gradient(c, normal_barrier(c.squared_distance(), range), 1));
  };
  s.hessian = [=](const Eigen::VectorXd& v, bool projected) {
    const Points x = points(v);
    return Eigen::MatrixXd(contact_hessian(sliding_points_of_pair(features_at(x), x.data()), range,
                                           projected ? Psd::clamp : Psd::none));
  };
  return s;
}

/// The barrier as a function of its argument.
StencilSample barrier_sample(std::mt19937& random, double scale) {
  const BarrierRange range{0.1 * scale, 0.02 * scale};
  const double distance =
      between(random, range.minimum_distance + 0.01 * range.distance, 0.95 * range.reach());
  const double D = range.argument(distance * distance), Dh = range.end();
  StencilSample s;
  s.x = Eigen::VectorXd::Constant(1, D);
  s.scale = Dh;
  s.step = 0.3 * std::min(D, Dh - D);
  s.energy = [=](const Eigen::VectorXd& x) { return barrier(x[0], Dh); };
  s.gradient = [=](const Eigen::VectorXd& x) {
    return Eigen::VectorXd::Constant(1, barrier_first_derivative(x[0], Dh)).eval();
  };
  s.hessian = [=](const Eigen::VectorXd& x, bool) {
    return Eigen::MatrixXd::Constant(1, 1, barrier_second_derivative(x[0], Dh)).eval();
  };
  return s;
}

/// The barrier in the difference r of the closest points, whose projected Hessian is the curvature along r.
StencilSample normal_barrier_sample(std::mt19937& random, double scale) {
  const BarrierRange range{0.1 * scale, 0.02 * scale};
  const double strength = between(random, 0.1, 10);
  auto at = [](const Eigen::VectorXd& r) {
    ClosestPoints c;
    c.vertices = 2;
    c.r = r;
    c.weight << 1, -1, 0, 0;
    return c;
  };
  StencilSample s;
  const double gap = between(random, 0.1, 0.9) * range.distance;
  s.x = (range.minimum_distance + gap) * random_vector(random, 1).normalized();
  s.scale = scale;
  s.step = 0.5 * std::min(gap, range.distance - gap);
  s.energy = [=](const Eigen::VectorXd& r) {
    return contact_energy(normal_barrier(r.squaredNorm(), range), strength);
  };
  s.gradient = [=](const Eigen::VectorXd& r) {
    return Eigen::VectorXd(-strength * barrier_force(r.squaredNorm(), range) * r.normalized());
  };
  s.hessian = [=](const Eigen::VectorXd& r, bool projected) {
    const NormalBarrier b = normal_barrier(r.squaredNorm(), range);
    Matrix3 h = contact_normal_hessian(at(r), b, strength);
    // Across the normal the slope pushes down: this part is left out.
    if (!projected) h += strength * b.slope * (Matrix3::Identity() - r * r.transpose() / r.squaredNorm());
    return Eigen::MatrixXd(h);
  };
  return s;
}

/// The mollifier of two edges; the sample's projected Hessian is its square part, to which what can be
/// negative of the others is added.
StencilSample mollifier_sample(std::mt19937& random, double scale) {
  const Matrix3 rotation = random_rotation(random);
  const double angle = between(random, 0.002, 0.02);
  Points x = {Vector3::Zero(), Vector3(scale, 0, 0), Vector3(0.1 * scale, 0.1 * scale, 0),
              Vector3(1.1 * scale, 0.1 * scale, angle * scale)};
  for (Vector3& v : x) v = rotation * v;
  const double eps = edge_mollifier_threshold(x[0], x[1], x[2], x[3]);
  StencilSample s;
  s.x = flattened(x, 4);
  s.scale = scale;
  s.step = 0.3 * angle * scale;
  s.energy = [=](const Eigen::VectorXd& v) { return edge_mollifier(points(v).data(), eps); };
  s.gradient = [=](const Eigen::VectorXd& v) {
    const MollifierGradient m = edge_mollifier_gradient(points(v).data(), eps);
    Eigen::VectorXd g(12);
    g << -m.u, m.u, -m.v, m.v;
    return g;
  };
  s.hessian = [=](const Eigen::VectorXd& v, bool projected) {
    const Points p = points(v);
    const Matrix12 whole = edge_mollifier_derivatives(p.data(), eps).hessian;
    if (!projected) return Eigen::MatrixXd(whole);
    const MollifierSquare m = edge_mollifier_square(p.data(), eps);
    Matrix12 square;
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        const Matrix3 block = i < 2 ? (j < 2 ? m.uu : m.uv) : (j < 2 ? Matrix3(m.uv.transpose()) : m.vv);
        square.block<3, 3>(3 * i, 3 * j) = (i % 2 == j % 2 ? 1 : -1) * block;
      }
    }
    return Eigen::MatrixXd(square + bulwark::projected<12>(whole - square, Psd::clamp));
  };
  s.projects_parts = true;
  return s;
}

/// Two nearly parallel edges whose mollifier is active, with closest features of any kind.
StencilSample mollified_sample(std::mt19937& random, double scale) {
  const BarrierRange range{0.1 * scale, 0};
  const double distance = between(random, 0.02, 0.08) * scale;
  const double shift = between(random, -0.5, 0.5) * scale;
  const double angle = between(random, 0.006, 0.015);
  const Matrix3 rotation = random_rotation(random);
  Points x = {Vector3::Zero(), Vector3(scale, 0, 0), Vector3(shift, distance, -0.3 * angle * scale),
              Vector3(shift + scale, distance, 0.7 * angle * scale)};
  for (Vector3& v : x) v = rotation * v;
  const double eps = edge_mollifier_threshold(x[0], x[1], x[2], x[3]);
  const ClosestFeatures features = edge_edge_features(x[0], x[1], x[2], x[3]);
  StencilSample s;
  s.x = flattened(x, 4);
  s.scale = scale;
  s.step = 0.2 * angle * distance;  // the closest points run along the edges as the angle changes
  s.energy = [=](const Eigen::VectorXd& v) {
    const Points p = points(v);
    const double D = closest_points_of_pair(features, p.data()).squared_distance();
    return contact_energy(normal_barrier(D, range), 3 * edge_mollifier(p.data(), eps));
  };
  s.gradient = [=](const Eigen::VectorXd& v) {
    const Points p = points(v);
    const ClosestPoints c = closest_points_of_pair(features, p.data());
    return Eigen::VectorXd(
        mollified_contact_gradient(p.data(), c, eps, normal_barrier(c.squared_distance(), range), 3));
  };
  s.hessian = [=](const Eigen::VectorXd& v, bool projected) {
    const Points p = points(v);
    const Psd psd = projected ? Psd::clamp : Psd::none;
    return Eigen::MatrixXd(
        3 * mollified_contact_hessian(p.data(), sliding_points_of_pair(features, p.data()), eps, range, psd));
  };
  return s;
}

/// Slip from deep inside the static range to far beyond it.
StencilSample friction_sample(std::mt19937& random, double scale) {
  const double eps = 1e-3 * scale;
  FrictionPair pair;
  pair.strength = between(random, 0.1, 10);
  const double s1 = between(random, 0, 0.5), s2 = between(random, 0, 0.5);
  pair.weight << 1, s1 + s2 - 1, -s1, -s2;
  pair.tangent = tangent_plane(random_vector(random, 1));
  const double wanted =
      eps * (between(random, 0, 1) < 0.5 ? between(random, 0.05, 0.9) : between(random, 1.2, 20));
  Points displacement;
  for (Vector3& v : displacement) v = random_vector(random, 1);
  const double slip = friction_slip(pair, displacement.data(), 4).norm();
  for (Vector3& v : displacement) v *= wanted / slip;
  StencilSample s;
  s.x = flattened(displacement, 4);
  s.scale = scale;
  s.step = 0.05 * eps;
  s.energy = [=](const Eigen::VectorXd& v) {
    return friction_energy(pair, friction_slip(pair, points(v).data(), 4), eps);
  };
  s.gradient = [=](const Eigen::VectorXd& v) {
    const Vector3 g = friction_gradient(pair, friction_slip(pair, points(v).data(), 4), eps);
    Eigen::VectorXd all(12);
    for (int i = 0; i < 4; ++i) all.segment<3>(3 * i) = pair.weight[i] * g;
    return all;
  };
  s.hessian = [=](const Eigen::VectorXd& v, bool) {
    const Matrix3 h = friction_hessian(pair, friction_slip(pair, points(v).data(), 4), eps);
    Eigen::MatrixXd all(12, 12);
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) all.block<3, 3>(3 * i, 3 * j) = pair.weight[i] * pair.weight[j] * h;
    }
    return all;
  };
  return s;
}

/// A patch of hydroelastic contact that is pressed, or has parted; with damping, which ends either before the pressure
/// or after it, and without.
StencilSample pressure_patch_sample(std::mt19937& random, double scale) {
  const double kind = between(random, 0, 3);
  PressurePatch patch;
  patch.stiffness = between(random, 0.1, 10);
  patch.release = between(random, 0.2, 1) * scale;
  patch.damping =
      kind < 1 ? 0 : (kind < 2 ? between(random, 0.1, 0.9) : between(random, 1.2, 5)) / patch.release;
  const double end = pressure_patch_end(patch);
  const bool parted = between(random, 0, 1) < 0.2;
  const double u = parted ? end + between(random, 0.2, 1) * scale : end - between(random, 0.2, 2) * scale;
  const Vector3 normal = random_vector(random, 1).normalized();
  const auto parting = [=](const Eigen::VectorXd& v) { return normal.dot(v.head<3>() - v.tail<3>()); };
  StencilSample s;
  s.x.resize(6);
  s.x.tail<3>() = random_vector(random, scale);
  s.x.head<3>() = s.x.tail<3>() + u * normal;
  s.scale = scale;
  s.step = 0.1 * scale;
  s.energy = [=](const Eigen::VectorXd& v) { return pressure_patch_energy(patch, parting(v)); };
  s.gradient = [=](const Eigen::VectorXd& v) {
    const Vector3 g = -pressure_patch_force(patch, parting(v)) * normal;
    Eigen::VectorXd all(6);
    all << g, -g;
    return all;
  };
  s.hessian = [=](const Eigen::VectorXd& v, bool) {
    const Matrix3 h = pressure_patch_curvature(patch, parting(v)) * normal * normal.transpose();
    Eigen::MatrixXd all(6, 6);
    all << h, -h, -h, h;
    return all;
  };
  return s;
}

/// A round body that turns, on another one: its vertex, a vertex of the other, and the columns of both matrices.
StencilSample rolling_friction_sample(std::mt19937& random, double scale) {
  const double eps = 1e-3 * scale;
  FrictionPair pair;
  pair.strength = between(random, 0.1, 10);
  pair.weight << 1, -1, 0, 0;
  const Vector3 normal = random_vector(random, 1).normalized();
  pair.tangent = tangent_plane(normal);
  std::array<Matrix3, 2> expected;
  for (int side = 0; side < 2; ++side) {
    const Vector3 turn = random_vector(random, 1);
    expected[side] = rotation_matrix(turn) * random_rotation(random);
    set_lever(pair, side, -between(random, 0.1, 2) * scale * normal, turn, expected[side]);
  }
  const double wanted =
      eps * (between(random, 0, 1) < 0.5 ? between(random, 0.05, 0.9) : between(random, 1.2, 20));
  // What the expected turns slip by is made up for by displacements.
  Points displacement = {Vector3::Zero(), Vector3::Zero(), Vector3::Zero(), Vector3::Zero()};
  const Vector2 of_turns = friction_slip(pair, displacement.data(), 2, expected.data());
  displacement[0] = pair.tangent * (wanted * Vector2(0.6, 0.8) - of_turns);
  StencilSample s;
  s.x.resize(24);
  s.x << displacement[0], displacement[1], expected[0].reshaped(), expected[1].reshaped();
  s.scale = scale;
  s.step = 0.05 * eps / std::max(1.0, 2 * scale);
  auto slip_at = [=](const Eigen::VectorXd& v) {
    const Vector3 moved[2] = {v.segment<3>(0), v.segment<3>(3)};
    const Matrix3 turned[2] = {v.segment<9>(6).reshaped(3, 3), v.segment<9>(15).reshaped(3, 3)};
    return friction_slip(pair, moved, 2, turned);
  };
  Eigen::VectorXd weight(8);
  weight << 1, -1, pair.lever[0], pair.lever[1];
  s.energy = [=](const Eigen::VectorXd& v) { return friction_energy(pair, slip_at(v), eps); };
  s.gradient = [=](const Eigen::VectorXd& v) {
    return Eigen::VectorXd((friction_gradient(pair, slip_at(v), eps) * weight.transpose()).reshaped());
  };
  s.hessian = [=](const Eigen::VectorXd& v, bool) {
    const Matrix3 h = friction_hessian(pair, slip_at(v), eps);
    Eigen::MatrixXd all(24, 24);
    for (int i = 0; i < 8; ++i) {
      for (int j = 0; j < 8; ++j) all.block<3, 3>(3 * i, 3 * j) = weight[i] * weight[j] * h;
    }
    return all;
  };
  return s;
}

/// Rolling and spinning resistance in the columns of two bodies' matrices.
StencilSample rolling_resistance_sample(std::mt19937& random, double) {
  const double eps = 1e-2;
  RollingPair pair;
  set_rolling_axes(pair, random_vector(random, 1), between(random, 0.1, 10), between(random, 0.1, 10));
  std::array<Matrix3, 2> a;
  const double wanted =
      eps * (between(random, 0, 1) < 0.5 ? between(random, 0.05, 0.5) : between(random, 5, 20));
  const Vector3 common = random_vector(random, 1), apart = random_vector(random, 1).normalized();
  for (int side = 0; side < 2; ++side) {
    const Vector3 turn = common + (side == 0 ? Vector3(wanted * apart) : Vector3::Zero());
    a[side] = rotation_matrix(turn) * random_rotation(random);
    set_turning_side(pair, side, turn, a[side]);
  }
  StencilSample s;
  s.x.resize(18);
  s.x << a[0].reshaped(), a[1].reshaped();
  s.scale = 1;
  s.step = 0.01 * eps;
  auto turn_at = [=](const Eigen::VectorXd& v) {
    const Matrix3 at[2] = {v.segment<9>(0).reshaped(3, 3), v.segment<9>(9).reshaped(3, 3)};
    return relative_turn(pair, at);
  };
  Eigen::Matrix<double, 3, 18> J;
  for (int k = 0; k < 6; ++k) J.middleCols<3>(3 * k) = turn_derivative(pair, k / 3, k % 3);
  s.energy = [=](const Eigen::VectorXd& v) { return rolling_energy(pair, turn_at(v), eps); };
  s.gradient = [=](const Eigen::VectorXd& v) {
    return Eigen::VectorXd(J.transpose() * rolling_gradient(pair, turn_at(v), eps));
  };
  s.hessian = [=](const Eigen::VectorXd& v, bool) {
    return Eigen::MatrixXd(J.transpose() * rolling_hessian(pair, turn_at(v), eps) * J);
  };
  return s;
}

/// A patch that holds, slips or has come apart, away from where one becomes the other.
StencilSample patch_sample(std::mt19937& random, double scale) {
  const Vector3 normal = random_vector(random, 1).normalized();
  PatchSpring spring;
  spring.normal = normal;
  spring.force = between(random, 0.1, 10);
  spring.tangential_stiffness = between(random, 0.1, 10) / scale;
  spring.limit = between(random, 0.1, 10);
  spring.drag = between(random, 0, 1) < 0.5 ? 0 : between(random, 0.1, 10) / scale;
  spring.stiffness = between(random, 0.1, 10) / scale;
  const Vector3 along = any_perpendicular(normal);
  spring.traction = between(random, 0, 1) * spring.limit * along;
  const bool slips = between(random, 0, 1) < 0.5, apart = between(random, 0, 1) < 0.2;
  const Vector3 traction = spring.limit * (slips ? between(random, 1.2, 20) : between(random, 0, 0.8)) *
                           (along + 0.5 * normal.cross(along)).normalized();
  const double sunk =
      apart ? -between(random, 1.2, 3) * spring.force : between(random, -0.8, 3) * spring.force;
  StencilSample s;
  s.x = (traction - spring.traction) / spring.tangential_stiffness - sunk / spring.stiffness * normal;
  s.scale = scale;
  s.step = 0.02 * std::min(spring.force / spring.stiffness, spring.limit / spring.tangential_stiffness);
  s.energy = [=](const Eigen::VectorXd& u) { return patch_energy(spring, u); };
  s.gradient = [=](const Eigen::VectorXd& u) { return Eigen::VectorXd(patch_gradient(spring, u)); };
  s.hessian = [=](const Eigen::VectorXd& u, bool) { return Eigen::MatrixXd(patch_hessian(spring, u)); };
  return s;
}

Matrix3 random_semi_definite(std::mt19937& random) {
  Matrix3 K = Matrix3::Zero();
  for (int k = 0; k < 3; ++k) {
    const Vector3 v = random_vector(random, 1);
    K += v * v.transpose();
  }
  return K;
}

/// Springs K between points of two rigid bodies, and between vectors that turn with them, in small motions
/// (c_a, w_a, c_b, w_b) of the bodies.
StencilSample rigid_pair_sample(std::mt19937& random, double) {
  RigidPairSum sum;
  Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(12, 12);
  for (int contact = 0; contact < 3; ++contact) {
    const Vector3 r_a = random_vector(random, 1), r_b = random_vector(random, 1);
    const Matrix3 K = random_semi_definite(random);
    sum.add(r_a, r_b, K);
    Eigen::Matrix<double, 3, 12> J;
    J << Matrix3::Identity(), -cross_matrix(r_a), -Matrix3::Identity(), cross_matrix(r_b);
    whole += J.transpose() * K * J;
    const Vector3 u = random_vector(random, 1), v = random_vector(random, 1);
    const Matrix3 uu = random_semi_definite(random), vv = random_semi_definite(random);
    const Matrix3 uv = 0.1 * random_rotation(random);
    sum.add_vectors(u, v, uu, uv, vv);
    Eigen::Matrix<double, 3, 12> U = Eigen::Matrix<double, 3, 12>::Zero(), V = U;
    U.block<3, 3>(0, 3) = -cross_matrix(u);
    V.block<3, 3>(0, 9) = -cross_matrix(v);
    whole += U.transpose() * uu * U + U.transpose() * uv * V + V.transpose() * uv.transpose() * U +
             V.transpose() * vv * V;
  }
  StencilSample s;
  s.x = Eigen::VectorXd::Random(12);
  s.energy = [=](const Eigen::VectorXd& v) { return 0.5 * v.dot(whole * v); };
  s.gradient = [=](const Eigen::VectorXd& v) { return Eigen::VectorXd(whole * v); };
  s.hessian = [=](const Eigen::VectorXd&, bool) {
    Eigen::MatrixXd h(12, 12);
    h << sum.K, sum.lever_a.transpose(), -sum.K, -sum.lever_b.transpose(),  //
        sum.lever_a, sum.aa, -sum.lever_a, -sum.ab,                         //
        -sum.K, -sum.lever_a.transpose(), sum.K, sum.lever_b.transpose(),   //
        -sum.lever_b, -sum.ab.transpose(), sum.lever_b, sum.bb;
    return h;
  };
  return s;
}

/// The same between points of two affine bodies, in their 4 + 4 controls.
StencilSample affine_pair_sample(std::mt19937& random, double) {
  AffinePairSum sum;
  Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(24, 24);
  for (int contact = 0; contact < 3; ++contact) {
    Eigen::Vector4d s_a, s_b;
    s_a << 1, random_vector(random, 1);
    s_b << -1, random_vector(random, 1);
    const Matrix3 K = random_semi_definite(random);
    sum.add(s_a, s_b, K);
    Eigen::Matrix<double, 3, 24> J;
    for (int i = 0; i < 4; ++i) {
      J.block<3, 3>(0, 3 * i) = s_a[i] * Matrix3::Identity();
      J.block<3, 3>(0, 12 + 3 * i) = s_b[i] * Matrix3::Identity();
    }
    whole += J.transpose() * K * J;
  }
  StencilSample s;
  s.x = Eigen::VectorXd::Random(24);
  s.energy = [=](const Eigen::VectorXd& v) { return 0.5 * v.dot(whole * v); };
  s.gradient = [=](const Eigen::VectorXd& v) { return Eigen::VectorXd(whole * v); };
  s.hessian = [=](const Eigen::VectorXd&, bool) {
    Eigen::MatrixXd h(24, 24);
    int own = 0;
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        const Matrix3 mutual = AffinePairSum::block(sum.ab.col(4 * i + j));
        h.block<3, 3>(3 * i, 12 + 3 * j) = mutual;
        h.block<3, 3>(12 + 3 * j, 3 * i) = mutual.transpose();
      }
      for (int j = i; j < 4; ++j, ++own) {
        const Matrix3 aa = AffinePairSum::block(sum.aa.col(own)), bb = AffinePairSum::block(sum.bb.col(own));
        h.block<3, 3>(3 * i, 3 * j) = h.block<3, 3>(3 * j, 3 * i) = aa;
        h.block<3, 3>(12 + 3 * i, 12 + 3 * j) = h.block<3, 3>(12 + 3 * j, 12 + 3 * i) = bb;
      }
    }
    return h;
  };
  return s;
}

}  // namespace

std::vector<RegisteredStencil> contact_stencils() {
  auto contact = [](PairKind kind, double closest, double minimum_distance) {
    return [=](std::mt19937& random, double scale) {
      return contact_sample(random, scale, kind, closest, minimum_distance);
    };
  };
  return {
      {"PointPoint", contact(PairKind::point_point, 0.1, 0)},
      {"PointEdge", contact(PairKind::point_edge, 0.1, 0)},
      {"PointTriangle", contact(PairKind::point_triangle, 0.1, 0)},
      {"EdgeEdge", contact(PairKind::edge_edge, 0.1, 0)},
      {"PointPlane", contact(PairKind::point_plane, 0.1, 0)},
      {"NearlyTouchingPointPoint", contact(PairKind::point_point, 1e-4, 0)},
      {"NearlyTouchingPointEdge", contact(PairKind::point_edge, 1e-4, 0)},
      {"NearlyTouchingPointTriangle", contact(PairKind::point_triangle, 1e-4, 0)},
      {"NearlyTouchingEdgeEdge", contact(PairKind::edge_edge, 1e-4, 0)},
      {"NearlyTouchingPointPlane", contact(PairKind::point_plane, 1e-4, 0)},
      {"ThickPointTriangle", contact(PairKind::point_triangle, 0.1, 0.02)},
      {"ThickEdgeEdge", contact(PairKind::edge_edge, 0.1, 0.02)},
      {"RoundPointPoint", contact(PairKind::point_point, 0.1, 3)},
      {"RoundPointEdge", contact(PairKind::point_edge, 0.1, 3)},
      {"RoundPointTriangle", contact(PairKind::point_triangle, 0.1, 3)},
      {"RoundEdgeEdge", contact(PairKind::edge_edge, 0.1, 3)},
      {"RoundPointPlane", contact(PairKind::point_plane, 0.1, 3)},
      {"PointTriangleByFeatures",
       [](std::mt19937& random, double scale) { return pair_sample(random, scale, false); }},
      {"EdgeEdgeByFeatures",
       [](std::mt19937& random, double scale) { return pair_sample(random, scale, true); }},
      {"Barrier", barrier_sample},
      {"NormalBarrier", normal_barrier_sample},
      {"EdgeMollifier", mollifier_sample},
      {"MollifiedEdgeEdge", mollified_sample},
      {"Friction", friction_sample},
      {"PressurePatch", pressure_patch_sample},
      {"RollingFriction", rolling_friction_sample},
      {"RollingResistance", rolling_resistance_sample},
      {"PatchSpring", patch_sample},
      {"RigidPair", rigid_pair_sample},
      {"AffinePair", affine_pair_sample},
  };
}

}  // namespace bulwark::test
