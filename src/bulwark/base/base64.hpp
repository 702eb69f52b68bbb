// Bytes as text, as pages in the browser carry them.
#pragma once

#include <string>
#include <string_view>

namespace bulwark {

std::string to_base64(std::string_view bytes);

}  // namespace bulwark
