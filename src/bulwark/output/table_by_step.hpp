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

/// The fields of one line, as csv_field wrote them.
std::vector<std::string> csv_fields(std::string_view line);

class TableByStep {
 public:
  explicit TableByStep(std::filesystem::path path) : path_(std::move(path)) {}

  /// The lines of one step, without the header; "" when there are none or no such file. From any thread.
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

  std::filesystem::path path_;
  std::mutex mutex_;
  std::vector<Place> places_;  ///< where the rows of each step begin
  std::uint64_t end_ = 0;      ///< of the last whole line seen
};

}  // namespace bulwark
