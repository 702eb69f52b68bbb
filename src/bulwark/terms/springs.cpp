#include <bulwark/base/parallel.hpp>
#include <bulwark/terms/springs.hpp>

namespace bulwark {

Springs::Springs(const ElementTable& elements, const Vectors& rest) {
  elements.for_each<2>(ElementType::spring, [&](const Element& element, const std::array<int, 2>& ends) {
    Spring spring;
    spring.element = elements.number_of(element);
    spring.ends = ends;
    const double length = spring.vector(rest).norm();
    // A rod's stiffness is a force, per strain.
    spring.rest = {length, elements.material_of<SpringMaterial>(element).stiffness * length};
    springs_.push_back(spring);
  });
}

double Springs::energy(const Vectors& q) const {
  return parallel_sum(springs_.size(), [&](std::size_t k) {
    return rod_stretch_energy(springs_[k].rest, springs_[k].vector(q));
  });
}

void Springs::add_energies(const Vectors& q, VectorX& at_controls) const {
  for (const Spring& spring : springs_)
    at_controls[spring.ends[0]] += rod_stretch_energy(spring.rest, spring.vector(q));
}

void Springs::add_gradient(const Vectors& q, Vectors& gradient) const {
  for (const Spring& spring : springs_) {
    const Vector3 g = rod_stretch_gradient(spring.rest, spring.vector(q));
    gradient.col(spring.ends[0]) -= g;
    gradient.col(spring.ends[1]) += g;
  }
}

void Springs::hessian(const Vectors& q, const HessianModel& model, const BlockMap&,
                      HessianBlocks& blocks) const {
  blocks.controls.resize(3 * springs_.size());
  parallel_for(springs_.size(), [&](std::size_t k) {
    const auto [a, b] = springs_[k].ends;
    const Matrix3 h = rod_stretch_hessian(springs_[k].rest, springs_[k].vector(q), model.psd);
    blocks.controls.set(3 * k, a, a, h);
    blocks.controls.set(3 * k + 1, b, b, h);
    blocks.controls.set(3 * k + 2, a, b, -h);
  });
}

StepLimit Springs::largest_step(const ControlPath& path) {
  StepLimit limit;
  for (std::size_t k = 0; k < springs_.size(); ++k) {
    const double step =
        rod_largest_step(springs_[k].vector(path.from), springs_[k].vector(path.step), kept_part_of_length);
    if (step < limit.step) limit = {step, {LimitReason::length, {}, springs_[k].element}};
  }
  return limit;
}

}  // namespace bulwark
