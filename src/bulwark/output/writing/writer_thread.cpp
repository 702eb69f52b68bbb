#include <bulwark/base/log.hpp>
#include <bulwark/output/writing/writer_thread.hpp>

#include <pthread.h>

#include <csignal>
#include <utility>

namespace bulwark {
namespace {

/// Signals are for the threads that were there before: a thread that is started meanwhile gets none.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

WriterThread::WriterThread(std::size_t most_waiting) : most_waiting_(most_waiting) {
  const SignalsHeld held;
  thread_ = std::thread([this] { work(); });
}

WriterThread::~WriterThread() {
  {
    const Lock lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
  if (failure_ == nullptr || reported_) return;
  try {
    std::rethrow_exception(failure_);
  } catch (const std::exception& error) {
    log_warning("{}", error.what());
  } catch (...) {
    log_warning("the run's files could not be written");
  }
}

void WriterThread::wait_for_room() {
  Lock lock(mutex_);
  wait_for_room(lock);
}

void WriterThread::wait_for_room(Lock& lock) {
  changed_.wait(lock, [this] { return waiting_.size() < most_waiting_ || failure_ != nullptr; });
  throw_failure();
}

void WriterThread::add(std::function<void()> job) {
  {
    Lock lock(mutex_);
    wait_for_room(lock);
    waiting_.push_back(std::move(job));
  }
  changed_.notify_all();
}

void WriterThread::finish() {
  Lock lock(mutex_);
  changed_.wait(lock, [this] { return (waiting_.empty() && !busy_) || failure_ != nullptr; });
  throw_failure();
}

void WriterThread::throw_failure() {
  if (failure_ == nullptr) return;
  reported_ = true;
  std::rethrow_exception(failure_);
}

void WriterThread::work() {
  Lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return !waiting_.empty() || ending_; });
    if (waiting_.empty()) return;
    std::function<void()> job = std::move(waiting_.front());
    waiting_.pop_front();
    busy_ = true;
    lock.unlock();
    changed_.notify_all();
    std::exception_ptr failure;
    try {
      job();
    } catch (...) {
      failure = std::current_exception();
    }
    job = nullptr;  // what it holds is freed before the next one is taken
    lock.lock();
    busy_ = false;
    if (failure != nullptr) {
      failure_ = failure;
      waiting_.clear();
    }
    changed_.notify_all();
  }
}

}  // namespace bulwark
