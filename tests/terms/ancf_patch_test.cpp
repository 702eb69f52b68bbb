// ANCF beams and shells against states that they have to carry exactly: rigid motions of curved bodies, strains and
// curvatures that are the same everywhere, of materials with axes that are turned against those strains.
#include <bulwark/bodies/ancf_body.hpp>
#include <bulwark/bodies/elastic_law.hpp>

#include <gtest/gtest.h>

#include <terms/rest_problem.hpp>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace bulwark {
namespace {

constexpr double pi = std::numbers::pi;

test::RestProblem body_of(const AncfMesh& mesh, const ElasticMaterial& material, const Matrix3& turn) {
  BodyOptions options;
  options.name = "body";
  options.pose.rotation = turn;
  const BodyLayout layout = ancf_body(mesh, material, options);
  return {layout.elements, layout.controls};
}

/// Energy and forces of all elements at q.
double energy_at(const test::RestProblem& problem, const Vectors& q) {
  double sum = 0;
  for (const auto& term : make_elastic_terms(problem.table, problem.rest)) sum += term->energy(q);
  return sum;
}
Vectors gradient_at(const test::RestProblem& problem, const Vectors& q) {
  Vectors gradient = Vectors::Zero(3, q.cols());
  for (const auto& term : make_elastic_terms(problem.table, problem.rest)) term->add_gradient(q, gradient);
  return gradient;
}

ElasticMaterial wood(double width, double height) {
  ElasticMaterial m;
  m.model = ElasticModel::orthotropic;
  m.youngs = {11e9, 0.9e9, 0.5e9};
  m.poissons = {0.4, 0.35, 0.5};
  m.shears = {0.06e9, 0.6e9, 0.7e9};
  m.width = width;
  m.height = height;
  return m;
}

/// A ring, a helix and a wave; a cylinder and a saddle.
std::vector<AncfMesh> curved_meshes() {
  std::vector<AncfMesh> meshes;
  const auto beam_along = [&](bool closed, const std::function<Vector3(double)>& place) {
    constexpr int count = 12;
    SurfaceMesh line;
    line.vertices.resize(3, closed ? count : count + 1);
    for (Eigen::Index k = 0; k < line.vertices.cols(); ++k)
      line.vertices.col(k) = place(static_cast<double>(k) / count);
    for (int k = 0; k < count; ++k)
      line.edges.push_back({k, (k + 1) % static_cast<int>(line.vertices.cols())});
    meshes.push_back(ancf_beam_mesh(line, Vector3::Zero(), "beam"));
  };
  beam_along(true, [](double s) { return Vector3(std::cos(2 * pi * s), 0, std::sin(2 * pi * s)); });
  beam_along(false, [](double s) { return Vector3(std::cos(4 * s), s, std::sin(4 * s)); });
  beam_along(false, [](double s) { return Vector3(2 * s, 0.1 * std::sin(6 * s), 0.05 * std::cos(5 * s)); });
  meshes.push_back(ancf_cylinder(1, 1, 2 * pi, 12, 3));
  Vectors nodes(3, 25);
  std::vector<std::array<int, 4>> quads;
  for (int k = 0; k < 25; ++k) {
    const double x = 0.25 * (k % 5) - 0.5, y = 0.25 * (k / 5) - 0.5;
    nodes.col(k) << x, y, 0.4 * (x * x - y * y) + 0.1 * x * y;
  }
  for (int j = 0; j < 4; ++j) {
    for (int i = 0; i < 4; ++i) {
      const int a = 5 * j + i;
      quads.push_back({a, a + 1, a + 6, a + 5});
    }
  }
  meshes.push_back(ancf_shell_mesh(nodes, quads, "saddle"));
  return meshes;
}

TEST(AncfPatch, CurvedBodiesAreTurnedAndShiftedWithoutEnergyOrForces) {
  const Matrix3 turn = Eigen::AngleAxisd(2.1, Vector3(1, 2, -1).normalized()).toRotationMatrix();
  for (const AncfMesh& mesh : curved_meshes()) {
    for (const ElasticModel model :
         {ElasticModel::svk, ElasticModel::orthotropic, ElasticModel::neo_hookean}) {
      ElasticMaterial m = wood(0.05, 0.04);
      m.model = model;
      m.young = 1e9;
      m.poisson = 0.3;
      const test::RestProblem problem = body_of(mesh, m, Matrix3::Identity());
      Vectors q = turn * problem.rest;
      q.leftCols(mesh.nodes.cols()).colwise() += Vector3(10, -3, 2);
      // Forces that a strain of 1e-3 would bring about.
      const double force = gradient_at(problem, 1.001 * problem.rest).cwiseAbs().maxCoeff();
      EXPECT_LT(gradient_at(problem, q).cwiseAbs().maxCoeff(), 1e-8 * force);
      EXPECT_LT(std::abs(energy_at(problem, q)), 1e-12 * energy_at(problem, 1.1 * problem.rest));
    }
  }
}

TEST(AncfPatch, CurvedBodiesCarryAStrainThatIsTheSameEverywhere) {
  // Places and slopes times F are F at every point: a law that is integrated whole has the energy of its density.
  const Matrix3 F = (Matrix3() << 1.1, 0.2, 0, -0.1, 0.9, 0.1, 0.05, 0, 1.2).finished();
  for (const AncfMesh& mesh : curved_meshes()) {
    ElasticMaterial m = wood(0.05, 0.04);
    m.model = ElasticModel::neo_hookean;
    m.young = 1e6;
    m.poisson = 0.3;
    const test::RestProblem problem = body_of(mesh, m, Matrix3::Identity());
    double volume = 0;
    for (const Element& element : problem.table.elements) {
      const ElementGeometry geometry = element_geometry(problem.table, element, problem.rest);
      for (const EnergyPoint& point : energy_rule(mesh.type, m, false))
        volume += point.weight * element_point(geometry, point.parent).determinant;
    }
    const double density = NeoHookean::energy(lame_constants(m.young, m.poisson), F);
    EXPECT_NEAR(energy_at(problem, F * problem.rest), volume * density, 1e-11 * volume * density);
    // The virial: all forces together have no resultant, and their moments are the stress times the volume.
    const Vectors gradient = gradient_at(problem, F * problem.rest);
    const Matrix3 P = NeoHookean::stress(lame_constants(m.young, m.poisson), F);
    const Matrix3 moments = gradient * problem.rest.transpose();
    EXPECT_LT((moments - volume * P).norm(), 1e-10 * volume * P.norm());
    EXPECT_LT(gradient.leftCols(mesh.nodes.cols()).rowwise().sum().norm(), 1e-10 * gradient.norm());
  }
}

TEST(AncfPatch, ARingUnderRadialLoadIsStretchedAsInClosedForm) {
  // By p R^2 / (E A), where the section is thin.
  const double load = 3, young = 1e6, side = 0.02;
  for (const int elements : {8, 16, 32}) {
    SurfaceMesh line;
    line.vertices.resize(3, elements);
    for (int k = 0; k < elements; ++k) {
      const double angle = 2 * pi * k / elements;
      line.vertices.col(k) << std::cos(angle), std::sin(angle), 0;
      line.edges.push_back({k, (k + 1) % elements});
    }
    ElasticMaterial m = wood(side, side);
    m.model = ElasticModel::svk;
    m.young = young;
    m.poisson = 0.3;
    test::RestProblem problem =
        body_of(ancf_beam_mesh(line, Vector3::UnitZ(), "ring"), m, Matrix3::Identity());
    problem.over(interval_rule(6),
                 [&](std::span<const int> controls, const Vector3& x, const VectorX& s, double volume) {
                   const Vector3 part = volume / (side * side / 4) * load * x.normalized();
                   for (std::size_t a = 0; a < controls.size(); ++a)
                     problem.force.col(controls[a]) += s[static_cast<Eigen::Index>(a)] * part;
                 });
    // Four nodes keep their angles, and the ring its plane.
    for (const int k : {0, elements / 2}) problem.hold(k, 1);
    for (const int k : {elements / 4, 3 * elements / 4}) problem.hold(k, 0);
    for (const int k : {0, elements / 4, elements / 2}) problem.hold(k, 2);
    const Vectors u = problem.solve();
    const double expected = load / (young * side * side);
    double error = 0;
    for (int k = 0; k < elements; ++k)
      error = std::max(error, std::abs(u.col(k).dot(problem.rest.col(k)) / expected - 1));
    std::printf("[ ring of %d elements: error %.3e ]\n", elements, error);
    EXPECT_LT(error, elements == 8 ? 1e-2 : 1e-3) << elements;
  }
}

// ---- orthotropic shells whose axes are turned ----

/// Jones, Mechanics of Composite Materials: the stiffness in plane stress along axes at an angle to the material's.
Matrix3 turned_stiffness(const ElasticMaterial& m, double angle) {
  const double nu21 = m.poissons[0] * m.youngs[1] / m.youngs[0], divisor = 1 - m.poissons[0] * nu21;
  const double Q11 = m.youngs[0] / divisor, Q22 = m.youngs[1] / divisor, Q12 = nu21 * m.youngs[0] / divisor,
               Q66 = m.shears[2];
  const double c = std::cos(angle), s = std::sin(angle), c2 = c * c, s2 = s * s, c4 = c2 * c2, s4 = s2 * s2;
  Matrix3 Q;
  Q(0, 0) = Q11 * c4 + 2 * (Q12 + 2 * Q66) * s2 * c2 + Q22 * s4;
  Q(1, 1) = Q11 * s4 + 2 * (Q12 + 2 * Q66) * s2 * c2 + Q22 * c4;
  Q(0, 1) = Q(1, 0) = (Q11 + Q22 - 4 * Q66) * s2 * c2 + Q12 * (s4 + c4);
  Q(2, 2) = (Q11 + Q22 - 2 * Q12 - 2 * Q66) * s2 * c2 + Q66 * (s4 + c4);
  Q(0, 2) = Q(2, 0) = (Q11 - Q12 - 2 * Q66) * s * c2 * c + (Q12 - Q22 + 2 * Q66) * s2 * s * c;
  Q(1, 2) = Q(2, 1) = (Q11 - Q12 - 2 * Q66) * s2 * s * c + (Q12 - Q22 + 2 * Q66) * s * c2 * c;
  return Q;
}

/// A plate over 1 m x 0.7 m whose first axis is turned by an angle about y from x towards -z: strains are counted along
/// x and -z, in which the plate's second axis lies.
struct TurnedPlate {
  double angle;
  ElasticMaterial material = wood(0, 0.02);
  test::RestProblem problem = body_of(ancf_plate(1, 0.7, 4, 3), material,
                                      Eigen::AngleAxisd(angle, Vector3::UnitY()).toRotationMatrix());
  int nodes = 20;
  double area = 0.7;

  static double along(const Vector3& x) { return x[0]; }
  static double across(const Vector3& x) { return -x[2]; }
};

TEST(AncfPatch, AnOrthotropicPlateWithTurnedAxesCarriesAConstantMembraneStrain) {
  for (const double degrees : {0.0, 20.0, 45.0, 73.0, 90.0}) {
    const TurnedPlate plate{degrees * pi / 180};
    // Green's strain in the plane, xx, yy and twice xy; across, what leaves it without stress there.
    for (const Vector3& strain :
         {Vector3(0.01, 0, 0), Vector3(0, -0.02, 0), Vector3(0, 0, 0.015), Vector3(0.02, 0.01, -0.01)}) {
      const Matrix3 turn = Eigen::AngleAxisd(plate.angle, Vector3::UnitY()).toRotationMatrix();
      const Matrix3 axes = (Matrix3() << Vector3::UnitX(), -Vector3::UnitZ(), Vector3::UnitY()).finished();
      Matrix3 E = Matrix3::Zero();
      E(0, 0) = strain[0];
      E(1, 1) = strain[1];
      E(0, 1) = E(1, 0) = strain[2] / 2;
      E = axes * E * axes.transpose();  // along x, y, z
      // The strain across by C of the material, along its own axes.
      const Matrix3 own = (turn * axes).transpose() * E * (turn * axes);
      const Eigen::Matrix<double, 6, 6> C = orthotropic_stiffness(plate.material);
      E(1, 1) = -(C(2, 0) * own(0, 0) + C(2, 1) * own(1, 1)) / C(2, 2);
      const Eigen::SelfAdjointEigenSolver<Matrix3> stretch(Matrix3::Identity() + 2 * E);
      const Matrix3 F = stretch.operatorSqrt();
      const Vectors q = F * plate.problem.rest;

      const Vector3 stress = turned_stiffness(plate.material, plate.angle) * strain;
      const double thick = plate.material.height, energy = 0.5 * strain.dot(stress) * plate.area * thick;
      EXPECT_NEAR(energy_at(plate.problem, q), energy, 1e-10 * energy) << degrees;

      // Inner nodes carry no force, and the edges those of P = F S on their faces.
      const Vectors gradient = gradient_at(plate.problem, q);
      Matrix3 S = Matrix3::Zero();
      S(0, 0) = stress[0];
      S(1, 1) = stress[1];
      S(0, 1) = S(1, 0) = stress[2];
      const Matrix3 P = F * axes * S * axes.transpose();
      const double force = P.norm() * thick;
      Vector3 edge = Vector3::Zero();
      for (int k = 0; k < plate.nodes; ++k) {
        const int i = k % 5, j = k / 5;
        if (i > 0 && i < 4 && j > 0 && j < 3) {
          EXPECT_LT(gradient.col(k).norm(), 1e-12 * force);
        }
        if (i == 4) edge += gradient.col(k);
      }
      // Corners carry shares of both edges at them; those of the other two cancel over this edge's length.
      EXPECT_LT((edge - 0.7 * thick * P * turn.col(0)).norm(), 1e-9 * force) << degrees;
    }
  }
}

TEST(AncfPatch, AnOrthotropicPlateWithTurnedAxesBendsByItsStiffnessInClosedForm) {
  // A deflection of constant curvature, the section's turn by it: the energy is that of D = Q t^3 / 12.
  for (const double degrees : {0.0, 20.0, 45.0, 73.0, 90.0}) {
    const TurnedPlate plate{degrees * pi / 180};
    for (const Vector3& curvature :
         {Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1), Vector3(1, -0.5, 0.7)}) {
      // w = a^2 k_xx / 2 + b^2 k_yy / 2 + a b k_xy / 2, with k_xy twice the twist.
      const auto slope_at = [&](const Vector3& x) -> Vector3 {  // of w, along x, y, z
        const double a = TurnedPlate::along(x), b = TurnedPlate::across(x);
        const double along = curvature[0] * a + 0.5 * curvature[2] * b,
                     across = curvature[1] * b + 0.5 * curvature[2] * a;
        return {along, 0, -across};
      };
      const test::RestProblem& problem = plate.problem;
      Vectors u = Vectors::Zero(3, problem.rest.cols());
      for (int k = 0; k < plate.nodes; ++k) {
        const Vector3 x = problem.rest.col(k), slope = slope_at(x);
        const double a = TurnedPlate::along(x), b = TurnedPlate::across(x);
        u(1, k) = 0.5 * (curvature[0] * a * a + curvature[1] * b * b + curvature[2] * a * b);
        for (int s = 0; s < 2; ++s)
          u(1, plate.nodes + 3 * k + s) = slope.dot(problem.rest.col(plate.nodes + 3 * k + s));
        u.col(plate.nodes + 3 * k + 2) = -slope;
      }
      const VectorX flat_u = flat(u);
      const VectorX forces = test::stiffness(problem.table, problem.rest, problem.rest) * flat_u;
      const Matrix3 D =
          std::pow(plate.material.height, 3) / 12 * turned_stiffness(plate.material, plate.angle);
      const double expected = 0.5 * curvature.dot(D * curvature) * plate.area;
      EXPECT_NEAR(0.5 * flat_u.dot(forces), expected, 1e-10 * expected) << degrees;
    }
  }
}

}  // namespace
}  // namespace bulwark
