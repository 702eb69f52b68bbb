// All damping of a world as terms: of materials, of the ranges of joints, and of contact.
#pragma once

#include <bulwark/sim/joint_system.hpp>
#include <bulwark/sim/world.hpp>
#include <bulwark/terms/barrier_contact.hpp>
#include <bulwark/terms/elastic_term.hpp>
#include <bulwark/terms/kelvin_voigt.hpp>
#include <bulwark/terms/rayleigh_damping.hpp>

#include <memory>
#include <vector>

namespace bulwark {

/// The damping of a contact in the last step.
struct ContactDamping {
  ContactPair pair;
  Eigen::Vector4d weight;
  Vector3 force;  ///< on the first side (N): on its vertices by their weights, as on those of the second
};

class DampingTerms {
 public:
  /// The world and the joints must outlive this.
  DampingTerms(const World& world, const JointSystem& joints);
  /// Gives the bodies of the collision mesh their coefficients, or the scene's, and damps their contacts.
  void add_contact(World& world, double scene_damping, BarrierContact& contact);

  /// Begins a step at q whose velocities will be rate (q' - reference).
  void begin_step(const Vectors& q, const Vectors& reference, double rate);
  /// Forgets the contacts of the last step: the state was replaced.
  void forget_contacts() { damped_.clear(); }
  const std::vector<std::unique_ptr<RayleighDamping>>& terms() const { return terms_; }
  /// The one of them that damps contacts; null when none does.
  RayleighDamping* of_contact() const { return of_contact_; }
  /// What damping adds to the contact forces of the last step, which ended at q.
  std::vector<ContactDamping> of_contacts(const Vectors& q) const;

 private:
  void add_elements();
  void add_viscosity();

  const World& world_;
  // What the terms wrap.
  std::vector<std::unique_ptr<ElasticTerm>> elastic_;
  std::unique_ptr<KelvinVoigt> kelvin_voigt_;
  const BarrierContact* contact_ = nullptr;
  std::vector<BarrierContact::Damped> damped_;  ///< contacts at the step's beginning
  RayleighDamping* of_contact_ = nullptr;       ///< among the terms
  std::vector<std::unique_ptr<RayleighDamping>> terms_;
};

}  // namespace bulwark
