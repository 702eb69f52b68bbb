// Lets Ctrl-C end a step in its midst: asks Python for pending signals while C++ works without the
// interpreter.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace bulwark::python {

class SignalWatch {
 public:
  /// While this object lives, the thread that made it may be stopped. No other is asked: Python handles
  /// signals in its main thread only.
  class Work {
   public:
    explicit Work(SignalWatch& watch) : watch_(watch) { watch_.worker_ = std::this_thread::get_id(); }
    ~Work() { watch_.worker_ = std::thread::id(); }
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;

   private:
    SignalWatch& watch_;
  };

  /// Throws what a handler raised, KeyboardInterrupt as a rule; else false.
  bool operator()() {
    if (std::this_thread::get_id() != worker_.load()) return false;
    const Clock::time_point now = Clock::now();
    if (now < next_) return false;
    next_ = now + std::chrono::milliseconds(50);
    const pybind11::gil_scoped_acquire python;
    if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
    return false;
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::atomic<std::thread::id> worker_;
  Clock::time_point next_;  ///< of the worker alone
};

}  // namespace bulwark::python
