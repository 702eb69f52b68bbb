// Patch-penalty contact as a contact model of the world
// (docs/patch-contact.md): detection, patches, their springs, and what they
// remember from step to step.
#pragma once

#include <bulwark/collision/detection_ahead.hpp>
#include <bulwark/sim/contact_model.hpp>
#include <bulwark/sim/patch_law.hpp>
#include <bulwark/terms/patch_contact.hpp>
#include <bulwark/terms/rolling_resistance.hpp>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace bulwark {

/// What a patch remembers of the step before; a ContactHistory's values.
struct PatchMemory {
  Vector3 point = Vector3::Zero();  ///< where it was at the step's start
  double radius = 0;                ///< sqrt(A/pi), m
  double moved = 0;                 ///< how far its sides moved in the step, m
  Vector3 slip = Vector3::Zero();   ///< d_t: the tangential spring's length, m
  bool slides = false;
  bool is_new = true;  ///< nothing is remembered

  std::vector<double> values() const;
  static PatchMemory of(const std::vector<double>& values);
};

class PatchPenalty : public ContactModel {
 public:
  PatchPenalty(const World& world, const Settings& settings, const Derived& derived);

  ContactModelKind kind() const override { return ContactModelKind::patch_penalty; }
  void begin_step(const ContactStep& step) override;
  void lag(const Vectors& q) override;
  std::vector<Term*> terms() override { return {&patches_, &resistance_}; }
  void end_step(const Vectors& q, State& state) override;
  void restored() override;
  std::vector<ContactForce> contacts() const override { return contacts_; }
  void add_control_forces(Vectors& forces) const override { forces += control_forces_; }

  const DetectionAhead::Counts& detections() const { return detection_->counts(); }

 private:
  const PatchLaw& law_of(const ContactPatch& patch);
  double static_speed(const ContactPatch& patch) const;
  std::vector<double> margins(double h) const;
  void remember();
  void find_stiff_steps();
  void set_spring(std::size_t patch, const Vectors& expected);
  void set_limit(std::size_t patch, double normal_force);
  void resist_rolling(const Vectors& q);

  const World& world_;
  const Settings& settings_;
  const Derived& derived_;
  std::map<std::array<int, 2>, PatchLaw> laws_;  ///< of pairs that have touched
  std::vector<double> depth_limit_;              ///< per body
  std::vector<double> walls_;                    ///< per triangle: how thick the body is behind it
  VectorX inverse_mass_;                         ///< per control
  OverlapSearch search_;
  std::unique_ptr<DetectionAhead> detection_;
  int ahead_;
  std::vector<double> stiff_steps_;  ///< of each patch: h^2 times stiffness over mass, without unit
  PatchContact patches_;
  RollingResistance resistance_;
  ContactStep step_;
  std::vector<PatchMemory> memory_;  ///< of each patch, as the step begins
  std::vector<ContactForce> contacts_;
  Vectors control_forces_;
};

/// Why a body can't touch by patches, or nothing.
std::string patch_penalty_refusal(const World& world, int body);

}  // namespace bulwark
