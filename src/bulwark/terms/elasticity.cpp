#include <bulwark/base/parallel.hpp>
#include <bulwark/geometry/mesh.hpp>
#include <bulwark/stencils/tetrahedron.hpp>
#include <bulwark/stencils/tetrahedron_inversion.hpp>
#include <bulwark/terms/elasticity.hpp>

#include <fmt/format.h>

#include <array>

namespace bulwark {
namespace {

/// Calls f with the type of the model; linear elasticity, which has no principal stretches, goes to `linear`.
template <class Stretch, class Linear>
auto dispatch(ElasticModel model, Stretch&& f, Linear&& linear) {
  switch (model) {
    case ElasticModel::neo_hookean:
      return f(NeoHookean{});
    case ElasticModel::fixed_corotational:
      return f(FixedCorotational{});
    case ElasticModel::svk:
      return f(SaintVenantKirchhoff{});
    case ElasticModel::linear_elastic:
      break;
  }
  return linear();
}

/// Part of its volume that an element keeps in one step at least.
constexpr double kept_volume = 0.2;

}  // namespace

struct Elasticity::Element {
  int place;  ///< in the table
  Tetrahedron vertices;
  ElasticModel model;
  LameConstants lame;
  TetRest rest;
};

Elasticity::~Elasticity() = default;

Elasticity::Elasticity(const ElementTable& elements, const Vectors& rest) {
  for (int e = 0; e < elements.size(); ++e) {
    const bulwark::Element& element = elements.elements[e];
    if (element.type != ElementType::tetrahedron) continue;
    const auto vertices = elements.fixed_controls_of<4>(element);
    const auto& m = elements.material_of<ElasticMaterial>(element);
    const auto X = corners(vertices, rest);
    elements_.push_back(
        {e, vertices, m.model, lame_constants(m.young, m.poisson), tetrahedron_rest(X.data())});
  }
}

double Elasticity::energy_of(const Element& e, const Vectors& q) {
  const auto x = corners(e.vertices, q);
  return dispatch(
      e.model, [&]<class Model>(Model) { return tetrahedron_energy<Model>(e.rest, e.lame, x.data()); },
      [&] { return linear_tetrahedron_energy(e.rest, e.lame, x.data()); });
}

double Elasticity::energy(const Vectors& q) const {
  return parallel_sum(elements_.size(), [&](std::size_t t) { return energy_of(elements_[t], q); });
}

void Elasticity::add_energies(const Vectors& q, VectorX& at_controls) const {
  for (const Element& e : elements_) at_controls[e.vertices[0]] += energy_of(e, q);
}

void Elasticity::add_gradient(const Vectors& q, Vectors& gradient) const {
  std::vector<Eigen::Matrix<double, 3, 4>> gradients(elements_.size());
  parallel_for(elements_.size(), [&](std::size_t t) {
    const Element& e = elements_[t];
    const auto x = corners(e.vertices, q);
    gradients[t] = dispatch(
        e.model, [&]<class Model>(Model) { return tetrahedron_gradient<Model>(e.rest, e.lame, x.data()); },
        [&] { return linear_tetrahedron_gradient(e.rest, e.lame, x.data()); });
  });
  for (std::size_t t = 0; t < elements_.size(); ++t) {
    for (int i = 0; i < 4; ++i) gradient.col(elements_[t].vertices[i]) += gradients[t].col(i);
  }
}

void Elasticity::hessian(const Vectors& q, const HessianModel& model, const BlockMap&,
                         HessianBlocks& blocks) const {
  blocks.controls.resize(10 * elements_.size());
  parallel_for(elements_.size(), [&](std::size_t t) {
    const Element& e = elements_[t];
    const auto x = corners(e.vertices, q);
    const Eigen::Matrix<double, 12, 12> h = dispatch(
        e.model,
        [&]<class Model>(Model) { return tetrahedron_hessian<Model>(e.rest, e.lame, x.data(), model.psd); },
        [&] { return linear_tetrahedron_hessian(e.rest, e.lame); });
    std::size_t k = 10 * t;
    for (int i = 0; i < 4; ++i) {
      for (int j = i; j < 4; ++j) {
        blocks.controls.set(k++, e.vertices[i], e.vertices[j], h.block<3, 3>(3 * i, 3 * j));
      }
    }
  });
}

StepLimit Elasticity::largest_step(const ControlPath& path) {
  const Vectors &q = path.from, &dq = path.step;
  struct Smallest {
    double step;
    std::size_t element;
  };
  const Smallest smallest = parallel_reduce(
      elements_.size(), Smallest{1, 0},
      [&](std::size_t t) {
        const Element& e = elements_[t];
        if (!dispatch(
                e.model, []<class Model>(Model) { return Model::resists_inversion; }, [] { return false; })) {
          return Smallest{1, t};
        }
        const auto x = corners(e.vertices, q), p = corners(e.vertices, dq);
        return Smallest{tetrahedron_largest_step(x.data(), p.data(), kept_volume, 1.0), t};
      },
      [](const Smallest& a, const Smallest& b) { return b.step < a.step ? b : a; });
  if (smallest.step >= 1) return {};
  return {smallest.step, fmt::format("tetrahedron {} would lose too much volume", smallest.element)};
}

void Elasticity::write_stress(const Vectors& q, std::vector<double>& of_elements) const {
  parallel_for(elements_.size(), [&](std::size_t t) {
    const Element& e = elements_[t];
    const auto x = corners(e.vertices, q);
    const Matrix3 F = deformation_gradient(e.rest, x.data());
    const Matrix3 cauchy = dispatch(
        e.model,
        [&]<class Model>(Model) {
          return Matrix3(Model::stress(e.lame, F) * F.transpose() / F.determinant());
        },
        [&] { return linear_stress(e.lame, F); });
    const Matrix3 deviator = cauchy - cauchy.trace() / 3 * Matrix3::Identity();
    of_elements[e.place] = std::sqrt(1.5) * deviator.norm();
  });
}

}  // namespace bulwark
