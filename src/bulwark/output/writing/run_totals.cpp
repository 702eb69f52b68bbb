#include <bulwark/output/writing/run_totals.hpp>
#include <bulwark/sim/simulation.hpp>

#include <algorithm>

namespace bulwark {

void RunTotals::add(const StepReport& report) {
  ++steps;
  iterations += report.iterations();
  linear_solves += report.linear_solves;
  steps_in_parts += report.substeps > 1;
  most_contacts = std::max<std::int64_t>(most_contacts, report.contacts);
  worst_rigidity_error = std::max(worst_rigidity_error, report.rigidity_error);
  worst_min_distance = std::min(worst_min_distance, report.min_distance);
  seconds += report.seconds + report.profile[Phase::output] + report.profile[Phase::output_wait];
  for (std::size_t phase = 0; phase < profile.seconds.size(); ++phase) {
    profile.seconds[phase] += report.profile.seconds[phase];
  }
}

}  // namespace bulwark
