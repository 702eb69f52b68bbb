#include <bulwark/base/error.hpp>
#include <bulwark/geometry/mass_moments.hpp>
#include <bulwark/geometry/pose.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/math/jacobi_eigen.hpp>
#include <bulwark/scene/read_shape.hpp>
#include <bulwark/scene/urdf_bodies.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numbers>
#include <set>

namespace bulwark {
namespace {

constexpr double default_density = 1000;  // kg/m^3, of links that have shapes but no mass

/// Second moments below this part of the largest are raised to it: flatter than any real link, and not
/// singular.
constexpr double flattest = 1e-4;

/// Body names of a scene hold no quotes, brackets or control characters, and "world" is taken.
std::string allowed_name(std::string name) {
  for (char& c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '[' || c == ']' || c == '"') c = '_';
  }
  constexpr std::size_t longest = 150;
  if (name.size() > longest) name.resize(longest);
  return name == "world" ? "world_link" : name;
}

Json rotation_json(const Matrix3& rotation) {
  const Eigen::Quaterniond q(rotation);
  return Json{{"quaternion", {q.w(), q.x(), q.y(), q.z()}}};
}

/// The shapes' axes are y here and z there.
bool lies_along_z(UrdfShape::Kind kind) {
  return kind == UrdfShape::Kind::cylinder || kind == UrdfShape::Kind::capsule;
}

UrdfBodyShape make_shape(const UrdfShape& shape, const Frame3& link_in_body, UrdfMeshes& meshes) {
  Frame3 frame = link_in_body * shape.origin;
  if (lies_along_z(shape.kind)) frame.rotate(Eigen::AngleAxisd(std::numbers::pi / 2, Vector3::UnitX()));
  UrdfBodyShape result;
  Vector3 scale = Vector3::Ones();
  Json& form = result.json["shape"];
  switch (shape.kind) {
    case UrdfShape::Kind::box:
      form["box"] = to_json(shape.sides);
      break;
    case UrdfShape::Kind::sphere:
      form["sphere"] = shape.radius;
      break;
    case UrdfShape::Kind::cylinder:
      form["cylinder"] = {{"radius", shape.radius}, {"height", shape.length}};
      break;
    case UrdfShape::Kind::capsule:
      form["capsule"] = {{"radius", shape.radius}, {"height", shape.length + 2 * shape.radius}};
      break;
    case UrdfShape::Kind::mesh: {
      const UrdfMesh& mesh = meshes.get(shape);
      result.json = Json{{"mesh", mesh.name}};
      result.surface = mesh.surface;
      scale = shape.scale.cwiseAbs();
      if (scale != Vector3::Ones()) result.json["scale"] = to_json(scale);
      break;
    }
  }
  if (shape.kind != UrdfShape::Kind::mesh) result.surface = surface_mesh(read_shape(form));
  if (!frame.translation().isZero(0)) result.json["position"] = to_json(frame.translation());
  if (!frame.linear().isIdentity(0)) result.json["rotation"] = rotation_json(frame.linear());
  result.surface.vertices =
      transformed(Pose{frame.translation(), frame.linear(), scale}, result.surface.vertices);
  return result;
}

Matrix3 shifted_inertia(double mass, const Vector3& offset) {
  return mass * (offset.squaredNorm() * Matrix3::Identity() - offset * offset.transpose());
}

GivenMass sum_of(const std::vector<GivenMass>& parts) {
  GivenMass sum{0, Vector3::Zero(), Matrix3::Zero()};
  for (const GivenMass& part : parts) {
    sum.mass += part.mass;
    sum.center += part.mass * part.center;
  }
  sum.center /= sum.mass;
  for (const GivenMass& part : parts)
    sum.inertia += part.inertia + shifted_inertia(part.mass, part.center - sum.center);
  return sum;
}

class BodyMaker {
 public:
  BodyMaker(const UrdfRobot& robot, const std::vector<Frame3>& frames, UrdfMeshes& meshes,
            const UrdfBodyOptions& options)
      : robot_(robot), frames_(frames), meshes_(meshes), options_(options) {}

  UrdfBodies make() {
    group_links();
    for (UrdfBody& body : result_.bodies) {
      choose_main_link(body);
      add_shapes(body);
      add_mass(body);
    }
    for (UrdfBody& body : result_.bodies) settle(body);
    return std::move(result_);
  }

 private:
  bool lacks(const UrdfBody& body) const {
    const bool mass =
        std::any_of(body.links.begin(), body.links.end(), [&](int l) { return mass_of(l) > 0; });
    const bool shapes = std::any_of(body.links.begin(), body.links.end(),
                                    [&](int l) { return !robot_.links[l].collision.empty(); });
    return !mass || !shapes;
  }
  double mass_of(int link) const {
    const auto& inertial = robot_.links[link].inertial;
    return inertial ? inertial->mass : 0;
  }

  void group_links() {
    result_.body_of_link.assign(robot_.links.size(), -1);
    start_body(robot_.root);
    result_.bodies.back().is_base = true;
    for (const UrdfJoint& joint : robot_.joints) {
      const int parent = result_.body_of_link[joint.parent];
      UrdfBody alone;
      alone.links = {joint.child};
      if (joint.type == UrdfJoint::Type::fixed && (lacks(alone) || lacks(result_.bodies[parent]))) {
        result_.bodies[parent].links.push_back(joint.child);
        result_.body_of_link[joint.child] = parent;
      } else {
        start_body(joint.child);
      }
    }
  }

  void start_body(int link) {
    result_.body_of_link[link] = static_cast<int>(result_.bodies.size());
    UrdfBody body;
    body.links = {link};
    result_.bodies.push_back(std::move(body));
  }

  /// The heaviest; without masses the first that has a shape.
  void choose_main_link(UrdfBody& body) {
    int main = body.links[0];
    for (const int link : body.links) {
      const auto rank = [&](int l) { return std::pair(mass_of(l), !robot_.links[l].collision.empty()); };
      if (rank(link) > rank(main)) main = link;
    }
    body.main_link = main;
    body.line = robot_.links[main].line;
    const std::string wanted = allowed_name(robot_.links[main].name);
    body.name = wanted;
    for (int number = 2; !names_.insert(body.name).second; ++number)
      body.name = fmt::format("{}_{}", wanted, number);
    std::string others;
    for (const int link : body.links) {
      if (link != main) others += fmt::format("{}'{}'", others.empty() ? "" : ", ", robot_.links[link].name);
    }
    if (!others.empty())
      result_.notes.push_back(
          fmt::format("link '{}' and what is fixed to it are one body: {}", body.name, others));
  }

  Frame3 link_in_body(int link, const UrdfBody& body) const {
    return link == body.main_link ? Frame3::Identity() : frames_[body.main_link].inverse() * frames_[link];
  }

  void add_shapes(UrdfBody& body) {
    for (const int link : body.links) {
      const Frame3 frame = link_in_body(link, body);
      for (const UrdfShape& shape : robot_.links[link].collision)
        body.shapes.push_back(make_shape(shape, frame, meshes_));
    }
  }

  void add_mass(UrdfBody& body) {
    std::vector<GivenMass> parts;
    for (const int link : body.links) {
      if (!(mass_of(link) > 0)) continue;
      const UrdfInertial& inertial = *robot_.links[link].inertial;
      const Frame3 frame = link_in_body(link, body);
      parts.push_back({inertial.mass, frame * inertial.center,
                       frame.linear() * inertial.inertia * frame.linear().transpose()});
      smallest_mass_ = smallest_mass_ > 0 ? std::min(smallest_mass_, inertial.mass) : inertial.mass;
    }
    if (!parts.empty()) body.mass = sum_of(parts);
  }

  /// Gives the body what it still lacks: a mass, an inertia, a shape.
  void settle(UrdfBody& body) {
    const bool moves = !body.is_base || options_.free_base;
    if (!moves && body.shapes.empty()) return;  // its joints tie to the world
    if (!body.mass) body.mass = body.shapes.empty() ? marker_mass(body) : missing_mass(body, moves);
    settle_inertia(body);
    if (body.shapes.empty()) add_inertia_box(body);
  }

  GivenMass marker_mass(const UrdfBody& body) {
    constexpr double part = 1e-3, radius = 0.01;  // m
    const double mass = part * (smallest_mass_ > 0 ? smallest_mass_ : 1);
    note(body,
         fmt::format("has neither mass nor shape, and moves: it gets {:.3g} kg, as a ball of 1 cm radius",
                     mass));
    return {mass, Vector3::Zero(), 0.4 * mass * radius * radius * Matrix3::Identity()};
  }

  /// From the volume of the shapes that enclose one.
  static std::optional<GivenMass> mass_of_shapes(const UrdfBody& body) {
    std::vector<GivenMass> parts;
    for (const UrdfBodyShape& shape : body.shapes) {
      const MassMoments moments = mass_moments(shape.surface, default_density, 0);
      const double sign = moments.mass < 0 ? -1 : 1;  // turned inside out: the same solid
      if (moments.mass != 0)
        parts.push_back({sign * moments.mass, moments.center, sign * inertia_tensor(moments.second)});
    }
    if (parts.empty()) return {};
    return sum_of(parts);
  }

  GivenMass missing_mass(const UrdfBody& body, bool moves) {
    const std::optional<GivenMass> own = mass_of_shapes(body);
    if (!moves) return own.value_or(GivenMass{});  // held, so it does not matter
    if (!own)
      throw InputError(place_of(body), "it has no mass, and its meshes enclose no volume",
                       "add an <inertial> with <mass> and <inertia>");
    warn(body, "has no mass: it gets that of its shapes at 1000 kg/m^3");
    return *own;
  }

  GivenMass missing_inertia(const UrdfBody& body) {
    constexpr double radius = 0.01;  // m
    if (body.shapes.empty()) {
      warn(body, "has no inertia: it gets that of a ball of 1 cm radius");
      return {1, Vector3::Zero(), 0.4 * radius * radius * Matrix3::Identity()};
    }
    const std::optional<GivenMass> own = mass_of_shapes(body);
    if (!own)
      throw InputError(place_of(body), "it has no inertia, and its meshes enclose no volume",
                       "add <inertia ixx= .../> to its <inertial>");
    warn(body, "has no inertia: it gets that of its shapes with its mass");
    return *own;
  }

  void settle_inertia(UrdfBody& body) {
    GivenMass& given = *body.mass;
    if (!(given.inertia.trace() > 0)) {
      const GivenMass own = missing_inertia(body);
      given.inertia = given.mass / own.mass * own.inertia;
    }
    const SymmetricEigen<3> second = sorted_eigen<3>(second_moment_of(given.inertia));
    const Vector3 s = second.values;
    if (s[0] >= flattest * s[2]) return;
    const Vector3 raised = s.cwiseMax(flattest * s[2]);
    warn(
        body,
        fmt::format(
            "the principal moments of its inertia, {:.4g}, {:.4g} and {:.4g} kg m^2, are impossible (the largest must be less than the sum of the others): they become {:.4g}, {:.4g} and {:.4g}",
            s[0] + s[1], s[0] + s[2], s[1] + s[2], raised[0] + raised[1], raised[0] + raised[2],
            raised[1] + raised[2]));
    const Matrix3 S = second.vectors * raised.asDiagonal() * second.vectors.transpose();
    given.inertia = inertia_tensor(S);
  }

  /// A box that has the body's inertia: sides sqrt(12 s_i / m) along the principal axes. It shows the body,
  /// and does not collide.
  void add_inertia_box(UrdfBody& body) {
    const GivenMass& given = *body.mass;
    const SymmetricEigen<3> second = sorted_eigen<3>(second_moment_of(given.inertia));
    Matrix3 axes = second.vectors;
    if (axes.determinant() < 0) axes.col(0) *= -1;
    const Vector3 sides = (12 / given.mass * second.values).cwiseSqrt();
    UrdfBodyShape box;
    box.json["shape"]["box"] = to_json(sides);
    box.json["position"] = to_json(given.center);
    box.json["rotation"] = rotation_json(axes);
    box.surface = surface_mesh(BoxShape{sides});
    box.surface.vertices = transformed(Pose{given.center, axes, Vector3::Ones()}, box.surface.vertices);
    body.shapes.push_back(std::move(box));
    body.collides = false;
    const bool visual = std::any_of(body.links.begin(), body.links.end(),
                                    [&](int link) { return robot_.links[link].has_visual; });
    note(body,
         fmt::format("has no collision shape{}: it is shown as the box of its inertia and does not collide",
                     visual ? " (only a visual one)" : ""));
  }

  std::string place_of(const UrdfBody& body) const {
    return fmt::format("{}:{}: link '{}'", options_.file, body.line, robot_.links[body.main_link].name);
  }
  void note(const UrdfBody& body, const std::string& text) {
    result_.notes.push_back(fmt::format("link '{}' {}", body.name, text));
  }
  void warn(const UrdfBody& body, const std::string& text) {
    result_.warnings.push_back(fmt::format("{}: {}", place_of(body), text));
  }

  const UrdfRobot& robot_;
  const std::vector<Frame3>& frames_;
  UrdfMeshes& meshes_;
  const UrdfBodyOptions& options_;
  UrdfBodies result_;
  std::set<std::string> names_;
  double smallest_mass_ = 0;
};

}  // namespace

UrdfBodies make_urdf_bodies(const UrdfRobot& robot, const std::vector<Frame3>& frames, UrdfMeshes& meshes,
                            const UrdfBodyOptions& options) {
  return BodyMaker(robot, frames, meshes, options).make();
}

}  // namespace bulwark
