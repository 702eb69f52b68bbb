// Elements of higher order against finer meshes of linear ones: error and time of both in one run.
#pragma once

#include "bench_table.hpp"

namespace bulwark::app {

/// A steel cantilever, 1 x 0.05 x 0.05 m with 1 kN at its end, at rest: the tip against that of a fine mesh of quadratic
/// elements. Beam theory, P L^3 / (3 E I) + P L / (G A 5/6), does not know that the held face can't contract.
void measure_cantilever(BenchTable& table, int threads, bool quick);

/// A soft cantilever that hangs by its weight, a mat that is twisted and a ball that bounces, each against a finer mesh of
/// quadratic elements.
void measure_orders(BenchTable& table, int threads, bool quick);

}  // namespace bulwark::app
