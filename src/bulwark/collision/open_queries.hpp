// Which candidates need continuous collision detection of their own: two bodies that a single direction keeps
// apart on their whole path need none.
//
// Along a unit vector n, each vertex has the height f(t) = n . x(t), which leaves the line between its two
// end values by at most b/8, b = |w x n| |w x r| (body_path.hpp). So with
//
//   s(t) = min over one side of (f(t) - b/8)  -  max over the other side of (f(t) + b/8),    t = 0 and 1,
//
// every two points of the two sides are at least min(s(0), s(1)) apart along n, on the whole path. The direction is
// that of the two bodies' closest pair, or one that served before. A dozen products of vectors for each
// vertex settle what would be a search in time for each pair; bodies that rest on each other face to face are
// mostly settled so.
#pragma once

#include <bulwark/collision/broad_phase.hpp>
#include <bulwark/collision/ccd.hpp>
#include <bulwark/collision/contact_scales.hpp>
#include <bulwark/collision/vertex_path.hpp>

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace bulwark {

/// Places in the lists of candidates.
struct OpenQueries {
  std::vector<std::uint32_t> point_triangle, edge_edge;
};

/// Directions that kept two bodies apart, by the pair of bodies: they mostly separate the next path too.
using SeparatingDirections = std::unordered_map<std::uint64_t, Vector3>;

/// Those of the near candidates that may come closer than `options` allow on the path: from path.from to
/// `end`, with `boxes` around it. As a pair keeps a part of its gap, two bodies that are settled together
/// keep that part of the gap between them.
OpenQueries open_queries(const CollisionMesh& mesh, const Candidates& candidates, const NearCandidates& near,
                         const VertexPath& path, const Vectors& end, const VertexBoxes& boxes,
                         const CcdOptions& options, const ContactScales& scales,
                         SeparatingDirections& directions);

/// The options for a pair of two bodies: of a gap beyond the bodies' reach no more is kept than of one that
/// is as large as that. A pair that is only passing far away does not limit a step, whether it is among the
/// candidates or not.
inline CcdOptions options_between(const CcdOptions& options, const ContactScales& scales, int body_a,
                                  int body_b) {
  CcdOptions own = options;
  own.keep_at_most = options.keep_fraction * scales.range(body_a, body_b).reach();
  return own;
}

}  // namespace bulwark
