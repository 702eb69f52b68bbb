#include "progress.hpp"

#include "terminal.hpp"
#include "units.hpp"

#include <bulwark/base/log.hpp>

#include <unistd.h>

#include <cstdio>

namespace bulwark::app {
namespace {

constexpr double terminal_interval = 0.1, plain_interval = 1;  // seconds

double seconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

Progress::Progress(std::int64_t first_step, std::int64_t last_step, bool quiet)
    : last_(last_step),
      terminal_(isatty(STDOUT_FILENO) != 0),
      quiet_(quiet),
      start_(Clock::now()),
      shown_(start_),
      time_left_(first_step, last_step, 0) {
  set_log_sink([this](LogLevel level, const std::string& message) {
    end_line();
    const std::string mark = level == LogLevel::warning ? painted("warning: ", Paint::warning, stderr) : "";
    say(stderr, "{}{}\n", mark, message);
  });
}

Progress::~Progress() {
  end_line();
  show_warnings_in_color();
}

void Progress::show(const StepReport& report) {
  if (quiet_) return;
  const Clock::time_point now = Clock::now();
  time_left_.round_done(seconds(now - start_));
  const bool is_last = report.step >= last_;
  const double interval = terminal_ ? terminal_interval : plain_interval;
  if (shown_any_ && !is_last && seconds(now - shown_) < interval) return;
  shown_any_ = true;
  shown_ = now;
  const std::string left = is_last ? "" : "  " + duration(time_left_.seconds()) + " left";
  say(stdout, "{}step {}/{}  t = {:.4g} s  {} {}  {} contacts{}{}", terminal_ ? "\r\033[K" : "", report.step,
      last_, report.time, report.iterations(), report.adamw_iterations > 0 ? "AdamW" : "Newton",
      report.contacts, left, terminal_ ? "" : "\n");
  line_open_ = terminal_;
  std::fflush(stdout);
}

void Progress::end_line() {
  if (line_open_) say(stdout, "\n");
  line_open_ = false;
  std::fflush(stdout);
}

}  // namespace bulwark::app
