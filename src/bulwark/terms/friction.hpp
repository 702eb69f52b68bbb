// Friction of all contacts, with normal forces and tangent planes lagged from an earlier configuration.
#pragma once

#include <bulwark/stencils/friction.hpp>
#include <bulwark/terms/barrier_contact.hpp>
#include <bulwark/terms/expected_turn.hpp>
#include <bulwark/terms/term.hpp>

#include <algorithm>
#include <functional>
#include <vector>

namespace bulwark {

class Friction : public Term {
 public:
  /// coefficient(body_a, body_b) gives Coulomb's mu.
  Friction(const CollisionMesh& mesh, const std::vector<StiffBody>& stiff,
           std::function<double(int, int)> coefficient);

  /// Begins a step of length h at the controls q, in which the stiff bodies are expected to turn.
  void begin_step(const Vectors& q, const std::vector<ExpectedTurn>& turns, double h);
  /// Takes over normal forces, tangents and weights of the contacts as they are prepared now.
  void lag(const BarrierContact& contact);
  bool active() const { return !pairs_.empty(); }

  void begin_step() override { stiff_blocks_.begin_step(); }
  void focus(const BlockMap& map, bool everything_moves) override;
  double energy(const Vectors& q) const override;
  void add_gradient(const Vectors& q, Vectors& gradient) const override;
  /// The same over the vertices of the collision mesh.
  void add_vertex_gradient(const Vectors& q, Vectors& vertex_gradient) const;
  void hessian(const Vectors& q, const HessianModel& model, const BlockMap& map,
               HessianBlocks& blocks) const override;
  /// Contacts whose slip turned round since the iterate before have jumped over the stick zone, whose
  /// stiffness the Newton step did not see; with the secant's stiffness the next one does not.
  void note_iterate(const Vectors& q) override;
  /// The same for contacts whose slip turns round on a path.
  bool foresee(const ControlPath& path, double part) override;
  /// Slip of the step at contacts that stick, over a twentieth of the slip at which they begin to slide.
  /// There friction's own Hessian keeps every Newton step below that slip, whatever force is left over: a
  /// force of (1 + x) mu lambda shows as a step of no more than sqrt(x) of it, so this resolves x = 0.25 %.
  double step_measure(const Vectors& q, const Vectors& dq, std::vector<char>* unresolved) const override;

  struct Lagged {
    std::array<int, 4> vertex;
    int vertices;
    int second_side;  ///< a vertex of it
    FrictionPair pair;
    double smooth;  ///< slip below which friction is static: the bodies' static speed times h
    std::array<int, 2> columns = {-1, -1};  ///< the first column of A of a side that has a lever
  };
  const std::vector<Lagged>& pairs() const { return pairs_; }
  /// Force of a pair on its first side at the controls q (N), where the vertices moved by the displacement.
  Vector3 force(const Lagged& lagged, const Vectors& q, const Vectors& vertex_displacement) const;
  Vectors vertex_displacement(const Vectors& q) const;

 private:
  /// Of a configuration, or of a change of it, which has no shift.
  Vector2 slip(const Lagged& lagged, const Vectors& controls, const Vectors& displacement,
               bool of_change = false) const;
  void set_lever_of(Lagged& lagged, int side, int vertex, const Vector3& normal) const;
  const std::vector<Vector2>& slips(const Vectors& q) const;
  static bool jumps(const Lagged& lagged, const Vector2& from, const Vector2& to) {
    return from.dot(to) < 0 && std::max(from.norm(), to.norm()) > lagged.smooth;
  }

  /// What the iterates have shown of a pair.
  struct Secant {
    Vector2 slip = Vector2::Zero();  ///< at the last iterate
    double part = 0;                 ///< how far the secant's stiffness takes the tangent's place
  };

  const CollisionMesh& mesh_;
  const std::vector<StiffBody>& stiff_;
  std::vector<int> stiff_of_body_;  ///< per body of the mesh, -1 for others
  std::function<double(int, int)> coefficient_;
  mutable StiffBlocks stiff_blocks_;  ///< keeps its layout between sums
  std::vector<Lagged> pairs_;
  std::vector<Secant> secants_;         ///< of each pair
  std::vector<std::uint32_t> moving_;   ///< those of them of which a side moves
  Vectors start_;                       ///< vertex positions at the start of the step
  std::vector<ExpectedTurn> turns_;     ///< of the stiff bodies
  mutable std::vector<Vector2> slips_;  ///< of those that move, as last asked for,
  mutable Vectors slips_at_;            ///< at these controls
  double h_ = 0;
};

}  // namespace bulwark
