// A segment of a rod and the controls that carry its material frame.
#pragma once

#include <array>

namespace bulwark {

struct RodSegment {
  std::array<int, 2> vertices = {0, 0};  ///< controls
  /// The control (L a, 0, 0): the angle a by which the frame has turned about the segment since the start of
  /// the run, times the segment's rest length L. Only its first axis moves.
  int turn = 0;
  /// The control of the frame's first axis at the start of the time step, a unit vector. Held during the step
  /// and renewed at its end.
  int director = 0;
  int material = 0;  ///< index into the rods' materials
  int script = -1;   ///< of both vertices: then it turns the frame, too
};

}  // namespace bulwark
