// Wall-clock seconds per named phase of a step. Simulation owns one; every layer adds to it by a ScopedPhase.
#pragma once

#include <array>
#include <chrono>
#include <string_view>

namespace bulwark {

/// The last three belong to output: collecting what is to be written and waiting for the writer come between
/// steps, on top of a step's seconds; writing goes on beside the steps, in its own thread, and adds to no
/// sum.
enum class Phase {
  assembly,
  linear_solve,
  broad_phase,
  ccd,
  contact,
  line_search,
  output,
  output_wait,
  writing,
  count
};

inline constexpr std::array<std::string_view, static_cast<std::size_t>(Phase::count)> phase_names = {
    "assembly",    "linear_solve", "broad_phase", "ccd",    "contact",
    "line_search", "output",       "output_wait", "writing"};

/// Whether a phase is part of the time that a run takes; others go on beside it.
constexpr bool takes_time(Phase phase) {
  return phase != Phase::writing;
}

struct Profile {
  std::array<double, static_cast<std::size_t>(Phase::count)> seconds{};

  double& operator[](Phase phase) { return seconds[static_cast<std::size_t>(phase)]; }
  double operator[](Phase phase) const { return seconds[static_cast<std::size_t>(phase)]; }
};

/// Adds the lifetime of this object to one phase. Phases nest: the inner one's time is not counted twice.
class ScopedPhase {
 public:
  ScopedPhase(Profile& profile, Phase phase) : profile_(profile), phase_(phase), outer_(innermost_) {
    start_ = Clock::now();
    innermost_ = this;
  }
  ~ScopedPhase() {
    const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
    profile_[phase_] += elapsed - inner_;
    if (outer_ != nullptr) outer_->inner_ += elapsed;
    innermost_ = outer_;
  }
  ScopedPhase(const ScopedPhase&) = delete;
  ScopedPhase& operator=(const ScopedPhase&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  static inline thread_local ScopedPhase* innermost_ = nullptr;
  Profile& profile_;
  Phase phase_;
  ScopedPhase* outer_;
  Clock::time_point start_;
  double inner_ = 0;
};

}  // namespace bulwark
