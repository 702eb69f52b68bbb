// How long a loop still takes, from how long its recent rounds took: the cost of a step changes by orders of
// magnitude when things begin to touch, so the mean from the start is no guide.
#pragma once

#include <cstdint>
#include <vector>

namespace bulwark {

class TimeLeft {
 public:
  /// Rounds first + 1 to last are to be done; the clock stands at `now` seconds.
  TimeLeft(std::int64_t first, std::int64_t last, double now) : first_(first), last_(last), ends_{now} {}

  /// A round ended at `now`.
  void round_done(double now) { ends_.push_back(now); }

  /// Seconds for the rounds that are left, if each takes as long as the mean of the last quarter of those
  /// that are done (at least the last 5, at most the last 200).
  double seconds() const;

 private:
  std::int64_t first_, last_;
  std::vector<double> ends_;
};

}  // namespace bulwark
