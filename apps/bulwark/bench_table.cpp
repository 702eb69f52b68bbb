#include "bench_table.hpp"

#include <bulwark/output/writing/atomic_file.hpp>
#include <bulwark/output/writing/machine.hpp>

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace bulwark::app {

void print_table(const BenchTable& table) {
  fmt::print("{:<28} {:<26} {:>12} {:>14} {:>8}  {}\n", "case", "metric", "ours", "peer", "ratio", "note");
  for (const BenchRow& row : table.rows) {
    fmt::print("{:<28} {:<26} {:>12.4g} {:>14} {:>8}  {}\n", row.case_name, row.metric, row.ours,
               row.peer ? fmt::format("{} {:.4g}", row.peer_name, *row.peer) : "-",
               row.ratio ? fmt::format("{:.3g}", *row.ratio) : "-", row.note);
  }
}

void write_json(const BenchTable& table, const std::string& file) {
  using Json = nlohmann::ordered_json;
  const Machine machine = this_machine();
  Json rows = Json::array();
  for (const BenchRow& row : table.rows) {
    rows.push_back({{"case", row.case_name},
                    {"metric", row.metric},
                    {"ours", row.ours},
                    {"peer_name", row.peer ? Json(row.peer_name) : Json()},
                    {"peer", row.peer ? Json(*row.peer) : Json()},
                    {"ratio", row.ratio ? Json(*row.ratio) : Json()},
                    {"note", row.note}});
  }
  const Json all = {{"bench", table.name},
                    {"version", BULWARK_VERSION},
                    {"machine",
                     {{"processor", machine.processor},
                      {"hardware_threads", machine.hardware_threads},
                      {"threads_used", machine.threads_used},
                      {"system", machine.system}}},
                    {"rows", rows}};
  write_file_atomically(file, all.dump(2) + "\n");
}

double growth_exponent(const std::vector<double>& size, const std::vector<double>& value) {
  double x = 0, y = 0, xx = 0, xy = 0;
  const auto n = static_cast<double>(size.size());
  for (std::size_t i = 0; i < size.size(); ++i) {
    const double a = std::log(size[i]), b = std::log(value[i]);
    x += a;
    y += b;
    xx += a * a;
    xy += a * b;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

}  // namespace bulwark::app
