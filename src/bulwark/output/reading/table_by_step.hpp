// A CSV file of a run, which may still be growing, read by step: its first column is the step, in ascending
// order. Only the rows that are asked for are read; where they lie is found in one pass and remembered.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace bulwark {

/// A line of a table has a row of numbers and some names: what is longer is damage.
inline constexpr std::size_t longest_csv_line = std::size_t{1} << 20;

/// The length of the line that begins `text`, with its end; 0 when it does not end within the longest line.
/// Names may hold line ends within quotes.
std::size_t csv_line_length(std::string_view text);

/// The fields of one line, as csv_field wrote them.
std::vector<std::string> csv_fields(std::string_view line);

class TableByStep {
 public:
  /// `within`: the folder that the file must lie in; empty: anywhere.
  explicit TableByStep(std::filesystem::path path, std::filesystem::path within = {})
      : path_(std::move(path)), within_(std::move(within)) {}

  /// The lines of one step, without the header; "" when there are none or no such file. Lines after one that
  /// is too long are left out. From any thread.
  std::string rows(std::int64_t step);

  /// All whole lines from that byte on, the header among them when it is 0.
  std::string lines_from(std::uint64_t begin);

 private:
  struct Place {
    std::int64_t step = 0;
    std::uint64_t begin = 0;
  };
  void read_growth();
  std::string read(std::uint64_t begin, std::uint64_t end) const;

  std::filesystem::path path_, within_;
  std::mutex mutex_;
  std::vector<Place> places_;  ///< where the rows of each step begin
  std::uint64_t end_ = 0;      ///< of the last whole line seen
};

}  // namespace bulwark
