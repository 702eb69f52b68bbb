// The bodies of a random scene: each within a ball of its own, so that none intersect at the start.
#pragma once

#include <random_scenes/random_numbers.hpp>

#include <nlohmann/json.hpp>

#include <string>

namespace bulwark::test {

using Json = nlohmann::ordered_json;

/// Where a body may be, and the scene's scales.
struct Place {
  Vector3 center;
  double radius = 1;  ///< m: the body stays within this ball at the start
  double length = 1;  ///< m: the scene's, about twice the radius
  double time = 1;    ///< s, of the whole run
};

/// A body as the scene file has it, and what joints want to know.
struct RandomBody {
  Json json;
  Place place;
  std::string name;
  bool stiff = false, rigid = false, soft = false, thin = false;
  bool held = false;           ///< by `fixed`, wholly or in part, or an obstacle
  bool center_inside = false;  ///< the center of its place is a point of the body
};

Json as_json(const Vector3& v);

/// A body that moves by forces or follows a script. `kind` is one of the scene file's.
RandomBody random_body(RandomNumbers& random, const std::string& kind, const std::string& name,
                       const Place& place);

}  // namespace bulwark::test
