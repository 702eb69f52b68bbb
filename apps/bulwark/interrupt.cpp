#include "interrupt.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>

namespace bulwark::app {
namespace {

std::atomic<bool> signal_seen = false;
static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers may set it");

void on_signal(int) {
  signal_seen = true;
}

/// What is printed from now on to a stream that nobody reads goes nowhere, so that the run can end in order.
void on_closed_pipe(int) {
  const int error = errno;
  signal_seen = true;
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    pollfd state = {stream, POLLOUT, 0};
    if (poll(&state, 1, 0) < 1 || (state.revents & (POLLERR | POLLHUP)) == 0) continue;
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0) continue;
    dup2(nowhere, stream);
    close(nowhere);
  }
  errno = error;
}

void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(signal, &action, nullptr);
}

bool is_ignored(int signal) {
  struct sigaction action = {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

void catch_interrupts() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (signal == SIGHUP && is_ignored(signal)) continue;
    handle(signal, on_signal, SA_RESTART | SA_RESETHAND);
  }
  handle(SIGPIPE, on_closed_pipe, SA_RESTART);
}

bool interrupted() {
  return signal_seen;
}

}  // namespace bulwark::app
