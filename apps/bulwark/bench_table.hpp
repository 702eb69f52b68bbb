// Results of a benchmark: printed as a table and written as JSON, the same numbers in both.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace bulwark::app {

struct BenchRow {
  std::string case_name;
  std::string metric;  ///< with its unit
  double ours = 0;
  std::string peer_name;  ///< "" without a peer
  std::optional<double> peer;
  std::optional<double> ratio;  ///< above 1: we are better by that factor
  std::string note;
};

struct BenchTable {
  std::string name;
  std::vector<BenchRow> rows;
};

void print_table(const BenchTable& table);
/// {bench, version, machine, rows: [{case, metric, ours, peer_name, peer, ratio, note}]}
void write_json(const BenchTable& table, const std::string& file);

/// Least-squares slope of log(value) over log(size): the exponent with which a cost grows.
double growth_exponent(const std::vector<double>& size, const std::vector<double>& value);

}  // namespace bulwark::app
