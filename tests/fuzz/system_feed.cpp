// The reader of recorded systems, and both ways of solving whatever small system was read.
#include <bulwark/base/error.hpp>
#include <bulwark/solve/linear_solver.hpp>

#include <fuzz/feeds.hpp>

namespace bulwark::fuzz {

void feed_system(std::string_view bytes) {
  try {
    const StoredSystem system = system_of_bytes(bytes, "fuzz");
    constexpr int most_rows = 1000;
    if (system.matrix.rows > most_rows) return;
    VectorX x;
    make_cholesky()->solve(system.view(), x);
    constexpr int most_iterations = 50;
    make_conjugate_gradient(most_iterations)->solve(system.view(), x);
  } catch (const InputError&) {
  } catch (const SolveError&) {
  }
}

}  // namespace bulwark::fuzz
