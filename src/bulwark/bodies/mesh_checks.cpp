#include <bulwark/bodies/mesh_checks.hpp>

#include <set>

namespace bulwark {

void require_distinct_edges(const std::vector<std::array<int, 2>>& edges, const BodyOptions& options) {
  std::set<std::array<int, 2>> known;
  for (const auto& e : edges) {
    require(known.insert({std::min(e[0], e[1]), std::max(e[0], e[1])}).second && e[0] != e[1], options,
            fmt::format("the edge between vertices {} and {} is listed twice, or has no length", e[0], e[1]),
            "repair the mesh");
  }
}

}  // namespace bulwark
