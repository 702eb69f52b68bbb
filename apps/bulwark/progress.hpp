// What `run` shows while it steps: one line that is rewritten on a terminal; elsewhere a plain line for the
// first and the last step and about one per second between them.
#pragma once

#include <bulwark/base/time_left.hpp>
#include <bulwark/sim/simulation.hpp>

#include <chrono>
#include <cstdint>

namespace bulwark::app {

class Progress {
 public:
  /// A quiet one shows nothing but warnings.
  Progress(std::int64_t first_step, std::int64_t last_step, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const StepReport& report);
  /// Leaves the rewritten line, so that other text can follow.
  void end_line();

 private:
  using Clock = std::chrono::steady_clock;
  std::int64_t last_;
  bool terminal_, quiet_;
  bool line_open_ = false, shown_any_ = false;
  Clock::time_point start_, shown_;
  TimeLeft time_left_;
};

}  // namespace bulwark::app
