// Runs collision queries of the benchmark's format by a chosen method, and scores it: false positives, false
// negatives, time per query.
#include "command_line.hpp"
#include "commands.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/collision/ccd_queries.hpp>
#include <bulwark/output/writing/atomic_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

namespace bulwark::app {
namespace {

struct CcdCommandOptions {
  std::vector<std::string> files;  ///< or folders
  std::string method = "tight-inclusion";
  std::string kind;  ///< vertex-face or edge-edge; "": by the file's path
  double tolerance = 1e-6;
  int max_iterations = 1'000'000;
  double minimum_separation = 0;
  bool bisection_only = false;
  std::string json;
};

namespace fs = std::filesystem;

struct Score {
  std::size_t queries = 0, collisions = 0, false_positives = 0, false_negatives = 0, limit_reached = 0;
  std::vector<double> microseconds;  ///< by query

  double mean() const {
    double sum = 0;
    for (double t : microseconds) sum += t;
    return queries > 0 ? sum / static_cast<double>(queries) : 0;
  }
  /// The time that a share of the queries stays below.
  double quantile(double share) const {
    if (microseconds.empty()) return 0;
    std::vector<double> sorted = microseconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
  }
  void add(const Score& other) {
    queries += other.queries;
    collisions += other.collisions;
    false_positives += other.false_positives;
    false_negatives += other.false_negatives;
    limit_reached += other.limit_reached;
    microseconds.insert(microseconds.end(), other.microseconds.begin(), other.microseconds.end());
  }
};

/// Told by the last "vertex-face" or "edge-edge" in the path.
CcdKind kind_of(const fs::path& file, const std::string& given) {
  if (given == "vertex-face") return CcdKind::point_triangle;
  if (given == "edge-edge") return CcdKind::edge_edge;
  const std::string name = fs::absolute(file).string();
  const std::size_t face = name.rfind("vertex-face"), edge = name.rfind("edge-edge");
  if (face == std::string::npos && edge == std::string::npos) {
    throw InputError(
        file.string(), "the kind of these queries is unknown",
        "give --kind vertex-face or --kind edge-edge, or put the word into the file's or folder's name");
  }
  return edge == std::string::npos || (face != std::string::npos && face > edge) ? CcdKind::point_triangle
                                                                                 : CcdKind::edge_edge;
}

/// Files as given; of a folder all .csv in it, sorted.
std::vector<fs::path> files_of(const std::vector<std::string>& given) {
  std::vector<fs::path> files;
  for (const std::string& name : given) {
    if (!fs::is_directory(name)) {
      files.emplace_back(name);
      continue;
    }
    const std::size_t before = files.size();
    for (const auto& entry : fs::recursive_directory_iterator(name)) {
      if (entry.path().extension() == ".csv") files.push_back(entry.path());
    }
    if (files.size() == before) throw InputError(name, "there is no .csv file in this folder");
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end());
  }
  return files;
}

/// A query's time is the least of a few runs: what others do on the machine only adds. Slow ones run once.
Score score(const std::vector<MovingPair>& pairs, CcdKind kind, const Ccd& ccd,
            const CcdImpactOptions& options) {
  using Clock = std::chrono::steady_clock;
  constexpr int repeats = 7;
  constexpr double slow = 1e5;
  Score result;
  for (const MovingPair& pair : pairs) {
    const CcdQuery query = pair.query();
    CcdAnswer answer;
    double best = 1e300;
    for (int repeat = 0; repeat < repeats && (repeat == 0 || best < slow); ++repeat) {
      const auto start = Clock::now();
      answer = impact(ccd, kind, query, options);
      best = std::min(best, std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    }
    ++result.queries;
    result.collisions += pair.collides;
    result.false_positives += answer.hit && !pair.collides;
    result.false_negatives += !answer.hit && pair.collides;
    result.limit_reached += answer.limit_reached;
    result.microseconds.push_back(best);
  }
  return result;
}

void print_row(const std::string& name, const Score& s) {
  fmt::print("{:<14} {:>9} {:>10} {:>10} {:>10} {:>10} {:>9.3f} {:>9.3f} {:>9.3f} {:>11.3f}\n", name,
             s.queries, s.collisions, s.false_positives, s.false_negatives, s.limit_reached, s.mean(),
             s.quantile(0.5), s.quantile(0.99), s.quantile(1));
}

nlohmann::ordered_json as_json(const Score& s) {
  return {{"queries", s.queries},
          {"collisions", s.collisions},
          {"false_positives", s.false_positives},
          {"false_negatives", s.false_negatives},
          {"limit_reached", s.limit_reached},
          {"mean_us", s.mean()},
          {"median_us", s.quantile(0.5)},
          {"p99_us", s.quantile(0.99)},
          {"worst_us", s.quantile(1)}};
}

int ccd(const CcdCommandOptions& options) {
  const auto method = options.bisection_only ? make_tight_inclusion_ccd(0) : make_ccd(options.method);
  CcdImpactOptions impact_options;
  impact_options.minimum_distance = options.minimum_separation;
  impact_options.tolerance = options.tolerance;
  impact_options.max_iterations = options.max_iterations;

  Score by_kind[2], all;
  for (const fs::path& file : files_of(options.files)) {
    const CcdKind kind = kind_of(file, options.kind);
    by_kind[static_cast<int>(kind)].add(score(read_queries(file), kind, *method, impact_options));
  }
  for (const Score& s : by_kind) all.add(s);

  const std::string name = options.bisection_only ? "tight-inclusion, bisection only" : options.method;
  fmt::print("{}, tolerance {:g} m, minimum separation {:g} m; times in microseconds\n", name,
             options.tolerance, options.minimum_separation);
  fmt::print("{:<14} {:>9} {:>10} {:>10} {:>10} {:>10} {:>9} {:>9} {:>9} {:>11}\n", "", "queries",
             "collisions", "false pos.", "false neg.", "at limit", "mean", "median", "99 %", "worst");
  const char* kind_names[2] = {"vertex-face", "edge-edge"};
  nlohmann::ordered_json json = {
      {"method", name}, {"tolerance", options.tolerance}, {"minimum_separation", options.minimum_separation}};
  json.update(as_json(all));
  for (int k = 0; k < 2; ++k) {
    if (by_kind[k].queries == 0) continue;
    print_row(kind_names[k], by_kind[k]);
    json[kind_names[k]] = as_json(by_kind[k]);
  }
  print_row("all", all);
  if (!options.json.empty()) write_file_atomically(options.json, json.dump(2) + "\n");
  return 0;
}

}  // namespace

void add_ccd_command(CommandLine& line) {
  auto [command, options] =
      line.add<CcdCommandOptions>("ccd", "Answer and score collision queries of the CCD benchmark", ccd);
  command.add_option("FILE", options.files, "Query files (.csv), or folders of them")->required();
  command.add_option("--method", options.method, "tight-inclusion or additive (default: tight-inclusion)")
      ->check(CLI::IsMember({"tight-inclusion", "additive"}).description(""))
      ->type_name("NAME");
  command.add_option("--kind", options.kind, "vertex-face or edge-edge (default: from the path)")
      ->check(CLI::IsMember({"vertex-face", "edge-edge"}).description(""))
      ->type_name("KIND");
  command
      .add_option("--tolerance", options.tolerance,
                  "Metres within which a near miss may count (default: 1e-6)")
      ->check(not_negative())
      ->type_name("M");
  command
      .add_option("--max-iterations", options.max_iterations,
                  "Bound on the work for a query (default: 1000000)")
      ->check(not_negative())
      ->type_name("N");
  command
      .add_option("--min-separation", options.minimum_separation,
                  "Distance that counts as a collision (default: 0)")
      ->check(not_negative())
      ->type_name("M");
  command.add_flag("--bisection-only", options.bisection_only,
                   "Tight inclusion without the separating directions before it");
  command.add_option("--json", options.json, "Write the results as JSON too")->type_name("FILE");
  command.footer("Example:\n  bulwark ccd vertex-face/data_0_0.csv --tolerance 1e-8");
}

}  // namespace bulwark::app
