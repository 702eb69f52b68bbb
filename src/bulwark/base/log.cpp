#include <bulwark/base/log.hpp>

#include <cstdio>

namespace bulwark {
namespace {

LogSink& sink() {
  static LogSink current = [](LogLevel level, const std::string& message) {
    fmt::print(stderr, "{}{}\n", level == LogLevel::warning ? "warning: " : "", message);
  };
  return current;
}

thread_local const LogSink* scope_sink = nullptr;

}  // namespace

LogScope::LogScope(const LogSink& sink) : before_(scope_sink) {
  if (sink) scope_sink = &sink;
}

LogScope::~LogScope() {
  scope_sink = before_;
}

void set_log_sink(LogSink new_sink) {
  sink() = std::move(new_sink);
}

void log_message(LogLevel level, const std::string& message) {
  const LogSink& to = scope_sink != nullptr ? *scope_sink : sink();
  if (to) to(level, message);
}

}  // namespace bulwark
