#include <random_scenes/random_joints.hpp>

#include <Eigen/Geometry>

namespace bulwark::test {
namespace {

class JointMaker {
 public:
  explicit JointMaker(RandomNumbers& random) : random_(random) {}

  /// Ties a stiff body to another stiff one, or to the world (null).
  void tie_stiff(const RandomBody& a, const RandomBody* b) {
    const double length = a.place.length, time = a.place.time;
    const bool rigid = a.rigid || (b != nullptr && b->rigid);
    const Vector3 other =
        b != nullptr ? b->place.center : Vector3(a.place.center + 0.5 * length * random_.direction());
    const Vector3 point = 0.5 * (a.place.center + other), axis = random_.direction();
    const std::string kind =
        random_.one_of({"point", "hinge", "hinge", "weld", "universal", "cone-twist", "slider", "cylindrical",
                        "plane", "distance", "spring", "torsion"});
    Json joint = begin(kind == "torsion" ? "spring" : kind, a, b);
    if (kind == "distance" || kind == "spring") {
      joint["points"] = {as_json(a.place.center), as_json(other)};
    } else if (kind != "weld") {
      joint["point"] = as_json(point);
    }
    if (kind == "hinge" || kind == "slider" || kind == "cylindrical" || kind == "plane" || kind == "torsion")
      joint["axis"] = as_json(axis);
    if (kind == "universal") joint["axes"] = {as_json(axis), as_json(axis.unitOrthogonal())};
    if (kind == "cone-twist") {
      joint["frame"] = {{"x", as_json(axis)}, {"y", as_json(axis.unitOrthogonal())}};
      for (const char* key : {"bend_y_degrees", "bend_z_degrees", "twist_degrees"}) {
        if (random_.chance(0.6)) joint[key] = range(5, 80);
      }
    }
    bool has_limits = false;
    if (kind == "hinge" && random_.chance(0.5)) joint["limits_degrees"] = range(5, 120), has_limits = true;
    if ((kind == "slider" || kind == "cylindrical") && random_.chance(0.5))
      joint["limits"] = range(0.05 * length, 0.5 * length), has_limits = true;
    const double distance = (a.place.center - other).norm();
    if (kind == "distance" && random_.chance(0.5))
      joint["limits"] = {random_.uniform(0.5, 0.95) * distance, random_.uniform(1.05, 1.5) * distance},
      has_limits = true;
    if (has_limits && random_.chance(0.3)) joint["restitution_damping"] = random_.spread(0.01, 1) * time;
    // Of a body as heavy as water, in the time of the run.
    const double mass = 1000 * std::pow(a.place.radius, 3);
    const double angular = mass * a.place.radius * a.place.radius;
    if (kind == "spring" || kind == "torsion") {
      joint["stiffness"] = (kind == "spring" ? mass : angular) / (time * time) * random_.spread(0.1, 100);
      if (random_.chance(0.5))
        joint["damping"] = (kind == "spring" ? mass : angular) / time * random_.spread(0.1, 10);
      if (kind == "spring" && random_.chance(0.5))
        joint["rest_length"] = random_.uniform(0.5, 1.5) * distance;
      if (kind == "torsion" && random_.chance(0.5)) joint["rest_degrees"] = random_.uniform(-40, 40);
    } else if (!(kind == "distance" && has_limits)) {
      const bool linear = (kind == "point" || kind == "weld" || kind == "hinge") && !rigid;
      const std::string method =
          random_.one_of({"", "", linear ? "eliminate" : "", "penalty", "augmented-lagrangian"});
      if (!method.empty()) joint["method"] = method;
    }
    if ((kind == "hinge" || kind == "cone-twist") && random_.chance(0.3))
      joint["damping"] = angular / time * random_.spread(0.01, 1);
    joints_.push_back(joint);
    if ((kind == "hinge" || kind == "slider") && random_.chance(0.6)) add_motor(joint, kind == "hinge", a);
  }

  /// Ties a soft body to a stiff one, or to the world (null).
  void tie_soft(const RandomBody& a, const RandomBody* b) {
    const std::string kind =
        a.center_inside ? random_.one_of({"attach", "attach", "point", "distance", "spring"}) : "attach";
    Json joint = begin(kind, a, b);
    const Vector3 other =
        b != nullptr ? b->place.center : Vector3(a.place.center + 0.5 * a.place.length * random_.direction());
    if (kind == "attach")
      joint["selection"] = {{"plane", {as_json(a.place.center), as_json(random_.direction())}}};
    if (kind == "point") joint["point"] = as_json(a.place.center);
    if (kind == "distance" || kind == "spring") joint["points"] = {as_json(a.place.center), as_json(other)};
    if (kind == "spring") {
      const double mass = (a.thin ? 10 : 1000) * std::pow(a.place.radius, 3);
      joint["stiffness"] = mass / (a.place.time * a.place.time) * random_.spread(0.1, 10);
    }
    joints_.push_back(joint);
  }

  Json joints() && { return std::move(joints_); }

 private:
  Json begin(const std::string& kind, const RandomBody& a, const RandomBody* b) {
    Json joint = {{"name", "joint " + std::to_string(joints_.size())},
                  {"kind", kind},
                  {"bodies", {a.name, b != nullptr ? b->name : "world"}}};
    if (b != nullptr && random_.chance(0.5)) joint["contact"] = false;
    return joint;
  }

  Json range(double low, double high) { return {-random_.uniform(low, high), random_.uniform(low, high)}; }

  void add_motor(const Json& driven, bool angular, const RandomBody& a) {
    const double time = a.place.time,
                 way = angular ? random_.uniform(-30, 30) : random_.uniform(-0.2, 0.2) * a.place.length;
    const double mass = 1000 * std::pow(a.place.radius, angular ? 5 : 3);
    Json motor = {
        {"name", "motor " + std::to_string(joints_.size())}, {"kind", "motor"}, {"joint", driven["name"]}};
    switch (random_.integer(0, 2)) {
      case 0:
        motor[angular ? "speed_degrees" : "speed"] = way / time;
        break;
      case 1:
        motor[angular ? "angle_degrees" : "position"] = {{"times", {0, time}}, {"values", {0, 0.1 * way}}};
        break;
      default:
        motor[angular ? "torque" : "force"] =
            mass / (time * time) * random_.uniform(-0.5, 0.5) * (angular ? 1 : a.place.radius);
        joints_.push_back(motor);
        return;
    }
    if (random_.chance(0.4))
      motor["max_force"] = mass / (time * time) * random_.spread(0.01, 10) * (angular ? 1 : a.place.radius);
    joints_.push_back(motor);
  }

  RandomNumbers& random_;
  Json joints_ = Json::array();
};

}  // namespace

Json random_joints(RandomNumbers& random, const std::vector<RandomBody>& bodies) {
  JointMaker maker(random);
  const double share = random.one_of({0.0, 0.3, 0.6, 0.9});
  const RandomBody* last_stiff = nullptr;
  for (const RandomBody& body : bodies) {
    const RandomBody* partner = random.chance(0.7) ? last_stiff : nullptr;
    if (!body.held && random.chance(share)) {
      if (body.stiff) maker.tie_stiff(body, partner);
      if (body.soft) maker.tie_soft(body, partner);
    }
    if (body.stiff) last_stiff = &body;
  }
  return std::move(maker).joints();
}

}  // namespace bulwark::test
