// Makes collision queries of the kinds that methods fail on, and of the kinds that simulations ask. Tests
// compare CCD with the exact oracle on them, benchmarks time it.
#pragma once

#include <bulwark/collision/ccd_queries.hpp>

#include <cstdint>

namespace bulwark {

enum class QueryFamily {
  random,      ///< positions and motions of the same size
  coplanar,    ///< all but flat in one plane, moving in it or across it by little
  parallel,    ///< edges, or a point's path and a triangle, parallel up to rounding errors
  sliding,     ///< one primitive along the other at a small or no distance
  grazing,     ///< features that pass each other at a distance near rounding errors, or touch and part
  tiny,        ///< coordinates around 1e-9
  huge,        ///< coordinates around 1e9
  far,         ///< small pairs far from the origin
  degenerate,  ///< repeated points, needles, no motion, on a coarse grid: exact contacts of all kinds
  simulation   ///< what a broad phase gives: near pairs of a mesh, small motions, few collisions
};
inline constexpr int query_family_count = 10;
const char* name_of(QueryFamily family);

/// The query number `index` of a family; the same for the same seed on every machine. The truth is not filled
/// in.
MovingPair make_query(QueryFamily family, CcdKind kind, std::uint64_t seed, std::uint64_t index);

}  // namespace bulwark
