#include <bulwark/solve/single_threaded_blas.hpp>

#include <mutex>

// Weak: there are BLAS libraries without them.
extern "C" void openblas_set_num_threads(int) __attribute__((weak));
extern "C" int openblas_get_num_threads() __attribute__((weak));
extern "C" void omp_set_max_active_levels(int) __attribute__((weak));
extern "C" int omp_get_max_active_levels() __attribute__((weak));

namespace bulwark {
namespace {

std::mutex mutex;
int users = 0, blas_threads = 1, openmp_levels = 0;

}  // namespace

SingleThreadedBlas::SingleThreadedBlas() {
  const std::lock_guard lock(mutex);
  if (users++ > 0) return;
  if (openblas_get_num_threads != nullptr && openblas_set_num_threads != nullptr) {
    blas_threads = openblas_get_num_threads();
    if (blas_threads != 1) openblas_set_num_threads(1);
  }
  if (omp_get_max_active_levels != nullptr && omp_set_max_active_levels != nullptr) {
    openmp_levels = omp_get_max_active_levels();
    omp_set_max_active_levels(0);
  }
}

SingleThreadedBlas::~SingleThreadedBlas() {
  const std::lock_guard lock(mutex);
  if (--users > 0) return;
  if (openblas_set_num_threads != nullptr && blas_threads != 1) openblas_set_num_threads(blas_threads);
  if (omp_set_max_active_levels != nullptr) omp_set_max_active_levels(openmp_levels);
}

}  // namespace bulwark
