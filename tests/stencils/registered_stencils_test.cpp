// The lines of stiff bodies and joints in the derivative test, and the list of all.
#include "stencils/sampling.hpp"

#include <bulwark/stencils/joint_coordinate.hpp>
#include <bulwark/stencils/joint_potential.hpp>
#include <bulwark/stencils/orthogonality.hpp>

namespace bulwark::test {
namespace {

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

/// A spring on a joint's coordinate, or its range. Directions have no unit: `scale` counts for lengths alone.
StencilSample joint_sample(std::mt19937& random, double scale, JointMeasure measure, bool range) {
  const double size = measure == JointMeasure::angle || measure == JointMeasure::tilt ? 1 : scale;
  const Matrix3 frame = random_rotation(random);
  JointVectors vectors;
  vectors.w = size * (frame * Vector3(0.8, 0.4, 0.3) + random_vector(random, 0.1));
  vectors.u = frame.col(0) + random_vector(random, 0.05);
  vectors.v = frame.col(1) + random_vector(random, 0.05);
  const int count = measure == JointMeasure::length                                     ? 1
                    : measure == JointMeasure::angle || measure == JointMeasure::height ? 3
                                                                                        : 2;
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
      {"Orthogonality", orthogonality_sample},
      {"SlideSpring", on_joint(JointMeasure::dot, false)},
      {"SlideRange", on_joint(JointMeasure::dot, true)},
      {"LengthSpring", on_joint(JointMeasure::length, false)},
      {"LengthRange", on_joint(JointMeasure::length, true)},
      {"AngleSpring", on_joint(JointMeasure::angle, false)},
      {"AngleRange", on_joint(JointMeasure::angle, true)},
      {"TiltSpring", on_joint(JointMeasure::tilt, false)},
      {"TiltRange", on_joint(JointMeasure::tilt, true)},
      {"HeightSpring", on_joint(JointMeasure::height, false)},
      {"HeightRange", on_joint(JointMeasure::height, true)},
  };
  for (const std::vector<RegisteredStencil>& more : {solid_stencils(), contact_stencils(), thin_stencils()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace bulwark::test
