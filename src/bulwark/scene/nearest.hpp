// The known word that a misspelt one most likely means.
#pragma once

#include <string>
#include <vector>

namespace bulwark {

/// The closest of `known` by letters inserted, removed, changed or swapped (case does not count), or "" when
/// none is close enough to be meant.
std::string nearest_word(const std::string& word, const std::vector<std::string>& known);

/// "did you mean 'x'?" for the nearest word, else "known WHAT: a, b, c" (nothing when there are none).
std::string suggestion(const std::string& word, const std::vector<std::string>& known,
                       const std::string& what);

}  // namespace bulwark
