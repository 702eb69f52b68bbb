#include "interrupt.hpp"

#include <csignal>

namespace bulwark::app {
namespace {

volatile std::sig_atomic_t signal_seen = 0;

void on_signal(int) {
  signal_seen = 1;
}

}  // namespace

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART | SA_RESETHAND;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() {
  return signal_seen != 0;
}

}  // namespace bulwark::app
