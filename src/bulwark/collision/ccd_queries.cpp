#include <bulwark/base/error.hpp>
#include <bulwark/collision/ccd_queries.hpp>
#include <bulwark/collision/exact_ccd.hpp>

#include <fmt/format.h>

#include <boost/multiprecision/gmp.hpp>
#include <fstream>
#include <string_view>

namespace bulwark {
namespace {

using Rational = boost::multiprecision::mpq_rational;
using Integer = boost::multiprecision::mpz_int;

constexpr const char* row_format =
    "a row is x numerator,denominator,y numerator,denominator,z numerator,denominator,0 or 1";
constexpr int columns = 7, rows_per_query = 8;

/// Coordinates of doubles have at most some 330 digits before and 1075 after the point.
constexpr std::size_t most_digits = 1500;

bool is_integer(std::string_view word) {
  if (!word.empty() && word[0] == '-') word.remove_prefix(1);
  return !word.empty() && word.size() <= most_digits &&
         word.find_first_not_of("0123456789") == std::string_view::npos;
}

std::array<std::string, columns> split_row(std::string_view line, const std::string& place) {
  std::array<std::string, columns> words;
  int count = 0;
  while (true) {
    const std::size_t comma = line.find(',');
    std::string_view word = line.substr(0, comma);
    while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
    while (!word.empty() && (word.back() == ' ' || word.back() == '\r')) word.remove_suffix(1);
    if (count < columns) words[count] = word;
    ++count;
    if (comma == std::string_view::npos) break;
    line.remove_prefix(comma + 1);
  }
  if (count != columns)
    throw InputError(place, fmt::format("{} columns instead of {}", count, columns), row_format);
  for (const std::string& word : words) {
    if (!is_integer(word))
      throw InputError(place, "\"" + word.substr(0, 40) + "\" is not a whole number", row_format);
  }
  return words;
}

/// GMP would take a leading zero for an octal number.
Integer decimal(std::string word) {
  const std::size_t sign = word[0] == '-' ? 1 : 0;
  word.erase(sign, std::min(word.find_first_not_of('0', sign), word.size() - 1) - sign);
  return Integer(word);
}

double coordinate(const std::string& numerator, const std::string& denominator, const std::string& place) {
  const Integer below = decimal(denominator);
  if (below == 0) throw InputError(place, "a denominator is 0");
  const Rational value(decimal(numerator), below);
  const double rounded = static_cast<double>(value);
  if (!std::isfinite(rounded) || Rational(rounded) != value) {
    throw InputError(
        place,
        fmt::format("{}/{} is not the value of a double", numerator.substr(0, 40), denominator.substr(0, 40)),
        "coordinates are the exact values of double-precision numbers");
  }
  return rounded;
}

}  // namespace

CcdQuery MovingPair::query() const {
  CcdQuery query;
  for (int i = 0; i < 4; ++i) {
    query.x[i] = start[i];
    query.p[i] = end[i] - start[i];
  }
  return query;
}

bool exactly_collides(CcdKind kind, const MovingPair& pair) {
  return kind == CcdKind::edge_edge ? exact::edge_edge_impact(pair.start, pair.end).hit
                                    : exact::point_triangle_impact(pair.start, pair.end).hit;
}

CcdAnswer impact(const Ccd& ccd, CcdKind kind, const CcdQuery& query, const CcdImpactOptions& options) {
  return kind == CcdKind::edge_edge ? ccd.edge_edge_impact(query, options)
                                    : ccd.point_triangle_impact(query, options);
}

std::vector<MovingPair> read_queries(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw InputError(file.string(), "the file can't be read");
  return queries_from_text(in, file.string());
}

std::vector<MovingPair> queries_from_text(std::istream& in, const std::string& name) {
  std::vector<MovingPair> queries;
  std::string line;
  int row = 0;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.find_first_not_of(" \r") == std::string::npos) continue;
    const std::string place = fmt::format("{}, line {}", name, number);
    const auto words = split_row(line, place);
    if (words[6] != "0" && words[6] != "1")
      throw InputError(place, "the last column is \"" + words[6].substr(0, 40) + "\"",
                       "the ground truth is 0 or 1");
    const bool truth = words[6] == "1";
    if (row == 0) {
      queries.emplace_back();
      queries.back().collides = truth;
    }
    MovingPair& pair = queries.back();
    if (pair.collides != truth)
      throw InputError(place, "the ground truth differs from that of the query's first row",
                       "the eight rows of a query have the same last column");
    Vector3& point = row < 4 ? pair.start[row] : pair.end[row - 4];
    for (int c = 0; c < 3; ++c) point[c] = coordinate(words[2 * c], words[2 * c + 1], place);
    row = (row + 1) % rows_per_query;
  }
  if (in.bad()) throw InputError(name, "the file can't be read to its end");
  if (row != 0)
    throw InputError(name, fmt::format("the last query has {} rows instead of {}", row, rows_per_query));
  return queries;
}

std::string queries_as_text(const std::vector<MovingPair>& queries) {
  std::string text;
  for (const MovingPair& pair : queries) {
    for (const auto& points : {pair.start, pair.end}) {
      for (const Vector3& x : points) {
        for (int c = 0; c < 3; ++c) {
          const Rational value(x[c]);
          text += numerator(value).str() + "," + denominator(value).str() + ",";
        }
        text += pair.collides ? "1\n" : "0\n";
      }
    }
  }
  return text;
}

}  // namespace bulwark
