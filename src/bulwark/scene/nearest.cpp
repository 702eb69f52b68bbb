#include <bulwark/scene/nearest.hpp>

#include <algorithm>
#include <cctype>

namespace bulwark {
namespace {

std::string lower_case(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) {
    return c == '-' || c == ' ' ? '_' : static_cast<char>(std::tolower(c));
  });
  return word;
}

/// Insertions, deletions, substitutions and swaps of neighbours that turn a into b.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = std::move(last);
    last = std::move(row);
    row.assign(b.size() + 1, i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest_word(const std::string& word, const std::vector<std::string>& known) {
  constexpr std::size_t longest = 64;  // nobody misspells a word into more
  if (word.empty() || word.size() > longest) return "";
  std::string best;
  std::size_t best_distance = 1 + std::max<std::size_t>(1, word.size() / 3);
  for (const std::string& candidate : known) {
    if (candidate.size() > longest) continue;
    const std::size_t distance = edit_distance(lower_case(word), lower_case(candidate));
    if (distance < best_distance && distance < candidate.size()) {
      best = candidate;
      best_distance = distance;
    }
  }
  if (!best.empty()) return best;
  // A word cut short or drawn out: `rot` for `rotation`, `velocity_linear` for `velocity`.
  for (const std::string& candidate : known) {
    const std::size_t common = std::min(candidate.size(), word.size());
    if (common >= 3 && common <= longest &&
        lower_case(candidate).compare(0, common, lower_case(word), 0, common) == 0) {
      return candidate;
    }
  }
  return "";
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known,
                       const std::string& what) {
  const std::string nearest = nearest_word(word, known);
  if (!nearest.empty()) return "did you mean \"" + nearest + "\"?";
  if (known.empty()) return "";
  constexpr std::size_t most = 30;
  std::string list = "known " + what + ": ";
  for (std::size_t i = 0; i < std::min(known.size(), most); ++i) list += (i == 0 ? "" : ", ") + known[i];
  return known.size() > most ? list + ", ..." : list;
}

}  // namespace bulwark
