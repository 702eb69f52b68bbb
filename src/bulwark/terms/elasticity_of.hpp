// The term of elasticity.hpp over elements of N controls. Included by the files that compile it, and by no other.
#pragma once

#include <bulwark/base/parallel.hpp>
#include <bulwark/bodies/element_inversion.hpp>
#include <bulwark/stencils/cubic_limit.hpp>
#include <bulwark/stencils/volume_barrier.hpp>
#include <bulwark/terms/control_gather.hpp>
#include <bulwark/terms/elastic_term.hpp>
#include <bulwark/terms/solid_elements.hpp>

#include <Eigen/Eigenvalues>
#include <cmath>

namespace bulwark {

template <int N>
class ElasticityOf : public ElasticTerm {
 public:
  ElasticityOf(ElementType type, const ElementTable& table, const Vectors& rest)
      : solids_(type, table, rest, [](const ElasticMaterial&) { return true; }),
        gather_(ControlGather::over<N>(
            solids_.elements.size(),
            [&](std::size_t t) -> const std::array<int, N>& { return solids_.elements[t].controls; })) {
    for (const auto& element : solids_.elements) {
      const Element& of = table.elements[element.place];
      const auto& material = table.material_of<ElasticMaterial>(of);
      const bool by_law = std::visit([]<class M>(const Law<M>&) { return M::resists_inversion; },
                                     solids_.laws[element.first_law]);
      const bool by_barrier =
          !by_law && material.prevent_inversion.value_or(type != ElementType::tetrahedron);
      limited_.push_back(by_law || by_barrier ? 1 : 0);
      resists_inversion_ = resists_inversion_ || limited_.back();
      barriers_.push_back({by_barrier ? VolumeBarrier::first_volume * material.young : 0});
      first_corner_.push_back(corners_.size());
      if (type != ElementType::tetrahedron) geometry_.push_back(element_geometry(table, of, rest));
      if (!by_barrier) continue;
      const ElementGeometry geometry = element_geometry(table, of, rest);
      const std::vector<Vector3> places = corner_places(type);
      for (const Vector3& place : places) {
        corners_.push_back(solid_point<N>(element_point(geometry, place),
                                          parent_volume(type) / static_cast<double>(places.size()), false));
      }
    }
    first_corner_.push_back(corners_.size());
    if (!resists_inversion_) geometry_.clear();
  }

  double energy(const Vectors& q) const override {
    return parallel_sum(solids_.elements.size(), [&](std::size_t t) { return energy_of(t, q); });
  }

  void add_energies(const Vectors& q, VectorX& at_controls) const override {
    for (std::size_t t = 0; t < solids_.elements.size(); ++t)
      at_controls[solids_.elements[t].controls[0]] += energy_of(t, q);
  }

  void add_gradient(const Vectors& q, Vectors& gradient) const override {
    std::vector<ElementControls<N>> gradients(solids_.elements.size());
    parallel_for(solids_.elements.size(), [&](std::size_t t) {
      const ElementControls<N> x = solids_.gather(solids_.elements[t], q);
      ElementControls<N> sum = ElementControls<N>::Zero();
      solids_.for_each_point(solids_.elements[t], [&](const SolidPoint<N>& point, const ElasticLaw& law) {
        std::visit([&]<class M>(const Law<M>& of) { add_solid_gradient<M, N>(point, of.parameters, x, sum); },
                   law);
      });
      for_each_crushed_corner(t, x,
                              [&](const SolidPoint<N>& point, const VolumeBarrier::Parameters& barrier) {
                                add_solid_gradient<VolumeBarrier, N>(point, barrier, x, sum);
                              });
      gradients[t] = sum;
    });
    static_assert(sizeof(ElementControls<N>) == 3 * N * sizeof(double));
    if (!gradients.empty()) gather_.add(gradients[0].data(), gradient);
  }

  void hessian(const Vectors& q, const HessianModel& model, const BlockMap&,
               HessianBlocks& blocks) const override {
    blocks.controls.resize(solids_.block_count * solids_.elements.size());
    parallel_for(solids_.elements.size(), [&](std::size_t t) {
      const ElementControls<N> x = solids_.gather(solids_.elements[t], q);
      ElementBlocks<N> sum = ElementBlocks<N>::Zero();
      bool in_parts = false;
      solids_.for_each_point(solids_.elements[t], [&](const SolidPoint<N>& point, const ElasticLaw& law) {
        std::visit(
            [&]<class M>(const Law<M>& of) {
              add_solid_hessian<M, N>(point, of.parameters, x, model.psd, sum);
            },
            law);
        in_parts = in_parts || &law != &solids_.laws[solids_.elements[t].first_law];
      });
      for_each_crushed_corner(t, x,
                              [&](const SolidPoint<N>& point, const VolumeBarrier::Parameters& barrier) {
                                add_solid_hessian<VolumeBarrier, N>(point, barrier, x, model.psd, sum);
                              });
      if (in_parts && model.psd != Psd::none) project(sum, model.psd);
      solids_.write_blocks(t, sum, blocks.controls);
    });
  }

  /// Elements that resist inversion, by their law or by a barrier, keep a fifth of their volume in one step, at every
  /// point.
  StepLimit largest_step(const ControlPath& path) override {
    if (!resists_inversion_) return {};
    struct Smallest {
      double step;
      std::size_t element;
    };
    const Smallest smallest = parallel_reduce(
        solids_.elements.size(), Smallest{1, 0},
        [&](std::size_t t) { return Smallest{largest_step_of(t, path), t}; },
        [](const Smallest& a, const Smallest& b) { return b.step < a.step ? b : a; });
    if (smallest.step >= 1) return {};
    return {smallest.step, {LimitReason::volume, {}, solids_.elements[smallest.element].place}};
  }

  void write_stress(const Vectors& q, std::vector<double>& of_elements) const override {
    parallel_for(solids_.elements.size(), [&](std::size_t t) {
      const ElementControls<N> x = solids_.gather(solids_.elements[t], q);
      // The mean of its integration points.
      Matrix3 mean = Matrix3::Zero();
      double volume = 0;
      solids_.for_each_point(solids_.elements[t], [&](const SolidPoint<N>& point, const ElasticLaw& law) {
        const Matrix3 F = deformation_gradient<N>(point, x);
        mean += point.weight * cauchy_stress(law, F);
        // A second part of the law is on top of the volume that the first one covers.
        if (&law == &solids_.laws[solids_.elements[t].first_law]) volume += point.weight;
      });
      of_elements[solids_.elements[t].place] = von_mises(mean / volume);
    });
  }

 private:
  static constexpr double kept_volume = 0.2;

  double energy_of(std::size_t t, const Vectors& q) const {
    const ElementControls<N> x = solids_.gather(solids_.elements[t], q);
    double sum = 0;
    solids_.for_each_point(solids_.elements[t], [&](const SolidPoint<N>& point, const ElasticLaw& law) {
      sum += std::visit(
          [&]<class M>(const Law<M>& of) { return solid_energy<M, N>(point, of.parameters, x); }, law);
    });
    for_each_crushed_corner(t, x, [&](const SolidPoint<N>& point, const VolumeBarrier::Parameters& barrier) {
      sum += solid_energy<VolumeBarrier, N>(point, barrier, x);
    });
    return sum;
  }

  /// look(point, barrier) for the points of an element at which its barrier acts. They are its nodes, or of ANCF
  /// elements the corners of their sections: volume is lost at the border of an element first.
  template <class Look>
  void for_each_crushed_corner(std::size_t t, const ElementControls<N>& x, Look&& look) const {
    for (std::size_t k = first_corner_[t]; k < first_corner_[t + 1]; ++k) {
      const double volume = determinant(deformation_gradient<N>(corners_[k], x));
      if (!(volume >= VolumeBarrier::first_volume)) look(corners_[k], barriers_[t]);
    }
  }

  double largest_step_of(std::size_t t, const ControlPath& path) const {
    const auto& element = solids_.elements[t];
    if (!limited_[t]) return 1;
    const ElementControls<N> x = solids_.gather(element, path.from), p = solids_.gather(element, path.step);
    if constexpr (N == 4) {
      const Vector3 from[4] = {x.col(0), x.col(1), x.col(2), x.col(3)};
      const Vector3 step[4] = {p.col(0), p.col(1), p.col(2), p.col(3)};
      return tetrahedron_largest_step(from, step, kept_volume, 1.0);
    } else {
      return largest_positive_step(geometry_[t], x, p, kept_volume);
    }
  }

  /// Of an element whose energy has parts that are definite only in their sum: as a whole, where it is needed.
  static void project(ElementBlocks<N>& blocks, Psd psd) {
    constexpr int size = 3 * N;
    MatrixX whole(size, size);
    for (int j = 0; j < N; ++j) {
      for (int i = 0; i <= j; ++i) {
        const Eigen::Map<const Matrix3> block(blocks.col(block_number(i, j)).data());
        whole.block<3, 3>(3 * i, 3 * j) = block;
        whole.block<3, 3>(3 * j, 3 * i) = block.transpose();
      }
    }
    // Rigid motions have the eigenvalue 0, which rounding may make negative.
    const double slack = 1e-10 * whole.trace();
    MatrixX shifted = whole;
    shifted.diagonal().array() += slack;
    if (Eigen::LLT<MatrixX>(shifted).info() == Eigen::Success) return;
    const Eigen::SelfAdjointEigenSolver<MatrixX> eigen(whole);
    VectorX values = eigen.eigenvalues();
    for (double& value : values) value = projected(value, psd);
    whole = eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
    for (int j = 0; j < N; ++j) {
      for (int i = 0; i <= j; ++i)
        Eigen::Map<Matrix3>(blocks.col(block_number(i, j)).data()) = whole.block<3, 3>(3 * i, 3 * j);
    }
  }

  SolidElements<N> solids_;
  ControlGather gather_;
  std::vector<char> limited_;                        ///< per element: whether it resists inversion
  std::vector<ElementGeometry> geometry_;            ///< where the step limit needs it
  std::vector<VolumeBarrier::Parameters> barriers_;  ///< of the elements whose law does not resist
  std::vector<SolidPoint<N>> corners_;               ///< that these act at
  std::vector<std::size_t> first_corner_;            ///< of each element
  bool resists_inversion_ = false;
};

}  // namespace bulwark
