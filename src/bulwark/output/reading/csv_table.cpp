#include <bulwark/base/error.hpp>
#include <bulwark/base/file_check.hpp>
#include <bulwark/base/input_file.hpp>
#include <bulwark/output/reading/csv_table.hpp>
#include <bulwark/output/reading/table_by_step.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace bulwark {

bool CsvTable::has(std::string_view name) const {
  return std::find(header.begin(), header.end(), name) != header.end();
}

std::size_t CsvTable::column(std::string_view name) const {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end()) {
    throw InputError(file, fmt::format("it has no column '{}'", name),
                     fmt::format("its columns are {}", fmt::join(header, ", ")));
  }
  return static_cast<std::size_t>(found - header.begin());
}

double CsvTable::number(std::size_t row, std::size_t column) const {
  const std::string& text = rows[row][column];
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return text.empty() || *end != 0 ? std::numeric_limits<double>::quiet_NaN() : value;
}

std::int64_t CsvTable::whole_number(std::size_t row, std::size_t column) const {
  const FileCheck check(fmt::format("{}, row {} below the header", file, row + 1));
  return check.whole(number(row, column), -largest_whole_double, largest_whole_double, header[column]);
}

CsvTable csv_table_from_text(std::string_view text, const std::string& name) {
  CsvTable table{name, {}, {}};
  std::size_t line_number = 1;
  for (std::size_t length = csv_line_length(text); length > 0; length = csv_line_length(text)) {
    const std::string_view line = text.substr(0, length);
    const std::string place = fmt::format("{}:{}", name, line_number);
    line_number += static_cast<std::size_t>(std::count(line.begin(), line.end(), '\n'));
    text.remove_prefix(length);
    std::vector<std::string> fields = csv_fields(line);
    if (table.header.empty()) {
      table.header = std::move(fields);
      continue;
    }
    if (fields.size() != table.header.size()) {
      throw InputError(place, fmt::format("this line has {} fields, and the header has {}", fields.size(),
                                          table.header.size()));
    }
    table.rows.push_back(std::move(fields));
  }
  if (text.size() > longest_csv_line) {
    throw InputError(fmt::format("{}:{}", name, line_number), "this line is incomplete",
                     "the table is damaged; run the scene again, or remove the lines after this one");
  }
  if (table.header.empty()) throw InputError(name, "this table is empty");
  return table;
}

CsvTable read_csv_table(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    throw InputError(path.string(), "there is no such table in the run",
                     "give a run folder that `bulwark run -o` wrote, and one of its .csv files");
  }
  return naming_file(path.string(), [&] { return csv_table_from_text(read_file(path), path.string()); });
}

}  // namespace bulwark
