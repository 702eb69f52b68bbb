#include <bulwark/base/error.hpp>
#include <bulwark/collision/exact_intersection.hpp>
#include <bulwark/geometry/append_surface.hpp>
#include <bulwark/scene/import_urdf.hpp>
#include <bulwark/scene/urdf_bodies.hpp>
#include <bulwark/scene/urdf_kinematics.hpp>
#include <bulwark/sim/world.hpp>

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numbers>
#include <set>

namespace bulwark {
namespace {

constexpr double degree = std::numbers::pi / 180;

/// z is up in URDF, y in our scenes: (x, y, z) becomes (x, z, -y).
Frame3 upright() {
  Frame3 frame = Frame3::Identity();
  frame.linear() << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  return frame;
}

class UrdfImporter {
 public:
  explicit UrdfImporter(const UrdfOptions& options)
      : options_(options), meshes_(options.file, options.scene, options.package_paths, options.copy_meshes) {}

  ImportedScene run(const std::string& text) {
    robot_ = read_urdf(text, options_.file.string());
    settle_joints();
    values_ = start_values(robot_, options_.joint_values, result_.notes);
    frames_ = link_frames(robot_, values_);
    for (Frame3& frame : frames_) frame = upright() * frame;
    UrdfBodies made =
        make_urdf_bodies(robot_, frames_, meshes_, {options_.file.string(), options_.free_base});
    bodies_ = std::move(made.bodies);
    body_of_link_ = std::move(made.body_of_link);

    write_head();
    write_bodies();
    write_joints();
    write_exempt_pairs();
    write_ground();

    append(result_.warnings, robot_.warnings);
    append(result_.warnings, made.warnings);
    append(result_.notes, made.notes);
    append(result_.notes, meshes_.notes);
    result_.files = std::move(meshes_.files);
    result_.body_count = scene_["bodies"].size();
    if (result_.body_count == 0)
      throw InputError(options_.file.string(), "no link of this robot has a shape or can move",
                       "give its links <collision> shapes");
    result_.scene = imported_scene_text(scene_);
    return std::move(result_);
  }

 private:
  static void append(std::vector<std::string>& all, const std::vector<std::string>& more) {
    all.insert(all.end(), more.begin(), more.end());
  }

  void warn(const UrdfJoint& joint, const std::string& text) {
    result_.warnings.push_back(
        fmt::format("{}:{}: joint '{}': {}", options_.file.string(), joint.line, joint.name, text));
  }

  /// Says what of the joints is not carried over, and makes those without play fixed ones.
  void settle_joints() {
    std::string with_speed;
    for (UrdfJoint& joint : robot_.joints) {
      const bool limited =
          joint.type == UrdfJoint::Type::revolute || joint.type == UrdfJoint::Type::prismatic;
      if (limited && joint.limit->lower == joint.limit->upper) {
        warn(joint,
             fmt::format("both of its limits are {}: it becomes fixed (to turn or slide freely, widen them)",
                         joint.limit->lower));
        if (joint.turns()) joint.origin.rotate(Eigen::AngleAxisd(joint.limit->lower, joint.axis));
        if (joint.slides()) joint.origin.translate(joint.limit->lower * joint.axis);
        joint.type = UrdfJoint::Type::fixed;
      }
      const bool moves = joint.turns() || joint.slides();
      if (joint.mimic)
        warn(joint,
             fmt::format("it starts as <mimic> of '{}' says, but does not follow it: it moves on its own",
                         joint.mimic->joint));
      if (joint.friction > 0) warn(joint, "its friction is not carried over: joints here have damping only");
      if (!moves && joint.damping > 0)
        warn(joint, "its damping is not carried over: only hinges and sliders have one");
      if (moves && joint.limit && joint.limit->velocity > 0)
        with_speed += (with_speed.empty() ? "" : ", ") + joint.name;
    }
    if (!with_speed.empty())
      result_.warnings.push_back(
          fmt::format("{}: speed limits are not carried over: {}", options_.file.string(), with_speed));
  }

  void write_head() {
    scene_["bulwark"] = 1;
    scene_["title"] = robot_.name.empty() ? options_.file.stem().string() : robot_.name;
    scene_["time"] = {{"step", 0.005}, {"duration", 2.0}};
    scene_["gravity"] = {0, -9.81, 0};
    scene_["materials"]["link"] = {{"model", "affine"}, {"density", 1000}};
    scene_["bodies"] = Json::array();
    scene_["joints"] = Json::array();
    // URDF says nothing of friction; without any, nothing could stand or be gripped.
    scene_["contact"] = {{"friction", 0.5}};
  }

  bool is_held(const UrdfBody& body) const { return body.is_base && !options_.free_base; }

  void write_bodies() {
    for (const UrdfBody& body : bodies_) {
      if (body.shapes.empty()) continue;
      const Frame3& frame = frames_[body.main_link];
      Json json;
      json["name"] = body.name;
      json["kind"] = "affine";
      json["material"] = "link";
      for (const UrdfBodyShape& shape : body.shapes) json["shapes"].push_back(shape.json);
      const GivenMass& mass = *body.mass;
      const Matrix3& j = mass.inertia;
      json["mass"] = {{"mass", mass.mass},
                      {"center", to_json(mass.center)},
                      {"inertia", {j(0, 0), j(1, 1), j(2, 2), j(0, 1), j(0, 2), j(1, 2)}}};
      json["position"] = to_json(frame.translation());
      const Eigen::Quaterniond q(frame.linear());
      json["rotation"]["quaternion"] = {q.w(), q.x(), q.y(), q.z()};
      if (is_held(body)) json["fixed"] = true;
      if (!body.collides) json["collides"] = false;
      scene_["bodies"].push_back(std::move(json));
    }
  }

  /// The body's name, or "world" for a base without a shape.
  std::string name_of(int body) const { return bodies_[body].shapes.empty() ? "world" : bodies_[body].name; }

  void write_joints() {
    Json motors = Json::array();
    for (std::size_t i = 0; i < robot_.joints.size(); ++i) {
      const UrdfJoint& joint = robot_.joints[i];
      const int parent = body_of_link_[joint.parent], child = body_of_link_[joint.child];
      if (parent == child || joint.type == UrdfJoint::Type::floating) continue;
      adjacent_.insert(std::minmax(parent, child));
      Json json;
      json["name"] = joint.name;
      json["kind"] = kind_of(joint);
      json["bodies"] = {name_of(child), name_of(parent)};
      if (name_of(parent) != "world" && bodies_[parent].collides && bodies_[child].collides)
        json["contact"] = false;
      const Frame3& frame = frames_[joint.child];
      json["point"] = to_json(frame.translation());
      if (joint.type != UrdfJoint::Type::fixed) json["axis"] = to_json(frame.linear() * joint.axis);
      // The robot's own zero stays the zero, wherever the joint starts.
      if (values_[i] != 0 && joint.turns()) json["start_degrees"] = values_[i] / degree;
      if (values_[i] != 0 && joint.slides()) json["start"] = values_[i];
      if (joint.type == UrdfJoint::Type::revolute)
        json["limits_degrees"] = {joint.limit->lower / degree, joint.limit->upper / degree};
      if (joint.slides()) json["limits"] = {joint.limit->lower, joint.limit->upper};
      const bool moves = joint.turns() || joint.slides();
      if (moves && joint.damping > 0) json["damping"] = joint.damping;
      scene_["joints"].push_back(std::move(json));
      if (moves && options_.hold) motors.push_back(motor_of(joint, values_[i]));
    }
    for (Json& motor : motors) scene_["joints"].push_back(std::move(motor));
  }

  static const char* kind_of(const UrdfJoint& joint) {
    switch (joint.type) {
      case UrdfJoint::Type::revolute:
      case UrdfJoint::Type::continuous:
        return "hinge";
      case UrdfJoint::Type::prismatic:
        return "slider";
      case UrdfJoint::Type::planar:
        return "plane";
      case UrdfJoint::Type::fixed:
      case UrdfJoint::Type::floating:
        break;
    }
    return "weld";
  }

  static Json motor_of(const UrdfJoint& joint, double value) {
    Json motor;
    motor["name"] = "hold " + joint.name;
    motor["kind"] = "motor";
    motor["joint"] = joint.name;
    motor[joint.turns() ? "angle_degrees" : "position"] = joint.turns() ? value / degree : value;
    if (joint.limit && joint.limit->effort > 0) motor["max_force"] = joint.limit->effort;
    return motor;
  }

  /// All bodies where they start, for the exact test of who overlaps whom.
  World start_world() const {
    World world;
    for (const UrdfBody& body : bodies_) {
      if (body.shapes.empty()) continue;
      SurfaceMesh surface;
      for (const UrdfBodyShape& shape : body.shapes) append_surface(surface, shape.surface);
      BodyOptions options;
      options.name = body.name;
      options.mass = body.mass;
      options.collides = body.collides;
      options.pose.position = frames_[body.main_link].translation();
      options.pose.rotation = frames_[body.main_link].linear();
      add_affine(world, surface, StiffMaterial{}, options);
    }
    return world;
  }

  /// Links that a joint ties do not collide by the joint's own `contact`; others that overlap at the start,
  /// as links near a joint often do, do not collide either.
  void write_exempt_pairs() {
    World world = start_world();
    std::vector<int> index_of(bodies_.size(), -1), body_at;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      if (bodies_[b].shapes.empty()) continue;
      index_of[b] = static_cast<int>(body_at.size());
      body_at.push_back(static_cast<int>(b));
    }
    for (const auto& [a, b] : adjacent_) {
      if (index_of[a] >= 0 && index_of[b] >= 0) world.collision.exempt(index_of[a], index_of[b]);
    }
    const Vectors positions = vertex_positions(world.collision, world.state.position);
    constexpr std::size_t limit = 10000;
    Json pairs = Json::array();
    std::string said;
    while (true) {
      const std::vector<Intersection> found = find_intersections(world.collision, positions, limit);
      if (found.empty()) break;
      for (const Intersection& hit : found) {
        if (!world.collision.may_collide(hit.body_first, hit.body_second)) continue;
        world.collision.exempt(hit.body_first, hit.body_second);
        const std::string first = bodies_[body_at[hit.body_first]].name,
                          second = bodies_[body_at[hit.body_second]].name;
        pairs.push_back({{"between", {first, second}}, {"contact", false}});
        said += fmt::format("{}'{}' and '{}'", said.empty() ? "" : ", ", first, second);
      }
    }
    lowest_ = positions.cols() > 0 ? positions.row(1).minCoeff() : 0;
    length_ = scene_length(world);
    scene_["contact"]["distance"] = contact_distance();
    if (pairs.empty()) return;
    scene_["contact"]["pairs"] = std::move(pairs);
    result_.notes.push_back(
        fmt::format("links that overlap at the start do not collide with each other: {}", said));
  }

  double contact_distance() const { return 1e-3 * length_; }

  void write_ground() {
    if (!options_.ground) return;
    const double height = lowest_ - 2 * contact_distance();
    Json ground;
    ground["name"] = "ground";
    for (int number = 2; name_is_taken(ground["name"]); ++number)
      ground["name"] = fmt::format("ground_{}", number);
    ground["kind"] = "obstacle";
    ground["shape"]["plane"] = {{"point", {0, height, 0}}, {"normal", {0, 1, 0}}};
    result_.notes.push_back(
        fmt::format("the ground is at the height {:.6g} m, just below the robot", height));
    scene_["bodies"].push_back(std::move(ground));
  }

  bool name_is_taken(const std::string& name) const {
    return std::any_of(bodies_.begin(), bodies_.end(),
                       [&](const UrdfBody& body) { return body.name == name; });
  }

  const UrdfOptions& options_;
  UrdfMeshes meshes_;
  UrdfRobot robot_;
  std::vector<double> values_;
  std::vector<Frame3> frames_;  ///< of the links at the start, y up
  std::vector<UrdfBody> bodies_;
  std::vector<int> body_of_link_;
  std::set<std::pair<int, int>> adjacent_;
  double lowest_ = 0, length_ = 1;
  ImportedScene result_;
  Json scene_;
};

}  // namespace

ImportedScene import_urdf(const std::string& text, const UrdfOptions& options) {
  return UrdfImporter(options).run(text);
}

}  // namespace bulwark
