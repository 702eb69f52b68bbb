#include <bulwark/base/error.hpp>
#include <bulwark/sim/body_nodes.hpp>
#include <bulwark/sim/joint_adder.hpp>
#include <bulwark/sim/joint_inertia.hpp>
#include <bulwark/sim/soft_point.hpp>
#include <bulwark/sim/world.hpp>
#include <bulwark/stencils/joint_coordinate.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace bulwark {
namespace {

constexpr double degree = std::numbers::pi / 180;
/// Where a range begins to push, when nothing is said: this part of its size, and no more than this angle.
constexpr double range_part = 0.05, widest_angle = 2 * degree;
/// How well equations with multipliers hold, when nothing is said: relative to the size of the bodies.
constexpr double held_tolerance = 1e-8;
/// Points that are no farther apart than this part of the bodies' size are one.
constexpr double same_place = 1e-9;
/// And of how far away they are, whose rounding is in their places.
constexpr double rounding_part = 1e-3;
/// The least mass that an attached node counts with, of the mean one of its body.
constexpr double least_share = 0.1;

[[noreturn]] void fail(const JointOptions& options, const std::string& problem, const std::string& remedy) {
  throw InputError(fmt::format("joint '{}'", options.name), problem, remedy);
}

Vector3 unit(const JointOptions& options, const Vector3& direction, const char* what) {
  const double length = direction.norm();
  if (!(length > 0) || !std::isfinite(length))
    fail(options, fmt::format("its {} has no length", what), "give a direction, e.g. [0, 0, 1]");
  return direction / length;
}

/// Two directions at right angles to n and to each other.
std::array<Vector3, 2> across(const Vector3& n) {
  int smallest = 0;
  n.cwiseAbs().minCoeff(&smallest);
  const Vector3 first = n.cross(Vector3::Unit(smallest)).normalized();
  return {first, n.cross(first)};
}

class JointBuilder {
 public:
  /// `values` are those of the coordinates that the state does not have yet.
  JointBuilder(World& world, std::vector<double>& values, const JointOptions& options)
      : world_(world), values_(values), options_(options) {
    joint_.name = options.name;
    joint_.kind = options.kind;
    joint_.body_a = options.body_a;
    joint_.body_b = options.body_b;
    joint_.first_row = static_cast<int>(world.joint_rows.size());
    index_ = static_cast<int>(world.joints.size());
  }

  int build() {
    if (options_.kind == JointKind::motor) {
      add_motor();
    } else {
      check_bodies();
      build_kind();
      check_method();
    }
    if (!options_.contact) world_.collision.exempt(options_.body_a, options_.body_b);
    joint_.row_count = static_cast<int>(world_.joint_rows.size()) - joint_.first_row;
    world_.joints.push_back(joint_);
    return index_;
  }

 private:
  void check_bodies() {
    const int a = options_.body_a, b = options_.body_b;
    if (a == b) fail(options_, "it joins a body to itself", "name two bodies, or one and \"world\"");
    if (options_.method == JointMethod::eliminate && rigid_body() != world_body)
      fail(options_,
           fmt::format("body '{}' is rigid, and its points are not linear in what is solved for",
                       world_.bodies[rigid_body()].name),
           "use the method augmented-lagrangian or penalty, or make the body affine");
    if (!options_.contact && (a == world_body || b == world_body))
      fail(options_, "the world has no surface that contact could be switched off with",
           "leave `contact` out; to except a body such as a ground, name both in /contact/pairs");
    if (!is_moved_by_forces(world_, a) && !is_moved_by_forces(world_, b) &&
        options_.kind != JointKind::attach)
      fail(options_, "neither of its bodies can move", "join a body that is not held");
    if (options_.kind == JointKind::attach || options_.kind == JointKind::constraint) return;
    joint_.point_a = point_of(a, options_.point);
    joint_.point_b = point_of(b, options_.second_point.value_or(options_.point));
    stiffness_inertia_ = reduced_mass();
    if (options_.second_point) return;
    // A soft body's nearest point may be a little away: the joint is there.
    const Vector3 on_a = joint_.point_a.at(now()), on_b = joint_.point_b.at(now());
    const double same = same_place * (extent() + rounding_part * options_.point.norm());
    if ((on_a - options_.point).norm() > same) {
      joint_.point_b = point_of(b, on_a);
    } else if ((on_b - options_.point).norm() > same) {
      joint_.point_a = point_of(a, on_b);
    }
    const double apart = (joint_.point_a.at(now()) - joint_.point_b.at(now())).norm();
    if (apart > same)
      fail(options_, fmt::format("its bodies do not meet at its point: they are {:.3g} m apart", apart),
           "move them together, or give the joint a `grip`");
  }

  void check_method() const {
    const bool has_equations =
        !joint_.held.empty() || static_cast<int>(world_.joint_rows.size()) > joint_.first_row;
    if (options_.method == JointMethod::barrier) {
      if (!options_.range && !options_.bend_y && !options_.bend_z && !options_.twist)
        fail(options_, "it has no limits that a barrier could keep", "give limits, or leave `method` out");
    } else if (options_.method != JointMethod::automatic && !has_equations) {
      fail(options_, "it has limits and no equation, and limits are always barriers", "leave `method` out");
    }
  }

  void build_kind() {
    switch (options_.kind) {
      case JointKind::point:
        return tie(joint_.point_a, joint_.point_b);
      case JointKind::weld:
        tie(joint_.point_a, joint_.point_b);
        return tie_directions({Vector3::UnitX(), Vector3::UnitY(), Vector3::UnitZ()});
      case JointKind::hinge:
        return hinge();
      case JointKind::universal:
        return universal();
      case JointKind::cone_twist:
        return cone_twist();
      case JointKind::slider:
      case JointKind::plane:
        return slider();
      case JointKind::distance:
        return distance();
      case JointKind::spring:
        return spring();
      case JointKind::attach:
        return attach();
      case JointKind::constraint:
        return constraint();
      case JointKind::motor:
        return;
    }
  }

  void hinge() {
    const Vector3 n = unit(options_, options_.axis, "axis");
    tie(joint_.point_a, joint_.point_b);
    tie_directions({n});
    set_axes(n, n);
    if (!measures_angle(n)) return;
    set_coordinate(angle_about(n, options_.start), true);
    add_range(options_.range);
    add_damping();
  }

  void universal() {
    const Vector3 a = unit(options_, options_.axis, "axis"),
                  b = unit(options_, options_.second_axis, "second axis");
    if (std::abs(a.dot(b)) > 1e-6)
      fail(options_, fmt::format("its axes are {:.3g} degrees apart", std::acos(std::abs(a.dot(b))) / degree),
           "a universal joint needs them at right angles");
    const double moment =
        reduced([&](int body) { return moment_of(world_, body, options_.point, a.cross(b)); });
    stiffness_inertia_ = moment;
    tie(joint_.point_a, joint_.point_b);
    set_axes(a, b);
    // The cross between the bodies has both axes: body a has turned against it about its own, a; and it
    // against body b about that one's, b.
    const Vector3 c = b.cross(a);
    set_coordinate({index_, JointMeasure::angle, direction_b(b), direction_a(b), direction_a(c)}, true);
    set_coordinate({index_, JointMeasure::angle, direction_a(a), direction_b(a), direction_b(c)}, true);
    refuse_elimination("its right angle");
    hold({index_, JointMeasure::dot, direction_a(a), direction_b(b), {}}, moment, 0, 1);
  }

  /// With d the frame of body b and e that of body a, e = Rz(g) Ry(b) Rx(t) d:
  ///   bend about z    g = atan2(e_x.d_y, e_x.d_x)
  ///   bend about y   -b = asin(e_x.d_z)
  ///   twist           t = atan2(e_y.d_z, e_z.d_z)
  void cone_twist() {
    const Vector3 x = unit(options_, options_.axis, "axis");
    Vector3 y = options_.second_axis - x * x.dot(options_.second_axis);
    y = unit(options_, y, "second axis across the first");
    const Vector3 z = x.cross(y);
    if (options_.bend_y && (options_.bend_y->low <= -90 * degree || options_.bend_y->high >= 90 * degree))
      fail(options_, "the bend about y reaches 90 degrees",
           "keep it within -89 and 89 degrees; the bend about z may be wider");
    tie(joint_.point_a, joint_.point_b);
    set_axes(x, x);
    auto add = [&](const JointCoordinate& coordinate, const Vector3& axis,
                   const std::optional<JointRange>& range) {
      set_coordinate(coordinate, true);
      inertia_ = reduced([&](int body) { return moment_of(world_, body, options_.point, axis); });
      add_range(range);
      add_damping();
    };
    add({index_, JointMeasure::angle, direction_b(z), direction_a(z), direction_a(y)}, x, options_.twist);
    add({index_, JointMeasure::tilt, negated(direction_a(x)), direction_b(z), {}}, y, options_.bend_y);
    add({index_, JointMeasure::angle, direction_a(x), direction_b(x), direction_b(y)}, z, options_.bend_z);
  }

  void slider() {
    const Vector3 n = unit(options_, options_.axis, options_.kind == JointKind::plane ? "normal" : "axis");
    const bool plane = options_.kind == JointKind::plane;
    if (options_.turning != Turning::freely) set_axes(n, n);
    joint_.axis_b = direction_b(n);
    std::vector<Vector3> blocked;
    if (plane) {
      blocked = {n};
    } else {
      const auto two = across(n);
      blocked.assign(two.begin(), two.end());
    }
    const MaterialVector offset = joint_.point_a - joint_.point_b;
    const bool line_stays = is_world(options_.body_b);
    for (const Vector3& d : blocked) {
      if (line_stays) {
        add_row(offset, d, reduced_mass(), extent());
      } else {
        refuse_elimination("sliding along a body that moves");
        hold({index_, JointMeasure::dot, offset, direction_b(d), {}}, reduced_mass(), 0, extent());
      }
    }
    if (options_.turning == Turning::none)
      tie_directions({Vector3::UnitX(), Vector3::UnitY(), Vector3::UnitZ()});
    if (options_.turning == Turning::about_axis) tie_directions({n});
    if (plane) {
      if (options_.range) fail(options_, "a plane joint has no range", "use contact, or a slider");
      return;
    }
    const MaterialVector shift = options_.start == 0 ? offset : offset - direction_b(-options_.start * n);
    set_coordinate({index_, JointMeasure::dot, shift, direction_b(n), {}}, false);
    inertia_ = reduced_mass();
    add_range(options_.range);
    add_damping();
  }

  void distance() {
    set_coordinate(length_coordinate(), false);
    inertia_ = reduced_mass();
    if (options_.range) {
      add_range(options_.range);
    } else {
      const double length = options_.length.value_or(start_value());
      if (!(length > 0)) fail(options_, "its length is zero", "use a point joint");
      refuse_elimination("a distance");
      hold_coordinate(length, extent());
    }
    add_damping();
  }

  void spring() {
    if (options_.angular) {
      const Vector3 n = unit(options_, options_.axis, "axis");
      set_axes(n, n);
      set_coordinate(angle_about(n), true);
    } else {
      set_coordinate(length_coordinate(), false);
      inertia_ = reduced_mass();
    }
    if (!(options_.stiffness >= 0)) fail(options_, "its stiffness is negative", "give N/m, or N m per rad");
    JointDrive drive = on_coordinate(JointDrive::Law::spring);
    drive.potential.stiffness = options_.stiffness;
    drive.potential.target = options_.rest.value_or(start_value());
    add_drive(drive, false);
    add_damping();
  }

  void attach() {
    const int a = options_.body_a;
    if (a == world_body || world_.bodies[a].is_stiff() || world_.bodies[a].is_obstacle())
      fail(options_, "only the vertices of a soft body, a shell or a rod can be attached",
           "name that body first, or use a weld");
    const Body& body = world_.bodies[a];
    const std::vector<int> chosen = select(options_.selection, node_positions(world_, body, now()));
    if (chosen.empty())
      fail(options_, fmt::format("its selection has no vertex of body '{}'", body.name), "widen it");
    std::optional<CarryingBody> soft_partner;
    if (is_soft(options_.body_b)) soft_partner.emplace(world_, options_.body_b);
    for (const int k : chosen) {
      if (k < 0 || k >= body.node_count())
        fail(options_, fmt::format("node {} does not exist", k),
             fmt::format("its nodes are 0 to {}", body.node_count() - 1));
      MaterialVector own;
      own.weights = {{body.first_control + k, 1.0}};
      const Vector3 x = now().col(body.first_control + k);
      CarriedPoint other;
      if (soft_partner) {
        other = soft_partner->at(x);
      } else {
        other.point = material_point(world_, options_.body_b, x);
        other.point.constant += x - other.point.at(now());  // rounding
      }
      // At nodes of elements of higher order the weight may be negative or nothing; only its size counts here.
      const double least = least_share * mass_of(world_, a) / body.node_count();
      stiffness_inertia_ = std::max(std::abs(world_.gravity_mass[body.first_control + k]), least);
      tie_to(other, own, stiffness_inertia_);
      add_share(joint_.point_a, own, 1.0 / static_cast<double>(chosen.size()));
      add_share(joint_.point_b, other.point, 1.0 / static_cast<double>(chosen.size()));
    }
  }

  void constraint() {
    constexpr std::array<std::size_t, 4> counts = {4, 4, 2, 2};
    const ConstraintPrimitive kind = options_.primitive;
    const std::size_t count = counts[static_cast<std::size_t>(kind)];
    if (options_.points.size() != count)
      fail(options_, fmt::format("it has {} points", options_.points.size()),
           fmt::format("this primitive takes {}", count));
    const bool dp2 = kind == ConstraintPrimitive::dp2, products = dp2 || kind == ConstraintPrimitive::dp1;
    const auto on = [&](int body, std::size_t k) { return point_of(body, options_.points[k]); };
    const int a = options_.body_a, b = options_.body_b;
    if (!products) {
      joint_.point_a = on(a, 0);
      joint_.point_b = on(b, 1);
      const MaterialVector apart = joint_.point_b - joint_.point_a;
      if (kind == ConstraintPrimitive::dist) {
        if (!(apart.at(now()).norm() > 0)) fail(options_, "its two points coincide", "move one of them");
        refuse_elimination("a distance");
        return keep_coordinate({index_, JointMeasure::length, apart, {}, {}}, 1);
      }
      const Vector3 d = unit(options_, options_.axis, "axis");
      if (!options_.wanted && eliminates()) {
        MaterialVector from_start = apart;
        from_start.constant -= apart.at(now());
        return add_row(from_start, d, reduced_mass(), extent());
      }
      refuse_elimination("a value that changes with time");
      MaterialVector fixed;
      fixed.constant = d;
      return keep_coordinate({index_, JointMeasure::dot, apart, fixed, {}}, 1);
    }
    refuse_elimination("a product of two vectors");
    const MaterialVector first = on(a, 1) - on(a, 0);
    joint_.point_a = on(a, dp2 ? 2 : 0);
    joint_.point_b = on(b, dp2 ? 3 : 2);
    const MaterialVector second = (dp2 ? joint_.point_b : on(b, 3)) - (dp2 ? joint_.point_a : joint_.point_b);
    // In metres: divided by sqrt(|a|^2 + |b|^2) of the start.
    const double size = std::hypot(first.at(now()).norm(), second.at(now()).norm());
    if (!(size > 0)) fail(options_, "its points coincide", "move them apart");
    MaterialVector scaled;
    add_share(scaled, first, 1 / size);
    keep_coordinate({index_, JointMeasure::dot, scaled, second, {}}, 1 / size);
  }

  /// Holds a coordinate, which is what the scene speaks of times `factor`, at its value of the start or at the wanted one.
  void keep_coordinate(const JointCoordinate& coordinate, double factor) {
    stiffness_inertia_ = inertia_ = reduced_mass();
    joint_.coordinate = add_coordinate(coordinate);
    hold_coordinate(start_value(), extent());
    // It is no shift or angle that others could act on.
    joint_.coordinate = -1;
    if (!options_.wanted) return;
    JointDrive& drive = world_.joint_drives.back().drive;
    drive.law = JointDrive::Law::position;
    drive.value = *options_.wanted;
    for (Vector3& value : drive.value.values) value *= factor;
  }

  void add_motor() {
    const Joint& driven = world_.joints.at(options_.driven_joint);
    if (driven.coordinates.size() != 1)
      fail(options_, fmt::format("joint '{}' has nothing that a motor could drive", driven.name),
           "drive a hinge or a slider");
    joint_.body_a = driven.body_a;
    joint_.body_b = driven.body_b;
    joint_.point_a = driven.point_a;
    joint_.point_b = driven.point_b;
    joint_.axis_a = driven.axis_a;
    joint_.axis_b = driven.axis_b;
    joint_.coordinate = driven.coordinate;
    joint_.coordinates = driven.coordinates;
    joint_.angular = driven.angular;
    inertia_ = coordinate_inertia(driven.coordinate);
    JointDrive drive = on_coordinate(options_.law == MotorLaw::speed      ? JointDrive::Law::speed
                                     : options_.law == MotorLaw::position ? JointDrive::Law::position
                                                                          : JointDrive::Law::force);
    drive.value = options_.value;
    drive.potential.kind =
        options_.law == MotorLaw::force ? JointPotentialKind::force : JointPotentialKind::spring;
    drive.potential.stiffness = options_.stiffness;
    if (options_.largest_force > 0) drive.potential.largest_force = options_.largest_force;
    add_drive(drive, options_.stiffness == 0 && options_.law != MotorLaw::force);
  }

  // Pieces.

  /// Places are given as they are now: at the start, or when the joint is added between steps.
  const Vectors& now() const { return world_.state.position; }

  MaterialVector point_of(int body, const Vector3& x) const {
    return material_point(world_, body, x, options_.grip);
  }
  MaterialVector direction_of(int body, const Vector3& d) const {
    return material_direction(world_, body, d, options_.point, options_.grip);
  }
  MaterialVector direction_a(const Vector3& d) const { return direction_of(options_.body_a, d); }
  MaterialVector direction_b(const Vector3& d) const { return direction_of(options_.body_b, d); }
  bool is_world(int body) const { return point_of(body, options_.point).weights.empty(); }
  bool is_soft(int body) const {
    return body != world_body && !world_.bodies[body].is_stiff() && !world_.bodies[body].is_obstacle();
  }
  bool any_soft() const { return is_soft(options_.body_a) || is_soft(options_.body_b); }
  /// Cloth and rods have some directions only.
  std::optional<MaterialVector> direction_if_any(int body, const Vector3& d) const {
    if (!is_soft(body)) return direction_of(body, d);
    try {
      return direction_of(body, d);
    } catch (const InputError&) {
      return {};
    }
  }
  void set_axes(const Vector3& on_a, const Vector3& on_b) {
    joint_.axis_a = direction_if_any(options_.body_a, on_a).value_or(MaterialVector{});
    joint_.axis_b = direction_if_any(options_.body_b, on_b).value_or(MaterialVector{});
  }
  static void add_share(MaterialVector& sum, const MaterialVector& part, double share) {
    for (const auto& [control, weight] : part.weights) sum.weights.push_back({control, share * weight});
    sum.constant += share * part.constant;
  }
  static MaterialVector negated(const MaterialVector& v) { return MaterialVector{} - v; }

  template <class Measure>
  double reduced(Measure&& measure) const {
    return reduced_inertia(world_, {options_.body_a, options_.body_b}, measure);
  }
  double reduced_mass() const {
    return reduced([&](int body) { return mass_of(world_, body); });
  }
  double extent() const { return smaller_extent(world_, {options_.body_a, options_.body_b}); }

  /// Whether both bodies have the directions that an angle about n needs. Where they do not, nothing may act on it.
  bool measures_angle(const Vector3& n) const {
    const auto two = across(n);
    const bool has = direction_if_any(options_.body_a, two[0]) && direction_if_any(options_.body_b, two[0]) &&
                     direction_if_any(options_.body_b, two[1]);
    if (!has && (options_.range || options_.damping != 0 || options_.start != 0))
      fail(options_, "its angle can't be measured: a cloth or a rod has no direction across the axis",
           "leave limits, damping and start out");
    return has;
  }

  /// The angle by which body a has turned about n against body b; `start` now.
  JointCoordinate angle_about(const Vector3& n, double start = 0) {
    inertia_ = reduced([&](int body) { return moment_of(world_, body, options_.point, n); });
    const auto two = across(n);
    if (start == 0)
      return {index_, JointMeasure::angle, direction_a(two[0]), direction_b(two[0]), direction_b(two[1])};
    const Eigen::AngleAxisd back(-start, n);
    return {index_, JointMeasure::angle, direction_a(two[0]), direction_b(back * two[0]),
            direction_b(back * two[1])};
  }

  JointCoordinate length_coordinate() {
    const JointCoordinate c = {index_, JointMeasure::length, joint_.point_a - joint_.point_b, {}, {}};
    if (!(c.w.at(now()).norm() > 0))
      fail(options_, "its two points coincide", "give `points`, one on each body");
    return c;
  }

  void set_coordinate(const JointCoordinate& coordinate, bool angular) {
    joint_.coordinate = add_coordinate(coordinate);
    joint_.coordinates.push_back(joint_.coordinate);
    joint_.angular = angular;
  }

  int add_coordinate(const JointCoordinate& coordinate) {
    world_.joint_coordinates.push_back(coordinate);
    values_.push_back(joint_coordinate(coordinate.measure, coordinate.vectors(now()), options_.start));
    return static_cast<int>(world_.joint_coordinates.size()) - 1;
  }
  double start_value() const { return values_[joint_.coordinate - world_.state.joint_coordinates.size()]; }

  JointDrive on_coordinate(JointDrive::Law law) const {
    JointDrive drive;
    drive.coordinate = joint_.coordinate;
    drive.law = law;
    return drive;
  }

  int add_drive(const JointDrive& drive, bool stiff, double restitution_damping = 0) {
    world_.joint_drives.push_back({index_, drive, inertia_, stiff, 0, restitution_damping});
    return static_cast<int>(world_.joint_drives.size()) - 1;
  }

  double coordinate_inertia(int coordinate) const {
    const JointCoordinate& c = world_.joint_coordinates[coordinate];
    for (const WorldDrive& drive : world_.joint_drives) {
      if (drive.drive.coordinate == coordinate) return drive.inertia;
    }
    const Joint& joint = world_.joints[c.joint];
    const Vector3 point = joint.point_a.at(now());
    const Vector3 axis =
        joint.angular ? Vector3(c.u.at(now()).cross(c.v.at(now())).normalized()) : Vector3::Zero();
    return reduced_inertia(world_, {joint.body_a, joint.body_b}, [&](int body) {
      return joint.angular ? moment_of(world_, body, point, axis) : mass_of(world_, body);
    });
  }

  void add_range(const std::optional<JointRange>& range) {
    if (!range) return;
    const double now = start_value();
    const char* unit_name = joint_.angular ? "degrees" : "m";
    const double scale = joint_.angular ? 1 / degree : 1;
    if (!(range->low < range->high))
      fail(options_,
           fmt::format("its range from {:.6g} to {:.6g} {} is empty", range->low * scale, range->high * scale,
                       unit_name),
           "give the smaller limit first");
    if (!(now > range->low && now < range->high))
      fail(options_,
           fmt::format("it starts at {:.6g} {}, outside its range from {:.6g} to {:.6g}", now * scale,
                       unit_name, range->low * scale, range->high * scale),
           "widen the range, or start inside it");
    JointDrive drive = on_coordinate(JointDrive::Law::range);
    JointPotential& p = drive.potential;
    p.kind = JointPotentialKind::range;
    p.low = range->low;
    p.high = range->high;
    const double size =
        std::isfinite(range->high - range->low) ? range->high - range->low : std::max(std::abs(now), 1e-3);
    p.width = options_.range_width > 0 ? options_.range_width : range_part * size;
    if (options_.range_width == 0 && joint_.angular) p.width = std::min(p.width, widest_angle);
    p.stiffness = options_.range_stiffness;
    add_drive(drive, options_.range_stiffness == 0, options_.restitution_damping);
  }

  void add_damping() {
    if (options_.damping == 0) return;
    JointDrive drive = on_coordinate(JointDrive::Law::damping);
    drive.damping = options_.damping;
    add_drive(drive, false);
  }

  // Equations.

  /// The first rigid body of the joint, or the world.
  int rigid_body() const {
    for (const int body : {options_.body_a, options_.body_b}) {
      if (body != world_body && world_.bodies[body].kind == BodyKind::rigid) return body;
    }
    return world_body;
  }
  bool eliminates() const {
    return rigid_body() == world_body &&
           (options_.method == JointMethod::automatic || options_.method == JointMethod::eliminate ||
            options_.method == JointMethod::barrier);
  }
  void refuse_elimination(const char* what) const {
    if (options_.method == JointMethod::eliminate)
      fail(options_, fmt::format("{} is not linear, and can't be eliminated", what),
           "leave `method` out: what is linear is eliminated anyway");
  }

  /// Holds the joint's own coordinate at `target`. `size` is what its errors are small against.
  void hold_coordinate(double target, double size) {
    const bool spring = options_.method == JointMethod::penalty ||
                        (options_.method != JointMethod::augmented_lagrangian && options_.stiffness > 0);
    JointDrive drive = on_coordinate(JointDrive::Law::spring);
    drive.potential.target = target;
    // One number for points and directions: it is in proportion to what each of them moves.
    drive.potential.stiffness = options_.stiffness * inertia_ / stiffness_inertia_;
    const int index = add_drive(drive, options_.stiffness == 0);
    if (!spring)
      world_.joint_drives[index].tolerance =
          options_.tolerance > 0 ? options_.tolerance : held_tolerance * size;
    joint_.held.push_back(index);
  }
  /// Holds a coordinate that is not the one to be shown.
  void hold(const JointCoordinate& coordinate, double inertia, double target, double size) {
    const int shown = joint_.coordinate;
    joint_.coordinate = add_coordinate(coordinate);
    inertia_ = inertia;
    hold_coordinate(target, size);
    joint_.coordinate = shown;
  }

  /// direction . vector = 0.
  void add_row(const MaterialVector& vector, const Vector3& direction, double inertia, double size) {
    if (!eliminates()) {
      MaterialVector fixed;
      fixed.constant = direction;
      return hold({index_, JointMeasure::dot, vector, fixed, {}}, inertia, 0, size);
    }
    ConstraintRow row;
    row.joint = index_;
    row.value = -direction.dot(vector.constant);
    for (const auto& [control, weight] : vector.weights) {
      for (int axis = 0; axis < 3; ++axis) {
        if (direction[axis] != 0) row.entries.push_back({3 * control + axis, weight * direction[axis]});
      }
    }
    world_.joint_rows.push_back(row);
  }
  void tie(const MaterialVector& a, const MaterialVector& b) { tie(a, b, reduced_mass()); }
  void tie(const MaterialVector& a, const MaterialVector& b, double mass) {
    for (int axis = 0; axis < 3; ++axis) add_row(a - b, Vector3::Unit(axis), mass, extent());
  }
  /// A point stays where another body carries it: at right angles to its sides, as far over a cloth or from a rod as now.
  void tie_to(const CarriedPoint& other, const MaterialVector& own, double mass) {
    if (other.sides.empty()) return tie(own, other.point, mass);
    refuse_elimination("to stay at a distance from a cloth or a rod");
    const MaterialVector apart = own - other.point;
    for (const MaterialVector& side : other.sides)
      hold({index_, JointMeasure::dot, apart, side, {}}, mass, 0, extent());
    const JointCoordinate distance =
        other.sides.size() == 2
            ? JointCoordinate{index_, JointMeasure::height, apart, other.sides[0], other.sides[1]}
            : JointCoordinate{index_, JointMeasure::length, apart, {}, {}};
    hold(distance, mass, joint_coordinate(distance.measure, distance.vectors(now()), 0), extent());
  }
  void tie_directions(const std::vector<Vector3>& directions) {
    if (any_soft() && options_.method != JointMethod::eliminate)
      return directions.size() == 1 ? hold_axis(directions[0]) : hold_frame();
    for (const Vector3& d : directions) {
      const double moment =
          reduced([&](int body) { return moment_of(world_, body, options_.point, across(d)[0]); });
      const MaterialVector apart = direction_a(d) - direction_b(d);
      for (int axis = 0; axis < 3; ++axis) add_row(apart, Vector3::Unit(axis), moment, 1);
    }
  }

  /// DP1: a direction of body a stays at a right angle to one of body b. Linear where one of them does not move.
  void hold_right_angle(const MaterialVector& on_a, const MaterialVector& on_b, const Vector3& about) {
    const double moment = reduced([&](int body) { return moment_of(world_, body, options_.point, about); });
    if (on_b.weights.empty()) return add_row(on_a, on_b.constant, moment, 1);
    if (on_a.weights.empty()) return add_row(on_b, on_a.constant, moment, 1);
    hold({index_, JointMeasure::dot, on_a, on_b, {}}, moment, 0, 1);
  }

  /// The axis n of one body stays at right angles to two directions across it of the other.
  void hold_axis(const Vector3& n) {
    const auto two = across(n);
    const auto about = [&](int k) { return n.cross(two[k]); };
    const std::optional<MaterialVector> axis = direction_if_any(options_.body_a, n);
    const auto first = direction_if_any(options_.body_b, two[0]),
               second = direction_if_any(options_.body_b, two[1]);
    if (axis && first && second) {
      hold_right_angle(*axis, *first, about(0));
      hold_right_angle(*axis, *second, about(1));
      return;
    }
    for (int k = 0; k < 2; ++k) hold_right_angle(direction_a(two[k]), direction_b(n), about(k));
  }

  /// x_a . y_b = x_a . z_b = y_a . z_b = 0.
  void hold_frame() {
    const Vector3 x = Vector3::UnitX(), y = Vector3::UnitY(), z = Vector3::UnitZ();
    hold_right_angle(direction_a(x), direction_b(y), z);
    hold_right_angle(direction_a(x), direction_b(z), y);
    hold_right_angle(direction_a(y), direction_b(z), x);
  }

  World& world_;
  std::vector<double>& values_;
  const JointOptions& options_;
  Joint joint_;
  int index_ = 0;
  double inertia_ = 1;
  double stiffness_inertia_ =
      1;  ///< what `stiffness` is for: the reduced mass, or the moment of a right angle
};

}  // namespace

std::string_view joint_kind_name(JointKind kind) {
  switch (kind) {
    case JointKind::point:
      return "point";
    case JointKind::hinge:
      return "hinge";
    case JointKind::weld:
      return "weld";
    case JointKind::universal:
      return "universal";
    case JointKind::cone_twist:
      return "cone-twist";
    case JointKind::slider:
      return "slider";
    case JointKind::plane:
      return "plane";
    case JointKind::distance:
      return "distance";
    case JointKind::spring:
      return "spring";
    case JointKind::attach:
      return "attach";
    case JointKind::constraint:
      return "constraint";
    case JointKind::motor:
      return "motor";
  }
  return "unknown";
}

int JointAdder::add(const JointOptions& options) {
  const std::size_t rows = world_.joint_rows.size(), coordinates = world_.joint_coordinates.size(),
                    drives = world_.joint_drives.size(), values = values_.size();
  try {
    return JointBuilder(world_, values_, options).build();
  } catch (...) {
    world_.joint_rows.resize(rows);
    world_.joint_coordinates.resize(coordinates);
    world_.joint_drives.resize(drives);
    values_.resize(values);
    throw;
  }
}

void JointAdder::finish() {
  VectorX& values = world_.state.joint_coordinates;
  const auto count = static_cast<Eigen::Index>(values_.size());
  values.conservativeResize(values.size() + count);
  values.tail(count) = Eigen::Map<const VectorX>(values_.data(), count);
  values_.clear();
}

int add_joint(World& world, const JointOptions& options) {
  JointAdder adder(world);
  const int joint = adder.add(options);
  adder.finish();
  return joint;
}

}  // namespace bulwark
