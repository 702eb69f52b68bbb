// The joints of a run as the viewer draws them.
#pragma once

#include <bulwark/output/reading/frame_arrays.hpp>

#include <map>
#include <string>
#include <vector>

namespace bulwark {

/// What stays of a joint while it moves.
struct ViewedJoint {
  std::string name, kind;
  std::string body_a, body_b;  ///< "world" for the world
};

/// The joints of a run, in the order in which they were seen first: they may come and go.
class JointsOfRun {
 public:
  /// For each joint of the frame 13 floats: its number here, its point on each of its bodies, its axis on
  /// each (zero where it has none). Joints that are new to the run get the next numbers.
  std::vector<float> list(const FrameArrays& frame);

  const std::vector<ViewedJoint>& all() const { return all_; }

 private:
  std::vector<ViewedJoint> all_;
  std::map<std::string, int> number_;
};

}  // namespace bulwark
