// The lines of solid elements in the derivative test.
#include "stencils/sampling.hpp"

#include <bulwark/stencils/kelvin_voigt.hpp>
#include <bulwark/stencils/solid_point.hpp>
#include <bulwark/stencils/volume_barrier.hpp>

namespace bulwark::test {
namespace {

/// A point of a linear tetrahedron.
SolidPoint<4> tetrahedron_point(const Points& X) {
  Matrix3 edges;
  edges << X[1] - X[0], X[2] - X[0], X[3] - X[0];
  SolidPoint<4> point;
  point.gradients.rightCols<3>() = inverse_transpose(edges);
  point.gradients.col(0) = -point.gradients.rightCols<3>().rowwise().sum();
  point.weight = determinant(edges) / 6;
  return point;
}

/// A point of an element with four more controls, as ANCF elements have: slopes of any gradient.
SolidPoint<8> slope_point(const SolidPoint<4>& tetrahedron, std::mt19937& random, double scale) {
  SolidPoint<8> point;
  point.weight = tetrahedron.weight;
  point.gradients.leftCols<4>() = tetrahedron.gradients;
  for (int i = 4; i < 8; ++i) point.gradients.col(i) = random_vector(random, 0.2 / scale);
  return point;
}

template <int N>
ElementControls<N> controls_of(const Eigen::VectorXd& v) {
  return Eigen::Map<const ElementControls<N>>(v.data());
}

template <int N>
Eigen::MatrixXd whole_matrix(const ElementBlocks<N>& blocks) {
  Eigen::MatrixXd h(3 * N, 3 * N);
  for (int j = 0; j < N; ++j) {
    for (int i = 0; i <= j; ++i) {
      const Eigen::Map<const Matrix3> block(blocks.col(block_number(i, j)).data());
      h.block<3, 3>(3 * i, 3 * j) = block;
      h.block<3, 3>(3 * j, 3 * i) = block.transpose();
    }
  }
  return h;
}

template <class Model>
typename Model::Parameters random_parameters(std::mt19937& random) {
  if constexpr (std::is_same_v<Model, MooneyRivlin>) {
    return {between(random, 1e3, 1e6), between(random, 1e3, 1e6), between(random, 1e4, 1e7)};
  } else if constexpr (std::is_same_v<Model, VolumeBarrier>) {
    return {between(random, 1e3, 1e6)};
  } else if constexpr (std::is_same_v<Model, Anisotropic>) {
    const Eigen::Matrix<double, 6, 6> some =
        Eigen::Matrix<double, 6, 6>::NullaryExpr([&] { return between(random, -1, 1); });
    return {1e5 * (some * some.transpose() + Eigen::Matrix<double, 6, 6>::Identity())};
  } else {
    return lame_constants(between(random, 1e3, 1e7), between(random, 0, 0.45));
  }
}

template <class Model, int N>
StencilSample solid_sample_of(const SolidPoint<N>& point, const Eigen::VectorXd& x, std::mt19937& random,
                              double scale) {
  const auto m = random_parameters<Model>(random);
  StencilSample s;
  s.x = x;
  s.scale = s.step = 0.3 * scale;
  s.projects_parts = std::is_same_v<Model, Anisotropic>;
  s.energy = [=](const Eigen::VectorXd& v) { return solid_energy<Model, N>(point, m, controls_of<N>(v)); };
  s.gradient = [=](const Eigen::VectorXd& v) {
    ElementControls<N> g = ElementControls<N>::Zero();
    add_solid_gradient<Model, N>(point, m, controls_of<N>(v), g);
    return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(g.data(), 3 * N));
  };
  s.hessian = [=](const Eigen::VectorXd& v, bool projected) {
    ElementBlocks<N> blocks = ElementBlocks<N>::Zero();
    add_solid_hessian<Model, N>(point, m, controls_of<N>(v), projected ? Psd::clamp : Psd::none, blocks);
    return whole_matrix<N>(blocks);
  };
  return s;
}

struct Shapes {
  Points rest, deformed;
};

/// From nearly at rest to strongly deformed, rotated.
Shapes random_shapes(std::mt19937& random, double scale) {
  Shapes shapes = {
      {Vector3::Zero(), scale * Vector3(1, 0.1, 0), scale * Vector3(0, 1, 0.2), scale * Vector3(0.1, 0, 1)},
      {}};
  for (Vector3& v : shapes.rest) v += random_vector(random, 0.1 * scale);
  const double strain = between(random, 0, 1) < 0.3 ? 1e-3 : 0.35;
  const Matrix3 rotation = random_rotation(random);
  for (int i = 0; i < 4; ++i)
    shapes.deformed[i] = rotation * (shapes.rest[i] + random_vector(random, strain * 0.5 * scale));
  return shapes;
}

template <class Model>
StencilSample solid_sample(std::mt19937& random, double scale) {
  const Shapes shapes = random_shapes(random, scale);
  return solid_sample_of<Model, 4>(tetrahedron_point(shapes.rest), flattened(shapes.deformed, 4), random,
                                   scale);
}

/// With a seventh to a fiftieth of its volume, on both sides of where the barrier begins.
StencilSample crushed_sample(std::mt19937& random, double scale) {
  const Shapes shapes = random_shapes(random, scale);
  // Not where it begins: there its third derivatives jump, which differences over both sides feel.
  Vector3 stretch;
  do stretch = Vector3(between(random, 0.3, 0.6), between(random, 0.3, 0.6), between(random, 0.3, 0.6));
  while (std::abs(stretch.prod() / VolumeBarrier::first_volume - 1) < 0.05);
  const Matrix3 F = random_rotation(random) * stretch.asDiagonal() * random_rotation(random);
  Points crushed;
  for (int i = 0; i < 4; ++i) crushed[i] = F * shapes.rest[i];
  StencilSample s =
      solid_sample_of<VolumeBarrier, 4>(tetrahedron_point(shapes.rest), flattened(crushed, 4), random, scale);
  s.step = 0.02 * scale;
  return s;
}

/// A point of a triangle in the plane, whose stretch across is given.
template <class Model>
StencilSample triangle_sample(std::mt19937& random, double scale) {
  const Shapes shapes = random_shapes(random, scale);
  Matrix3 edges = Matrix3::Identity();
  edges.topLeftCorner<2, 1>() = (shapes.rest[1] - shapes.rest[0]).head<2>();
  edges.block<2, 1>(0, 1) = (shapes.rest[2] - shapes.rest[0]).head<2>();
  SolidPoint<3> point;
  point.gradients.rightCols<2>() = inverse_transpose(edges).leftCols<2>();
  point.gradients.col(0) = -point.gradients.rightCols<2>().rowwise().sum();
  point.weight = 0.1 * scale * determinant(edges);
  point.stretch_across = 1;
  Eigen::VectorXd x(9);
  const double strain = between(random, 0, 1) < 0.3 ? 1e-3 : 0.15, angle = between(random, -3, 3);
  for (int i = 0; i < 3; ++i) {
    const Vector3 at = shapes.rest[i] + random_vector(random, strain * scale);
    x.segment<3>(3 * i) << std::cos(angle) * at.x() - std::sin(angle) * at.y(),
        std::sin(angle) * at.x() + std::cos(angle) * at.y(), 0;
  }
  StencilSample s = solid_sample_of<Model, 3>(point, x, random, scale);
  s.projects_parts = true;  // what is projected is the tangent in space, across the plane too
  return s;
}

StencilSample slopes_sample(std::mt19937& random, double scale) {
  const Shapes shapes = random_shapes(random, scale);
  const SolidPoint<8> point = slope_point(tetrahedron_point(shapes.rest), random, scale);
  Eigen::VectorXd x(24);
  x.head<12>() = flattened(shapes.deformed, 4);
  for (int k = 12; k < 24; ++k) x[k] = between(random, -0.1, 0.1) * scale;
  return solid_sample_of<SaintVenantKirchhoff, 8>(point, x, random, scale);
}

/// The work of viscosity in the velocities, at some deformed shape.
StencilSample kelvin_voigt_sample(std::mt19937& random, double scale) {
  const Shapes shapes = random_shapes(random, scale);
  StencilSample s;
  s.x = flattened(shapes.deformed, 4);
  s.scale = s.step = 0.3 * scale;
  ElementBlocks<4> blocks = ElementBlocks<4>::Zero();
  add_kelvin_voigt_resistance<4>(tetrahedron_point(shapes.rest),
                                 {between(random, 0, 10), between(random, 0, 10)}, controls_of<4>(s.x),
                                 blocks);
  const Eigen::MatrixXd C = whole_matrix<4>(blocks);
  s.energy = [=](const Eigen::VectorXd& v) { return 0.5 * v.dot(C * v); };
  s.gradient = [=](const Eigen::VectorXd& v) { return Eigen::VectorXd(C * v); };
  s.hessian = [=](const Eigen::VectorXd&, bool) { return C; };
  return s;
}

}  // namespace

std::vector<RegisteredStencil> solid_stencils() {
  return {
      {"NeoHookeanTetrahedron", solid_sample<NeoHookean>},
      {"FixedCorotationalTetrahedron", solid_sample<FixedCorotational>},
      {"SaintVenantKirchhoffTetrahedron", solid_sample<SaintVenantKirchhoff>},
      {"LinearTetrahedron", solid_sample<LinearElastic>},
      {"MooneyRivlinTetrahedron", solid_sample<MooneyRivlin>},
      {"AnisotropicTetrahedron", solid_sample<Anisotropic>},
      {"NeoHookeanTriangle", triangle_sample<NeoHookean>},
      {"SaintVenantKirchhoffTriangle", triangle_sample<SaintVenantKirchhoff>},
      {"SaintVenantKirchhoffWithSlopes", slopes_sample},
      {"VolumeBarrier", crushed_sample},
      {"KelvinVoigt", kelvin_voigt_sample},
  };
}

}  // namespace bulwark::test
