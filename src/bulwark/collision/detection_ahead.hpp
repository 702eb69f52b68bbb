// Detection that runs ahead, on a thread of its own, while the steps go on with what it found before (the source's
// kinematics and dynamics threads).
//
// An order has the vertices' positions x at one step and a margin for each body; the result is complete for every step
// at which no vertex is farther from x than its body's margin. The order is given out at step n, and its result is
// taken at step n + ahead, neither earlier nor later: where the detection is not done by then, the step waits. From then
// on the result serves until the next one is taken, at step n + 2 ahead, so the margins should cover the motion of so
// many steps. Where they turn out too small a step does not go on with a list that may miss something: it takes the
// result that is on its way if that covers it, and else detects anew at its own positions.
//
// All this depends on positions and on the number of calls alone: neither results nor counts depend on how fast the
// threads are. And as pairs that do not overlap change nothing of what is made of the result, a run that is resumed,
// and so begins with a fresh detection, goes on with the same bits.
#pragma once

#include <bulwark/collision/triangle_pairs.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace bulwark {

struct DetectionOptions {
  int ahead = 10;  ///< steps from an order to its result
  /// Called by the detecting thread before it begins, and by the step before it asks: tests slow either down.
  std::function<void()> before_detection, before_step;
};

class DetectionAhead {
 public:
  /// The search must outlive it. `extra`: reach of each body beyond its margin (m).
  DetectionAhead(const OverlapSearch& search, std::vector<double> extra, DetectionOptions options);
  ~DetectionAhead();
  DetectionAhead(const DetectionAhead&) = delete;
  DetectionAhead& operator=(const DetectionAhead&) = delete;

  /// A complete list at these positions of the mesh's vertices. `margins` says those of a detection that begins now,
  /// per body of the mesh (m).
  const TrianglePairs& pairs(const Vectors& positions, const std::function<std::vector<double>()>& margins);
  /// The next step begins anew.
  void forget();

  struct Counts {
    std::int64_t orders = 0;  ///< given to the other thread
    std::int64_t early = 0;   ///< results taken before their time, because something moved too far
    std::int64_t fresh = 0;   ///< detections that a step had to do itself
    bool operator==(const Counts&) const = default;
  };
  const Counts& counts() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace bulwark
