// Time of the ways to solve linear systems that `run --record-systems` wrote.
#include "benchmarks.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/base/parallel.hpp>
#include <bulwark/solve/block_cholesky.hpp>
#include <bulwark/solve/linear_solver.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>

namespace bulwark::app {
namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The files given, and those in folders given, by name.
std::vector<std::filesystem::path> system_files(const std::vector<std::string>& given) {
  std::vector<std::filesystem::path> files;
  for (const std::string& name : given) {
    if (!std::filesystem::is_directory(name)) {
      files.emplace_back(name);
      continue;
    }
    const std::size_t before = files.size();
    for (const auto& entry : std::filesystem::directory_iterator(name)) {
      if (entry.path().extension() == ".bws") files.push_back(entry.path());
    }
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end());
  }
  if (files.empty())
    throw InputError(
        "bench solve", "there is no system to solve",
        "record some with `bulwark run SCENE --record-systems DIR`, and give DIR or files of it");
  return files;
}

/// One way to solve.
struct SolveTrial {
  double first = 0, again = 0;  ///< seconds, with the pattern new and known; negative where it failed
  int iterations = 0;
  double residual = 0;
};

SolveTrial try_solving(const LinearSystem& system, LinearSolver& solver, int repeats) {
  SolveTrial trial;
  VectorX x;
  trial.again = 1e300;
  for (int repeat = 0; repeat <= repeats; ++repeat) {
    const int before = repeat == 0 ? 0 : solver.effort().iterations;
    const double start = seconds_now();
    if (!solver.solve(system, x)) {
      trial.first = trial.again = -1;
      return trial;
    }
    const double seconds = seconds_now() - start;
    (repeat == 0 ? trial.first : trial.again) = repeat == 0 ? seconds : std::min(trial.again, seconds);
    trial.iterations = solver.effort().iterations - before;
  }
  VectorX product;
  system.matrix.multiply(x, product);
  trial.residual = (product - system.rhs).norm() / system.rhs.norm();
  return trial;
}

}  // namespace

BenchTable bench_solve(const BenchOptions& options) {
  BenchTable table = {"solve", {}};
  const ThreadScope threads(options.threads.value_or(0));
  const int repeats = options.quick ? 1 : 3;
  for (const std::filesystem::path& file : system_files(options.scenes)) {
    const StoredSystem stored = read_system(file);
    const std::string name = fmt::format("{}/{}, {} unknowns", file.parent_path().filename().string(),
                                         file.stem().string(), 3 * stored.matrix.rows);
    struct Way {
      std::string name;
      std::unique_ptr<LinearSolver> solver;
      double tolerance;
    };
    std::vector<Way> ways;
    ways.push_back({"cg to 1e-2", make_conjugate_gradient(5000), 1e-2});
    ways.push_back({"cg to 1e-6", make_conjugate_gradient(5000), 1e-6});
    ways.push_back({"cholesky", make_cholesky(), 1e-6});
    ways.push_back({"auto", make_linear_solver("auto"), 1e-6});
    std::unique_ptr<LinearSolver> peer = make_supernodal_cholesky();
    const SolveTrial supernodal = peer ? try_solving(stored.view(), *peer, repeats) : SolveTrial();
    for (const Way& way : ways) {
      LinearSystem system = stored.view();
      system.tolerance = way.tolerance;
      const SolveTrial trial = try_solving(system, *way.solver, repeats);
      const std::string note = trial.first < 0
                                   ? "failed"
                                   : fmt::format("first {:.1f} ms, {} iterations, residual {:.0e}",
                                                 1e3 * trial.first, trial.iterations, trial.residual);
      BenchRow row = {name, way.name + ", ms", 1e3 * trial.again, "", {}, {}, note};
      if (supernodal.again > 0) {
        row.peer_name = "CHOLMOD";
        row.peer = 1e3 * supernodal.again;
        if (trial.again > 0) row.ratio = supernodal.again / trial.again;
      }
      table.rows.push_back(row);
    }
  }
  return table;
}

}  // namespace bulwark::app
