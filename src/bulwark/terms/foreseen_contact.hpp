// A contact that a step would run into, known before it is in range: so that one iteration of Newton's method meets all
// contacts of an impact, and not only the first of the whole scene. Of stiff bodies alone: soft ones give way, and a linear
// solve more costs them more than it saves.
//
// To first order the gap goes from g to g + n . (sum_i w_i dx_i), with the closest points as they are now; a plane
// between two convex solids that is kept keeps them apart, however they slide. In the model of the iteration the
// contact is a spring along n, the barrier's tangent at a gap in its range:
//   1/2 k min(0, g + n . dx - kept)^2,   kept <= g.
// It is zero where the step begins, convex and nowhere negative, so that the model's minimum is still downhill. Where
// the spring would have to let solids through, it takes the tangent nearer to touching.
#pragma once

#include <bulwark/collision/contact_set.hpp>

namespace bulwark {

class ForeseenContact {
 public:
  ForeseenContact(const ContactPair& pair, const ClosestPoints& closest);

  /// The step that the model led to, in the vertices. Returns whether it changes the spring.
  bool see(const Vectors& dx);

  const ContactPair& pair() const { return pair_; }
  const Eigen::Vector4d& weight() const { return closest_.weight; }
  bool pushes() const { return pushes_; }
  double gap() const { return gap_; }
  double kept() const { return kept_; }
  double stiffness() const { return stiffness_; }
  /// Of the spring while it pushes, in the difference of the closest points, at the step zero.
  Vector3 gradient() const { return stiffness_ * (gap_ - kept_) * normal_; }
  Matrix3 hessian() const { return stiffness_ * normal_ * normal_.transpose(); }

 private:
  void set_spring();

  ContactPair pair_;
  ClosestPoints closest_;
  Vector3 normal_;
  double gap_;        ///< m, as it is
  double balance_;    ///< m: the spring is the barrier's tangent at this gap
  double stiffness_;  ///< N/m
  double kept_;       ///< m, where the spring begins to push
  bool pushes_ = false;
};

}  // namespace bulwark
