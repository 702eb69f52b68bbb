// Colours and emphasis, only where a person looks at a terminal that wants them.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace bulwark::app {

enum class Paint { strong, error, warning, good };

/// The text with the codes around it when `stream` is a terminal, NO_COLOR is not set and TERM is not "dumb";
/// else the text alone.
std::string painted(const std::string& text, Paint paint, std::FILE* stream);

/// Prints. A stream that takes no more, because its terminal or reader is gone, ends no run: unlike
/// fmt::print this does not throw.
template <class... Args>
void say(std::FILE* stream, fmt::format_string<Args...> format, Args&&... args) {
  std::fputs(fmt::format(format, std::forward<Args>(args)...).c_str(), stream);
}

/// Sends warnings to standard error, with their colour.
void show_warnings_in_color();

}  // namespace bulwark::app
