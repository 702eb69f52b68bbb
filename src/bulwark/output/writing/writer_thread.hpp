// A thread that does jobs in order, beside the thread that hands them in: a run's files are written while the
// next step is being solved. Few jobs wait at a time, so that what they hold stays bounded.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace bulwark {

/// To be used from one thread. After a job has thrown, none of those behind it is done, and each call throws
/// that exception.
class WriterThread {
 public:
  /// At most `most_waiting` jobs wait behind the one that is being done.
  explicit WriterThread(std::size_t most_waiting);
  /// Does what waits. An exception that no call has thrown becomes a warning.
  ~WriterThread();
  WriterThread(const WriterThread&) = delete;
  WriterThread& operator=(const WriterThread&) = delete;

  /// Returns once a further job would not have to wait for its place.
  void wait_for_room();
  /// Hands a job in, as soon as there is room.
  void add(std::function<void()> job);
  /// Returns once all jobs are done.
  void finish();

 private:
  using Lock = std::unique_lock<std::mutex>;
  void work();
  void wait_for_room(Lock& lock);
  void throw_failure();

  const std::size_t most_waiting_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool busy_ = false, ending_ = false, reported_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace bulwark
