// What bodies made of a mesh ask of it; each throws an InputError that names the body.
#pragma once

#include <bulwark/base/error.hpp>
#include <bulwark/bodies/body_options.hpp>

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <string>
#include <vector>

namespace bulwark {

inline void require(bool good, const BodyOptions& options, const std::string& problem,
                    const std::string& remedy) {
  if (!good) throw InputError(fmt::format("body '{}'", options.name), problem, remedy);
}

/// Throws when a vertex has no element, and so no mass.
template <class Element>
void require_all_used(Eigen::Index vertex_count, const std::vector<Element>& elements, const char* what,
                      const BodyOptions& options) {
  std::vector<char> used(vertex_count, 0);
  for (const Element& element : elements) {
    for (const int v : element) used[v] = 1;
  }
  const auto unused = std::find(used.begin(), used.end(), 0);
  require(unused == used.end(), options,
          fmt::format("vertex {} belongs to no {}", unused - used.begin(), what), "remove it from the mesh");
}

/// Throws when an edge is there twice, or joins a vertex to itself.
void require_distinct_edges(const std::vector<std::array<int, 2>>& edges, const BodyOptions& options);

}  // namespace bulwark
