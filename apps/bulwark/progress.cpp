#include "progress.hpp"

#include "units.hpp"

#include <bulwark/base/log.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace bulwark::app {
namespace {

constexpr double terminal_interval = 0.1, plain_interval = 1;  // seconds

double seconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

void print_message(LogLevel level, const std::string& message) {
  fmt::print(stderr, "{}{}\n", level == LogLevel::warning ? "warning: " : "", message);
}

}  // namespace

Progress::Progress(std::int64_t first_step, std::int64_t last_step)
    : first_(first_step),
      last_(last_step),
      terminal_(isatty(STDOUT_FILENO) != 0),
      start_(Clock::now()),
      shown_(start_) {
  set_log_sink([this](LogLevel level, const std::string& message) {
    end_line();
    print_message(level, message);
  });
}

Progress::~Progress() {
  end_line();
  set_log_sink(print_message);
}

void Progress::show(const StepReport& report) {
  const Clock::time_point now = Clock::now();
  const bool is_last = report.step >= last_;
  const double interval = terminal_ ? terminal_interval : plain_interval;
  if (shown_any_ && !is_last && seconds(now - shown_) < interval) return;
  shown_any_ = true;
  shown_ = now;
  const double per_step = seconds(now - start_) / static_cast<double>(report.step - first_);
  const std::string left =
      is_last ? "" : "  " + duration(per_step * static_cast<double>(last_ - report.step)) + " left";
  fmt::print("{}step {}/{}  t = {:.4g} s  {} Newton  {} contacts{}{}", terminal_ ? "\r\033[K" : "",
             report.step, last_, report.time, report.newton_iterations, report.contacts, left,
             terminal_ ? "" : "\n");
  line_open_ = terminal_;
  std::fflush(stdout);
}

void Progress::end_line() {
  if (line_open_) fmt::print("\n");
  line_open_ = false;
  std::fflush(stdout);
}

}  // namespace bulwark::app
