#include <bulwark/base/error.hpp>
#include <bulwark/scene/nearest.hpp>
#include <bulwark/scene/read_joints.hpp>
#include <bulwark/scene/read_values.hpp>
#include <bulwark/sim/joint_adder.hpp>
#include <bulwark/sim/joint_contradiction.hpp>

#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <set>

namespace bulwark {
namespace {

constexpr double degree = std::numbers::pi / 180;

const std::map<std::string, JointKind> kinds = {
    {"point", JointKind::point},         {"ball", JointKind::point},
    {"spherical", JointKind::point},     {"hinge", JointKind::hinge},
    {"revolute", JointKind::hinge},      {"weld", JointKind::weld},
    {"universal", JointKind::universal}, {"cone-twist", JointKind::cone_twist},
    {"slider", JointKind::slider},       {"prismatic", JointKind::slider},
    {"cylindrical", JointKind::slider},  {"plane", JointKind::plane},
    {"distance", JointKind::distance},   {"spring", JointKind::spring},
    {"attach", JointKind::attach},       {"constraint", JointKind::constraint},
    {"motor", JointKind::motor}};

const std::map<std::string, ConstraintPrimitive> primitives = {{"dp1", ConstraintPrimitive::dp1},
                                                               {"dp2", ConstraintPrimitive::dp2},
                                                               {"dist", ConstraintPrimitive::dist},
                                                               {"cd", ConstraintPrimitive::cd}};

const std::map<std::string, JointMethod> methods = {
    {"eliminate", JointMethod::eliminate},
    {"penalty", JointMethod::penalty},
    {"augmented-lagrangian", JointMethod::augmented_lagrangian},
    {"barrier", JointMethod::barrier}};

/// A motor's key, what it prescribes, its factor to SI, and whether it is for hinges.
struct MotorKey {
  const char* key;
  MotorLaw law;
  double factor;
  bool angular;
};
constexpr MotorKey motor_keys[] = {{"speed_degrees", MotorLaw::speed, degree, true},
                                   {"angle_degrees", MotorLaw::position, degree, true},
                                   {"torque", MotorLaw::force, 1, true},
                                   {"speed", MotorLaw::speed, 1, false},
                                   {"position", MotorLaw::position, 1, false},
                                   {"force", MotorLaw::force, 1, false}};

std::optional<JointRange> read_range(const Json& joint, const std::string& path, const char* key,
                                     double factor) {
  if (!joint.contains(key)) return {};
  const Json& value = joint[key];
  const JointRange range = {factor * value[0].get<double>(), factor * value[1].get<double>()};
  if (!(range.low < range.high))
    throw IssueFound(pointer_to(path, key), "the range is empty", "give the smaller limit first");
  return range;
}

Table read_course(const Json& value, const std::string& path, double factor) {
  if (value.is_number()) return Table::constant(Vector3(factor * value.get<double>(), 0, 0));
  Table table;
  table.times = value["times"].get<std::vector<double>>();
  for (const Json& v : value["values"]) table.values.push_back(Vector3(factor * v.get<double>(), 0, 0));
  if (table.times.size() != table.values.size())
    throw IssueFound(path, fmt::format("{} times and {} values", table.times.size(), table.values.size()),
                     "give one value for each time");
  for (std::size_t i = 1; i < table.times.size(); ++i) {
    if (!(table.times[i] > table.times[i - 1]))
      throw IssueFound(pointer_to(path, "times"), "the times do not ascend", "sort them");
  }
  return table;
}

class JointReader {
 public:
  JointReader(World& world, const Json& scene, std::vector<Issue>& issues)
      : world_(world), adder_(world), scene_(scene), issues_(issues) {
    for (std::size_t b = 0; b < world.bodies.size(); ++b) {
      const std::string& name = world.bodies[b].name;
      bodies_[name].push_back(static_cast<int>(b));
      const std::size_t bracket = name.rfind('[');
      if (bracket != std::string::npos && name.back() == ']')
        bodies_[name.substr(0, bracket)].push_back(static_cast<int>(b));
    }
  }

  void read_all() {
    if (!scene_.contains("joints")) return;
    const Json& joints = scene_["joints"];
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const std::string path = pointer_to("/joints", i);
      collect_issue(issues_, path, [&] { read(joints[i], path, i); });
    }
    adder_.finish();
    if (issues_.empty()) look_for_contradictions();
  }

 private:
  void look_for_contradictions() {
    const std::optional<JointContradiction> found = find_contradiction(world_);
    if (!found) return;
    // Joints that were there before these bodies came have no path.
    std::string path = "/joints", others;
    if (const auto own = path_of_.find(found->joint); own != path_of_.end()) path = own->second;
    for (const int other : found->others) {
      const auto own = path_of_.find(other);
      if (own == path_of_.end()) continue;
      if (path == "/joints") path = own->second;
      others += (others.empty() ? "" : ", ") + own->second;
    }
    issues_.push_back({path,
                       fmt::format("joint '{}': {}{}", world_.joints[found->joint].name,
                                   found->problem(world_), others.empty() ? "" : " (" + others + ")"),
                       JointContradiction::remedy});
  }

  void read(const Json& joint, const std::string& path, std::size_t index) {
    const std::string kind = joint["kind"].get<std::string>();
    JointOptions options;
    options.kind = kinds.at(kind);
    options.name =
        joint.contains("name") ? joint["name"].get<std::string>() : fmt::format("{}-{}", kind, index);
    if (!names_.insert(options.name).second)
      throw IssueFound(pointer_to(path, "name"), fmt::format("there is another joint \"{}\"", options.name),
                       "names are unique");
    if (options.kind == JointKind::motor) return add_motor(joint, path, options);
    read_numbers(joint, path, kind, options);
    const std::vector<int> first = named(joint, path, 0), second = named(joint, path, 1);
    const std::size_t copies = std::max(first.size(), second.size());
    if (first.size() != copies && first.size() != 1) throw_counts(path, first.size(), second.size());
    if (second.size() != copies && second.size() != 1) throw_counts(path, first.size(), second.size());
    const std::string name = options.name;
    for (std::size_t copy = 0; copy < copies; ++copy) {
      JointOptions own = options;
      own.body_a = first[first.size() == 1 ? 0 : copy];
      own.body_b = second[second.size() == 1 ? 0 : copy];
      const std::vector<int>& repeated = first.size() == copies ? first : second;
      shift(own, place(repeated[copy]) - place(repeated[0]));
      if (world_.thickness) settle_soft_ends(own, path);
      if (copies > 1) {
        const std::string& body = world_.bodies[repeated[copy]].name;
        own.name = name + body.substr(body.rfind('['));
      }
      if (!joint.contains("point") && options.kind == JointKind::weld) own.point = place(own.body_a);
      const int added = adder_.add(own);
      path_of_[added] = path;
      index_of_[name].push_back(added);
    }
  }

  bool is_soft(int body) const {
    return body != world_body && !world_.bodies[body].is_stiff() && !world_.bodies[body].is_obstacle();
  }

  /// A soft body of the plane has no direction across it: its hinges are points, and other joints that hold directions
  /// have no use for it.
  void settle_soft_ends(JointOptions& options, const std::string& path) const {
    if (!is_soft(options.body_a) && !is_soft(options.body_b)) return;
    const bool plain = !options.range && options.start == 0 && options.damping == 0;
    if (options.kind == JointKind::hinge && plain) {
      options.kind = JointKind::point;
    } else if (options.kind == JointKind::hinge || options.kind == JointKind::weld ||
               options.kind == JointKind::slider || options.angular) {
      throw IssueFound(
          path, "in a scene of dimension 2 joints of soft bodies hold points alone, and no directions",
          "use `point`, `attach`, `distance` or `spring`, or a hinge without limits and damping");
    }
  }

  void read_numbers(const Json& joint, const std::string& path, const std::string& kind,
                    JointOptions& options) {
    options.contact = joint["contact"].get<bool>();
    if (joint.contains("point")) options.point = read_vector(joint["point"]);
    if (options.kind == JointKind::constraint) {
      read_constraint(joint, path, options);
    } else if (joint.contains("points")) {
      options.point = read_vector(joint["points"][0]);
      options.second_point = read_vector(joint["points"][1]);
    }
    if (joint.contains("axis")) options.axis = read_direction(joint["axis"], pointer_to(path, "axis"));
    // In a plane there is one axis to turn about.
    if (world_.thickness && (options.kind == JointKind::hinge || kind == "spring"))
      options.axis = Vector3::UnitZ();
    if (joint.contains("axes")) {
      options.axis = read_direction(joint["axes"][0], pointer_to(path, "axes/0"));
      options.second_axis = read_direction(joint["axes"][1], pointer_to(path, "axes/1"));
    }
    if (joint.contains("frame")) {
      options.axis = read_direction(joint["frame"]["x"], pointer_to(path, "frame/x"));
      options.second_axis = read_direction(joint["frame"]["y"], pointer_to(path, "frame/y"));
    }
    options.turning = kind == "cylindrical" || kind == "plane" ? Turning::about_axis : Turning::none;
    if (joint.contains("rotates")) {
      const Json& rotates = joint["rotates"];
      options.turning = rotates.is_string()   ? Turning::freely
                        : rotates.get<bool>() ? Turning::about_axis
                                              : Turning::none;
    }
    if (joint.contains("start")) options.start = joint["start"].get<double>();
    if (joint.contains("start_degrees")) options.start = degree * joint["start_degrees"].get<double>();
    options.range = read_range(joint, path, "limits", 1);
    if (joint.contains("limits_degrees")) options.range = read_range(joint, path, "limits_degrees", degree);
    options.bend_y = read_range(joint, path, "bend_y_degrees", degree);
    options.bend_z = read_range(joint, path, "bend_z_degrees", degree);
    options.twist = read_range(joint, path, "twist_degrees", degree);
    options.angular = options.kind == JointKind::spring && !joint.contains("points");
    auto number = [&](const char* key, double& value, double factor) {
      if (joint.contains(key)) value = factor * joint[key].get<double>();
    };
    if (options.kind != JointKind::spring) read_method(joint, path, options);
    number("stiffness", options.stiffness, 1);
    number("damping", options.damping, 1);
    number("grip", options.grip, 1);
    number("width", options.range_width, 1);
    number("width_degrees", options.range_width, degree);
    number("limit_stiffness", options.range_stiffness, 1);
    number("restitution_damping", options.restitution_damping, 1);
    if (joint.contains("length")) options.length = joint["length"].get<double>();
    if (joint.contains("rest_length")) options.rest = joint["rest_length"].get<double>();
    if (joint.contains("rest_degrees")) options.rest = degree * joint["rest_degrees"].get<double>();
    if (joint.contains("selection"))
      options.selection = read_selection(joint["selection"], pointer_to(path, "selection"));
  }

  static void read_constraint(const Json& joint, const std::string& path, JointOptions& options) {
    options.primitive = primitives.at(joint["primitive"].get<std::string>());
    for (const Json& point : joint["points"]) options.points.push_back(read_vector(point));
    const bool needs_axis = options.primitive == ConstraintPrimitive::cd;
    if (joint.contains("axis") != needs_axis)
      throw IssueFound(pointer_to(path, "axis"),
                       needs_axis ? "\"cd\" is a distance along an axis" : "only \"cd\" has an axis",
                       needs_axis ? "give one, e.g. [0, 0, 1]" : "leave it out");
    if (joint.contains("value")) options.wanted = read_course(joint["value"], pointer_to(path, "value"), 1);
  }

  static void read_method(const Json& joint, const std::string& path, JointOptions& options) {
    if (joint.contains("method")) options.method = methods.at(joint["method"].get<std::string>());
    if (joint.contains("tolerance")) options.tolerance = joint["tolerance"].get<double>();
    const bool stiffness = joint.contains("stiffness"), tolerance = joint.contains("tolerance");
    const bool automatic = options.method == JointMethod::automatic;
    if (stiffness && !automatic && options.method != JointMethod::penalty)
      throw IssueFound(pointer_to(path, "stiffness"), "only the method \"penalty\" has a stiffness",
                       "leave it out, or use that method");
    if (tolerance && !automatic && options.method != JointMethod::augmented_lagrangian)
      throw IssueFound(pointer_to(path, "tolerance"),
                       "only the method \"augmented-lagrangian\" has a tolerance",
                       "leave it out, or use that method");
    if (stiffness && tolerance)
      throw IssueFound(pointer_to(path, "method"),
                       "a stiffness asks for springs, a tolerance for multipliers", "give one of them");
  }

  void add_motor(const Json& joint, const std::string& path, JointOptions& options) {
    const std::string driven = joint["joint"].get<std::string>();
    auto found = index_of_.find(driven);
    if (found == index_of_.end()) {
      // One that the world had before, when joints are added to a running simulation.
      for (std::size_t k = 0; k < world_.joints.size(); ++k) {
        if (world_.joints[k].name == driven) index_of_[driven].push_back(static_cast<int>(k));
      }
      found = index_of_.find(driven);
    }
    if (found == index_of_.end()) {
      std::vector<std::string> known;
      for (const auto& [name, indices] : index_of_) known.push_back(name);
      throw IssueFound(pointer_to(path, "joint"),
                       fmt::format("there is no joint \"{}\" before this one", driven),
                       suggestion(driven, known, "joints"));
    }
    bool angular = false;
    for (const MotorKey& key : motor_keys) {
      if (!joint.contains(key.key)) continue;
      options.law = key.law;
      options.value = read_course(joint[key.key], pointer_to(path, key.key), key.factor);
      angular = key.angular;
      const Joint& target = world_.joints[found->second[0]];
      if (target.coordinate >= 0 && target.angular != angular)
        throw IssueFound(
            pointer_to(path, key.key),
            fmt::format("joint \"{}\" is a {}", driven, joint_kind_name(target.kind)),
            target.angular ? "use speed_degrees, angle_degrees or torque" : "use speed, position or force");
    }
    if (joint.contains("max_force")) options.largest_force = joint["max_force"].get<double>();
    if (joint.contains("stiffness")) options.stiffness = joint["stiffness"].get<double>();
    const std::string name = options.name;
    for (std::size_t copy = 0; copy < found->second.size(); ++copy) {
      options.driven_joint = found->second[copy];
      if (found->second.size() > 1) options.name = fmt::format("{}[{}]", name, copy);
      adder_.add(options);
    }
  }

  std::vector<int> named(const Json& joint, const std::string& path, int side) const {
    const std::string name = joint["bodies"][side].get<std::string>();
    if (name == "world") return {world_body};
    const auto found = bodies_.find(name);
    if (found != bodies_.end()) return found->second;
    std::vector<std::string> known = {"world"};
    for (const auto& [body, indices] : bodies_) known.push_back(body);
    throw IssueFound(pointer_to(pointer_to(path, "bodies"), side),
                     fmt::format("there is no body \"{}\"", name), suggestion(name, known, "bodies"));
  }

  [[noreturn]] static void throw_counts(const std::string& path, std::size_t first, std::size_t second) {
    throw IssueFound(pointer_to(path, "bodies"),
                     fmt::format("the first body has {} copies and the second {}", first, second),
                     "repeat both alike, or name single copies as \"name[i,j,k]\"");
  }

  Vector3 place(int body) const {
    if (body == world_body) return Vector3::Zero();
    return world_.state.position.col(world_.bodies[body].first_control);
  }

  static void shift(JointOptions& options, const Vector3& offset) {
    options.point += offset;
    if (options.second_point) *options.second_point += offset;
    for (Vector3& point : options.points) point += offset;
    options.selection = shifted(options.selection, offset);
  }

  World& world_;
  JointAdder adder_;
  const Json& scene_;
  std::vector<Issue>& issues_;
  std::map<std::string, std::vector<int>> bodies_;
  std::set<std::string> names_;
  std::map<std::string, std::vector<int>> index_of_;
  std::map<int, std::string> path_of_;  ///< by joint
};

}  // namespace

void read_joints(World& world, const Json& scene, std::vector<Issue>& issues) {
  JointReader(world, scene, issues).read_all();
}

}  // namespace bulwark
