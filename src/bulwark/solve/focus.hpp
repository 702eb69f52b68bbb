// Which stiff bodies Newton's method still has to move. After a few iterations most bodies of a large scene
// are where they belong, and those around a hard impact need many more. They go on alone while the others
// stand still: the objective falls as before, for the cost of the bodies that move. In the end all bodies
// move once more, and only a step of all that is small enough ends the solve.
#pragma once

#include <bulwark/bodies/stiff_body.hpp>
#include <bulwark/math/block_matrix.hpp>

#include <vector>

namespace bulwark {

class Focus {
 public:
  /// Bodies that share a block with each other in a Hessian of all bodies are neighbours.
  void set_neighbours(const std::vector<StiffBody>& stiff, const BlockMatrix& hessian, const BlockMap& map);

  /// Per stiff body, whether it goes on: those that still move, given the motion of each in the last step
  /// over the tolerance, and the neighbours of those that move by more than it.
  std::vector<char> choose(const std::vector<double>& motion) const;

 private:
  std::vector<int> start_, neighbour_;  ///< of each stiff body
};

}  // namespace bulwark
