// A whole CSV file of a run in memory, by columns.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace bulwark {

struct CsvTable {
  std::string file;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  ///< each as long as the header

  /// The column's index. Throws InputError that lists the columns when there is none of that name.
  std::size_t column(std::string_view name) const;
  bool has(std::string_view name) const;
  /// The field as a number; not a number where it is none.
  double number(std::size_t row, std::size_t column) const;
  /// The field as a whole number. Throws InputError where it is none.
  std::int64_t whole_number(std::size_t row, std::size_t column) const;
};

/// Reads all whole lines; a run that is still going may be writing the last one. Throws InputError when there
/// is no such file, or a line has another number of fields than the header.
CsvTable read_csv_table(const std::filesystem::path& path);

/// The same of the text of a file of that name.
CsvTable csv_table_from_text(std::string_view text, const std::string& name);

}  // namespace bulwark
