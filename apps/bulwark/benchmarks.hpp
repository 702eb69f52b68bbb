// The benchmarks of `bulwark bench`, each in a file of its own. Each returns its table; bench.cpp prints and
// saves it.
#pragma once

#include "bench_table.hpp"
#include "commands.hpp"

namespace bulwark::app {

BenchTable bench_ipc(const BenchOptions& options);
BenchTable bench_broadphase(const BenchOptions& options);
BenchTable bench_ccd(const BenchOptions& options);
BenchTable bench_stiff(const BenchOptions& options);
BenchTable bench_multibody(const BenchOptions& options);

}  // namespace bulwark::app
