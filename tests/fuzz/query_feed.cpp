// The reader of collision queries, and CCD and its oracle on whatever was read: no method may miss a
// collision.
#include <bulwark/base/error.hpp>
#include <bulwark/collision/ccd_queries.hpp>

#include <fuzz/feeds.hpp>

#include <cstdlib>
#include <sstream>

namespace bulwark::fuzz {

void feed_query(std::string_view bytes) {
  static const auto tight = make_tight_inclusion_ccd(), additive = make_additive_ccd();
  std::istringstream text{std::string(bytes)};
  try {
    for (const MovingPair& pair : queries_from_text(text, "fuzz")) {
      for (const CcdKind kind : {CcdKind::point_triangle, CcdKind::edge_edge}) {
        if (!exactly_collides(kind, pair)) continue;
        const CcdImpactOptions options = {.max_iterations = 1000};
        if (!impact(*tight, kind, pair.query(), options).hit) std::abort();
        if (!impact(*additive, kind, pair.query(), options).hit) std::abort();
      }
    }
  } catch (const InputError&) {
  }
}

}  // namespace bulwark::fuzz
