// The lines of solids, stiff bodies and joints in the derivative test, and the list of all.
#include "stencils/sampling.hpp"

#include <bulwark/stencils/joint_coordinate.hpp>
#include <bulwark/stencils/joint_potential.hpp>
#include <bulwark/stencils/kelvin_voigt.hpp>
#include <bulwark/stencils/orthogonality.hpp>
#include <bulwark/stencils/tetrahedron.hpp>

namespace bulwark::test {
namespace {

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

/// The work of viscosity in the velocities, at some deformed shape.
StencilSample kelvin_voigt_sample(std::mt19937& random, double scale) {
  StencilSample s = tetrahedron_sample<NeoHookean>(random, scale);
  Points X = {Vector3::Zero(), scale * Vector3(1, 0.1, 0), scale * Vector3(0, 1, 0.2),
              scale * Vector3(0.1, 0, 1)};
  const Eigen::Matrix<double, 12, 12> C = kelvin_voigt_resistance(
      tetrahedron_rest(X.data()), {between(random, 0, 10), between(random, 0, 10)}, points(s.x).data());
  s.energy = [=](const Eigen::VectorXd& v) { return 0.5 * v.dot(C * v); };
  s.gradient = [=](const Eigen::VectorXd& v) { return Eigen::VectorXd(C * v); };
  s.hessian = [=](const Eigen::VectorXd&, bool) { return Eigen::MatrixXd(C); };
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
        bulwark::projected<9>(joint_hessian(d, p.first, p.second), projected ? Psd::clamp : Psd::none);
    return Eigen::MatrixXd(h.topLeftCorner(3 * count, 3 * count));
  };
  return s;
}

}  // namespace

std::vector<RegisteredStencil> registered_stencils() {
  auto on_joint = [](JointMeasure measure, bool range) {
    return [=](std::mt19937& random, double scale) { return joint_sample(random, scale, measure, range); };
  };
  std::vector<RegisteredStencil> all = {
      {"NeoHookeanTetrahedron", tetrahedron_sample<NeoHookean>},
      {"FixedCorotationalTetrahedron", tetrahedron_sample<FixedCorotational>},
      {"SaintVenantKirchhoffTetrahedron", tetrahedron_sample<SaintVenantKirchhoff>},
      {"LinearTetrahedron", linear_tetrahedron_sample},
      {"Orthogonality", orthogonality_sample},
      {"SlideSpring", on_joint(JointMeasure::dot, false)},
      {"SlideRange", on_joint(JointMeasure::dot, true)},
      {"LengthSpring", on_joint(JointMeasure::length, false)},
      {"LengthRange", on_joint(JointMeasure::length, true)},
      {"AngleSpring", on_joint(JointMeasure::angle, false)},
      {"AngleRange", on_joint(JointMeasure::angle, true)},
      {"TiltSpring", on_joint(JointMeasure::tilt, false)},
      {"TiltRange", on_joint(JointMeasure::tilt, true)},
      {"KelvinVoigt", kelvin_voigt_sample},
  };
  for (const std::vector<RegisteredStencil>& more : {contact_stencils(), thin_stencils()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace bulwark::test
