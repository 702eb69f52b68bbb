#include <random_scenes/random_flexible.hpp>
#include <random_scenes/random_joints.hpp>
#include <random_scenes/random_models.hpp>
#include <random_scenes/random_planar.hpp>
#include <random_scenes/random_scene.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace bulwark::test {
namespace {

constexpr int steps = 10;

/// Balls on a grid of two by two columns, close to each other; the first is at the origin.
Vector3 place_of(int index, double length) {
  return length * Vector3(index % 2, index / 4, index / 2 % 2);
}

/// A ground below all bodies, level or a little tilted, still or moving.
Json random_ground(RandomNumbers& random, const std::vector<RandomBody>& bodies, double length, double time) {
  Vector3 normal = Vector3::UnitY();
  if (random.chance(0.3)) normal = (normal + 0.3 * random.direction()).normalized();
  double height = 1e300;
  for (const RandomBody& body : bodies)
    height = std::min(height, normal.dot(body.place.center) - body.place.radius);
  height -= length * random.spread(1e-3, 0.1);
  Json ground = {{"name", "ground"},
                 {"kind", "obstacle"},
                 {"shape", {{"plane", {{"point", as_json(height * normal)}, {"normal", as_json(normal)}}}}}};
  if (random.chance(0.2))
    ground["motion"] = {{"linear", as_json(random.uniform(-0.1, 0.1) * length / time * normal)}};
  return ground;
}

Json random_contact(RandomNumbers& random, double length) {
  Json contact;
  if (random.chance(0.3)) contact["distance"] = {{"relative", random.spread(2e-4, 1e-2)}};
  if (random.chance(0.2)) contact["minimum_distance"] = random.spread(1e-5, 3e-4) * length;
  if (random.chance(0.6)) contact["friction"] = random.uniform(0, 1);
  if (random.chance(0.3)) contact["friction_iterations"] = random.integer(0, 3);
  if (random.chance(0.2)) contact["restitution_damping"] = random.spread(1e-5, 1e-2);
  if (random.chance(0.3)) contact["ccd"] = "tight-inclusion";
  if (random.chance(0.4)) contact["broad_phase"] = random.one_of({"bvh", "body-boxes"});
  if (random.chance(0.1)) contact["self"] = false;
  return contact;
}

Json random_solver(RandomNumbers& random) {
  // What can't be solved shall say so soon.
  Json solver = {{"max_iterations", 100}, {"max_halvings", 2}, {"max_step_iterations", 2000}};
  if (random.chance(0.3)) solver["linear"] = random.one_of({"cholesky", "cg"});
  if (random.chance(0.2)) solver["psd"] = "abs";
  if (random.chance(0.2)) solver["tolerance"] = 1e-3;
  return solver;
}

/// Further rules of when a solve ends: by forces from next to nothing to those of a body's weight.
Json random_newton(RandomNumbers& random, double length) {
  const double weight = 1000 * 9.81 * std::pow(0.5 * length, 3);
  Json newton;
  if (random.chance(0.7)) newton["gradient_tolerance"] = weight * random.spread(1e-12, 1e-1);
  if (random.chance(0.5)) newton["relative_tolerance"] = random.spread(1e-9, 0.5);
  return newton;
}

}  // namespace

std::string random_scene_text(std::uint64_t seed) {
  if (seed >= first_planar_seed) return random_planar_scene_text(seed);
  RandomNumbers random(seed);
  const double length = random.spread(1e-3, 10);
  // In the longest steps a body falls by about ten times its size.
  const double step = random.spread(1e-4, std::min(0.1, 3 * std::sqrt(length / 9.81))), time = steps * step;
  const std::string integrator = random.one_of({"implicit-euler", "implicit-euler", "bdf2", "newmark"});
  Json scene = {{"bulwark", 1}, {"title", fmt::format("Random scene of the seed {}", seed)}};
  scene["time"] = {{"step", step}, {"steps", steps}, {"integrator", integrator}};
  if (random.chance(0.2)) scene["gravity"] = as_json(random.uniform(0, 10) * random.direction());

  std::vector<RandomBody> bodies;
  const int count = random.integer(3, 8);
  const double gap = random.spread(2e-3, 0.2);
  for (int k = 0; k < count; ++k) {
    std::string kind = random.one_of({"deformable", "deformable", "affine", "rigid", "shell", "rod"});
    if (kind == "rigid" && integrator == "newmark") kind = "affine";
    if (k > 0 && random.chance(0.12)) kind = "obstacle";
    const Place place = {place_of(k, length), 0.5 * (1 - gap) * length, length, time};
    bodies.push_back(random_body(random, kind, fmt::format("body {}", k), place));
    if (seed >= first_flexible_seed && seed < first_model_seed) make_flexible(random, bodies.back());
  }
  scene["bodies"] = Json::array();
  for (const RandomBody& body : bodies) scene["bodies"].push_back(body.json);
  if (random.chance(0.7)) scene["bodies"].push_back(random_ground(random, bodies, length, time));
  scene["joints"] = random_joints(random, bodies);
  scene["contact"] = random_contact(random, length);
  scene["solver"] = random_solver(random);
  if (seed >= first_model_seed) draw_models(random, bodies, scene);
  // The last draw of all: the scenes of the seeds are else as they were.
  if (random.chance(0.2)) {
    const Json newton = random_newton(random, length);
    if (!newton.is_null()) scene["solver"]["newton"] = newton;
  }
  if (scene["contact"].is_null()) scene.erase("contact");
  return scene.dump(1);
}

Scene random_scene(std::uint64_t seed) {
  return parse_scene(random_scene_text(seed), fmt::format("random scene {}", seed));
}

}  // namespace bulwark::test
