// Linear constraints by change of variables. Rows  sum_j c_j x_j = s  over the scalars x (three per control)
// are turned into followers,
//   x_f = sum_k e_k x_k + constant,
// one for each row that is independent of the others, where the x_k follow nothing. That is Gaussian
// elimination with pivots, carried through to the reduced form: the basis extension of the unified Newton
// barrier method with U already multiplied out.
//
// Which scalar of a row becomes the follower decides how sparse the reduced Hessian is. In this order, as
// long as its coefficient is not small: vertices of soft bodies, centers of stiff bodies, and columns of A,
// which are also taken where a center would follow more than `most_controls` others: a long chain is cut into
// pieces whose Hessians are dense only within themselves. Without that limit the followers say the same, but
// shift bodies instead of stretching them, wherever that can be: so they are the ones to put a step's end in
// place.
#pragma once

#include <utility>
#include <vector>

namespace bulwark {

/// sum of coefficient * scalar = value. Scalar 3 i + axis is a component of control i.
struct ConstraintRow {
  std::vector<std::pair<int, double>> entries;
  double value = 0;
  int joint = -1;  ///< whose row it is
};

/// A scalar that follows others.
struct Follower {
  int scalar = 0;
  std::vector<std::pair<int, double>> on;  ///< by rising scalar
  double constant = 0;
};

/// What may become of a control in an elimination.
enum class Eliminable : char { vertex, center, column, fixed, scripted };

struct Elimination {
  std::vector<Follower> followers;  ///< by rising scalar
  std::vector<int> kept;            ///< rows that were used, in the order given
  std::vector<int> redundant;       ///< rows that say nothing new
  std::vector<int> contradictory;   ///< rows that can't hold together with earlier ones
};

/// `role` and `length` are per control; `length` makes coefficients comparable (1, or a body's extent for the
/// columns of its A); `held[i]` has the axes of control i that never move, one bit each. `position` is where
/// the scalars are now, for the constants of those that never move.
Elimination eliminate(const std::vector<ConstraintRow>& rows, const std::vector<Eliminable>& role,
                      const std::vector<double>& length, const std::vector<unsigned char>& held,
                      const std::vector<double>& position, int most_controls);

}  // namespace bulwark
