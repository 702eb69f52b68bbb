#include <bulwark/base/parallel.hpp>
#include <bulwark/terms/shells.hpp>

#include <fmt/format.h>

namespace bulwark {
namespace {

template <std::size_t N>
std::array<Vector3, N> gather(const std::array<int, N>& controls, const Vectors& q) {
  std::array<Vector3, N> x;
  for (std::size_t i = 0; i < N; ++i) x[i] = q.col(controls[i]);
  return x;
}

}  // namespace

Shells::Shells(const std::vector<Triangle>& triangles, const Vectors& rest, const std::vector<int>& material,
               const std::vector<ClothMaterial>& materials) {
  std::vector<int> material_of(rest.cols(), -1);  // of a control: shells do not share any
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const ClothMaterial& m = materials[material[t]];
    for (const int v : triangles[t]) material_of[v] = material[t];
    MembraneMaterial own;
    own.lame = plane_stress_constants(m.young, m.poisson);
    own.limit = {m.strain_limit, m.young};
    limited_ = limited_ || own.limit.active();
    membranes_.push_back({triangles[t], own, membrane_rest(gather(triangles[t], rest).data(), m.thickness)});
  }
  for (const Hinge& hinge : shell_hinges(triangles)) {
    const double stiffness = materials[material_of[hinge[0]]].bending_stiffness();
    if (stiffness > 0) hinges_.push_back({hinge, hinge_rest(gather(hinge, rest).data(), stiffness)});
  }
  membrane_gradients_.resize(membranes_.size());
  hinge_gradients_.resize(hinges_.size());
}

double Shells::energy(const Vectors& q) {
  return parallel_sum(membranes_.size(),
                      [&](std::size_t t) {
                        const Membrane& m = membranes_[t];
                        return membrane_energy(m.rest, m.material, gather(m.vertices, q).data());
                      }) +
         parallel_sum(hinges_.size(), [&](std::size_t k) {
           return hinge_energy(hinges_[k].rest, gather(hinges_[k].vertices, q).data());
         });
}

void Shells::add_gradient(const Vectors& q, Vectors& gradient) {
  parallel_for(membranes_.size(), [&](std::size_t t) {
    const Membrane& m = membranes_[t];
    membrane_gradients_[t] = membrane_gradient(m.rest, m.material, gather(m.vertices, q).data());
  });
  parallel_for(hinges_.size(), [&](std::size_t k) {
    hinge_gradients_[k] = hinge_gradient(hinges_[k].rest, gather(hinges_[k].vertices, q).data());
  });
  for (std::size_t t = 0; t < membranes_.size(); ++t) {
    for (int i = 0; i < 3; ++i) gradient.col(membranes_[t].vertices[i]) += membrane_gradients_[t].col(i);
  }
  for (std::size_t k = 0; k < hinges_.size(); ++k) {
    for (int i = 0; i < 4; ++i) gradient.col(hinges_[k].vertices[i]) += hinge_gradients_[k].col(i);
  }
}

void Shells::hessian(const Vectors& q, Psd psd, const BlockMap&, HessianBlocks& blocks) {
  const std::size_t first_hinge = 6 * membranes_.size();
  blocks.controls.resize(first_hinge + 10 * hinges_.size());
  parallel_for(membranes_.size(), [&](std::size_t t) {
    const Membrane& m = membranes_[t];
    const Eigen::Matrix<double, 9, 9> h =
        membrane_hessian(m.rest, m.material, gather(m.vertices, q).data(), psd);
    std::size_t k = 6 * t;
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j)
        blocks.controls.set(k++, m.vertices[i], m.vertices[j], h.block<3, 3>(3 * i, 3 * j));
    }
  });
  parallel_for(hinges_.size(), [&](std::size_t n) {
    const BentEdge& e = hinges_[n];
    const Eigen::Matrix<double, 12, 12> h = hinge_hessian(e.rest, gather(e.vertices, q).data(), psd);
    std::size_t k = first_hinge + 10 * n;
    for (int i = 0; i < 4; ++i) {
      for (int j = i; j < 4; ++j)
        blocks.controls.set(k++, e.vertices[i], e.vertices[j], h.block<3, 3>(3 * i, 3 * j));
    }
  });
}

StepLimit Shells::largest_step(const ControlPath& path) {
  if (!limited_) return {};
  struct Smallest {
    double step;
    std::size_t triangle;
  };
  const Smallest smallest = parallel_reduce(
      membranes_.size(), Smallest{1, 0},
      [&](std::size_t t) {
        const Membrane& m = membranes_[t];
        if (!m.material.limit.active()) return Smallest{1, t};
        return Smallest{membrane_largest_step(m.rest, m.material.limit, gather(m.vertices, path.from).data(),
                                              gather(m.vertices, path.step).data()),
                        t};
      },
      [](const Smallest& a, const Smallest& b) { return b.step < a.step ? b : a; });
  if (smallest.step >= 1) return {};
  return {smallest.step, fmt::format("shell triangle {} is near its strain limit", smallest.triangle)};
}

double Shells::largest_stretch_of_all(const Vectors& q) const {
  return parallel_reduce(
      membranes_.size(), 1.0,
      [&](std::size_t t) {
        return largest_stretch(
            deformation_gradient(membranes_[t].rest, gather(membranes_[t].vertices, q).data()));
      },
      [](double a, double b) { return std::max(a, b); });
}

}  // namespace bulwark
