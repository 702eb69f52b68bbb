#include "terminal.hpp"

#include <bulwark/base/log.hpp>

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace bulwark::app {
namespace {

bool wants_color(std::FILE* stream) {
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != 0) return false;
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view(terminal) != "dumb" && isatty(fileno(stream)) != 0;
}

}  // namespace

std::string painted(const std::string& text, Paint paint, std::FILE* stream) {
  if (!wants_color(stream)) return text;
  const char* code = paint == Paint::strong    ? "1"
                     : paint == Paint::error   ? "1;31"
                     : paint == Paint::warning ? "1;33"
                                               : "32";
  return fmt::format("\033[{}m{}\033[0m", code, text);
}

void show_warnings_in_color() {
  set_log_sink([](LogLevel level, const std::string& message) {
    const bool warning = level == LogLevel::warning;
    say(stderr, "{}{}\n", warning ? painted("warning: ", Paint::warning, stderr) : "", message);
  });
}

}  // namespace bulwark::app
