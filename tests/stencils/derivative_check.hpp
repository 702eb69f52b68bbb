// The one derivative test that all stencils register in. A stencil gives random samples of itself as plain
// functions of a coordinate vector; the test compares gradient and Hessian with finite differences at several
// scales, and checks that the projected Hessian is semi-definite.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <ostream>
#include <random>
#include <string>
#include <vector>

namespace bulwark::test {

struct StencilSample {
  Eigen::VectorXd x;
  double scale = 1;  ///< typical length of the sample; finite differences step by a fraction of `step`
  double step = 1;   ///< length over which the energy's derivatives stay alike, e.g. a contact's distance
  std::function<double(const Eigen::VectorXd&)> energy;
  std::function<Eigen::VectorXd(const Eigen::VectorXd&)> gradient;
  std::function<Eigen::MatrixXd(const Eigen::VectorXd&, bool projected)> hessian;
  bool projects_parts = false;  ///< then the projected Hessian may lie above one that needs no projection
};

struct RegisteredStencil {
  std::string name;
  std::function<StencilSample(std::mt19937&, double scale)> sample;

  friend std::ostream& operator<<(std::ostream& out, const RegisteredStencil& stencil) {
    return out << stencil.name;
  }
};

/// All registered stencils, and among them those of families with files of their own. Add a line in one
/// of the files registered_*_test.cpp for a new one.
std::vector<RegisteredStencil> registered_stencils();
std::vector<RegisteredStencil> solid_stencils();
std::vector<RegisteredStencil> contact_stencils();
std::vector<RegisteredStencil> thin_stencils();

}  // namespace bulwark::test
