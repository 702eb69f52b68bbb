// Resistance of contacts against rolling and spinning of stiff bodies, with forces and normals lagged from an
// earlier configuration, as friction has them.
#pragma once

#include <bulwark/stencils/rolling_resistance.hpp>
#include <bulwark/terms/barrier_contact.hpp>
#include <bulwark/terms/expected_turn.hpp>
#include <bulwark/terms/term.hpp>

#include <array>
#include <functional>
#include <vector>

namespace bulwark {

/// Torque per newton of normal force (m).
struct ResistanceCoefficients {
  double rolling = 0, spinning = 0;
};

/// A contact that resists rolling: of two bodies of the collision mesh.
struct RollingContact {
  int body_a = 0, body_b = 0;
  Vector3 normal;           ///< of any length and sense
  double force = 0;         ///< N
  double lever = 0;         ///< radius of what rolls, m; 0 for the size of a body that turns
  double static_speed = 0;  ///< of its surface, m/s: slower, it gives way a little
};

class RollingResistance : public Term {
 public:
  /// coefficients(body_a, body_b) gives those of a contact.
  RollingResistance(const CollisionMesh& mesh, const std::vector<StiffBody>& stiff,
                    std::function<ResistanceCoefficients(int, int)> coefficients);

  /// For a step of length h: how the stiff bodies are expected to turn in it.
  void expect(const std::vector<ExpectedTurn>& turns, double h);
  /// Takes over normal forces and normals of the contacts as they are prepared now.
  void lag(const BarrierContact& contact);
  void lag(const std::vector<RollingContact>& contacts);
  bool active() const { return !pairs_.empty(); }

  double energy(const Vectors& q) const override;
  void add_gradient(const Vectors& q, Vectors& gradient) const override;
  void hessian(const Vectors& q, const HessianModel& model, const BlockMap& map,
               HessianBlocks& blocks) const override;
  /// Turns of the step where neither side gives way, over a twentieth of what a contact gives way at.
  double step_measure(const Vectors& q, const Vectors& dq, std::vector<char>* unresolved) const override;

 private:
  struct Lagged {
    RollingPair pair;
    double smooth;              ///< turn below which a contact gives way a little
    std::array<int, 2> column;  ///< first column of A of a side that turns
  };
  bool resists(const RollingContact& contact) const;
  Vector3 turn_of(const Lagged& lagged, const Vectors& q) const;

  const CollisionMesh& mesh_;
  const std::vector<StiffBody>& stiff_;
  std::vector<int> stiff_of_body_;  ///< per body of the mesh, -1 for others
  std::function<ResistanceCoefficients(int, int)> coefficients_;
  std::vector<ExpectedTurn> turns_;
  std::vector<Lagged> pairs_;
  double h_ = 0;
};

}  // namespace bulwark
