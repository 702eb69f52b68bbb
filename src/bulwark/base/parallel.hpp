// Parallel loops whose results do not depend on the number of threads: work is cut into chunks of a fixed
// size, and reductions add the chunks' results in order. Every loop's body is compiled once and called
// through a pointer, whether one thread runs it or many, so that all numbers of threads run the same
// instructions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace bulwark {

/// Number of threads that the loops below may use where no scope says otherwise; 0 means all of the machine's.
void set_thread_count(int count);
/// Number of threads that a loop would use here.
int thread_count();

/// While it lives, loops that the calling thread begins use `count` threads (0: what set_thread_count says). A
/// simulation opens one around its work, so that several in one process keep their numbers.
class ThreadScope {
 public:
  explicit ThreadScope(int count);
  ~ThreadScope();
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  int before_;
};

/// Below this many items a loop runs on the calling thread: waking others would cost more.
inline constexpr std::size_t parallel_chunk = 64;

/// A function of a range of items, referred to and not owned.
class RangeFunction {
 public:
  template <class Function>
    requires(!std::is_same_v<std::remove_cvref_t<Function>, RangeFunction>)
  RangeFunction(Function& function)
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(function)))),
        call_([](void* object, std::size_t begin, std::size_t end) {
          (*static_cast<Function*>(object))(begin, end);
        }) {}
  void operator()(std::size_t begin, std::size_t end) const { call_(object_, begin, end); }

 private:
  void* object_;
  void (*call_)(void*, std::size_t, std::size_t);
};

/// Calls range(begin, end) for ranges that make up [0, count), of any size.
void run_ranges(std::size_t count, RangeFunction range);
/// Calls range(k, k + 1) for each k in [0, count), each of them worth a task of its own.
void run_tasks(std::size_t count, RangeFunction range);

/// Calls body(i) for i in [0, count), in any order. body must only write to what belongs to i.
template <class Body>
void parallel_for(std::size_t count, Body&& body) {
  auto range = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) body(i);
  };
  run_ranges(count, range);
}

/// Calls body(begin, end, chunk) for consecutive ranges of `chunk_size` items; chunk counts them from 0.
template <class Body>
void parallel_chunks(std::size_t count, std::size_t chunk_size, Body&& body) {
  auto tasks = [&](std::size_t first, std::size_t last) {
    for (std::size_t chunk = first; chunk < last; ++chunk)
      body(chunk * chunk_size, std::min(count, (chunk + 1) * chunk_size), chunk);
  };
  run_tasks((count + chunk_size - 1) / chunk_size, tasks);
}

/// Combines value(i) over i in [0, count) with `combine`, always in the same order.
template <class T, class Value, class Combine>
T parallel_reduce(std::size_t count, T identity, Value&& value, Combine&& combine) {
  constexpr std::size_t chunk_size = 256;
  std::vector<T> partial((count + chunk_size - 1) / chunk_size, identity);
  parallel_chunks(count, chunk_size, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
    T result = identity;
    for (std::size_t i = begin; i < end; ++i) result = combine(result, value(i));
    partial[chunk] = result;
  });
  T result = identity;
  for (const T& part : partial) result = combine(result, part);
  return result;
}

template <class Value>
double parallel_sum(std::size_t count, Value&& value) {
  return parallel_reduce(count, 0.0, value, [](double a, double b) { return a + b; });
}

template <class Value>
double parallel_min(std::size_t count, double identity, Value&& value) {
  return parallel_reduce(count, identity, value, [](double a, double b) { return std::min(a, b); });
}

}  // namespace bulwark
