#include <random_scenes/random_flexible.hpp>

namespace bulwark::test {
namespace {

/// Within the ball of the body's place, thickness included.
Json ancf_shape(RandomNumbers& random, bool shell, double r) {
  const double thickness = random.uniform(0.02, 0.15) * r;
  if (shell) {
    return {{"plate",
             {{"size", {random.uniform(0.5, 1.2) * r, random.uniform(0.5, 1.2) * r}},
              {"thickness", thickness},
              {"cells", {random.integer(1, 4), random.integer(1, 4)}}}}};
  }
  const double half = random.uniform(0.4, 0.9) * r;
  return {{"beam",
           {{"from", {-half, 0, 0}},
            {"to", {half, 0, 0}},
            {"width", random.uniform(0.02, 0.2) * r},
            {"height", thickness},
            {"elements", random.integer(1, 8)}}}};
}

}  // namespace

void make_flexible(RandomNumbers& random, RandomBody& body) {
  Json& json = body.json;
  if (json["kind"] != "deformable") return;
  json.erase("mass");
  if (random.chance(0.5)) {
    json["order"] = random.integer(2, 3);
    if (json["shape"].contains("box") && random.chance(0.5)) {
      json["order"] = 2;
      json["elements"] = "hexahedra";
    }
    return;
  }
  const bool shell = random.chance(0.5);
  json["kind"] = shell ? "ancf-shell" : "ancf-beam";
  json["shape"] = ancf_shape(random, shell, body.place.radius);
  // What goes by the solid's nodes and faces.
  for (const char* key : {"fixed", "motion", "force", "traction", "restitution_damping"}) json.erase(key);
  body.held = false;
  body.soft = false;  // its center is a node or not: no joint asks for it
}

}  // namespace bulwark::test
