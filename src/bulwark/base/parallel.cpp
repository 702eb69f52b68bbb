#include <bulwark/base/parallel.hpp>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <map>
#include <mutex>

namespace bulwark {
namespace {

std::atomic<int> process_count = 0;  ///< 0: all of the machine's
thread_local int scope_count = 0;    ///< 0: the process's

/// The arenas in which loops run, by number of threads. They stay until the process ends.
tbb::task_arena& find_arena(int count) {
  static std::mutex mutex;
  static std::map<int, tbb::task_arena> arenas;
  static std::unique_ptr<tbb::global_control> most;
  const std::lock_guard lock(mutex);
  const auto [arena, is_new] = arenas.try_emplace(count, count);
  // More threads than the machine has are an honest wish: results must not depend on it.
  if (is_new && count > tbb::info::default_concurrency() && arenas.rbegin()->first == count) {
    most.reset();
    most = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                 static_cast<std::size_t>(count));
  }
  return arena->second;
}

/// The same, mostly without waiting for other threads: each remembers the arena that it used last.
tbb::task_arena& arena_of(int count) {
  thread_local int last_count = 0;
  thread_local tbb::task_arena* last = nullptr;
  if (count != last_count) {
    last = &find_arena(count);
    last_count = count;
  }
  return *last;
}

}  // namespace

void set_thread_count(int count) {
  process_count = std::max(count, 0);
}

int thread_count() {
  const int count = scope_count > 0 ? scope_count : process_count.load();
  return count > 0 ? count : tbb::info::default_concurrency();
}

ThreadScope::ThreadScope(int count) : before_(scope_count) {
  if (count > 0) scope_count = count;
}

ThreadScope::~ThreadScope() {
  scope_count = before_;
}

// Threads of an arena carry on the number of threads of the loop that they help with.

void run_ranges(std::size_t count, RangeFunction range) {
  const int threads = thread_count();
  if (count <= parallel_chunk || threads == 1) return range(0, count);
  arena_of(threads).execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, parallel_chunk), [&](const auto& part) {
      const ThreadScope scope(threads);
      range(part.begin(), part.end());
    });
  });
}

void run_tasks(std::size_t count, RangeFunction range) {
  const int threads = thread_count();
  if (count <= 1 || threads == 1) return range(0, count);
  arena_of(threads).execute([&] {
    tbb::parallel_for(std::size_t{0}, count, [&](std::size_t k) {
      const ThreadScope scope(threads);
      range(k, k + 1);
    });
  });
}

}  // namespace bulwark
