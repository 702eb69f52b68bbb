#include <random_scenes/random_models.hpp>

namespace bulwark::test {

void draw_models(RandomNumbers& random, const std::vector<RandomBody>& bodies, Json& scene) {
  Json& contact = scene["contact"];
  const std::string model =
      random.one_of({"hydroelastic", "patch-penalty", "patch-penalty", "none", "barrier"});
  contact["model"] = model;
  if (random.chance(0.5)) {
    contact["hydroelastic"] = {{"modulus", random.spread(1e3, 1e9)},
                               {"dissipation", random.chance(0.3) ? 0 : random.spread(1e-3, 10)},
                               {"resolution", {{"relative", random.uniform(0.1, 0.5)}}}};
  }
  if (model == "patch-penalty") {
    Json law = {{"restitution", random.uniform(0, 1)}, {"detection_ahead", random.integer(1, 20)}};
    const std::string stiffness = random.one_of({"young", "stiffness", "area_stiffness"});
    law[stiffness] = random.spread(1e3, 1e9);
    if (random.chance(0.5)) law["static_friction"] = random.uniform(0, 2);
    contact["patch_penalty"] = law;
  }
  // Facets, so that overlapping has a meaning.
  for (Json& body : scene["bodies"]) {
    if (body.contains("shape") && (body["kind"] == "affine" || body["kind"] == "rigid") &&
        (body["shape"].contains("sphere") || body["shape"].contains("capsule"))) {
      if (random.chance(0.7)) body["shape"]["round"] = false;
    }
  }
  if (bodies.size() > 1 && random.chance(0.5)) {
    const int first = random.integer(0, static_cast<int>(bodies.size()) - 2);
    contact["pairs"] = {{{"between", {bodies[first].name, bodies[first + 1].name}},
                         {"model", random.one_of({"barrier", "none"})}}};
  }
  if (random.chance(0.3)) {
    scene["solver"]["minimiser"] = "adamw";
    scene["solver"]["adamw"] = {{"max_iterations", 2000}, {"max_step_iterations", 10000}};
    if (random.chance(0.3)) scene["solver"]["adamw"]["rate"] = random.spread(1e-3, 10);
  }
}

}  // namespace bulwark::test
