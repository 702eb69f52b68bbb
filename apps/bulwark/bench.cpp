#include "benchmarks.hpp"
#include "command_line.hpp"
#include "commands.hpp"

#include <bulwark/base/error.hpp>

#include <fmt/format.h>

namespace bulwark::app {
namespace {

BenchTable table_of(const BenchOptions& options) {
  if (options.name == "ipc") return bench_ipc(options);
  if (options.name == "broadphase") return bench_broadphase(options);
  if (options.name == "ccd") return bench_ccd(options);
  if (options.name == "flexible") return bench_flexible(options);
  if (options.name == "minimisers") return bench_minimisers(options);
  if (options.name == "multibody") return bench_multibody(options);
  if (options.name == "solve") return bench_solve(options);
  if (options.name == "spheres") return bench_spheres(options);
  if (options.name == "stiff") return bench_stiff(options);
  throw InputError("bench", "there is no benchmark '" + options.name + "'",
                   "there are: broadphase, ccd, flexible, ipc, minimisers, multibody, solve, spheres, stiff");
}

int bench(const BenchOptions& options) {
  constexpr int most_pairs = 1000;
  const bool by_nodes =
      options.name == "spheres" || options.name == "flexible" || options.name == "minimisers";
  if (!by_nodes && options.largest.value_or(0) > most_pairs)
    throw InputError("--largest",
                     fmt::format("{} x {} pairs are too many", *options.largest, *options.largest),
                     fmt::format("give at most {}", most_pairs));
  const BenchTable table = table_of(options);
  print_table(table);
  if (!options.json.empty()) write_json(table, options.json);
  return 0;
}

}  // namespace

void add_bench_command(CommandLine& line) {
  auto [command, options] = line.add<BenchOptions>(
      "bench", "Run a benchmark: broadphase, ccd, flexible, ipc, solve, stiff, ..", bench);
  command.add_option("NAME", options.name, "The benchmark")->required();
  command.add_option("SCENES", options.scenes,
                     "stiff: scenes for affine and rigid bodies; solve: recorded systems");
  command.add_option("--largest", options.largest, "Up to N x N pairs (100), N spheres or nodes (10000)")
      ->check(CLI::Range(5, 100'000).description(""))
      ->type_name("N");
  command
      .add_option("--only", options.only,
                  "light, medium, full, kinds, growth, windmill; sag, ancf,\n"
                  "cantilever, orders")
      ->check(CLI::IsMember({"light", "medium", "full", "kinds", "growth", "windmill", "sag", "ancf",
                             "cantilever", "orders"})
                  .description(""))
      ->type_name("PART");
  command.add_option("--json", options.json, "Write the results as JSON too")->type_name("FILE");
  command
      .add_option("--threads", options.threads, "Threads; 0 means all; each benchmark has its own default")
      ->check(not_negative())
      ->type_name("N");
  command.add_flag("--quick", options.quick, "The smallest sizes only; flexible: without other programs");
  command.footer("Example:\n  bulwark bench ipc --json ipc.json");
}

}  // namespace bulwark::app
