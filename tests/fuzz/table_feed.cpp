// The CSV tables of a run: read as a whole, by step, as the viewer's numbers, as charts, and by `explain`.
#include <bulwark/base/error.hpp>
#include <bulwark/output/drawing/chart.hpp>
#include <bulwark/output/reading/csv_table.hpp>
#include <bulwark/output/reading/run_diagnosis.hpp>
#include <bulwark/output/reading/table_by_step.hpp>
#include <bulwark/output/viewing/viewed_tables.hpp>

#include <fuzz/feeds.hpp>
#include <output/temporary_folder.hpp>

namespace bulwark::fuzz {
namespace {

void draw(const CsvTable& table) {
  constexpr std::size_t most_columns = 20;
  for (std::size_t column = 0; column < std::min(table.header.size(), most_columns); ++column) {
    ChartLine line{table.header[column], {}, {}};
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      line.x.push_back(table.number(row, 0));
      line.y.push_back(table.number(row, column));
    }
    chart_to_svg({"fuzz", "x", "s", {{"y", "J", {line}, column % 2 == 1}}});
  }
}

void use(const std::string& text) {
  try {
    const CsvTable table = csv_table_from_text(text, "fuzz");
    draw(table);
    for (std::size_t row = 0; row < table.rows.size(); ++row) table.whole_number(row, 0);
  } catch (const InputError&) {
  }
  const BodyIndex bodies = {{"a", 0}, {"b", 1}};
  body_states(text, text, bodies);
  contact_list(text, bodies);
}

}  // namespace

void feed_table(std::string_view bytes) {
  static const TemporaryFolder folder;
  constexpr std::string_view between = "\n--\n";
  for (const char* name : {"solves.csv", "steps.csv", "bodies.csv"}) {
    const std::size_t end = std::min(bytes.find(between), bytes.size());
    const std::string text = end < bytes.size() ? std::string(bytes.substr(0, end + 1)) : std::string(bytes);
    bytes.remove_prefix(std::min(bytes.size(), end + between.size()));
    use(text);
    write_all(folder / name, text);
    TableByStep table(folder / name);
    table.lines_from(0);
    for (const std::int64_t step : {-1, 0, 1, 2}) table.rows(step);
  }
  for (const std::optional<std::int64_t> step :
       {std::optional<std::int64_t>(), std::optional<std::int64_t>(1)}) {
    try {
      diagnose_run(folder.path(), step);
    } catch (const InputError&) {
    }
  }
}

}  // namespace bulwark::fuzz
