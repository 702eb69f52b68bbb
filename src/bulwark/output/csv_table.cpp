#include <bulwark/base/error.hpp>
#include <bulwark/output/csv_table.hpp>
#include <bulwark/output/table_by_step.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>

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

CsvTable read_csv_table(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw InputError(path.string(), "there is no such table in the run",
                     "give a run folder that `bulwark run -o` wrote, and one of its .csv files");
  }
  std::ostringstream content;
  content << file.rdbuf();
  const std::string text = std::move(content).str();
  CsvTable table{path.string(), {}, {}};
  std::size_t line_number = 0;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) break;
    ++line_number;
    std::vector<std::string> fields = csv_fields(std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
    if (line_number == 1) {
      table.header = std::move(fields);
      continue;
    }
    if (fields.size() != table.header.size()) {
      throw InputError(
          fmt::format("{}:{}", path.string(), line_number),
          fmt::format("this line has {} fields, and the header has {}", fields.size(), table.header.size()));
    }
    table.rows.push_back(std::move(fields));
  }
  if (table.header.empty()) throw InputError(path.string(), "this table is empty");
  return table;
}

}  // namespace bulwark
