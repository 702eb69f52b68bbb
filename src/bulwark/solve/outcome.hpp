// How a solve ended.
#pragma once

#include <string_view>

namespace bulwark {

enum class Outcome {
  converged,
  iteration_limit,
  line_search_stalled,
  not_finite,
  script_blocked,
  work_limit,
  no_equilibrium
};
std::string_view outcome_name(Outcome outcome);

}  // namespace bulwark
