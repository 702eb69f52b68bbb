#include <bulwark/base/error.hpp>
#include <bulwark/base/xml_text.hpp>
#include <bulwark/math/jacobi_eigen.hpp>
#include <bulwark/scene/nearest.hpp>
#include <bulwark/scene/urdf_model.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

namespace bulwark {
namespace {

const std::map<std::string, UrdfJoint::Type> joint_types = {
    {"revolute", UrdfJoint::Type::revolute},   {"continuous", UrdfJoint::Type::continuous},
    {"prismatic", UrdfJoint::Type::prismatic}, {"fixed", UrdfJoint::Type::fixed},
    {"floating", UrdfJoint::Type::floating},   {"planar", UrdfJoint::Type::planar}};

/// "link 'arm'", "<origin>".
std::string title_of(const XmlElement& element) {
  const std::string* name = element.attribute("name");
  return name ? fmt::format("{} '{}'", element.name, *name) : fmt::format("<{}>", element.name);
}

class UrdfReader {
 public:
  explicit UrdfReader(const std::string& name) : name_(name) {}

  UrdfRobot read(const std::string& text) {
    const XmlElement root = parse_xml(text, name_);
    if (root.name != "robot")
      fail(root, fmt::format("the root element is <{}>", root.name),
           root.name == "sdf" || root.name == "mujoco" ? "convert the file to URDF, whose root is <robot>"
                                                       : "give a URDF file, whose root is <robot>");
    refuse_xacro(root);
    if (const std::string* name = root.attribute("name")) robot_.name = *name;
    for (const XmlElement& element : root.children) {
      if (element.name == "link") read_link(element);
    }
    if (robot_.links.empty()) fail(root, "the robot has no link", "a robot needs at least one <link>");
    for (const XmlElement& element : root.children) {
      if (element.name == "joint") read_joint(element);
      if (element.name != "joint" && element.name != "link" && element.name != "material")
        leave_out(element.name, element.line);
    }
    check_mimics();
    sort_tree(root);
    for (const auto& [what, left] : left_out_) {
      robot_.warnings.push_back(fmt::format("{}:{}: {}: not carried over{}", name_, left.line, what,
                                            left.count > 1 ? fmt::format(" ({} of them)", left.count) : ""));
    }
    return std::move(robot_);
  }

 private:
  [[noreturn]] void fail(const XmlElement& element, const std::string& problem,
                         const std::string& remedy) const {
    fail_at(element.line, title_of(element), problem, remedy);
  }
  [[noreturn]] void fail_at(int line, const std::string& element, const std::string& problem,
                            const std::string& remedy) const {
    throw InputError(fmt::format("{}:{}: {}", name_, line, element), problem, remedy);
  }

  void leave_out(const std::string& what, int line) {
    auto& left = left_out_.try_emplace(what, LeftOut{line, 0}).first->second;
    ++left.count;
  }

  /// Files that xacro has expanded may still name its namespace, or hold calls that it left alone; those that
  /// it has not, have its definitions, or `${}` and `$()` in what describes the robot.
  void refuse_xacro(const XmlElement& element) const {
    static const std::set<std::string> definitions = {"xacro:include", "xacro:macro", "xacro:property",
                                                      "xacro:arg",     "xacro:if",    "xacro:unless"};
    constexpr const char* remedy = "expand the file first: xacro FILE > robot.urdf";
    if (definitions.contains(element.name)) fail(element, "this is a xacro file, not a URDF", remedy);
    if (element.name == "gazebo" || element.name == "transmission") return;
    for (const auto& [key, value] : element.attributes) {
      if (value.find("${") != std::string::npos || value.find("$(") != std::string::npos)
        fail(element, fmt::format("`{}` is \"{}\": this is a xacro file, not a URDF", key, value), remedy);
    }
    for (const XmlElement& child : element.children) refuse_xacro(child);
  }

  // Values.

  const std::string& needed(const XmlElement& element, const char* key) const {
    const std::string* value = element.attribute(key);
    if (value == nullptr || value->empty())
      fail(element, fmt::format("the attribute `{}` is missing", key), fmt::format("add {}=\"...\"", key));
    return *value;
  }

  std::vector<double> numbers(const XmlElement& element, const char* key, const std::string& text) const {
    std::vector<double> result;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (true) {
      while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) ++at;
      if (at == end) return result;
      if (*at == '+') ++at;
      double value = 0;
      const auto [next, error] = std::from_chars(at, end, value);
      const bool ends = next == end || *next == ' ' || *next == '\t' || *next == '\n' || *next == '\r';
      if (error != std::errc() || !ends || !std::isfinite(value))
        fail(element, fmt::format("`{}` is \"{}\", which is not a number", key, text),
             "write decimal numbers, as 0.25 or 1e-3");
      result.push_back(value);
      at = next;
    }
  }

  double number(const XmlElement& element, const char* key, std::optional<double> preset = {}) const {
    const std::string* text = element.attribute(key);
    if (text == nullptr && preset) return *preset;
    const std::vector<double> values = numbers(element, key, needed(element, key));
    if (values.size() != 1)
      fail(element, fmt::format("`{}` has {} numbers", key, values.size()), "give one number");
    return values[0];
  }

  double positive(const XmlElement& element, const char* key) const {
    const double value = number(element, key);
    if (!(value > 0)) fail(element, fmt::format("`{}` is {}", key, value), "give a number above 0");
    return value;
  }

  double not_negative(const XmlElement& element, const char* key) const {
    const double value = number(element, key, 0.0);
    if (!(value >= 0)) fail(element, fmt::format("`{}` is {}", key, value), "give 0 or more");
    return value;
  }

  Vector3 vector(const XmlElement& element, const char* key, const Vector3& preset) const {
    const std::string* text = element.attribute(key);
    if (text == nullptr) return preset;
    const std::vector<double> values = numbers(element, key, *text);
    if (values.size() != 3)
      fail(element, fmt::format("`{}` has {} numbers", key, values.size()), "give three, as \"0 0 1\"");
    return {values[0], values[1], values[2]};
  }

  /// R = Rz(yaw) Ry(pitch) Rx(roll).
  Frame3 origin_of(const XmlElement& parent) const {
    Frame3 frame = Frame3::Identity();
    const XmlElement* origin = parent.child("origin");
    if (origin == nullptr) return frame;
    const Vector3 rpy = vector(*origin, "rpy", Vector3::Zero());
    frame.linear() =
        (Eigen::AngleAxisd(rpy[2], Vector3::UnitZ()) * Eigen::AngleAxisd(rpy[1], Vector3::UnitY()) *
         Eigen::AngleAxisd(rpy[0], Vector3::UnitX()))
            .toRotationMatrix();
    frame.translation() = vector(*origin, "xyz", Vector3::Zero());
    return frame;
  }

  // Links.

  void read_link(const XmlElement& element) {
    UrdfLink link;
    link.name = needed(element, "name");
    link.line = element.line;
    if (link_of_.contains(link.name)) fail(element, "there is another link of this name", "names are unique");
    for (const XmlElement& child : element.children) {
      if (child.name == "inertial") {
        if (link.inertial) fail(element, "it has two <inertial>", "keep one of them");
        link.inertial = read_inertial(child, title_of(element));
      } else if (child.name == "collision") {
        link.collision.push_back(read_collision(child, title_of(element)));
      } else if (child.name == "visual") {
        link.has_visual = true;
      } else {
        leave_out(fmt::format("link / {}", child.name), child.line);
      }
    }
    link_of_[link.name] = static_cast<int>(robot_.links.size());
    robot_.links.push_back(std::move(link));
  }

  UrdfInertial read_inertial(const XmlElement& element, const std::string& link) const {
    UrdfInertial inertial;
    inertial.line = element.line;
    const XmlElement* mass = element.child("mass");
    if (mass == nullptr)
      fail_at(element.line, link, "its <inertial> has no <mass>",
              "add <mass value=\"...\"/>, or remove <inertial>");
    inertial.mass = number(*mass, "value");
    if (!(inertial.mass >= 0))
      fail_at(mass->line, link, fmt::format("its mass is {} kg", inertial.mass), "give a mass above 0");
    const Frame3 origin = origin_of(element);
    inertial.center = origin.translation();
    const XmlElement* tensor = element.child("inertia");
    if (tensor == nullptr) return inertial;
    const auto entry = [&](const char* key) { return number(*tensor, key, 0.0); };
    Matrix3& j = inertial.inertia;
    j(0, 0) = entry("ixx");
    j(1, 1) = entry("iyy");
    j(2, 2) = entry("izz");
    j(0, 1) = j(1, 0) = entry("ixy");
    j(0, 2) = j(2, 0) = entry("ixz");
    j(1, 2) = j(2, 1) = entry("iyz");
    const Vector3 principal = sorted_eigen<3>(j).values;
    constexpr double rounding = 1e-9;
    if (principal[0] < -rounding * std::abs(principal[2]) || principal[2] < 0)
      fail_at(tensor->line, link,
              fmt::format("its inertia has the principal moments {:.6g}, {:.6g} and {:.6g} kg m^2",
                          principal[0], principal[1], principal[2]),
              "no moment of inertia is negative: check the signs of the entries");
    j = origin.linear() * j * origin.linear().transpose();
    return inertial;
  }

  UrdfShape read_collision(const XmlElement& element, const std::string& link) const {
    UrdfShape shape;
    shape.line = element.line;
    shape.origin = origin_of(element);
    const XmlElement* geometry = element.child("geometry");
    if (geometry == nullptr || geometry->children.size() != 1)
      fail_at(element.line, link, "a <collision> needs a <geometry> of one shape",
              "put one of box, cylinder, sphere, mesh into its <geometry>");
    const XmlElement& form = geometry->children[0];
    shape.line = form.line;
    using Kind = UrdfShape::Kind;
    if (form.name == "box") {
      shape.kind = Kind::box;
      needed(form, "size");
      shape.sides = vector(form, "size", Vector3::Zero());
      if (!(shape.sides.minCoeff() > 0))
        fail(form, "a side of the box is not above 0", "give three sides in m");
    } else if (form.name == "sphere") {
      shape.kind = Kind::sphere;
      shape.radius = positive(form, "radius");
    } else if (form.name == "cylinder" || form.name == "capsule") {
      shape.kind = form.name == "capsule" ? Kind::capsule : Kind::cylinder;
      shape.radius = positive(form, "radius");
      shape.length = positive(form, "length");
    } else if (form.name == "mesh") {
      shape.kind = Kind::mesh;
      shape.file = needed(form, "filename");
      shape.scale = vector(form, "scale", Vector3::Ones());
      if (shape.scale.cwiseAbs().minCoeff() == 0)
        fail(form, "a factor of its scale is 0", "give factors in m per unit");
    } else {
      fail(form, "there is no such geometry", "use box, cylinder, sphere, capsule or mesh");
    }
    return shape;
  }

  // Joints.

  int find_link(const XmlElement& joint, const char* side) const {
    const XmlElement* element = joint.child(side);
    if (element == nullptr)
      fail(joint, fmt::format("it has no <{}>", side), fmt::format("add <{} link=\"...\"/>", side));
    const std::string& name = needed(*element, "link");
    const auto found = link_of_.find(name);
    if (found != link_of_.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [link, index] : link_of_) known.push_back(link);
    fail_at(element->line, title_of(joint), fmt::format("its {} link '{}' does not exist", side, name),
            suggestion(name, known, "links"));
  }

  void read_joint(const XmlElement& element) {
    UrdfJoint joint;
    joint.name = needed(element, "name");
    joint.line = element.line;
    for (const UrdfJoint& other : robot_.joints) {
      if (other.name == joint.name) fail(element, "there is another joint of this name", "names are unique");
    }
    const std::string& type = needed(element, "type");
    const auto found = joint_types.find(type);
    if (found == joint_types.end())
      fail(element, fmt::format("there is no joint type \"{}\"", type),
           "use revolute, continuous, prismatic, fixed, floating or planar");
    joint.type = found->second;
    joint.parent = find_link(element, "parent");
    joint.child = find_link(element, "child");
    if (joint.parent == joint.child) fail(element, "its parent and child are one link", "name two links");
    joint.origin = origin_of(element);
    if (const XmlElement* axis = element.child("axis")) {
      joint.axis = vector(*axis, "xyz", Vector3::UnitX());
      if (!(joint.axis.norm() > 0) && joint.type != UrdfJoint::Type::fixed &&
          joint.type != UrdfJoint::Type::floating)
        fail_at(axis->line, title_of(element), "its axis has no length", "give a direction, as \"0 0 1\"");
      joint.axis.stableNormalize();
    }
    read_joint_details(element, joint);
    robot_.joints.push_back(std::move(joint));
  }

  void read_joint_details(const XmlElement& element, UrdfJoint& joint) {
    for (const XmlElement& child : element.children) {
      if (child.name == "limit") {
        joint.limit = UrdfLimit{number(child, "lower", 0.0), number(child, "upper", 0.0),
                                not_negative(child, "effort"), not_negative(child, "velocity")};
        if (joint.limit->lower > joint.limit->upper)
          fail_at(child.line, title_of(element),
                  fmt::format("its lower limit {} is above the upper one, {}", joint.limit->lower,
                              joint.limit->upper),
                  "give the smaller one as `lower`");
      } else if (child.name == "dynamics") {
        joint.damping = not_negative(child, "damping");
        joint.friction = not_negative(child, "friction");
      } else if (child.name == "mimic") {
        joint.mimic =
            UrdfMimic{needed(child, "joint"), number(child, "multiplier", 1.0), number(child, "offset", 0.0)};
      } else if (child.name != "origin" && child.name != "parent" && child.name != "child" &&
                 child.name != "axis") {
        leave_out(fmt::format("joint / {}", child.name), child.line);
      }
    }
    const bool needs_limit =
        joint.type == UrdfJoint::Type::revolute || joint.type == UrdfJoint::Type::prismatic;
    if (needs_limit && !joint.limit)
      fail(element, "it has no <limit>",
           joint.turns() ? "add <limit lower= upper= effort= velocity=/>, or make it continuous"
                         : "add <limit lower= upper= effort= velocity=/>");
  }

  void check_mimics() const {
    for (const UrdfJoint& joint : robot_.joints) {
      if (!joint.mimic) continue;
      const bool known = std::any_of(robot_.joints.begin(), robot_.joints.end(), [&](const UrdfJoint& other) {
        return other.name == joint.mimic->joint;
      });
      if (!known)
        fail_at(joint.line, fmt::format("joint '{}'", joint.name),
                fmt::format("it mimics joint '{}', which does not exist", joint.mimic->joint),
                "name a joint");
    }
  }

  /// Orders the joints from the root on; throws unless they make a tree of all links.
  void sort_tree(const XmlElement& root) {
    std::vector<int> joint_to(robot_.links.size(), -1);
    std::vector<std::vector<int>> joints_from(robot_.links.size());
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
      const UrdfJoint& joint = robot_.joints[j];
      if (joint_to[joint.child] >= 0)
        fail_at(joint.line, fmt::format("joint '{}'", joint.name),
                fmt::format("link '{}' is already the child of joint '{}'", robot_.links[joint.child].name,
                            robot_.joints[joint_to[joint.child]].name),
                "a link has one parent: URDF describes trees; close the loop by a joint in the scene file");
      joint_to[joint.child] = static_cast<int>(j);
      joints_from[joint.parent].push_back(static_cast<int>(j));
    }
    std::vector<int> roots;
    for (std::size_t link = 0; link < joint_to.size(); ++link) {
      if (joint_to[link] < 0) roots.push_back(static_cast<int>(link));
    }
    if (roots.empty())
      fail(root, "no link is the root: the joints close a loop", "leave out the joint that closes it");
    if (roots.size() > 1) {
      const UrdfLink& second = robot_.links[roots[1]];
      fail_at(second.line, fmt::format("link '{}'", second.name),
              fmt::format("it has no parent, and neither has link '{}': the robot is in {} pieces",
                          robot_.links[roots[0]].name, roots.size()),
              "join them by a joint (of type floating to let them move apart)");
    }
    robot_.root = roots[0];
    std::vector<UrdfJoint> sorted;
    std::vector<int> open = {robot_.root};
    std::vector<char> reached(robot_.links.size(), 0);
    while (!open.empty()) {
      const int link = open.back();
      open.pop_back();
      reached[link] = 1;
      for (const int j : joints_from[link]) sorted.push_back(robot_.joints[j]);
      for (auto j = joints_from[link].rbegin(); j != joints_from[link].rend(); ++j)
        open.push_back(robot_.joints[*j].child);
    }
    for (std::size_t link = 0; link < reached.size(); ++link) {
      if (!reached[link])
        fail_at(robot_.links[link].line, fmt::format("link '{}'", robot_.links[link].name),
                "the joints to it close a loop", "leave out the joint that closes it");
    }
    robot_.joints = std::move(sorted);
  }

  struct LeftOut {
    int line = 0, count = 0;
  };

  const std::string& name_;
  UrdfRobot robot_;
  std::map<std::string, int> link_of_;
  std::map<std::string, LeftOut> left_out_;
};

}  // namespace

UrdfRobot read_urdf(const std::string& text, const std::string& name) {
  return UrdfReader(name).read(text);
}

}  // namespace bulwark
