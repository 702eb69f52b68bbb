// The controls of a rod's segment, as they stand in the table of elements.
#pragma once

#include <bulwark/math/types.hpp>

#include <array>

namespace bulwark {

struct RodSegment {
  std::array<int, 2> vertices = {0, 0};
  /// The control (L a, 0, 0): the angle a by which the frame has turned about the segment since the start of
  /// the run, times the segment's rest length L. Only its first axis moves.
  int turn = 0;
  /// The control of the frame's first axis at the start of the time step, a unit vector. Held during the step
  /// and renewed at its end.
  int director = 0;
};

inline RodSegment rod_segment(const std::array<int, 4>& controls) {
  return {{controls[0], controls[1]}, controls[2], controls[3]};
}

/// The angle from the segment's director, carried from the controls `from` to where its vertices are in `to`
/// by the least rotation, to `director`, about the segment.
double frame_angle(const RodSegment& segment, const Vectors& from, const Vectors& to,
                   const Vector3& director);

}  // namespace bulwark
