// Colours and emphasis, only where a person looks at a terminal that wants them.
#pragma once

#include <cstdio>
#include <string>

namespace bulwark::app {

enum class Paint { strong, error, warning, good };

/// The text with the codes around it when `stream` is a terminal, NO_COLOR is not set and TERM is not "dumb";
/// else the text alone.
std::string painted(const std::string& text, Paint paint, std::FILE* stream);

/// Sends warnings to standard error, with their colour.
void show_warnings_in_color();

}  // namespace bulwark::app
