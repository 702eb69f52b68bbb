#include <bulwark/sim/damping_terms.hpp>

#include <set>

namespace bulwark {

DampingTerms::DampingTerms(const World& world, const JointSystem& joints) : world_(world) {
  for (const JointSystem::Energy& energy : joints.energies()) {
    if (energy.restitution_damping > 0)
      terms_.push_back(std::make_unique<RayleighDamping>(*energy.term, energy.restitution_damping));
  }
  add_elements();
  add_viscosity();
}

/// All elements with the same damping coefficient become terms for it to wrap.
void DampingTerms::add_elements() {
  std::set<double> coefficients;
  for (const Material& material : world_.elements.materials) coefficients.insert(rayleigh_damping(material));
  for (const double coefficient : coefficients) {
    if (!(coefficient > 0)) continue;
    const ElementTable damped = world_.elements.of_materials(
        [&](const Material& material) { return rayleigh_damping(material) == coefficient; });
    for (auto& term : make_elastic_terms(damped, world_.rest)) {
      terms_.push_back(std::make_unique<RayleighDamping>(
          [term = term.get()](const Vectors& q, BlockList& blocks) {
            term->begin_at(q);
            term->damped_hessian(q, blocks);
          },
          coefficient));
      elastic_.push_back(std::move(term));
    }
  }
}

void DampingTerms::add_viscosity() {
  kelvin_voigt_ = std::make_unique<KelvinVoigt>(world_.elements, world_.rest);
  if (kelvin_voigt_->empty()) return;
  terms_.push_back(std::make_unique<RayleighDamping>(
      [this](const Vectors& q, BlockList& blocks) { kelvin_voigt_->resistance(q, blocks); }));
}

void DampingTerms::add_contact(World& world, double scene_damping, BarrierContact& contact) {
  bool any = false;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const double damping = world.bodies[b].restitution_damping.value_or(scene_damping);
    world.collision.bodies[b].damping = damping;
    any |= damping > 0;
  }
  if (!any) return;
  contact_ = &contact;
  terms_.push_back(std::make_unique<RayleighDamping>(contact, 1.0));
  of_contact_ = terms_.back().get();
}

void DampingTerms::begin_step(const Vectors& q, const Vectors& reference, double rate) {
  for (const auto& term : terms_) term->begin_step(q, reference, rate);
  if (contact_ != nullptr) damped_ = contact_->damped_contacts();
}

std::vector<ContactDamping> DampingTerms::of_contacts(const Vectors& q) const {
  std::vector<ContactDamping> result;
  if (of_contact_ == nullptr || damped_.empty()) return result;
  const Vectors velocity = vertex_positions(world_.collision, of_contact_->velocity(q));
  for (const BarrierContact::Damped& damped : damped_) {
    if (damped.resistance.isZero(0)) continue;
    Vector3 approach = Vector3::Zero();
    for (int i = 0; i < damped.pair.vertices(); ++i)
      approach += damped.weight[i] * velocity.col(damped.pair.vertex[i]);
    result.push_back({damped.pair, damped.weight, -damped.resistance * approach});
  }
  return result;
}

}  // namespace bulwark
