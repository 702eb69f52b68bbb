#include "benchmarks.hpp"

#include <bulwark/base/error.hpp>

namespace bulwark::app {
namespace {

BenchTable table_of(const BenchOptions& options) {
  if (options.name == "ipc") return bench_ipc(options);
  if (options.name == "broadphase") return bench_broadphase(options);
  if (options.name == "ccd") return bench_ccd(options);
  if (options.name == "multibody") return bench_multibody(options);
  if (options.name == "stiff") return bench_stiff(options);
  throw InputError("bench", "there is no benchmark '" + options.name + "'",
                   "there are: broadphase, ccd, ipc, multibody, stiff");
}

}  // namespace

int bench(const BenchOptions& options) {
  const BenchTable table = table_of(options);
  print_table(table);
  if (!options.json.empty()) write_json(table, options.json);
  return 0;
}

}  // namespace bulwark::app
