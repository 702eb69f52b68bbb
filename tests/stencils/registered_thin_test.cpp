// The lines of shells and rods in the derivative test.
#include "stencils/sampling.hpp"

#include <bulwark/stencils/dihedral_angle.hpp>
#include <bulwark/stencils/membrane.hpp>
#include <bulwark/stencils/rod_bend_twist.hpp>
#include <bulwark/stencils/rod_stretch.hpp>
#include <bulwark/stencils/shell_bending.hpp>

namespace bulwark::test {
namespace {

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
    const Eigen::Matrix<double, 3, 4> g = weight * bend(v) * dihedral_gradient(hinge_frame(points(v).data()));
    return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(g.data(), 12));
  };
  s.hessian = [=](const Eigen::VectorXd& v, bool projected) {
    return Eigen::MatrixXd(dihedral_hessian(hinge_frame(points(v).data()), weight * bend(v), weight,
                                            projected ? Psd::clamp : Psd::none));
  };
  return s;
}

/// A triangle of a shell that bends at its three edges, or at two and a free one.
StencilSample bending_sample(std::mt19937& random, double scale, bool free_edge) {
  using Sheet = std::array<Vector3, 6>;
  Sheet X = {Vector3::Zero(),
             scale * Vector3(1, 0.1, 0),
             scale * Vector3(0.4, 0.8, 0),
             scale * Vector3(0.5, -0.8, 0),
             scale * Vector3(1.2, 0.9, 0),
             scale * Vector3(-0.5, 0.7, 0)};
  for (Vector3& v : X) v += random_vector(random, 0.1 * scale);
  std::array<double, 3> sign;
  for (double& of : sign) of = between(random, 0, 1) < 0.5 ? -1 : 1;
  if (free_edge) sign[1] = 0;
  const BendingRest rest =
      bending_rest(X.data(), between(random, 1e-3, 10), between(random, 0, 0.45), sign.data());
  const Matrix3 rotation = random_rotation(random);
  Eigen::VectorXd x(18);
  for (int i = 0; i < 6; ++i) x.segment<3>(3 * i) = rotation * (X[i] + random_vector(random, 0.2 * scale));
  // Edge i with the corners opposite to it.
  auto corner = [](int hinge, int k) { return k < 3 ? (hinge + k) % 3 : 3 + hinge; };
  auto hinge = [=](const Eigen::VectorXd& v, int i) {
    Points p;
    for (int k = 0; k < 4; ++k) p[k] = v.segment<3>(3 * corner(i, k));
    return p;
  };
  Vector3 rest_angle;
  Eigen::VectorXd flat(18);
  for (int i = 0; i < 6; ++i) flat.segment<3>(3 * i) = X[i];
  for (int i = 0; i < 3; ++i) rest_angle[i] = dihedral_angle(hinge(flat, i).data());
  auto bends = [=](const Eigen::VectorXd& v) {
    Vector3 d;
    for (int i = 0; i < 3; ++i) d[i] = dihedral_angle(hinge(v, i).data()) - rest_angle[i];
    return d;
  };
  auto slopes = [=](const Vector3& d) {
    Vector3 slope = Vector3::Zero();
    add_bending_slopes(rest, d, slope);
    return slope;
  };
  auto gradients = [=](const Eigen::VectorXd& v) {
    Eigen::Matrix<double, 18, 3> G = Eigen::Matrix<double, 18, 3>::Zero();
    for (int i = 0; i < 3; ++i) {
      const Eigen::Matrix<double, 3, 4> g = dihedral_gradient(hinge_frame(hinge(v, i).data()));
      for (int k = 0; k < 4; ++k) G.block<3, 1>(3 * corner(i, k), i) = g.col(k);
    }
    return G;
  };
  StencilSample s;
  s.x = x;
  s.scale = s.step = 0.2 * scale;
  s.projects_parts = true;
  s.energy = [=](const Eigen::VectorXd& v) {
    const Vector3 d = bends(v), slope = slopes(d);
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += bending_energy(slope[i], d[i]);
    return sum;
  };
  s.gradient = [=](const Eigen::VectorXd& v) { return Eigen::VectorXd(gradients(v) * slopes(bends(v))); };
  s.hessian = [=](const Eigen::VectorXd& v, bool projected) {
    Eigen::MatrixXd h = bending_hessian(rest, gradients(v));
    const Vector3 slope = slopes(bends(v));
    for (int i = 0; i < 3; ++i) {
      const Eigen::Matrix<double, 12, 12> own = dihedral_hessian(
          hinge_frame(hinge(v, i).data()), slope[i], rest.own[i], projected ? Psd::clamp : Psd::none);
      for (int a = 0; a < 4; ++a) {
        for (int b = 0; b < 4; ++b)
          h.block<3, 3>(3 * corner(i, a), 3 * corner(i, b)) += own.block<3, 3>(3 * a, 3 * b);
      }
    }
    return h;
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

}  // namespace

std::vector<RegisteredStencil> thin_stencils() {
  return {
      {"Membrane", [](std::mt19937& random, double scale) { return membrane_sample(random, scale, false); }},
      {"MembraneWithStrainLimit",
       [](std::mt19937& random, double scale) { return membrane_sample(random, scale, true); }},
      {"DihedralAngle", hinge_sample},
      {"ShellBending",
       [](std::mt19937& random, double scale) { return bending_sample(random, scale, false); }},
      {"ShellBendingAtAFreeEdge",
       [](std::mt19937& random, double scale) { return bending_sample(random, scale, true); }},
      {"RodStretch", rod_stretch_sample},
      {"RodVertex", rod_vertex_sample},
  };
}

}  // namespace bulwark::test
