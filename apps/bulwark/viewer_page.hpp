// The viewer's page, built from viewer/ and packed into the program: one HTML text with its script and style
// within. Made by cmake/viewer.cmake.
#pragma once

#include <string_view>

namespace bulwark::app {

/// "" when the program was built without npm.
std::string_view viewer_page();

/// In the page, where a page without a server carries its run.
inline constexpr std::string_view viewer_page_mark = "<!--the run-->";

}  // namespace bulwark::app
