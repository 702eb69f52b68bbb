#include <random_scenes/random_bodies.hpp>

namespace bulwark::test {
namespace {

/// Chooses and remembers, one body at a time.
class BodyMaker {
 public:
  BodyMaker(RandomNumbers& random, RandomBody& body) : random_(random), body_(body), r_(body.place.radius) {}

  void make(const std::string& kind) {
    Json& json = body_.json;
    json = {{"name", body_.name}, {"kind", kind}};
    body_.stiff = kind == "affine" || kind == "rigid";
    body_.rigid = kind == "rigid";
    body_.soft = kind == "deformable" || kind == "shell" || kind == "rod";
    body_.thin = kind == "shell" || kind == "rod";
    json["shape"] = kind == "shell"      ? sheet()
                    : kind == "rod"      ? wire()
                    : kind == "obstacle" ? anything()
                                         : solid();
    json["position"] = as_json(body_.place.center);
    if (random_.chance(0.7))
      json["rotation"] = {{"axis", as_json(random_.direction())}, {"degrees", random_.uniform(-180, 180)}};
    if (kind == "obstacle") {
      body_.held = true;
      if (random_.chance(0.5)) json["motion"] = motion(random_.chance(0.7));
    } else {
      json["material"] = material(kind);
      if (kind == "deformable" && random_.chance(0.3)) json["mass"] = "consistent";
      start();
      hold(kind);
      load(kind);
    }
    if (random_.chance(0.3)) json["friction"] = random_.uniform(0, 1);
    if (!body_.thin && random_.chance(0.2)) json["restitution_damping"] = random_.spread(1e-5, 1e-2);
    if (random_.chance(0.05)) json["group"] = 1;
    if (kind != "obstacle" && random_.chance(0.03)) json["collides"] = false;
  }

 private:
  Json solid() {
    body_.center_inside = true;
    Json shape;
    switch (random_.integer(0, 6)) {
      case 0:
      case 1: {
        const Vector3 side =
            Vector3(random_.uniform(0.3, 1), random_.uniform(0.3, 1), random_.uniform(0.3, 1));
        shape["box"] = as_json(side * (1.9 * r_ / side.norm()));
        break;
      }
      case 2:
        shape["sphere"] = 0.97 * r_;
        break;
      case 3:
        shape["cylinder"] = {{"radius", random_.uniform(0.3, 0.6) * r_},
                             {"height", random_.uniform(0.4, 1.4) * r_}};
        break;
      case 4:
        shape["tetrahedron"] = 1.5 * r_;
        break;
      case 5:
        shape["capsule"] = {{"radius", 0.4 * r_}, {"height", random_.uniform(0.9, 1.9) * r_}};
        break;
      default:
        shape["torus"] = {{"major", 0.6 * r_}, {"minor", random_.uniform(0.15, 0.35) * r_}};
        body_.center_inside = false;
    }
    // Fine enough at times that loops have work for several threads.
    shape["resolution"] = random_.spread(0.35, 1.5) * r_;
    return shape;
  }

  Json sheet() {
    if (random_.chance(0.25)) {
      const double radius = random_.uniform(0.3, 0.7) * r_;
      return {{"tube", {{"radius", radius}, {"height", 1.2 * r_ - radius}}}, {"resolution", 0.5 * r_}};
    }
    body_.center_inside = true;
    return {{"grid",
             {{"size", {random_.uniform(0.5, 1.3) * r_, random_.uniform(0.5, 1.3) * r_}},
              {"cells", {random_.integer(1, 11), random_.integer(1, 11)}}}}};
  }

  Json wire() {
    if (random_.chance(0.3))
      return {{"circle", {{"radius", 0.9 * r_}, {"segments", random_.integer(4, 30)}}}};
    body_.center_inside = true;
    const Vector3 half = random_.uniform(0.4, 0.95) * r_ * random_.direction();
    return {
        {"line", {{"from", as_json(-half)}, {"to", as_json(half)}, {"segments", random_.integer(2, 30)}}}};
  }

  Json anything() {
    switch (random_.integer(0, 5)) {
      case 0:
        return sheet();
      case 1:
        return wire();
      case 2:
        return {
            {"points", {as_json(0.5 * r_ * random_.direction()), as_json(0.9 * r_ * random_.direction())}}};
      default:
        return solid();
    }
  }

  Json material(const std::string& kind) {
    Json m;
    m["model"] = kind == "affine"  ? "affine"
                 : kind == "rigid" ? "rigid"
                 : kind == "shell" ? "cloth"
                 : kind == "rod"
                     ? "rod"
                     : random_.one_of({"neo-hookean", "fixed-corotational", "svk", "linear-elastic"});
    m["density"] = random_.spread(100, 8000);
    if (body_.stiff) {
      if (kind == "affine" && random_.chance(0.5)) m["stiffness"] = random_.spread(1e7, 1e12);
      return m;
    }
    const double young = body_.thin ? random_.spread(1e5, 1e9) : random_.spread(1e4, 1e8);
    m["young"] = young;
    if (kind == "rod") {
      m["radius"] = random_.spread(0.005, 0.03) * r_;
      m["bending_young"] = young * random_.spread(0.01, 1);
      m["twisting_shear"] = young * random_.spread(0.01, 0.5);
    } else {
      m["poisson"] = random_.uniform(0, 0.45);
    }
    if (kind == "shell") {
      m["thickness"] = random_.spread(0.002, 0.02) * r_;
      m["bending_young"] = young * random_.spread(0.01, 1);
      if (random_.chance(0.2)) m["strain_limit"] = random_.uniform(1.05, 1.5);
    }
    if (random_.chance(0.4)) {
      // Damping times that are felt within a run.
      const double seconds = random_.spread(1e-3, 1) * body_.place.time;
      m["damping"] = body_.thin || random_.chance(0.5) ? Json{{"kind", "rayleigh"}, {"stiffness", seconds}}
                                                       : Json{{"kind", "kelvin-voigt"},
                                                              {"shear", 0.3 * young * seconds},
                                                              {"bulk", 0.2 * young * seconds}};
    }
    return m;
  }

  /// Speeds by which bodies meet within the run, but none of a rocket.
  void start() {
    if (!random_.chance(0.6)) return;
    const double speed = std::min(random_.uniform(0, 1) * body_.place.length / body_.place.time, 50.0);
    // Mostly towards the middle of the scene, where others are.
    const Vector3 inward =
        body_.place.center.norm() > 0 ? Vector3(-body_.place.center.normalized()) : Vector3::Zero();
    body_.json["velocity"] = as_json(speed * (inward + 0.5 * random_.direction()));
    if (random_.chance(0.5)) {
      const double degrees = random_.uniform(0, 60) / body_.place.time;
      body_.json["angular_velocity_degrees"] = as_json(std::min(degrees, 20000.0) * random_.direction());
    }
  }

  /// A script whose way is short against the bodies.
  Json motion(bool constant) {
    const Vector3 way = random_.uniform(0, 0.15) * body_.place.length * random_.direction();
    if (constant) {
      Json result = {{"linear", as_json(way / body_.place.time)}};
      if (random_.chance(0.4))
        result["angular_degrees"] = as_json(random_.uniform(0, 20) / body_.place.time * random_.direction());
      return result;
    }
    return {{{"time", 0.4 * body_.place.time}, {"position", as_json(way)}},
            {{"time", 0.9 * body_.place.time}, {"position", as_json(0.5 * way)}}};
  }

  void hold(const std::string& kind) {
    if (!random_.chance(0.2)) return;
    body_.held = true;
    if (!body_.stiff) {
      body_.json["fixed"] = {{"plane", {as_json(body_.place.center), as_json(random_.direction())}}};
      if (random_.chance(0.4)) body_.json["motion"] = motion(true);
      return;
    }
    if (random_.chance(0.5)) {
      body_.json["fixed"] = true;
      if (random_.chance(0.5)) body_.json["motion"] = motion(random_.chance(0.5));
      return;
    }
    const bool turns = random_.chance(0.5);
    body_.json["fixed"] = {{"translation", {random_.chance(0.5), random_.chance(0.5), true}},
                           {"rotation", {!turns, !turns, !turns && kind == "affine"}}};
  }

  void load(const std::string& kind) {
    if (!random_.chance(0.15)) return;
    // Of the order of the body's weight, were it water.
    const double force = random_.uniform(0, 2) * 9.81 * 1000 * r_ * r_ * r_;
    if (body_.stiff && random_.chance(0.5)) {
      body_.json["torque"] = as_json(0.1 * force * r_ * random_.direction());
    } else if (kind != "rod" && !body_.stiff && random_.chance(0.5)) {
      body_.json["traction"] = as_json(0.1 * force / (r_ * r_) * random_.direction());
    } else {
      const double thin = body_.thin ? 0.02 : 1;
      body_.json["force"] = as_json(thin * force * random_.direction());
    }
  }

  RandomNumbers& random_;
  RandomBody& body_;
  double r_;
};

}  // namespace

Json as_json(const Vector3& v) {
  return {v[0], v[1], v[2]};
}

RandomBody random_body(RandomNumbers& random, const std::string& kind, const std::string& name,
                       const Place& place) {
  RandomBody body;
  body.name = name;
  body.place = place;
  BodyMaker(random, body).make(kind);
  return body;
}

}  // namespace bulwark::test
