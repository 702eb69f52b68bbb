// Every stencil's line in the derivative test.
#include "stencils/derivative_check.hpp"

#include <bulwark/stencils/contact_barrier.hpp>
#include <bulwark/stencils/dihedral_angle.hpp>
#include <bulwark/stencils/friction.hpp>
#include <bulwark/stencils/joint_coordinate.hpp>
#include <bulwark/stencils/joint_potential.hpp>
#include <bulwark/stencils/membrane.hpp>
#include <bulwark/stencils/orthogonality.hpp>
#include <bulwark/stencils/rod_bend_twist.hpp>
#include <bulwark/stencils/rod_stretch.hpp>
#include <bulwark/stencils/tetrahedron.hpp>

#include <array>

namespace bulwark::test {
namespace {

using Points = std::array<Vector3, 4>;

Points points(const Eigen::VectorXd& x) {
  Points p;
  for (int i = 0; i < 4; ++i) p[i] = 3 * i + 2 < x.size() ? Vector3(x.segment<3>(3 * i)) : Vector3::Zero();
  return p;
}

Eigen::VectorXd flattened(const Points& p, int count) {
  Eigen::VectorXd x(3 * count);
  for (int i = 0; i < count; ++i) x.segment<3>(3 * i) = p[i];
  return x;
}

Vector3 random_vector(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  return {uniform(random), uniform(random), uniform(random)};
}

double between(std::mt19937& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

/// A random rotation.
Matrix3 random_rotation(std::mt19937& random) {
  return Eigen::Quaterniond::FromTwoVectors(random_vector(random, 1), random_vector(random, 1))
      .toRotationMatrix();
}

template <class Model>
StencilSample tetrahedron_sample(std::mt19937& random, double scale) {
  Points X = {Vector3::Zero(), scale * Vector3(1, 0.1, 0), scale * Vector3(0, 1, 0.2),
              scale * Vector3(0.1, 0, 1)};
  for (Vector3& v : X) v += random_vector(random, 0.1 * scale);
  const TetRest rest = tetrahedron_rest(X.data());
  const LameConstants m = lame_constants(between(random, 1e3, 1e7), between(random, 0, 0.45));
  // From nearly at rest to strongly deformed, rotated.
  const double strain = between(random, 0, 1) < 0.3 ? 1e-3 : 0.35;
  const Matrix3 rotation = random_rotation(random);
  Points x;
  for (int i = 0; i < 4; ++i) x[i] = rotation * (X[i] + random_vector(random, strain * 0.5 * scale));
  StencilSample s;
  s.x = flattened(x, 4);
  s.scale = s.step = 0.3 * scale;
  s.energy = [=](const Eigen::VectorXd& v) { return tetrahedron_energy<Model>(rest, m, points(v).data()); };
  s.gradient = [=](const Eigen::VectorXd& v) {
    const Eigen::Matrix<double, 3, 4> g = tetrahedron_gradient<Model>(rest, m, points(v).data());
    return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(g.data(), 12));
  };
  s.hessian = [=](const Eigen::VectorXd& v, bool projected) {
    return Eigen::MatrixXd(
        tetrahedron_hessian<Model>(rest, m, points(v).data(), projected ? Psd::clamp : Psd::none));
  };
  return s;
}

StencilSample linear_tetrahedron_sample(std::mt19937& random, double scale) {
  StencilSample s = tetrahedron_sample<NeoHookean>(random, scale);
  Points X = {Vector3::Zero(), scale * Vector3(1, 0.1, 0), scale * Vector3(0, 1, 0.2),
              scale * Vector3(0.1, 0, 1)};
  const TetRest rest = tetrahedron_rest(X.data());
  const LameConstants m = lame_constants(1e5, 0.3);
  s.energy = [=](const Eigen::VectorXd& v) { return linear_tetrahedron_energy(rest, m, points(v).data()); };
  s.gradient = [=](const Eigen::VectorXd& v) {
    const Eigen::Matrix<double, 3, 4> g = linear_tetrahedron_gradient(rest, m, points(v).data());
    return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(g.data(), 12));
  };
  s.hessian = [=](const Eigen::VectorXd&, bool) {
    return Eigen::MatrixXd(linear_tetrahedron_hessian(rest, m));
  };
  return s;
}

/// A contact pair of `kind` at a distance between `closest` and 1 times d-hat = scale / 10.
StencilSample contact_sample(std::mt19937& random, double scale, PairKind kind, double closest,
                             double minimum_distance) {
  const double dhat = 0.1 * scale;
  const BarrierRange range{dhat, minimum_distance * scale};
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
  StencilSample s;
  s.x = flattened(x, count);
  s.scale = scale;
  s.step = std::min(distance - range.minimum_distance, 0.3 * scale) * 0.5;
  s.energy = [=](const Eigen::VectorXd& v) {
    return contact_energy(closest_points(kind, points(v).data(), normal).squared_distance(), range);
  };
  s.gradient = [=](const Eigen::VectorXd& v) {
    return Eigen::VectorXd(
        contact_gradient(closest_points(kind, points(v).data(), normal), range).head(3 * count));
  };
  s.hessian = [=](const Eigen::VectorXd& v, bool projected) {
    return Eigen::MatrixXd(contact_hessian(sliding_points(kind, points(v).data(), normal), range,
                                           projected ? Psd::clamp : Psd::none)
                               .topLeftCorner(3 * count, 3 * count));
  };
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
    return mollified_contact_energy(p.data(), closest_points_of_pair(features, p.data()), eps, range);
  };
  s.gradient = [=](const Eigen::VectorXd& v) {
    const Points p = points(v);
    return Eigen::VectorXd(
        mollified_contact_gradient(p.data(), closest_points_of_pair(features, p.data()), eps, range));
  };
  s.hessian = [=](const Eigen::VectorXd& v, bool projected) {
    const Points p = points(v);
    return Eigen::MatrixXd(mollified_contact_hessian(p.data(), sliding_points_of_pair(features, p.data()),
                                                     eps, range, projected ? Psd::clamp : Psd::none));
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

/// `scale` has no meaning here: A is without unit.
StencilSample orthogonality_sample(std::mt19937& random, double) {
  const double k = between(random, 1, 1e8), strain = between(random, 0, 1) < 0.3 ? 1e-3 : 0.3;
  Matrix3 A = random_rotation(random);
  for (int i = 0; i < 3; ++i) A.col(i) += random_vector(random, strain);
  StencilSample s;
  s.x = Eigen::Map<const Eigen::VectorXd>(A.data(), 9);
  s.scale = s.step = 0.3;
  s.projects_parts = true;
  auto matrix = [](const Eigen::VectorXd& v) { return Matrix3(Eigen::Map<const Matrix3>(v.data())); };
  s.energy = [=](const Eigen::VectorXd& v) { return orthogonality_energy(matrix(v), k); };
  s.gradient = [=](const Eigen::VectorXd& v) {
    const Matrix3 g = orthogonality_gradient(matrix(v), k);
    return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(g.data(), 9));
  };
  s.hessian = [=](const Eigen::VectorXd& v, bool projected) {
    return Eigen::MatrixXd(orthogonality_hessian(matrix(v), k, projected ? Psd::clamp : Psd::none));
  };
  return s;
}

/// A triangle of a shell: in a plane, bent out of it or compressed; where it has a strain limit, beyond the
/// stretch at which that begins to act.
StencilSample membrane_sample(std::mt19937& random, double scale, bool limited) {
  Points X = {Vector3::Zero(), scale * Vector3(1, 0.1, 0), scale * Vector3(0.2, 1, 0.2), Vector3::Zero()};
  for (Vector3& v : X) v += random_vector(random, 0.1 * scale);
  const MembraneRest rest = membrane_rest(X.data(), 1e-3);
  MembraneMaterial m;
  const double young = between(random, 1e3, 1e7);
  m.lame = plane_stress_constants(young, between(random, 0, 0.45));
  const double strain = between(random, 0, 1) < 0.3 ? 1e-3 : 0.3;
  const Matrix3 rotation = random_rotation(random);
  Points x;
  for (int i = 0; i < 4; ++i) x[i] = rotation * (X[i] + random_vector(random, strain * 0.5 * scale));
  if (limited) {
    const double reached = largest_stretch(deformation_gradient(rest, x.data()));
    const double larger = between(random, 1.15, 1.3);
    for (Vector3& v : x) v *= larger / reached;
    m.limit = {larger + between(random, 0.05, 0.8) * (larger - 1), young};
  }
  StencilSample s;
  s.x = flattened(x, 3);
  s.scale = s.step = (limited ? 0.03 : 0.3) * scale;
  s.energy = [=](const Eigen::VectorXd& v) { return membrane_energy(rest, m, points(v).data()); };
  s.gradient = [=](const Eigen::VectorXd& v) {
    const Matrix3 g = membrane_gradient(rest, m, points(v).data());
    return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(g.data(), 9));
  };
  s.hessian = [=](const Eigen::VectorXd& v, bool projected) {
    return Eigen::MatrixXd(membrane_hessian(rest, m, points(v).data(), projected ? Psd::clamp : Psd::none));
  };
  return s;
}

/// Two triangles with a common edge, from nearly flat to folded.
StencilSample hinge_sample(std::mt19937& random, double scale) {
  Points X = {Vector3::Zero(), scale * Vector3(1, 0.1, 0), scale * Vector3(0.4, 0.8, 0),
              scale * Vector3(0.6, -0.7, 0)};
  const double rest = between(random, -0.5, 0.5), weight = between(random, 1e-3, 10);
  const double angle = between(random, -2.5, 2.5);
  X[3] = scale * Vector3(0.6, -0.7 * std::cos(angle), 0.7 * std::sin(angle));
  const Matrix3 rotation = random_rotation(random);
  for (Vector3& v : X) v = rotation * (v + random_vector(random, 0.1 * scale));
  StencilSample s;
  s.x = flattened(X, 4);
  s.scale = s.step = 0.3 * scale;
  auto bend = [=](const Eigen::VectorXd& v) { return dihedral_angle(points(v).data()) - rest; };
  s.energy = [=](const Eigen::VectorXd& v) { return 0.5 * weight * bend(v) * bend(v); };
  s.gradient = [=](const Eigen::VectorXd& v) {
    const Eigen::Matrix<double, 3, 4> g = weight * bend(v) * dihedral_gradient(points(v).data());
    return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(g.data(), 12));
  };
  s.hessian = [=](const Eigen::VectorXd& v, bool projected) {
    return Eigen::MatrixXd(
        dihedral_hessian(points(v).data(), weight * bend(v), weight, projected ? Psd::clamp : Psd::none));
  };
  return s;
}

StencilSample rod_stretch_sample(std::mt19937& random, double scale) {
  const RodStretchRest rest = {scale, between(random, 1, 1e5)};
  const Vector3 e = between(random, 0.5, 1.5) * scale * random_vector(random, 1).normalized();
  StencilSample s;
  s.x = e;
  s.scale = s.step = 0.3 * scale;
  s.energy = [=](const Eigen::VectorXd& v) { return rod_stretch_energy(rest, v); };
  s.gradient = [=](const Eigen::VectorXd& v) { return Eigen::VectorXd(rod_stretch_gradient(rest, v)); };
  s.hessian = [=](const Eigen::VectorXd& v, bool projected) {
    return Eigen::MatrixXd(rod_stretch_hessian(rest, v, projected ? Psd::clamp : Psd::none));
  };
  return s;
}

/// A vertex of a rod that was bent at rest, and has bent, turned and twisted since the start of the step.
StencilSample rod_vertex_sample(std::mt19937& random, double scale) {
  const Vector3 E0 = scale * Vector3(1, 0, 0) + random_vector(random, 0.4 * scale),
                E1 = scale * Vector3(0.8, 0.3, 0) + random_vector(random, 0.4 * scale);
  std::array<RodFrame, 2> frames = {RodFrame{E0.normalized(), E0.unitOrthogonal()},
                                    RodFrame{E1.normalized(), E1.unitOrthogonal()}};
  const RodVertexRest rest = rod_vertex_rest(E0, E1, frames.data(), between(random, 0.1, 1) * scale,
                                             between(random, 0.1, 1) * scale);
  RodVariables x;
  x << E0 + random_vector(random, 0.3 * scale), E1 + random_vector(random, 0.3 * scale),
      between(random, -1, 1) * scale, between(random, -1, 1) * scale;
  StencilSample s;
  s.x = x;
  s.scale = s.step = 0.3 * scale;
  s.energy = [=](const Eigen::VectorXd& v) { return rod_vertex_energy(rest, frames.data(), v); };
  s.gradient = [=](const Eigen::VectorXd& v) {
    return Eigen::VectorXd(rod_vertex_jet(rest, frames.data(), v).gradient);
  };
  s.hessian = [=](const Eigen::VectorXd& v, bool clamped) {
    const RodJet jet = rod_vertex_jet(rest, frames.data(), v);
    return Eigen::MatrixXd(clamped ? projected<8>(jet.hessian, Psd::clamp) : jet.hessian);
  };
  return s;
}

/// A spring on a joint's coordinate, or its range. Directions have no unit: `scale` counts for lengths alone.
StencilSample joint_sample(std::mt19937& random, double scale, JointMeasure measure, bool range) {
  const double size = measure == JointMeasure::length || measure == JointMeasure::dot ? scale : 1;
  const Matrix3 frame = random_rotation(random);
  JointVectors vectors;
  vectors.w = size * (frame * Vector3(0.8, 0.4, 0.3) + random_vector(random, 0.1));
  vectors.u = frame.col(0) + random_vector(random, 0.05);
  vectors.v = frame.col(1) + random_vector(random, 0.05);
  const int count = measure == JointMeasure::length ? 1 : measure == JointMeasure::angle ? 3 : 2;
  const double c = joint_coordinate(measure, vectors, 0);
  JointPotential potential;
  potential.stiffness = between(random, 1, 1e3);
  potential.target = c + size * between(random, -0.3, 0.3);
  if (range) {
    potential.kind = JointPotentialKind::range;
    potential.width = 0.3 * size;
    potential.low = c - size * between(random, 0.05, 0.25);
    potential.high = c + size * between(random, 0.05, 0.25);
  }
  auto unpacked = [=](const Eigen::VectorXd& x) {
    JointVectors v = vectors;
    v.w = x.segment<3>(0);
    if (count > 1) v.u = x.segment<3>(3);
    if (count > 2) v.v = x.segment<3>(6);
    return v;
  };
  StencilSample s;
  s.x.resize(3 * count);
  s.x.segment<3>(0) = vectors.w;
  if (count > 1) s.x.segment<3>(3) = vectors.u;
  if (count > 2) s.x.segment<3>(6) = vectors.v;
  // Where lengths and directions meet, the step suits the smaller.
  s.scale = s.step = (range ? 0.05 : 0.3) * std::min(size, 1.0);
  s.energy = [=](const Eigen::VectorXd& x) {
    return joint_potential(potential, joint_coordinate(measure, unpacked(x), c)).value;
  };
  s.gradient = [=](const Eigen::VectorXd& x) {
    const JointDerivatives d = joint_derivatives(measure, unpacked(x), c);
    return Eigen::VectorXd(joint_potential(potential, d.value).first * d.gradient.head(3 * count));
  };
  s.hessian = [=](const Eigen::VectorXd& x, bool projected) {
    const JointDerivatives d = joint_derivatives(measure, unpacked(x), c);
    const JointPotentialDerivatives p = joint_potential(potential, d.value);
    const Matrix9 h =
        bulwark::projected<9>(p.second * d.gradient * d.gradient.transpose() + p.first * d.hessian,
                              projected ? Psd::clamp : Psd::none);
    return Eigen::MatrixXd(h.topLeftCorner(3 * count, 3 * count));
  };
  return s;
}

}  // namespace

std::vector<RegisteredStencil> registered_stencils() {
  auto on_joint = [](JointMeasure measure, bool range) {
    return [=](std::mt19937& random, double scale) { return joint_sample(random, scale, measure, range); };
  };
  auto contact = [](PairKind kind, double closest, double minimum_distance) {
    return [=](std::mt19937& random, double scale) {
      return contact_sample(random, scale, kind, closest, minimum_distance);
    };
  };
  return {
      {"NeoHookeanTetrahedron", tetrahedron_sample<NeoHookean>},
      {"FixedCorotationalTetrahedron", tetrahedron_sample<FixedCorotational>},
      {"SaintVenantKirchhoffTetrahedron", tetrahedron_sample<SaintVenantKirchhoff>},
      {"LinearTetrahedron", linear_tetrahedron_sample},
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
      {"MollifiedEdgeEdge", mollified_sample},
      {"Friction", friction_sample},
      {"Orthogonality", orthogonality_sample},
      {"SlideSpring", on_joint(JointMeasure::dot, false)},
      {"SlideRange", on_joint(JointMeasure::dot, true)},
      {"LengthSpring", on_joint(JointMeasure::length, false)},
      {"LengthRange", on_joint(JointMeasure::length, true)},
      {"AngleSpring", on_joint(JointMeasure::angle, false)},
      {"AngleRange", on_joint(JointMeasure::angle, true)},
      {"TiltSpring", on_joint(JointMeasure::tilt, false)},
      {"TiltRange", on_joint(JointMeasure::tilt, true)},
      {"Membrane", [](std::mt19937& random, double scale) { return membrane_sample(random, scale, false); }},
      {"MembraneWithStrainLimit",
       [](std::mt19937& random, double scale) { return membrane_sample(random, scale, true); }},
      {"DihedralAngle", hinge_sample},
      {"RodStretch", rod_stretch_sample},
      {"RodVertex", rod_vertex_sample},
  };
}

}  // namespace bulwark::test
