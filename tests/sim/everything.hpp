// A world with everything in it that comes and goes at random, and the same world built anew from what is
// left: what tests of removal compare.
#pragma once

#include <bulwark/base/error.hpp>
#include <bulwark/geometry/shapes.hpp>
#include <bulwark/sim/applied_forces.hpp>
#include <bulwark/sim/contact_model.hpp>
#include <bulwark/sim/remove_body.hpp>
#include <bulwark/sim/remove_joint.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace bulwark::test {

/// A body that is a function of its key.
struct BodyRecipe {
  static constexpr int kinds = 8;
  int key = 0;
  int kind = 0;
  bool applied = false;

  bool soft() const { return kind == 0 || kind == 3 || kind == 4; }
  bool stiff() const { return kind == 1 || kind == 2; }
  bool variant(int bit) const { return ((key * 2654435761u) >> (8 + bit)) & 1; }
  Vector3 place() const { return Vector3(key % 7, key / 7 % 7, key / 49); }
  std::string name() const { return "body " + std::to_string(key); }

  static Motion along(const Vector3& velocity) {
    Motion motion;
    motion.linear_velocity = velocity;
    return motion;
  }

  int add(World& world) const {
    BodyOptions options;
    options.name = name();
    options.pose.position = place();
    options.velocity = {0.01 * key, 0, 0.1};
    options.angular_velocity = {0, 0.02 * key, 0.1};
    options.group = variant(5) ? key % 3 : -1;
    if (variant(6)) options.friction = 0.01 * key;
    if (variant(7)) options.restitution_damping = 1e-6 * key;
    if (variant(8)) options.hydroelastic_modulus = 1e4 + key;
    const Table force = Table::constant({0.1 * key, 1, 0});
    const double density = 500 + key;
    int body = -1;
    switch (kind) {
      case 0: {
        ElasticMaterial material;
        material.density = density;
        material.model = variant(0) ? ElasticModel::neo_hookean : ElasticModel::fixed_corotational;
        body = add_deformable(world, solid_mesh(BoxShape{{0.3, 0.2, 0.2}}, variant(1) ? 0.2 : 0.1), material,
                              options, variant(2) ? MassKind::lumped : MassKind::consistent);
        if (variant(3)) hold(world, body, SelectNodes{{1, 3}}, along({0, 0.01, 0}));
        if (variant(4)) add_traction(world, body, SelectAll{}, force);
        add_force(world, body, SelectNodes{{0, 2, 4}}, force);
        break;
      }
      case 1:
      case 2: {
        StiffMaterial material;
        material.density = density;
        const SurfaceMesh box =
            key % 5 == 3 ? round_surface(CapsuleShape{0.05, 0.3}) : surface_mesh(BoxShape{{0.2, 0.3, 0.2}});
        body =
            kind == 1 ? add_affine(world, box, material, options) : add_rigid(world, box, material, options);
        if (variant(0)) add_force(world, body, SelectNodes{{0, 1}}, force);
        if (variant(1)) add_torque(world, body, force);
        if (key % 6 == 0) hold(world, body, SelectAll{}, variant(2) ? along({0.01, 0, 0}) : Motion{});
        if (key % 6 == 1) hold_axes(world, body, {true, false, false}, {true, true, true});
        break;
      }
      case 3: {
        ClothMaterial material;
        material.density = density;
        body = add_shell(world, surface_mesh(GridShape{{0.3, 0.3}, {2, 2}}), material, options);
        if (variant(0)) hold(world, body, SelectNodes{{0, 1}});
        if (variant(1)) add_traction(world, body, SelectAll{}, force);
        break;
      }
      case 4: {
        RodMaterial material;
        material.density = density;
        body = add_rod(world, surface_mesh(LineShape{{0, 0, 0}, {0.3, 0, 0}, 4}), material, options);
        if (variant(0)) hold(world, body, SelectNodes{{0, 1}}, along({0, 0, 0.01}));
        if (variant(1)) hold(world, body, SelectNodes{{3}});
        break;
      }
      case 5:
        body = add_obstacle(world, surface_mesh(BoxShape{{0.2, 0.2, 0.2}}), options,
                            variant(0) ? along({0, 0.01, 0}) : Motion{});
        break;
      case 6: {
        const SurfaceMesh triangle = {
            Vectors(Matrix3::Identity() * 0.2), {}, {{0, 1}, {1, 2}, {2, 0}}, {}, {}};
        body = add_particles(world, triangle, 0.1 + 0.01 * key, SpringMaterial{100.0 + key, 0}, options);
        if (variant(0)) hold(world, body, SelectNodes{{1}}, along({0, 0.01, 0}));
        if (variant(1)) add_force(world, body, SelectNodes{{0, 2}}, force);
        break;
      }
      default:
        body = add_plane(world, {0, -100.0 - key, 0}, {0, 1, 0}, options);
    }
    if (applied)
      apply(world, body,
            {{0.1 * key, 2, 3}, world.bodies[body].stiff >= 0 ? Vector3(1, 0, key) : Vector3::Zero()});
    return body;
  }
};

struct JointRecipe {
  int key = 0;
  JointOptions options;  ///< its bodies and driven joint are found by key
  int key_a = 0, key_b = -1, driven_key = -1;
};

/// Bodies that are rubbed on or pass through each other, by key.
struct PairRecipe {
  int key_a, key_b;
  double friction;           ///< negative: they do not collide
  bool other_model = false;  ///< or touch by no barrier
};

class Everything {
 public:
  World world;  ///< changed by adding and removing

  explicit Everything(unsigned seed) : random_(seed) {}

  /// One change at random, which keeps the number of bodies around `wanted`; returns what it was.
  std::string change(int wanted) {
    const int dice = number(100);
    const int bodies = static_cast<int>(bodies_.size());
    if (bodies < 2 || dice < 30 + (bodies < wanted ? 15 : -10)) return add_body();
    if (dice < 50) return remove_some_bodies();
    if (dice < 85) return add_joint();
    if (dice < 95) return remove_some_joints();
    return add_pair();
  }

  World built_anew() const {
    World fresh;
    for (const BodyRecipe& body : bodies_) body.add(fresh);
    for (const PairRecipe& pair : pairs_) put_pair(fresh, pair);
    for (const JointRecipe& joint : joints_) bulwark::add_joint(fresh, with_numbers(joint));
    update_contact_models(fresh);
    return fresh;
  }

  /// Marks in the arrays that may end early, each different, so that a mix-up shows.
  void stamp(World& stamped) const {
    State& s = stamped.state;
    s.previous_position.setZero(3, stamped.control_count());
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const int first = stamped.bodies[b].first_control;
      const int end = b + 1 < bodies_.size() ? stamped.bodies[b + 1].first_control : stamped.control_count();
      for (int c = first; c < end; ++c) s.previous_position.col(c) = Vector3(bodies_[b].key, c - first, 1);
    }
    s.previous_velocity = 2 * s.previous_position;
    stamped.applied_to_controls = 3 * s.previous_position;
    s.joint_multipliers.setZero(static_cast<Eigen::Index>(stamped.joint_coordinates.size()));
    int within = 0;
    for (Eigen::Index c = 0; c < s.joint_multipliers.size(); ++c) {
      const int joint = stamped.joint_coordinates[c].joint;
      within = c > 0 && stamped.joint_coordinates[c - 1].joint == joint ? within + 1 : 0;
      s.joint_multipliers[c] = joints_[joint].key + 0.01 * within;
    }
  }

  const std::vector<JointRecipe>& joints() const { return joints_; }
  const std::vector<BodyRecipe>& bodies() const { return bodies_; }
  int refused() const { return refused_; }

 private:
  int number(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  template <class T>
  const T& any(const std::vector<T>& items) {
    return items[number(static_cast<int>(items.size()))];
  }
  int index_of_body(int key) const {
    if (key < 0) return world_body;
    return static_cast<int>(
        std::find_if(bodies_.begin(), bodies_.end(), [&](const BodyRecipe& b) { return b.key == key; }) -
        bodies_.begin());
  }
  int index_of_joint(int key) const {
    return static_cast<int>(
        std::find_if(joints_.begin(), joints_.end(), [&](const JointRecipe& j) { return j.key == key; }) -
        joints_.begin());
  }
  JointOptions with_numbers(const JointRecipe& recipe) const {
    JointOptions options = recipe.options;
    options.body_a = index_of_body(recipe.key_a);
    options.body_b = index_of_body(recipe.key_b);
    if (recipe.driven_key >= 0) options.driven_joint = index_of_joint(recipe.driven_key);
    return options;
  }
  void put_pair(World& into, const PairRecipe& pair) const {
    const int a = index_of_body(pair.key_a), b = index_of_body(pair.key_b);
    if (pair.other_model) {
      into.model_pairs[std::minmax(a, b)] = ContactModelKind::none;
      into.patch_pairs[std::minmax(a, b)].restitution = 0.01 * (pair.key_a + pair.key_b);
      into.state.contact_history.push_back(
          {ContactModelKind::none, std::min(a, b), std::max(a, b), {1.0 * pair.key_a, 2.0 * pair.key_b}});
    } else if (pair.friction < 0) {
      into.collision.exempt(a, b);
    } else {
      into.friction_pairs[std::minmax(a, b)] = pair.friction;
    }
  }

  std::string add_body() {
    BodyRecipe body{next_key_++, number(BodyRecipe::kinds), number(3) == 0};
    body.add(world);
    bodies_.push_back(body);
    return "added " + body.name();
  }

  std::string remove_some_bodies() {
    std::vector<char> gone(bodies_.size(), 0);
    const int count = 1 + number(2);
    for (int i = 0; i < count; ++i) gone[number(static_cast<int>(bodies_.size()))] = 1;
    std::string what = "removed";
    if (count == 1) {
      remove_body(world, static_cast<int>(std::find(gone.begin(), gone.end(), 1) - gone.begin()));
    } else {
      remove_bodies(world, gone);
    }
    std::vector<BodyRecipe> kept;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      if (gone[i]) {
        what += " " + bodies_[i].name();
      } else {
        kept.push_back(bodies_[i]);
      }
    }
    bodies_ = kept;
    const auto is_gone = [&](int key) {
      return key >= 0 && index_of_body(key) == static_cast<int>(bodies_.size());
    };
    std::erase_if(pairs_, [&](const PairRecipe& p) { return is_gone(p.key_a) || is_gone(p.key_b); });
    std::erase_if(joints_, [&](const JointRecipe& j) { return is_gone(j.key_a) || is_gone(j.key_b); });
    erase_motors_without_joint();
    return what;
  }

  void erase_motors_without_joint() {
    std::erase_if(joints_, [&](const JointRecipe& j) {
      return j.driven_key >= 0 && index_of_joint(j.driven_key) == static_cast<int>(joints_.size());
    });
  }

  std::string add_joint() {
    JointRecipe joint;
    joint.key = next_key_++;
    JointOptions& o = joint.options;
    o.name = "joint " + std::to_string(joint.key);
    o.kind = static_cast<JointKind>(number(static_cast<int>(JointKind::motor) + 1));
    if (o.kind == JointKind::motor) {
      if (joints_.empty()) return "no joint to drive";
      const JointRecipe& driven = any(joints_);
      // A motor that drives a motor drives the joint of that.
      joint.driven_key = driven.driven_key >= 0 ? driven.driven_key : driven.key;
      joint.key_a = driven.key_a;
      joint.key_b = driven.key_b;
      o.law = static_cast<MotorLaw>(number(3));
      o.value = Table::constant({0.1, 0, 0});
    } else {
      const BodyRecipe &a = any(bodies_), &b = any(bodies_);
      joint.key_a = a.key;
      joint.key_b = number(4) == 0 ? -1 : b.key;
      o.contact = joint.key_b < 0 || number(3) > 0;
      const auto point_of = [&](const BodyRecipe& body) -> Vector3 {
        const Body& of = world.bodies[index_of_body(body.key)];
        return world.rest.col(of.first_control);
      };
      o.point = point_of(a);
      if (o.kind == JointKind::distance || o.kind == JointKind::spring)
        o.second_point = point_of(b) + Vector3(0, 0, joint.key_b < 0 ? 0.5 : 0);
      o.axis = {0, 0, 1};
      o.second_axis = {0, 1, 0};
      o.turning = static_cast<Turning>(number(3));
      if (o.kind == JointKind::spring) o.stiffness = 10;
      if (number(2) == 0 && o.kind != JointKind::plane)
        o.range = JointRange{-1, o.kind == JointKind::distance ? 50.0 : 1.0};
      if (number(2) == 0) o.bend_y = o.twist = JointRange{-1, 1};
      if (number(3) == 0 && o.kind != JointKind::spring) o.method = JointMethod::augmented_lagrangian;
      if (number(2) == 0) o.damping = 0.1;
      if (o.kind == JointKind::attach) o.selection = SelectNodes{{0, 1}};
      if (o.kind == JointKind::constraint) {
        o.range = o.bend_y = o.twist = std::nullopt;
        o.damping = 0;
        o.primitive = static_cast<ConstraintPrimitive>(number(4));
        const bool product =
            o.primitive == ConstraintPrimitive::dp1 || o.primitive == ConstraintPrimitive::dp2;
        o.points = {o.point, point_of(b) + Vector3(0, 0, 0.5)};
        if (product)
          o.points.insert(o.points.end(), {o.point + Vector3(0.1, 0, 0), o.point + Vector3(0, 0.1, 0)});
      }
    }
    try {
      bulwark::add_joint(world, with_numbers(joint));
      update_contact_models(world);
    } catch (const InputError& error) {
      ++refused_;
      return std::string("refused ") + error.what();
    }
    if (!o.contact) pairs_.push_back({joint.key_a, joint.key_b, -1});
    joints_.push_back(joint);
    return "added " + o.name + " of kind " + std::string(joint_kind_name(o.kind));
  }

  std::string remove_some_joints() {
    if (joints_.empty()) return "no joint to remove";
    std::vector<char> gone(joints_.size(), 0);
    const int count = 1 + number(2);
    for (int i = 0; i < count; ++i) gone[number(static_cast<int>(joints_.size()))] = 1;
    remove_joints(world, gone);
    std::string what = "removed";
    std::vector<JointRecipe> kept;
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      if (gone[i]) {
        what += " " + joints_[i].options.name;
      } else {
        kept.push_back(joints_[i]);
      }
    }
    joints_ = kept;
    erase_motors_without_joint();
    return what;
  }

  std::string add_pair() {
    const BodyRecipe &a = any(bodies_), &b = any(bodies_);
    if (a.key == b.key) return "no pair";
    const PairRecipe pair{a.key, b.key, number(2) == 0 ? -1.0 : 0.1 * number(9), (a.key + b.key) % 3 == 0};
    put_pair(world, pair);
    update_contact_models(world);
    pairs_.push_back(pair);
    return "paired " + a.name() + " and " + b.name();
  }

  std::mt19937 random_;
  int next_key_ = 0, refused_ = 0;
  std::vector<BodyRecipe> bodies_;
  std::vector<JointRecipe> joints_;
  std::vector<PairRecipe> pairs_;
};

}  // namespace bulwark::test
