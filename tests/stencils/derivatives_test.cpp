#include "stencils/derivative_check.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

namespace bulwark::test {
namespace {

class Derivatives : public testing::TestWithParam<RegisteredStencil> {};

std::string stencil_name(const testing::TestParamInfo<RegisteredStencil>& info) {
  return info.param.name;
}

/// Central difference of sixth order.
template <class Function>
auto difference(Function&& f, const Eigen::VectorXd& x, int i, double h) {
  auto at = [&](double offset) {
    Eigen::VectorXd moved = x;
    moved[i] += offset;
    return f(moved);
  };
  using Value = decltype(f(x));
  return Value((45 * (at(h) - at(-h)) - 9 * (at(2 * h) - at(-2 * h)) + (at(3 * h) - at(-3 * h))) / (60 * h));
}

TEST_P(Derivatives, GradientAndHessianMatchFiniteDifferences) {
  std::mt19937 random(7);
  for (double scale : {1e-3, 1.0, 1e3}) {
    for (int trial = 0; trial < 60; ++trial) {
      const StencilSample s = GetParam().sample(random, scale);
      const double h = 2e-3 * s.step;
      const Eigen::VectorXd gradient = s.gradient(s.x);
      const Eigen::MatrixXd hessian = s.hessian(s.x, false);
      Eigen::VectorXd fd_gradient(s.x.size());
      Eigen::MatrixXd fd_hessian(s.x.size(), s.x.size());
      for (int i = 0; i < s.x.size(); ++i) {
        fd_gradient[i] = difference(s.energy, s.x, i, h);
        fd_hessian.col(i) = difference(s.gradient, s.x, i, h);
      }
      ASSERT_TRUE(gradient.allFinite() && hessian.allFinite()) << "scale " << scale << " trial " << trial;
      const double gradient_size = gradient.norm() + 1e-4 * hessian.norm() * s.step;
      EXPECT_LE((gradient - fd_gradient).norm(), 1e-6 * gradient_size)
          << "scale " << scale << " trial " << trial;
      EXPECT_LE((hessian - fd_hessian).norm(), 1e-6 * hessian.norm() + 1e-9 * gradient.norm() / s.step)
          << "scale " << scale << " trial " << trial;
      EXPECT_LE((hessian - hessian.transpose()).norm(), 1e-9 * hessian.norm());
    }
  }
}

TEST_P(Derivatives, ProjectedHessianIsSemiDefiniteAndNowhereBelowTheTrueOne) {
  std::mt19937 random(11);
  auto smallest_eigenvalue = [](const Eigen::MatrixXd& a) {
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(a, Eigen::EigenvaluesOnly).eigenvalues().minCoeff();
  };
  for (double scale : {1e-3, 1.0, 1e3}) {
    for (int trial = 0; trial < 30; ++trial) {
      const StencilSample s = GetParam().sample(random, scale);
      const Eigen::MatrixXd hessian = s.hessian(s.x, false), projected = s.hessian(s.x, true);
      EXPECT_GE(smallest_eigenvalue(projected), -1e-7 * hessian.norm())
          << "scale " << scale << " trial " << trial;
      EXPECT_GE(smallest_eigenvalue(projected - hessian), -1e-7 * hessian.norm())
          << "scale " << scale << " trial " << trial;
      if (smallest_eigenvalue(hessian) >= 0 && !s.projects_parts) {
        EXPECT_LE((projected - hessian).norm(), 1e-7 * hessian.norm())
            << "scale " << scale << " trial " << trial;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Stencils, Derivatives, testing::ValuesIn(registered_stencils()), stencil_name);

}  // namespace
}  // namespace bulwark::test
