// The benchmarks of `bulwark bench`, each in a file of its own. Each returns its table; bench.cpp prints and
// saves it.
#pragma once

#include "bench_table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace bulwark::app {

struct BenchOptions {
  std::string name;
  std::string json;            ///< file for the results; "" for none
  std::optional<int> threads;  ///< 0 means all
  bool quick = false;          ///< the small sizes only, to see that it works
  std::string
      only;  ///< of `stiff` and `flexible`: the one part to run: light, .., sag, cantilever, orders; "": all
  /// Of `stiff`: to compare affine and rigid bodies on; of `solve`: recorded systems, or folders of them.
  std::vector<std::string> scenes;
  /// Of `stiff` and `multibody`: the growth is measured up to N x N pairs of bodies; of `spheres`: up to N; of
  /// `flexible` and `minimisers`: beams of up to N nodes.
  std::optional<int> largest;
};

BenchTable bench_ipc(const BenchOptions& options);
BenchTable bench_broadphase(const BenchOptions& options);
BenchTable bench_ccd(const BenchOptions& options);
BenchTable bench_flexible(const BenchOptions& options);
BenchTable bench_minimisers(const BenchOptions& options);
BenchTable bench_solve(const BenchOptions& options);
BenchTable bench_stiff(const BenchOptions& options);
BenchTable bench_multibody(const BenchOptions& options);
BenchTable bench_spheres(const BenchOptions& options);

}  // namespace bulwark::app
