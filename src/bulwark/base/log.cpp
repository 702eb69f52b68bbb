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

}  // namespace

void set_log_sink(LogSink new_sink) {
  sink() = std::move(new_sink);
}

void log_message(LogLevel level, const std::string& message) {
  if (sink()) sink()(level, message);
}

}  // namespace bulwark
