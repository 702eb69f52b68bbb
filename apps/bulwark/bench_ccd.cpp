// Time per collision query of each CCD method, on sets modelled on the simulation and handcrafted sets of the
// benchmark of Wang et al. 2021: on one thread, in processor time, and on all threads.
#include "benchmarks.hpp"

#include <bulwark/base/parallel.hpp>
#include <bulwark/collision/ccd_query_factory.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>

namespace bulwark::app {
namespace {

struct QuerySet {
  std::string name;
  CcdKind kind;
  std::vector<CcdQuery> queries;
};

/// Of the handcrafted kind: all families but the simulations' in equal parts.
QuerySet make_set(bool simulation, CcdKind kind, int count) {
  QuerySet set = {fmt::format("{}, {}", simulation ? "simulation" : "handcrafted",
                              kind == CcdKind::edge_edge ? "edge-edge" : "vertex-face"),
                  kind,
                  {}};
  constexpr std::uint64_t seed = 7;
  for (int i = 0; i < count; ++i) {
    const int handcrafted = static_cast<int>(QueryFamily::simulation);
    const QueryFamily family =
        simulation ? QueryFamily::simulation : static_cast<QueryFamily>(i % handcrafted);
    set.queries.push_back(make_query(family, kind, seed, static_cast<std::uint64_t>(i)).query());
  }
  return set;
}

/// Seconds of this thread's processor time: other programs don't count.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct QueryTiming {
  double one_thread = 0, all_threads = 0;  ///< microseconds a query
  double hit_share = 0, mean_iterations = 0;
};

QueryTiming measure(const QuerySet& set, const Ccd& ccd) {
  constexpr int repeats = 5;
  const auto count = static_cast<double>(set.queries.size());
  std::vector<CcdAnswer> answers(set.queries.size());
  QueryTiming timing = {1e300, 1e300, 0, 0};
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const double start = processor_seconds();
    for (std::size_t i = 0; i < answers.size(); ++i) answers[i] = impact(ccd, set.kind, set.queries[i], {});
    timing.one_thread = std::min(timing.one_thread, 1e6 * (processor_seconds() - start) / count);
  }
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const double start = wall_seconds();
    parallel_for(answers.size(),
                 [&](std::size_t i) { answers[i] = impact(ccd, set.kind, set.queries[i], {}); });
    timing.all_threads = std::min(timing.all_threads, 1e6 * (wall_seconds() - start) / count);
  }
  for (const CcdAnswer& answer : answers) {
    timing.hit_share += answer.hit / count;
    timing.mean_iterations += answer.iterations / count;
  }
  return timing;
}

}  // namespace

BenchTable bench_ccd(const BenchOptions& options) {
  set_thread_count(options.threads.value_or(0));
  const int count = options.quick ? 5'000 : 200'000;
  BenchTable table = {"ccd", {}};
  for (const bool simulation : {true, false}) {
    for (const CcdKind kind : {CcdKind::point_triangle, CcdKind::edge_edge}) {
      const QuerySet set = make_set(simulation, kind, simulation ? count : count / 5);
      const QueryTiming tight = measure(set, *make_ccd("tight-inclusion"));
      const QueryTiming additive = measure(set, *make_ccd("additive"));
      const std::string note = fmt::format(
          "{} queries, {:.2g} % collide, {:.3g} iterations each; the source's method took {} us on its "
          "machine",
          set.queries.size(), 100 * tight.hit_share, tight.mean_iterations,
          simulation ? (kind == CcdKind::edge_edge ? 0.78 : 0.74)
                     : (kind == CcdKind::edge_edge ? 3030 : 1533));
      const std::string threads = fmt::format("us a query, {} threads", thread_count());
      table.rows.push_back({set.name, "us a query, 1 thread", tight.one_thread, "additive",
                            additive.one_thread, additive.one_thread / tight.one_thread, note});
      table.rows.push_back({set.name, threads, tight.all_threads, "additive", additive.all_threads,
                            additive.all_threads / tight.all_threads, ""});
    }
  }
  return table;
}

}  // namespace bulwark::app
