#include <random_scenes/random_numbers.hpp>
#include <random_scenes/random_planar.hpp>

#include <bulwark/scene/json_text.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <numbers>
#include <vector>

namespace bulwark::test {
namespace {

constexpr int steps_of_planar = 10;

Json pair_json(double x, double y) {
  return Json::array({x, y});
}

class PlanarMaker {
 public:
  explicit PlanarMaker(std::uint64_t seed) : random_(seed) {}

  std::string text(std::uint64_t seed) {
    length_ = random_.spread(1e-3, 10);
    step_ = random_.spread(1e-4, std::min(0.1, 3 * std::sqrt(length_ / 9.81)));
    Json scene = {
        {"bulwark", 1}, {"dimension", 2}, {"title", fmt::format("Random planar scene of the seed {}", seed)}};
    integrator_ = random_.one_of({"implicit-euler", "implicit-euler", "bdf2", "newmark"});
    scene["time"] = {{"step", step_}, {"steps", steps_of_planar}, {"integrator", integrator_}};
    if (random_.chance(0.5)) scene["thickness"] = thickness_ = random_.spread(0.01, 10) * length_;
    if (random_.chance(0.2)) scene["gravity"] = pair_json(random_.uniform(-10, 10), random_.uniform(-10, 10));
    const int count = random_.integer(3, 6);
    scene["bodies"] = Json::array();
    for (int k = 0; k < count; ++k) scene["bodies"].push_back(body(k));
    scene["bodies"].push_back(ground());
    add_joints(scene);
    scene["contact"] = contact();
    scene["solver"] = {{"max_iterations", 100}, {"max_halvings", 2}, {"max_step_iterations", 2000}};
    if (random_.chance(0.3)) scene["solver"]["linear"] = random_.one_of({"cholesky", "cg"});
    return scene.dump(1);
  }

 private:
  Json contact() {
    Json contact = Json::object();
    if (random_.chance(0.3)) contact["distance"] = {{"relative", random_.spread(2e-4, 1e-2)}};
    if (random_.chance(0.2)) contact["minimum_distance"] = random_.spread(1e-5, 3e-4) * length_;
    if (random_.chance(0.6)) contact["friction"] = random_.uniform(0, 1);
    if (random_.chance(0.3)) contact["friction_iterations"] = random_.integer(0, 3);
    if (random_.chance(0.2)) contact["restitution_damping"] = random_.spread(1e-5, 1e-2);
    if (random_.chance(0.3)) contact["ccd"] = "tight-inclusion";
    if (random_.chance(0.4)) contact["broad_phase"] = random_.one_of({"bvh", "body-boxes"});
    return contact;
  }

  /// A star with corners at random radii: concave, and never crossing itself.
  Json star(double radius) {
    const int corners = random_.integer(3, 9);
    Json points = Json::array();
    for (int k = 0; k < corners; ++k) {
      const double angle = 2 * std::numbers::pi * (k + random_.uniform(-0.3, 0.3)) / corners;
      const double r = radius * random_.uniform(0.3, 1);
      points.push_back(pair_json(r * std::cos(angle), r * std::sin(angle)));
    }
    return points;
  }

  Json area(double radius, bool soft) {
    Json shape;
    switch (random_.integer(0, soft ? 3 : 6)) {
      case 0:
        shape["rectangle"] =
            pair_json(random_.uniform(0.4, 1.3) * radius, random_.uniform(0.4, 1.3) * radius);
        break;
      case 1:
        shape["disk"] = 0.95 * radius;
        break;
      case 2:
        shape["polygon"] = star(0.95 * radius);
        break;
      case 3:
        shape["regular_polygon"] = {{"radius", 0.95 * radius}, {"corners", random_.integer(3, 8)}};
        break;
      case 4:
        shape["capsule"] = {{"radius", 0.3 * radius}, {"height", random_.uniform(0.7, 1.9) * radius}};
        break;
      case 5:
        shape["polyline"] = {pair_json(-0.9 * radius, 0), pair_json(0, random_.uniform(-0.5, 0.5) * radius),
                             pair_json(0.9 * radius, 0)};
        break;
      default:
        shape["outline"] = {{"points",
                             {pair_json(-0.6 * radius, -0.6 * radius), pair_json(0.6 * radius, -0.6 * radius),
                              pair_json(0, 0.9 * radius), pair_json(0, -0.2 * radius)}},
                            {"segments", {{0, 1}, {1, 2}, {2, 0}, {2, 3}}}};
    }
    if (soft) shape["resolution"] = random_.uniform(0.4, 1) * radius;
    return shape;
  }

  Json soft_material() {
    const std::string model = random_.one_of({"neo-hookean", "fixed-corotational", "svk", "mooney-rivlin"});
    const double young = random_.spread(1e4, 1e7);
    if (model == "mooney-rivlin")
      return {{"model", model}, {"density", 1000}, {"c10", young / 8}, {"c01", young / 30}, {"bulk", young}};
    Json material = {
        {"model", model}, {"density", 1000}, {"young", young}, {"poisson", random_.uniform(0.1, 0.45)}};
    if (model == "svk" && random_.chance(0.5)) material["plane"] = "stress";
    if (random_.chance(0.2))
      material["damping"] = {{"kind", "rayleigh"}, {"stiffness", random_.spread(1e-5, 1e-2)}};
    return material;
  }

  /// Of a body of water (N), which loads are measured by: one that has nothing to do with the size of a body turns it
  /// by thousands of degrees in a step, or crushes it.
  double weight(double radius) const { return 9.81 * 1000 * thickness_ * radius * radius; }

  Json body(int k) {
    // As in space: bodies meet within the run, but none is a rocket, and a turn does not tear a body apart.
    const double radius = 0.5 * 0.9 * length_, speed = std::min(length_ / (steps_of_planar * step_), 50.0);
    const double turn = std::min(360 / (steps_of_planar * step_), 20000.0);
    std::string kind = random_.one_of({"deformable", "deformable", "affine", "rigid", "rigid", "particles"});
    if (kind == "rigid" && integrator_ == "newmark") kind = "affine";
    if (k > 0 && random_.chance(0.15)) kind = "obstacle";
    Json body = {{"name", fmt::format("body {}", k)}, {"kind", kind}};
    const double x = length_ * (k % 3), y = length_ * (k / 3);
    body["position"] = pair_json(x, y);
    if (random_.chance(0.7)) body["rotation"] = random_.uniform(-180, 180);
    if (kind == "particles") {
      body["shape"] = {{"points", {pair_json(0, 0), pair_json(0.4 * radius, 0.2 * radius)}}};
      body["mass"] = random_.spread(1e-3, 10);
      if (random_.chance(0.5)) body["radius"] = 0.1 * radius;
    } else {
      body["shape"] = area(radius, kind == "deformable");
    }
    if (kind == "deformable") {
      body["material"] = soft_material();
      body["order"] = random_.integer(1, 4);
      if (random_.chance(0.3))
        body["fixed"] = {{"plane", {pair_json(x - 0.2 * radius, y), pair_json(-1, 0)}}};
    } else if (kind == "affine" || kind == "rigid") {
      body["material"] = {
          {"model", kind}, {"density", random_.spread(100, 1e4)}, {"thickness", 0.05 * radius}};
      if (random_.chance(0.2))
        body["fixed"] = {{"translation", {random_.chance(0.3), random_.chance(0.3)}},
                         {"rotation", random_.chance(0.3)}};
      if (random_.chance(0.2)) body["torque"] = 0.1 * weight(radius) * radius * random_.uniform(-1, 1);
    }
    if (kind == "obstacle") {
      const bool round = body["shape"].contains("disk") || body["shape"].contains("capsule");
      Json motion = {{"linear", pair_json(random_.uniform(-1, 1) * speed, random_.uniform(-1, 1) * speed)}};
      if (!round) motion["angular_degrees"] = random_.uniform(-0.25, 0.25) * turn;
      if (random_.chance(0.5)) body["motion"] = motion;
    } else {
      if (random_.chance(0.6))
        body["velocity"] = pair_json(random_.uniform(-3, 3) * speed, random_.uniform(-3, 3) * speed);
      if (random_.chance(0.4)) body["angular_velocity_degrees"] = random_.uniform(-1, 1) * turn;
    }
    if (random_.chance(0.3)) body["friction"] = random_.uniform(0, 1);
    stiff_.push_back(kind == "affine" || kind == "rigid");
    places_.push_back({x, y});
    return body;
  }

  Json ground() {
    const double low = -0.55 * length_;
    Json ground = {{"name", "ground"}, {"kind", "obstacle"}};
    if (random_.chance(0.5)) {
      ground["shape"] = {{"half_plane", {{"point", pair_json(0, low)}, {"normal", pair_json(0.0, 1)}}}};
    } else {
      ground["shape"] = {
          {"line",
           {{"from", pair_json(-3 * length_, low)}, {"to", pair_json(6 * length_, low)}, {"segments", 3}}}};
    }
    return ground;
  }

  void add_joints(Json& scene) {
    Json joints = Json::array();
    for (std::size_t k = 0; k + 1 < stiff_.size(); ++k) {
      if (!stiff_[k] || !random_.chance(0.3)) continue;
      const Json bodies = {scene["bodies"][k]["name"],
                           stiff_[k + 1] ? scene["bodies"][k + 1]["name"] : Json("world")};
      const Json point = pair_json(places_[k][0] + 0.5 * length_, places_[k][1]);
      switch (random_.integer(0, 3)) {
        case 0:
          joints.push_back({{"kind", "hinge"}, {"bodies", bodies}, {"point", point}});
          break;
        case 1:
          joints.push_back(
              {{"kind", "slider"}, {"bodies", bodies}, {"point", point}, {"axis", pair_json(1, 0.3)}});
          break;
        case 2:
          joints.push_back({{"kind", "spring"},
                            {"bodies", bodies},
                            {"points", {pair_json(places_[k][0], places_[k][1]), point}},
                            {"stiffness", random_.spread(1, 1e4)}});
          break;
        default:
          joints.push_back({{"kind", "distance"},
                            {"bodies", bodies},
                            {"points", {pair_json(places_[k][0], places_[k][1]), point}}});
      }
      break;  // one joint a scene: chains of them may contradict what else holds the bodies
    }
    if (!joints.empty()) scene["joints"] = joints;
  }

  RandomNumbers random_;
  double length_ = 1, step_ = 0.01, thickness_ = 1;
  std::string integrator_;
  std::vector<bool> stiff_;
  std::vector<std::array<double, 2>> places_;
};

}  // namespace

std::string random_planar_scene_text(std::uint64_t seed) {
  return PlanarMaker(seed).text(seed);
}

}  // namespace bulwark::test
