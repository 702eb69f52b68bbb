#include <bulwark/base/parallel.hpp>
#include <bulwark/geometry/mesh.hpp>
#include <bulwark/stencils/tetrahedron.hpp>
#include <bulwark/stencils/tetrahedron_inversion.hpp>
#include <bulwark/terms/elasticity.hpp>

#include <array>
#include <variant>

namespace bulwark {

/// A model with its parameters.
template <class M>
struct Law {
  typename M::Parameters parameters;
};
/// Linear elasticity, which has no principal stretches, has functions of its own.
struct LinearLaw {
  LameConstants parameters;
};
using ElasticLaw =
    std::variant<Law<NeoHookean>, Law<FixedCorotational>, Law<SaintVenantKirchhoff>, LinearLaw>;

namespace {

ElasticLaw law_of(const ElasticMaterial& m) {
  switch (m.model) {
    case ElasticModel::neo_hookean:
      return Law<NeoHookean>{lame_constants(m.young, m.poisson)};
    case ElasticModel::fixed_corotational:
      return Law<FixedCorotational>{lame_constants(m.young, m.poisson)};
    case ElasticModel::svk:
      return Law<SaintVenantKirchhoff>{lame_constants(m.young, m.poisson)};
    case ElasticModel::linear_elastic:
      break;
  }
  return LinearLaw{lame_constants(m.young, m.poisson)};
}

/// Calls f with the law, or `linear` with that of linear elasticity.
template <class Stretch, class Linear>
auto dispatch(const ElasticLaw& law, Stretch&& f, Linear&& linear) {
  return std::visit(
      [&]<class L>(const L& of) {
        if constexpr (std::is_same_v<L, LinearLaw>) {
          return linear(of);
        } else {
          return f(of);
        }
      },
      law);
}

/// Part of its volume that an element keeps in one step at least.
constexpr double kept_volume = 0.2;

}  // namespace

struct Elasticity::Element {
  int place;  ///< in the table
  Tetrahedron vertices;
  ElasticLaw law;
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
    elements_.push_back({e, vertices, law_of(m), tetrahedron_rest(X.data())});
  }
}

double Elasticity::energy_of(const Element& e, const Vectors& q) {
  const auto x = corners(e.vertices, q);
  return dispatch(
      e.law,
      [&]<class M>(const Law<M>& law) { return tetrahedron_energy<M>(e.rest, law.parameters, x.data()); },
      [&](const LinearLaw& law) { return linear_tetrahedron_energy(e.rest, law.parameters, x.data()); });
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
        e.law,
        [&]<class M>(const Law<M>& law) { return tetrahedron_gradient<M>(e.rest, law.parameters, x.data()); },
        [&](const LinearLaw& law) { return linear_tetrahedron_gradient(e.rest, law.parameters, x.data()); });
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
        e.law,
        [&]<class M>(const Law<M>& law) {
          return tetrahedron_hessian<M>(e.rest, law.parameters, x.data(), model.psd);
        },
        [&](const LinearLaw& law) { return linear_tetrahedron_hessian(e.rest, law.parameters); });
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
                e.law, []<class M>(const Law<M>&) { return M::resists_inversion; },
                [](const LinearLaw&) { return false; })) {
          return Smallest{1, t};
        }
        const auto x = corners(e.vertices, q), p = corners(e.vertices, dq);
        return Smallest{tetrahedron_largest_step(x.data(), p.data(), kept_volume, 1.0), t};
      },
      [](const Smallest& a, const Smallest& b) { return b.step < a.step ? b : a; });
  if (smallest.step >= 1) return {};
  return {smallest.step, {LimitReason::volume, {}, elements_[smallest.element].place}};
}

void Elasticity::write_stress(const Vectors& q, std::vector<double>& of_elements) const {
  parallel_for(elements_.size(), [&](std::size_t t) {
    const Element& e = elements_[t];
    const auto x = corners(e.vertices, q);
    const Matrix3 F = deformation_gradient(e.rest, x.data());
    const Matrix3 cauchy = dispatch(
        e.law,
        [&]<class M>(const Law<M>& law) {
          return Matrix3(M::stress(law.parameters, F) * F.transpose() / F.determinant());
        },
        [&](const LinearLaw& law) { return linear_stress(law.parameters, F); });
    const Matrix3 deviator = cauchy - cauchy.trace() / 3 * Matrix3::Identity();
    of_elements[e.place] = std::sqrt(1.5) * deviator.norm();
  });
}

}  // namespace bulwark
