// The benchmarks of `bulwark bench`, each in a file of its own. Each returns its table; bench.cpp prints and
// saves it.
#pragma once

#include "bench_table.hpp"

#include <string>
#include <vector>

namespace bulwark::app {

struct BenchOptions {
  std::string name;
  std::string json;  ///< file for the results; "" for none
  int threads = 0;
  bool quick = false;  ///< the small sizes only, to see that it works
  std::string only;    ///< of `stiff`: the one part to run: light, medium, full, kinds, growth; "": all
  std::vector<std::string> scenes;  ///< of `stiff`: to compare affine and rigid bodies on
  int largest = 100;                ///< of `stiff`: the growth is measured up to N x N pairs of bodies
};

BenchTable bench_ipc(const BenchOptions& options);
BenchTable bench_broadphase(const BenchOptions& options);
BenchTable bench_ccd(const BenchOptions& options);
BenchTable bench_stiff(const BenchOptions& options);
BenchTable bench_multibody(const BenchOptions& options);

}  // namespace bulwark::app
