// What a run adds up over all its steps, through interruptions: the numbers of summary.json.
#pragma once

#include <bulwark/base/profile.hpp>

#include <cstdint>
#include <limits>

namespace bulwark {

struct StepReport;

struct RunTotals {
  std::int64_t steps = 0, linear_solves = 0;
  std::int64_t iterations = 0;      ///< of all solves, by whichever minimiser
  std::int64_t steps_in_parts = 0;  ///< steps that had to be tried again in parts
  std::int64_t most_contacts = 0;
  double worst_rigidity_error = 0;                                      ///< of affine bodies
  double worst_min_distance = std::numeric_limits<double>::infinity();  ///< m
  double seconds = 0;                                                   ///< of wall time, output included
  Profile profile;

  void add(const StepReport& report);
};

}  // namespace bulwark
