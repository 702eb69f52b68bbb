// A whole run as one JSON text, to be put into a page that needs no server. When it would become too large,
// frames are left out evenly.
#pragma once

#include <bulwark/output/viewing/viewed_run.hpp>

#include <cstddef>
#include <string>

namespace bulwark {

struct InlinedRun {
  std::string json;
  std::size_t frames = 0, frames_of_run = 0;
  std::size_t every = 1;  ///< one of this many frames was taken, and the last
};

/// The run, in not many more bytes than `limit`. `<` is escaped: no name of a body can end the page's script.
InlinedRun inline_run(ViewedRun& run, std::size_t limit);

}  // namespace bulwark
