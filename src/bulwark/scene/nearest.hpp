// The known word that a misspelt one, or one of another program, most likely means.
#pragma once

#include <string>
#include <vector>

namespace bulwark {

/// The one of `known` that another program (or everyday language) calls `word`: "shell" for "cloth". Else the
/// closest by letters inserted, removed, changed or swapped (case does not count), or "" when none is close
/// enough to be meant.
std::string nearest_word(const std::string& word, const std::vector<std::string>& known);

/// "did you mean 'x'?" for the nearest word, else "known WHAT: a, b, c" (nothing when there are none).
std::string suggestion(const std::string& word, const std::vector<std::string>& known,
                       const std::string& what);

}  // namespace bulwark
