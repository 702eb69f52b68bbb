// ANCF beams and shells as rows of `bench flexible`: the published chain of 3243 beams and cantilever of 3443 shells. No
// other program that is measured here has these elements, so that the rows are of ours alone.
#pragma once

#include "bench_table.hpp"

namespace bulwark::app {

/// Of up to `largest` nodes.
void measure_ancf(BenchTable& table, int threads, int largest);

}  // namespace bulwark::app
