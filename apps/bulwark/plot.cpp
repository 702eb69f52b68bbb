#include "command_line.hpp"
#include "commands.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/base/profile.hpp>
#include <bulwark/output/drawing/chart.hpp>
#include <bulwark/output/reading/column_units.hpp>
#include <bulwark/output/reading/csv_table.hpp>
#include <bulwark/output/reading/run_summary.hpp>
#include <bulwark/output/writing/atomic_file.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace bulwark::app {
namespace {

struct PlotOptions {
  std::string folder;
  std::string output;  ///< the file, or the folder for the usual plots; "": in the run folder
  std::string file = "steps.csv";
  std::vector<std::string> columns;  ///< empty: the usual plots
  std::vector<std::string> names;    ///< of bodies or joints to show; empty: all
  std::string x;                     ///< column of the horizontal axis; "": time
  bool logarithmic = false;
  bool quiet = false;
};

/// Rows of a table that belong together: those of one body (and one source of its forces), one joint or one
/// pair of bodies; all rows of a table that has one row per step.
struct Group {
  std::string name;
  std::vector<std::size_t> rows;
};

constexpr std::size_t most_groups = 12;

std::vector<Group> groups_of(const CsvTable& table, const std::vector<std::string>& wanted) {
  std::vector<std::size_t> names;
  for (const char* column : {"body", "source", "joint", "body_a", "body_b"}) {
    if (table.has(column)) names.push_back(table.column(column));
  }
  const bool pairs = table.has("body_a");
  if (names.empty() && !wanted.empty()) {
    throw InputError(table.file, "its rows have no names to choose by", "leave --of out");
  }
  std::vector<Group> groups;
  std::map<std::string, std::size_t> index;
  std::set<std::string> known;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    std::vector<std::string> parts;
    for (const std::size_t column : names) parts.push_back(table.rows[row][column]);
    std::vector<std::string> called = parts;
    if (pairs) std::sort(parts.begin(), parts.end());  // a pair is the same whichever comes first
    const std::string name = fmt::format("{}", fmt::join(parts, pairs ? " - " : " "));
    called.push_back(name);
    known.insert(called.begin(), called.end());
    const bool chosen = wanted.empty() || std::any_of(called.begin(), called.end(), [&](const auto& own) {
                          return std::find(wanted.begin(), wanted.end(), own) != wanted.end();
                        });
    if (!chosen) continue;
    const auto [place, is_new] = index.try_emplace(name, groups.size());
    if (is_new) groups.push_back({name, {}});
    groups[place->second].rows.push_back(row);
  }
  for (const std::string& name : wanted) {
    if (!known.contains(name)) {
      throw InputError("--of " + name, "the table has no rows of that name",
                       fmt::format("its names are {}", fmt::join(known, ", ")));
    }
  }
  if (groups.size() > most_groups) {
    fmt::print("{}: {} of {} names are shown; choose others with --of\n", table.file, most_groups,
               groups.size());
    groups.resize(most_groups);
  }
  return groups;
}

ChartLine line_of(const CsvTable& table, const Group& group, const std::string& x, const std::string& y,
                  const std::string& name) {
  ChartLine line{name, {}, {}};
  const std::size_t x_column = table.column(x), y_column = table.column(y);
  for (const std::size_t row : group.rows) {
    line.x.push_back(table.number(row, x_column));
    line.y.push_back(table.number(row, y_column));
  }
  return line;
}

/// One panel for each unit, in the order in which the columns name them.
Chart chart_of(const CsvTable& table, const std::vector<std::string>& columns,
               const std::vector<std::string>& names, const std::string& x, bool logarithmic) {
  Chart chart{"", x, column_unit(x), {}};
  const std::vector<Group> groups = groups_of(table, names);
  for (const std::string& column : columns) {
    const std::string unit = column_unit(column);
    // Counts of different things share no scale.
    const auto same = std::find_if(chart.panels.begin(), chart.panels.end(), [&](const ChartPanel& panel) {
      return panel.unit == unit && !unit.empty();
    });
    ChartPanel& panel =
        same != chart.panels.end() ? *same : chart.panels.emplace_back(ChartPanel{"", unit, {}, logarithmic});
    panel.label += (panel.label.empty() ? "" : ", ") + column;
    for (const Group& group : groups) {
      const std::string name = group.name.empty()    ? column
                               : columns.size() == 1 ? group.name
                                                     : fmt::format("{} {}", group.name, column);
      panel.lines.push_back(line_of(table, group, x, column, name));
    }
  }
  for (ChartPanel& panel : chart.panels) {
    constexpr std::size_t fitting = 40;
    if (panel.label.size() > fitting) panel.label = panel.unit == "J" ? "energy" : "value";
  }
  return chart;
}

bool is_chart_name(const std::filesystem::path& file) {
  return file.extension() == ".svg" || file.extension() == ".png";
}

void write_chart(const PlotOptions& options, Chart chart, const std::string& title,
                 const std::filesystem::path& file) {
  chart.title = title;
  if (file.has_parent_path()) make_folder(file.parent_path());
  write_file_atomically(file, file.extension() == ".png" ? chart_to_png(chart) : chart_to_svg(chart));
  if (!options.quiet) fmt::print("{}\n", file.string());
}

std::string title_of(const PlotOptions& options, const std::string& what) {
  const std::string title = read_run_summary(options.folder).title;
  return title.empty() ? what : title + ": " + what;
}

/// Whether the minimiser of a run was AdamW. Runs of older versions do not say.
bool uses_adamw(const CsvTable& steps) {
  if (!steps.has("adamw_iterations")) return false;
  const std::size_t column = steps.column("adamw_iterations");
  for (std::size_t row = 0; row < steps.rows.size(); ++row) {
    if (steps.number(row, column) > 0) return true;
  }
  return false;
}

/// The three plots that every run has.
int plot_usual(const PlotOptions& options) {
  const std::filesystem::path folder = options.output.empty() ? options.folder : options.output;
  const CsvTable steps = read_csv_table(std::filesystem::path(options.folder) / "steps.csv");

  std::vector<std::string> energies;
  for (const std::string& column : steps.header) {
    if (column_unit(column) == "J") energies.push_back(column);
  }
  Chart energy = chart_of(steps, energies, {}, "time", false);
  energy.panels.front().label = "energy";
  write_chart(options, energy, title_of(options, "energies"), folder / "energies.svg");

  Chart contacts = chart_of(steps, {"contacts"}, {}, "time", false);
  Chart distance = chart_of(steps, {"min_distance"}, {}, "time", true);
  distance.panels.front().label = "smallest distance";
  contacts.panels.push_back(distance.panels.front());
  write_chart(options, contacts, title_of(options, "contacts"), folder / "contacts.svg");

  std::vector<std::string> seconds = {"seconds"};
  for (const std::string_view phase : phase_names) {
    const std::string column = fmt::format("seconds_{}", phase);
    if (steps.has(column)) seconds.push_back(column);  // runs of older versions have fewer
  }
  Chart time = chart_of(steps, seconds, {}, "time", false);
  time.panels.front().label = "wall time of a step";
  for (ChartLine& line : time.panels.front().lines) {
    line.name = line.name == "seconds" ? "whole step" : line.name.substr(std::string("seconds_").size());
    std::replace(line.name.begin(), line.name.end(), '_', ' ');
  }
  const bool by_adamw = uses_adamw(steps);
  Chart iterations =
      chart_of(steps, {by_adamw ? "adamw_iterations" : "newton_iterations"}, {}, "time", false);
  iterations.panels.front().label = by_adamw ? "AdamW iterations" : "Newton iterations";
  time.panels.push_back(iterations.panels.front());
  write_chart(options, time, title_of(options, "time per step"), folder / "time.svg");
  return 0;
}

int plot(const PlotOptions& options) {
  if (options.columns.empty()) {
    if (!options.names.empty() || options.file != PlotOptions().file || options.logarithmic) {
      throw InputError("bulwark plot", "--file, --of and --log choose from the columns of a table",
                       "say which columns: --columns x,y,z");
    }
    if (is_chart_name(options.output)) {
      throw InputError(options.output, "without --columns there are three charts, which need a folder",
                       "say which columns: --columns kinetic,total; or give a folder with -o");
    }
    return plot_usual(options);
  }
  const CsvTable table = read_csv_table(std::filesystem::path(options.folder) / options.file);
  const std::string x = !options.x.empty() ? options.x : table.has("time") ? "time" : table.header.front();
  const Chart chart = chart_of(table, options.columns, options.names, x, options.logarithmic);
  const std::string stem = std::filesystem::path(options.file).stem().string();
  const std::string output = options.output.empty()
                                 ? (std::filesystem::path(options.folder) /
                                    fmt::format("{}_{}.svg", stem, fmt::join(options.columns, "_")))
                                       .string()
                                 : options.output;
  if (!is_chart_name(output)) {
    throw InputError(output, "plots are SVG or PNG files", "give a name that ends in .svg or .png");
  }
  write_chart(options, chart, title_of(options, options.file), output);
  return 0;
}

}  // namespace

void add_plot_command(CommandLine& line) {
  auto [command, options] = line.add<PlotOptions>(
      "plot", "Draw energies, contacts, times or any column of a run as SVG or PNG", plot);
  command.add_option("DIR", options.folder, "Run folder")->required();
  command
      .add_option("-o,--output", options.output,
                  "An .svg or .png file; without --columns, a folder for all charts")
      ->type_name("PATH");
  command.add_option("--columns", options.columns, "Columns to draw, as kinetic,total")
      ->delimiter(',')
      ->type_name("NAME,...");
  command.add_option("--file", options.file, "Table to read (default: steps.csv)")->type_name("NAME.csv");
  command.add_option("--of", options.names, "Bodies or joints to draw (default: all); repeatable")
      ->take_all()
      ->expected(1)
      ->type_name("NAME");
  command.add_option("--x", options.x, "Column of the horizontal axis (default: time)")->type_name("NAME");
  command.add_flag("--log", options.logarithmic, "Logarithmic vertical axis");
  add_quiet(command, options.quiet);
  command.footer("Example:\n  bulwark plot out/trial --file bodies.csv --columns x,y --of ball -o ball.svg");
}

}  // namespace bulwark::app
