// Parallel loops whose results do not depend on the number of threads: work is cut into chunks of a fixed
// size, and reductions add the chunks' results in order.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace bulwark {

/// Number of threads that the loops below may use; 0 means all of the machine's.
void set_thread_count(int count);
int thread_count();

/// Below this many items a loop runs on the calling thread: waking others would cost more.
inline constexpr std::size_t parallel_chunk = 64;

/// Calls body(i) for i in [0, count), in any order. body must only write to what belongs to i.
template <class Body>
void parallel_for(std::size_t count, Body&& body) {
  if (count <= parallel_chunk || thread_count() == 1) {
    for (std::size_t i = 0; i < count; ++i) body(i);
    return;
  }
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, parallel_chunk), [&](const auto& range) {
    for (std::size_t i = range.begin(); i != range.end(); ++i) body(i);
  });
}

/// Calls body(begin, end, chunk) for consecutive ranges of `chunk_size` items; chunk counts them from 0.
template <class Body>
void parallel_chunks(std::size_t count, std::size_t chunk_size, Body&& body) {
  const std::size_t chunks = (count + chunk_size - 1) / chunk_size;
  auto run = [&](std::size_t chunk) {
    body(chunk * chunk_size, std::min(count, (chunk + 1) * chunk_size), chunk);
  };
  if (chunks <= 1 || thread_count() == 1) {
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) run(chunk);
    return;
  }
  tbb::parallel_for(std::size_t{0}, chunks, run);
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
