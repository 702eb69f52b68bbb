#include <bulwark/sim/damping_terms.hpp>

#include <map>

namespace bulwark {

DampingTerms::DampingTerms(const World& world, const JointSystem& joints) : world_(world) {
  for (const JointSystem::Energy& energy : joints.energies()) {
    if (energy.restitution_damping > 0)
      terms_.push_back(std::make_unique<RayleighDamping>(*energy.term, energy.restitution_damping));
  }
  add_solids();
  add_shells();
  add_rods();
  add_viscosity();
}

/// All tetrahedra with the same damping coefficient become a term for it to wrap.
void DampingTerms::add_solids() {
  struct Damped {
    std::vector<Tetrahedron> tetrahedra;
    std::vector<int> material;
  };
  std::map<double, Damped> by_coefficient;
  for (std::size_t t = 0; t < world_.tetrahedra.size(); ++t) {
    const int material = world_.tetrahedron_material[t];
    const double coefficient = world_.materials[material].rayleigh_damping;
    if (!(coefficient > 0)) continue;
    by_coefficient[coefficient].tetrahedra.push_back(world_.tetrahedra[t]);
    by_coefficient[coefficient].material.push_back(material);
  }
  for (const auto& [coefficient, damped] : by_coefficient) {
    elasticity_.push_back(
        std::make_unique<Elasticity>(damped.tetrahedra, world_.rest, damped.material, world_.materials));
    terms_.push_back(std::make_unique<RayleighDamping>(*elasticity_.back(), coefficient));
  }
}

void DampingTerms::add_shells() {
  struct Damped {
    std::vector<Triangle> triangles;
    std::vector<int> material;
  };
  std::map<double, Damped> by_coefficient;
  for (std::size_t t = 0; t < world_.shell_triangles.size(); ++t) {
    const int material = world_.shell_material[t];
    const double coefficient = world_.cloths[material].rayleigh_damping;
    if (!(coefficient > 0)) continue;
    by_coefficient[coefficient].triangles.push_back(world_.shell_triangles[t]);
    by_coefficient[coefficient].material.push_back(material);
  }
  for (const auto& [coefficient, damped] : by_coefficient) {
    shells_.push_back(
        std::make_unique<Shells>(damped.triangles, world_.rest, damped.material, world_.cloths));
    terms_.push_back(std::make_unique<RayleighDamping>(*shells_.back(), coefficient));
  }
}

void DampingTerms::add_rods() {
  std::map<double, std::vector<RodSegment>> by_coefficient;
  for (const RodSegment& segment : world_.rod_segments) {
    const double coefficient = world_.rod_materials[segment.material].rayleigh_damping;
    if (coefficient > 0) by_coefficient[coefficient].push_back(segment);
  }
  for (const auto& [coefficient, segments] : by_coefficient) {
    rods_.push_back(std::make_unique<Rods>(segments, world_.rest, world_.rod_materials));
    terms_.push_back(std::make_unique<RayleighDamping>(
        [rods = rods_.back().get()](const Vectors& q, BlockList& blocks) {
          rods->begin_at(q);
          rods->damped_hessian(q, blocks);
        },
        coefficient));
  }
}

void DampingTerms::add_viscosity() {
  std::vector<Tetrahedron> viscous;
  std::vector<Viscosity> viscosity;
  for (std::size_t t = 0; t < world_.tetrahedra.size(); ++t) {
    const ElasticMaterial& material = world_.materials[world_.tetrahedron_material[t]];
    if (!(material.shear_viscosity > 0) && !(material.bulk_viscosity > 0)) continue;
    viscous.push_back(world_.tetrahedra[t]);
    viscosity.push_back({material.shear_viscosity, material.bulk_viscosity});
  }
  if (viscous.empty()) return;
  kelvin_voigt_ = std::make_unique<KelvinVoigt>(viscous, world_.rest, viscosity);
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
