// ANCF beams and shells against fields that beam and plate theory know: by which order errors in L2 fall, of the middle
// line or surface and of the sections' turns.
#include <bulwark/bodies/ancf_body.hpp>
#include <bulwark/bodies/elastic_law.hpp>

#include <gtest/gtest.h>

#include <terms/rest_problem.hpp>

#include <cmath>
#include <functional>
#include <numbers>

namespace bulwark {
namespace {

constexpr double pi = std::numbers::pi;

/// L2 of the error of one component over a rule on the parents, by L2 of the wanted one.
double relative_error(const test::RestProblem& problem, const Vectors& found, const QuadratureRule& rule,
                      const std::function<double(const Vector3&)>& wanted, int axis) {
  double error = 0, whole = 0;
  problem.over(rule, [&](std::span<const int> controls, const Vector3& x, const VectorX& s, double volume) {
    const double value = wanted(x);
    error += volume * std::pow(test::value_at(found, controls, s)[axis] - value, 2);
    whole += volume * value * value;
  });
  return std::sqrt(error / whole);
}

/// Adds a load per length of the middle line, or per area of the middle surface, by the rule's points on it.
void add_load(test::RestProblem& problem, const QuadratureRule& middle, double across,
              const std::function<Vector3(const Vector3&)>& load) {
  problem.over(middle, [&](std::span<const int> controls, const Vector3& x, const VectorX& s, double volume) {
    const Vector3 part = volume / across * load(x);
    for (std::size_t a = 0; a < controls.size(); ++a)
      problem.force.col(controls[a]) += s[static_cast<Eigen::Index>(a)] * part;
  });
}

ElasticMaterial isotropic(double poisson, double width, double height) {
  ElasticMaterial m;
  m.model = ElasticModel::svk;
  m.young = 1;
  m.poisson = poisson;
  m.width = width;
  m.height = height;
  return m;
}

test::RestProblem problem_of(const AncfMesh& mesh, const ElasticMaterial& material) {
  BodyOptions options;
  options.name = "body";
  const BodyLayout layout = ancf_body(mesh, material, options);
  return {layout.elements, layout.controls};
}

// ---- beams ----

/// A beam of length 1 along x, its width along y and its height along z.
struct Beam {
  double width, height, poisson = 0.3;

  double area() const { return width * height; }
  double bending() const { return width * std::pow(height, 3) / 12; }  ///< E I, with E = 1
  double shearing() const { return 5.0 / 6 / (2 * (1 + poisson)) * area(); }
  double twisting() const { return torsion_constant(width, height) / (2 * (1 + poisson)); }

  /// `uneven`: neighbouring elements have the lengths 1.4 and 0.6 in turn.
  test::RestProblem problem(int elements, bool uneven = false) const {
    SurfaceMesh line;
    line.vertices = Vectors::Zero(3, elements + 1);
    for (int k = 0; k <= elements; ++k)
      line.vertices(0, k) = (k + (uneven && k % 2 == 1 ? 0.4 : 0.0)) / elements;
    for (int k = 0; k < elements; ++k) line.edges.push_back({k, k + 1});
    return problem_of(ancf_beam_mesh(line, Vector3::UnitY(), "beam"), isotropic(poisson, width, height));
  }
  /// Its load on the middle line is force per length: `over` counts the volume of the parent's points.
  double parent_area() const { return area() / 4; }
};

int slope(int elements, int node, int k) {
  return elements + 1 + 3 * node + k;
}

struct BeamErrors {
  double deflection, turn, nodes;
};

/// Held by hinges at both ends, under the load that bends it into half a sine.
BeamErrors bent_beam(const Beam& beam, int elements, bool uneven) {
  test::RestProblem problem = beam.problem(elements, uneven);
  const double softness =
      beam.bending() * pi * pi / beam.shearing();  // of the shear: turn = slope / (1 + it)
  const auto deflection = [](const Vector3& x) { return std::sin(pi * x[0]); };
  const auto along = [&](const Vector3& x) { return -x[2] * pi * std::cos(pi * x[0]) / (1 + softness); };
  const QuadratureRule line = interval_rule(6);
  add_load(problem, line, beam.parent_area(), [&](const Vector3& x) -> Vector3 {
    return beam.bending() * std::pow(pi, 4) / (1 + softness) * deflection(x) * Vector3::UnitZ();
  });
  problem.hold(0);
  problem.hold(elements);
  problem.hold(slope(elements, 0, 1), 2);  // no turn about its own axis
  const Vectors u = problem.solve();
  double nodes = 0;
  for (int k = 0; k <= elements; ++k)
    nodes = std::max(nodes, std::abs(u(2, k) - deflection(problem.rest.col(k))));
  return {relative_error(problem, u, line, deflection, 2),
          relative_error(problem, u, cube_rule(6, 2, 2), along, 0), nodes};
}

TEST(AncfConvergence, AMiddleLineConvergesByThreeItsNodesByFourAndTheSectionsTurnByTwo) {
  // The section turns linearly along an element: its error is of order 2. The middle line is a cubic whose slope goes
  // by that turn, which has no error in the mean of an element (the shear's modulus sees to it): nodes are right to
  // order 4, and between them an error of order 2 in the slope is one of order 3 in the deflection.
  for (const double height : {0.01, 0.2}) {
    const BeamErrors coarse = bent_beam({0.1, height}, 8, false), fine = bent_beam({0.1, height}, 16, false);
    std::printf("[ height %g: line %.2e %.2e, turn %.2e %.2e, nodes %.2e %.2e ]\n", height, coarse.deflection,
                fine.deflection, coarse.turn, fine.turn, coarse.nodes, fine.nodes);
    EXPECT_GT(test::order_of(coarse.deflection, fine.deflection), 2.9) << height;
    EXPECT_GT(test::order_of(coarse.turn, fine.turn), 1.9) << height;
    EXPECT_GT(test::order_of(coarse.nodes, fine.nodes), 3.8) << height;
    EXPECT_LT(fine.deflection, 1e-4) << height;
  }
}

TEST(AncfConvergence, WhereNeighboursDifferInLengthTheMiddleLineConvergesByTwo) {
  // Each length has its own shear modulus, but neighbours share the slope of the line at their node.
  const BeamErrors coarse = bent_beam({0.1, 0.01}, 8, true), fine = bent_beam({0.1, 0.01}, 32, true);
  std::printf("[ uneven: line %.2e %.2e ]\n", coarse.deflection, fine.deflection);
  EXPECT_GT(test::order_of(coarse.deflection, fine.deflection, 4), 1.9);
  EXPECT_GT(test::order_of(coarse.turn, fine.turn, 4), 1.9);
  EXPECT_LT(fine.deflection, 1e-3);
}

/// Clamped at one end, with a force at the other: the error of the tip.
double clamped_tip(const Beam& beam, int elements) {
  test::RestProblem problem = beam.problem(elements);
  problem.hold(0);
  for (int k = 0; k < 3; ++k) problem.hold(slope(elements, 0, k));
  problem.force(2, elements) = 1;
  const double expected = 1 / (3 * beam.bending()) + 1 / beam.shearing();
  return std::abs(problem.solve()(2, elements) / expected - 1);
}

TEST(AncfConvergence, AClampHoldsTheSlopeOfTheLineTooWhichShowsInThickBeams) {
  // A clamp holds r_u, so that the line's shear begins within the first element and not at the wall: of order 3 while
  // the shear is that of the element, of order 1 where it is the beam's own. The beam below is five times as long as
  // it is high.
  EXPECT_GT(test::order_of(clamped_tip({0.1, 0.01}, 4), clamped_tip({0.1, 0.01}, 8)), 2.9);
  const double thick = clamped_tip({0.1, 0.2}, 16), finer = clamped_tip({0.1, 0.2}, 32);
  std::printf("[ clamped: thin %.2e %.2e, thick %.2e %.2e ]\n", clamped_tip({0.1, 0.01}, 4),
              clamped_tip({0.1, 0.01}, 8), thick, finer);
  EXPECT_NEAR(test::order_of(thick, finer), 1, 0.1);
  EXPECT_LT(thick, 3e-4);
}

/// Held at one end, under a load along it that stretches it by a quarter of a sine.
double stretched_beam(const Beam& beam, int elements, bool uneven) {
  test::RestProblem problem = beam.problem(elements, uneven);
  const auto along = [](const Vector3& x) { return std::sin(pi / 2 * x[0]); };
  const QuadratureRule line = interval_rule(6);
  add_load(problem, line, beam.parent_area(), [&](const Vector3& x) -> Vector3 {
    return beam.area() * pi * pi / 4 * along(x) * Vector3::UnitX();
  });
  problem.hold(0);
  problem.hold(slope(elements, 0, 1), 2);  // it does not turn
  problem.hold(slope(elements, 0, 1), 0);
  problem.hold(slope(elements, 0, 2), 0);
  return relative_error(problem, problem.solve(), line, along, 0);
}

/// Held at one end, under a torque per length that twists it by a quarter of a sine.
double twisted_beam(const Beam& beam, int elements, bool uneven) {
  test::RestProblem problem = beam.problem(elements, uneven);
  const auto angle = [](const Vector3& x) { return std::sin(pi / 2 * x[0]); };
  // A torque is forces on both slopes across, half of it on each: a point at the side counts by half of the width.
  for (const auto& [place, axis, half, sign] : {std::tuple{Vector3(0, 1, 0), 2, beam.width / 2, 1.0},
                                                std::tuple{Vector3(0, 0, 1), 1, beam.height / 2, -1.0}}) {
    for (const double side : {-1.0, 1.0}) {
      QuadratureRule rule = interval_rule(6);
      for (QuadraturePoint& point : rule) point.place += side * place;
      add_load(problem, rule, beam.parent_area(),
               [&, axis = axis, half = half, sign = sign](const Vector3& x) {
                 const double torque = beam.twisting() * pi * pi / 4 * angle(x);
                 return Vector3(sign * side * torque / (4 * half) * Vector3::Unit(axis));
               });
    }
  }
  for (const int control : {0, slope(elements, 0, 0), slope(elements, 0, 1), slope(elements, 0, 2)})
    problem.hold(control);
  const auto sideways = [&](const Vector3& x) { return x[1] * angle(x); };
  return relative_error(problem, problem.solve(), cube_rule(6, 2, 2), sideways, 2);
}

TEST(AncfConvergence, StretchingConvergesByFourAndTwistByTwo) {
  // The line is a cubic; sections turn about it linearly. Without Poisson's effect: bars whose stretch changes along
  // them shear their contracting sections, which the theory of bars leaves out.
  for (const bool uneven : {false, true}) {
    const Beam bar = {0.1, 0.05, 0}, shaft = {0.1, 0.05};
    const double stretch = stretched_beam(bar, 4, uneven), finer = stretched_beam(bar, 8, uneven);
    const double twist = twisted_beam(shaft, 4, uneven), finer_twist = twisted_beam(shaft, 8, uneven);
    std::printf("[ stretch %.2e %.2e, twist %.2e %.2e ]\n", stretch, finer, twist, finer_twist);
    EXPECT_GT(test::order_of(stretch, finer), 3.7);
    EXPECT_GT(test::order_of(twist, finer_twist), 1.85);
  }
}

// ---- shells ----

/// A plate over the unit square in x and z, its normal along y; materials count along x and z.
test::RestProblem plate_problem(const ElasticMaterial& material, int cells, double grading = 0) {
  AncfMesh mesh = ancf_plate(1, 1, cells, cells);
  for (Eigen::Index k = 0; k < mesh.nodes.cols(); ++k) {
    for (const int axis : {0, 2}) {
      double& x = mesh.nodes(axis, k);
      x += 0.5;
      if (grading > 0) {
        const int number = static_cast<int>(std::lround(x * cells));
        if (number % 2 == 1) x += grading / cells;
      }
    }
  }
  return problem_of(mesh, material);
}

QuadratureRule middle_surface() {
  return cube_rule(6, 6, 1);
}

/// Stretched in its plane by a smooth field; the boundary has it too.
double stretched_plate(int cells, double grading) {
  const double poisson = 0.3, height = 0.02;
  test::RestProblem problem = plate_problem(isotropic(poisson, 0, height), cells, grading);
  const double mu = 1 / (2 * (1 + poisson)), lambda = poisson / (1 - poisson * poisson);  // of plane stress
  const auto wanted = [](const Vector3& x) -> Vector3 {
    return {std::sin(pi * x[0]) * std::cos(pi * x[2]), 0, 0.5 * std::cos(pi * x[0]) * std::sin(pi * x[2])};
  };
  add_load(problem, middle_surface(), height, [&](const Vector3& x) -> Vector3 {
    const Vector3 u = wanted(x);
    return pi * pi * height *
           (2 * mu * u + (mu + lambda) * 1.5 *
                             Vector3(std::sin(pi * x[0]) * std::cos(pi * x[2]), 0,
                                     std::cos(pi * x[0]) * std::sin(pi * x[2])));
  });
  const int nodes = (cells + 1) * (cells + 1);
  for (int k = 0; k < nodes; ++k) {
    const Vector3 x = problem.rest.col(k);
    problem.hold(k, 1);
    for (int s = 0; s < 3; ++s) problem.hold(nodes + 3 * k + s, s == 2 ? 0 : 1);
    problem.hold(nodes + 3 * k + 2, 2);
    if (std::min({x[0], x[2], 1 - x[0], 1 - x[2]}) > 1e-9) continue;
    const Vector3 u = wanted(x);
    problem.hold(k, 0, u[0]);
    problem.hold(k, 2, u[2]);
    constexpr double step = 1e-5;
    for (int s = 0; s < 2; ++s) {
      const Vector3 along = step * problem.rest.col(nodes + 3 * k + s);
      const Vector3 du = (wanted(x + along) - wanted(x - along)) / (2 * step);
      problem.hold(nodes + 3 * k + s, 0, du[0]);
      problem.hold(nodes + 3 * k + s, 2, du[2]);
    }
  }
  const Vectors found = problem.solve();
  return relative_error(problem, found, middle_surface(), [&](const Vector3& x) { return wanted(x)[0]; }, 0);
}

struct PlateErrors {
  double deflection, turn, nodes;
};

double half_sine(const Vector3& x) {
  return std::sin(pi * x[0]) * std::sin(pi * x[2]);
}

/// A load across that is half a sine each way.
void load_plate(test::RestProblem& problem, double height, double load) {
  add_load(problem, middle_surface(), height,
           [&](const Vector3& x) -> Vector3 { return load * half_sine(x) * Vector3::UnitY(); });
}

/// Simply supported: the rim does not deflect, its normals turn about it alone. In the plane nothing moves.
void hold_rim(test::RestProblem& problem, int cells) {
  const int nodes = (cells + 1) * (cells + 1);
  for (int k = 0; k < nodes; ++k) {
    const Vector3 x = problem.rest.col(k);
    for (const int axis : {0, 2}) {
      problem.hold(k, axis);
      for (int s = 0; s < 2; ++s) problem.hold(nodes + 3 * k + s, axis);
    }
    problem.hold(nodes + 3 * k + 2, 1);
    for (const int axis : {0, 2}) {
      if (std::min(x[axis], 1 - x[axis]) > 1e-9) continue;
      const int along = 2 - axis;
      problem.hold(k, 1);
      problem.hold(nodes + 3 * k + (along == 0 ? 0 : 1), 1);
      problem.hold(nodes + 3 * k + 2, along);
    }
  }
}

/// Simply supported at its rim, under the load that bends it into half a sine along x and z.
PlateErrors bent_plate(double height, int cells, double grading) {
  const double poisson = 0.3;
  test::RestProblem problem = plate_problem(isotropic(poisson, 0, height), cells, grading);
  const double bending = std::pow(height, 3) / (12 * (1 - poisson * poisson)),
               shearing = 5.0 / 6 / (2 * (1 + poisson)) * height, softness = 2 * pi * pi * bending / shearing;
  const auto along = [&](const Vector3& x) {
    return -x[1] * pi * std::cos(pi * x[0]) * std::sin(pi * x[2]) / (1 + softness);
  };
  load_plate(problem, height, 4 * std::pow(pi, 4) * bending / (1 + softness));
  hold_rim(problem, cells);
  const Vectors u = problem.solve();
  double nodes = 0;
  for (int k = 0; k < (cells + 1) * (cells + 1); ++k)
    nodes = std::max(nodes, std::abs(u(1, k) - half_sine(problem.rest.col(k))));
  return {relative_error(problem, u, middle_surface(), half_sine, 1),
          relative_error(problem, u, cube_rule(6, 6, 2), along, 0), nodes};
}

TEST(AncfConvergence, AShellConvergesByFourInItsSurfaceAndByTwoAcrossIt) {
  // The middle surface has all cubics. Across, its normals turn bilinearly; other than in a beam the shear's modulus
  // can't make up for that in both directions at once, so that the deflection too is of order 2.
  for (const double grading : {0.0, 0.4}) {
    const double coarse = stretched_plate(4, grading), fine = stretched_plate(8, grading);
    std::printf("[ stretched: %.2e %.2e ]\n", coarse, fine);
    EXPECT_GT(test::order_of(coarse, fine), 3.8);
    for (const double height : {0.01, 0.2}) {
      const PlateErrors few = bent_plate(height, 6, grading), many = bent_plate(height, 12, grading);
      std::printf("[ bent, height %g: surface %.2e %.2e, turn %.2e %.2e, nodes %.2e %.2e ]\n", height,
                  few.deflection, many.deflection, few.turn, many.turn, few.nodes, many.nodes);
      EXPECT_GT(test::order_of(few.deflection, many.deflection), 1.85);
      EXPECT_GT(test::order_of(few.turn, many.turn), 1.9);
      EXPECT_LT(many.deflection, 1e-2);
    }
  }
}

/// Navier: an orthotropic plate under half a sine each way, of a theory without shear across.
double orthotropic_deflection(const ElasticMaterial& m, double load) {
  const double nu21 = m.poissons[0] * m.youngs[1] / m.youngs[0],
               cube = std::pow(m.height, 3) / 12 / (1 - m.poissons[0] * nu21);
  const double D11 = m.youngs[0] * cube, D22 = m.youngs[1] * cube, D12 = nu21 * D11,
               D66 = m.shears[2] * std::pow(m.height, 3) / 12;
  return load / (std::pow(pi, 4) * (D11 + 2 * (D12 + 2 * D66) + D22));
}

TEST(AncfConvergence, AnOrthotropicPlateBendsAsNavierSays) {
  ElasticMaterial m;
  m.model = ElasticModel::orthotropic;
  m.youngs = {11, 0.9, 0.5};
  m.poissons = {0.4, 0.35, 0.5};
  m.shears = {100, 100, 0.7};  // stiff across
  m.height = 0.01;
  double errors[2];
  for (const int cells : {8, 16}) {
    test::RestProblem problem = plate_problem(m, cells);
    const double load = 1e-6;
    load_plate(problem, m.height, load);
    hold_rim(problem, cells);
    const double middle = problem.solve()(1, (cells + 1) * (cells / 2) + cells / 2);
    errors[cells / 16] = std::abs(middle / orthotropic_deflection(m, load) - 1);
  }
  std::printf("[ orthotropic plate: %.2e %.2e ]\n", errors[0], errors[1]);
  EXPECT_GT(test::order_of(errors[0], errors[1]), 1.8);
  EXPECT_LT(errors[1], 1e-2);
}

}  // namespace
}  // namespace bulwark
