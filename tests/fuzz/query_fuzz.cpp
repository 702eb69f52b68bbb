// libFuzzer target for the reader of collision queries, and for CCD and its oracle on whatever was read. Any
// bytes must give queries or an InputError; no method may miss a collision.
#include <bulwark/base/error.hpp>
#include <bulwark/collision/ccd_queries.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto tight = bulwark::make_tight_inclusion_ccd(), additive = bulwark::make_additive_ccd();
  std::istringstream text(std::string(reinterpret_cast<const char*>(data), size));
  try {
    for (const bulwark::MovingPair& pair : bulwark::queries_from_text(text, "fuzz")) {
      for (const bulwark::CcdKind kind : {bulwark::CcdKind::point_triangle, bulwark::CcdKind::edge_edge}) {
        if (!bulwark::exactly_collides(kind, pair)) continue;
        const bulwark::CcdImpactOptions options = {.max_iterations = 1000};
        if (!impact(*tight, kind, pair.query(), options).hit) std::abort();
        if (!impact(*additive, kind, pair.query(), options).hit) std::abort();
      }
    }
  } catch (const bulwark::InputError&) {
  }
  return 0;
}
