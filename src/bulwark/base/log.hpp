// Messages to the person who runs the program: plain lines on standard error. A library user can take them
// over.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>

namespace bulwark {

enum class LogLevel { info, warning };

using LogSink = std::function<void(LogLevel, const std::string&)>;

/// Replaces where messages go that no scope takes; an empty sink silences them. Not thread-safe: set it before
/// simulating.
void set_log_sink(LogSink sink);

/// While it lives, messages of the calling thread go to `sink`; where that is empty, to where they went before.
class LogScope {
 public:
  explicit LogScope(const LogSink& sink);
  ~LogScope();
  LogScope(const LogScope&) = delete;
  LogScope& operator=(const LogScope&) = delete;

 private:
  const LogSink* before_;
};
void log_message(LogLevel level, const std::string& message);

template <class... Args>
void log_info(fmt::format_string<Args...> format, Args&&... args) {
  log_message(LogLevel::info, fmt::format(format, std::forward<Args>(args)...));
}

template <class... Args>
void log_warning(fmt::format_string<Args...> format, Args&&... args) {
  log_message(LogLevel::warning, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace bulwark
