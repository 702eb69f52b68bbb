// Hydroelastic contact: two bodies with pressure fields overlap, and where the pressures are equal they push on each
// other by that pressure. Patches are found at the start of a step, and again before each further solve of it; in
// between their pressure follows the motion along their normals (stencils/pressure_patch.hpp).
#pragma once

#include <bulwark/collision/pressure_patch_geometry.hpp>
#include <bulwark/sim/contact_model.hpp>
#include <bulwark/sim/pressure_body.hpp>
#include <bulwark/terms/pressure_patches.hpp>

#include <map>
#include <vector>

namespace bulwark {

class HydroelasticContact : public ContactModel {
 public:
  HydroelasticContact(const World& world, const Settings& settings, const Derived& derived);

  ContactModelKind kind() const override { return ContactModelKind::hydroelastic; }
  void begin_step(const ContactStep& step) override;
  void lag(const Vectors& q) override;
  std::vector<Term*> terms() override { return {&patches_}; }
  void end_step(const Vectors& q, State& state) override;
  void restored() override;
  std::vector<ContactForce> contacts() const override { return contacts_; }
  void add_control_forces(Vectors& forces) const override;

 private:
  /// Tetrahedra of two bodies that may meet; of a plane, -1.
  struct CellPair {
    int body_a, body_b, cell_a, cell_b;
  };
  /// Where a body's field is now.
  struct Placed {
    Vectors x;          ///< of the vertices
    Vectors low, high;  ///< boxes of the cells
    Vector3 lowest, highest;
  };
  std::map<int, Placed> placed(const Vectors& q) const;
  std::vector<CellPair> near_cells(const std::map<int, Placed>& fields, const Vectors& vertices) const;
  PressureCell cell_of(int body, const Placed& placed, int cell) const;
  std::vector<PressurePatches::Patch> find(const Vectors& q) const;
  PressurePatches::Patch patch_of(const CellPair& pair, const EqualPressure& found, const Vectors& q) const;

  const World& world_;
  const Settings& settings_;
  const Derived& derived_;
  std::vector<std::array<int, 2>> pairs_;  ///< a plane second
  std::map<int, PressureBody> bodies_;     ///< all of them but planes
  ContactStep step_;
  Vectors start_;  ///< controls at the step's start
  PressurePatches patches_;
  std::vector<ContactForce> contacts_;  ///< of the last step
  Vectors forces_;                      ///< and on the controls; empty before it
};

}  // namespace bulwark
