// What Newton's method solves for. Every free control is moved by one unknown 3-vector, to first order
//   dq_i = F_i u_m(i):
// its own, F = I; where some axes are held, F = diag(0 or 1); the columns a_k of a rigid body by the body's
// rotation vector w, as dA = [w] A: F_k = -[a_k]. Gradients go over by F^T g, Hessian blocks by
// F_i^T H_ij F_j, to which a rigid body's second order  exp([w]) a = a + w x a + 1/2 w x (w x a) + ..  adds
//   sum_k  1/2 (g_k a_k^T + a_k g_k^T) - (g_k . a_k) I
// at its rotation. An affine body's path has the same second order in the turning part w of its step dA
// (control_path.hpp), w = sum_k 1/2 b_k x da_k with the rows b_k of A^-1; it enters the Hessian of its
// columns.
//
// Controls that joints tie to others follow them (elimination.hpp): dq_i = sum_k F_ik u_k. A path's end is
// put onto the constraints, so that every accepted state keeps them to rounding; on the way there a follower
// moves straight, which only the collision filter sees.
#pragma once

#include <bulwark/bodies/body_layout.hpp>
#include <bulwark/bodies/held_axes.hpp>
#include <bulwark/bodies/stiff_body.hpp>
#include <bulwark/math/block_matrix.hpp>
#include <bulwark/math/psd.hpp>
#include <bulwark/solve/elimination.hpp>
#include <bulwark/solve/rigid_mode.hpp>
#include <bulwark/terms/control_path.hpp>

#include <vector>

namespace bulwark {

class Coordinates {
 public:
  /// `lever`: how far a unit of each control moves points of its body (BodyLayout).
  Coordinates(VectorX lever, std::vector<StiffBody> stiff);

  /// held[i]: the axes along which control i does not move.
  void set_held(const std::vector<HeldAxes>& held);
  /// Scalars that follow others; none of a rigid body. `placing` says the same by other followers, which are
  /// the ones that a path's end is put in place by.
  void set_followers(std::vector<Follower> followers, std::vector<Follower> placing);
  bool any_followers() const { return !followers_.empty(); }
  /// Puts the followers where they belong.
  void follow(Vectors& q) const;
  /// The path with its end put onto the constraints.
  ControlPath followed(ControlPath path) const;
  /// Makes the factors those of the controls q.
  void linearise(const Vectors& q);

  /// What the controls are vectors of; points, where nobody says otherwise.
  void set_roles(std::vector<ControlRole> roles) { roles_ = std::move(roles); }
  /// How rigid motions of the bodies at q move the unknowns.
  std::vector<RigidMode> rigid_modes(const Vectors& q) const;

  int unknowns() const { return unknowns_; }
  const BlockMap& map() const { return map_; }
  /// Unknown vectors: F^T g.
  VectorX reduced(const Vectors& gradient) const;
  /// Adds what the second order of rotations and held axes ask for to the reduced Hessian.
  void complete(const Vectors& q, const Vectors& gradient, Psd psd, BlockMatrix& hessian) const;
  /// The path that a step of the unknowns describes, from the controls of the last linearise().
  ControlPath path(const Vectors& q, const VectorX& unknowns) const;

  /// The largest motion of any control or point of a stiff body along a step, over the tolerance (m) of the
  /// control or of the body's first one, and where it is.
  struct Motion {
    double part = 0;  ///< of the tolerance
    double size = 0;  ///< m
    int control = -1;
  };
  Motion largest_motion(const Vectors& step, const VectorX& tolerance) const;
  /// The largest motion of any point of a stiff body along a step.
  static double motion_of(const StiffBody& body, const Vectors& step);
  const std::vector<StiffBody>& stiff() const { return stiff_; }
  bool moves(int control) const { return map_.row[control] >= 0 || map_.follows(control); }
  /// Per unknown: how far a unit of it moves points, at most, and the mass that it moves, from the masses of the controls
  /// alone. At the controls of the last linearise().
  struct Weights {
    VectorX lever, mass;
  };
  Weights weights(const VectorX& control_mass) const;
  /// What makes directions comparable with points, whose lever is 1.
  const VectorX& lever() const { return lever_; }

 private:
  /// Adds the second order `second` in the turning part of an affine body's step to the blocks of its
  /// columns.
  void complete_affine(const StiffBody& body, const Matrix3& A, const Matrix3& second,
                       BlockMatrix& hessian) const;

  void place_parts();
  /// A gradient in the controls as one in those that follow nothing.
  Vectors pulled_back(const Vectors& gradient) const;

  std::vector<StiffBody> stiff_;
  std::vector<HeldAxes> held_;
  std::vector<ControlRole> roles_;
  std::vector<Follower> followers_, placing_;
  std::vector<HeldAxes> follows_;  ///< per control: its axes that follow
  std::vector<int> stiff_of_;      ///< per control: index into stiff_, or -1
  VectorX lever_;
  BlockMap map_;
  struct HeldUnknown {
    int row, axis;
  };
  std::vector<HeldUnknown> held_unknowns_;
  int unknowns_ = 0;
};

}  // namespace bulwark
