// Collision queries as data: read and written in the format of the CCD benchmark of Wang et al. 2021.
// `bulwark ccd`, `run --record-queries` and the tests use it.
#pragma once

#include <bulwark/collision/ccd.hpp>

#include <filesystem>
#include <iosfwd>
#include <vector>

namespace bulwark {

enum class CcdKind { point_triangle, edge_edge };

/// Four points moving on straight lines, in the order of CcdQuery, and whether they collide.
struct MovingPair {
  std::array<Vector3, 4> start, end;
  bool collides = false;

  CcdQuery query() const;
};

/// Whether the pair touches, by the exact oracle.
bool exactly_collides(CcdKind kind, const MovingPair& pair);

CcdAnswer impact(const Ccd& ccd, CcdKind kind, const CcdQuery& query, const CcdImpactOptions& options);

/// Comma-separated values, eight rows a query: the four points at the start, then at the end, each with x, y,
/// z as numerator,denominator, and the truth (0 or 1) in the seventh column. Throws InputError with the line
/// where a row is wrong, or a coordinate is not the value of a double.
std::vector<MovingPair> read_queries(const std::filesystem::path& file);
/// The same of a text; `name` stands for the file in messages.
std::vector<MovingPair> queries_from_text(std::istream& text, const std::string& name);

/// The same format; every coordinate exactly.
std::string queries_as_text(const std::vector<MovingPair>& queries);

}  // namespace bulwark
