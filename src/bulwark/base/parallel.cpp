#include <bulwark/base/parallel.hpp>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>

namespace bulwark {
namespace {

std::unique_ptr<tbb::global_control> control;
int current_count = tbb::info::default_concurrency();

}  // namespace

void set_thread_count(int count) {
  current_count = count > 0 ? count : tbb::info::default_concurrency();
  control.reset();
  control = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                  static_cast<std::size_t>(current_count));
}

int thread_count() {
  return current_count;
}

void run_ranges(std::size_t count, RangeFunction range) {
  if (count <= parallel_chunk || thread_count() == 1) return range(0, count);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, parallel_chunk),
                    [&](const auto& part) { range(part.begin(), part.end()); });
}

void run_tasks(std::size_t count, RangeFunction range) {
  if (count <= 1 || thread_count() == 1) return range(0, count);
  tbb::parallel_for(std::size_t{0}, count, [&](std::size_t k) { range(k, k + 1); });
}

}  // namespace bulwark
