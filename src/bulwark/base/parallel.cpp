#include <bulwark/base/parallel.hpp>

#include <tbb/global_control.h>
#include <tbb/info.h>

#include <memory>

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

}  // namespace bulwark
