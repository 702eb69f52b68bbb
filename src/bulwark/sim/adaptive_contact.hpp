// How stiff contacts are from step to step, and where bodies that began close to each other begin to touch:
// what contact needs to know beyond the positions. The state remembers it between steps (ContactMemory).
#pragma once

#include <bulwark/integrate/integrator.hpp>
#include <bulwark/sim/barrier_stiffness.hpp>
#include <bulwark/sim/world.hpp>

#include <functional>
#include <vector>

namespace bulwark {

class AdaptiveContact {
 public:
  /// All must outlive it. `control_body`: the body of each control.
  AdaptiveContact(World& world, ContactScales& scales, BarrierContact& contact,
                  const std::vector<int>& control_body);

  /// Takes the state's memory over, and looks what the contact forces at the start of the step ask for.
  void begin_step();
  /// Takes the state's memory of contacts over.
  void recall();
  /// Leaves in the state what contact knows at its positions. Two bodies that were close get as much of their
  /// full distance as their gap has grown to: this does no work.
  void remember();
  /// Looks which of the flagged bodies (all, where there are no flags) are closer to others than their
  /// contact distance, for the state to remember.
  void find_close_bodies(const std::vector<char>& placed);

  /// The factors of the barrier's stiffness for the configuration q, for each set of bodies that touch: what
  /// balances the other forces, or, where all of them are stiff, what was raised for a hard impact and is let
  /// go again slowly. Raising it under a contact that is compressed does work, which only a dissipative
  /// integrator swallows; the others keep the stiffness while contacts last.
  void set_factors(const Vectors& q, const Integrator& integrator, Objective& objective);
  /// To be called after each iteration of a solve that begins now: doubles the factor of bodies whose
  /// smallest gap was tiny before and after it, and shrank. Empty where the stiffness is given.
  std::function<void(const Vectors& q)> watch_gaps();

 private:
  void stiffen_where_gaps_vanish(const Vectors& q, std::vector<double>& gaps);

  World& world_;
  ContactScales& scales_;
  BarrierContact& contact_;
  const std::vector<int>& control_body_;
  std::vector<double> last_factor_;    ///< per body: that of the step before
  std::vector<double> loaded_factor_;  ///< per body: what the contact forces at the start of the step ask for
};

}  // namespace bulwark
