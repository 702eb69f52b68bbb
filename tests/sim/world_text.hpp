// All arrays of a world as text, to the last bit, so that tests can compare two worlds and say where they
// differ. Ids of bodies are left out: they tell when a body came.
#pragma once

#include <bulwark/sim/world.hpp>

#include <array>
#include <bit>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace bulwark::test {

/// Stands for any member.
struct AnyMember {
  template <class T>
  operator T() const;
};
/// How many members an aggregate has.
template <class T, class... Members>
consteval std::size_t member_count() {
  if constexpr (requires { T{Members{}..., AnyMember{}}; }) {
    return member_count<T, Members..., AnyMember>();
  } else {
    return sizeof...(Members);
  }
}

class Text {
 public:
  template <class... T>
  Text& all(const T&... values) {
    (put(values), ...);
    return *this;
  }
  std::string text() const { return out_.str(); }

 private:
  void put(double x) { out_ << x << '/' << std::hex << std::bit_cast<std::uint64_t>(x) << std::dec << ' '; }
  void put(const std::string& s) { out_ << '"' << s << "\" "; }
  template <class T>
    requires std::is_integral_v<T> || std::is_enum_v<T>
  void put(T i) {
    out_ << static_cast<std::int64_t>(i) << ' ';
  }
  template <class Derived>
  void put(const Eigen::DenseBase<Derived>& m) {
    out_ << m.rows() << 'x' << m.cols() << ": ";
    for (Eigen::Index c = 0; c < m.cols(); ++c) {
      for (Eigen::Index r = 0; r < m.rows(); ++r) put(m.derived().coeff(r, c));
    }
  }
  void put(const Eigen::SparseMatrix<double, Eigen::RowMajor>& m) {
    out_ << m.rows() << 'x' << m.cols() << (m.isCompressed() ? ": " : " with gaps: ");
    for (int row = 0; row < m.outerSize(); ++row) {
      for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator e(m, row); e; ++e)
        all(static_cast<int>(e.row()), static_cast<int>(e.col()), e.value());
    }
  }
  template <class T>
  void put(const std::vector<T>& items) {
    out_ << items.size() << " { ";
    for (const T& item : items) put(item);
    out_ << "}\n";
  }
  template <class T, std::size_t n>
  void put(const std::array<T, n>& items) {
    for (const T& item : items) put(item);
  }
  template <class A, class B>
  void put(const std::pair<A, B>& p) {
    all(p.first, p.second);
  }
  template <class T>
  void put(const std::optional<T>& value) {
    value ? put(*value) : put(std::string("none"));
  }
  template <class K, class V>
  void put(const std::map<K, V>& map) {
    out_ << map.size() << " { ";
    for (const auto& entry : map) put(entry);
    out_ << "}\n";
  }
  void put(const Eigen::Triplet<double>& t) { all(t.row(), t.col(), t.value()); }

  void put(const Table& t) { all(t.times, t.values, t.begin); }
  void put(const Keyframe& k) { all(k.time, k.displacement, k.rotation); }
  void put(const Motion& m) { all(m.linear_velocity, m.angular_velocity, m.pivot, m.keyframes, m.begin); }
  void put(const MaterialVector& v) { all(v.weights, v.constant); }
  void put(const Body& b) {
    all(b.name, b.kind, b.nodes, b.first_control, b.control_count, b.point_count, b.directions_per_node,
        b.face_cuts, b.first_element, b.element_count, b.first_vertex, b.vertex_count, b.stiff, b.friction,
        b.restitution_damping, b.hydroelastic_modulus, b.rolling_resistance, b.spinning_resistance,
        b.skin.vertex_count(), b.skin.turn, b.skin.shift);
  }
  void put(const ElasticMaterial& m) {
    all(m.model, m.density, m.young, m.poisson, m.c10, m.c01, m.bulk, m.youngs, m.poissons, m.shears,
        m.rayleigh_damping, m.shear_viscosity, m.bulk_viscosity, m.width, m.height);
  }
  void put(const ClothMaterial& m) {
    all(m.density, m.thickness, m.young, m.poisson, m.bending_young, m.strain_limit, m.rayleigh_damping);
  }
  void put(const RodMaterial& m) {
    all(m.density, m.radius, m.young, m.bending_young, m.twisting_shear, m.rayleigh_damping);
  }
  void put(const StiffBody& b) {
    all(b.body, b.first_control, b.rigid, b.turns_about, b.mass, b.second_moment, b.stiffness, b.low, b.high);
  }
  void put(const SpringMaterial& m) { all(m.stiffness, m.rayleigh_damping); }
  void put(const Material& m) {
    put(m.index());
    std::visit([&](const auto& of) { put(of); }, m);
  }
  void put(const Element& e) { all(e.type, e.material, e.first_control, e.control_count); }
  void put(const Script& s) { all(s.controls, s.start, s.motion, s.turned); }
  void put(const Load& l) { all(l.controls, l.shares, l.value); }
  void put(const Torque& t) { all(t.stiff, t.value); }
  void put(const Applied& a) { all(a.force, a.torque); }
  void put(const Joint& j) {
    all(j.name, j.kind, j.body_a, j.body_b, j.point_a, j.point_b, j.axis_a, j.axis_b, j.first_row,
        j.row_count, j.coordinate, j.coordinates, j.angular, j.held);
  }
  void put(const ConstraintRow& r) { all(r.entries, r.value, r.joint); }
  void put(const JointCoordinate& c) { all(c.joint, c.measure, c.w, c.u, c.v); }
  void put(const JointPotential& p) {
    all(p.kind, p.stiffness, p.target, p.largest_force, p.low, p.high, p.width);
  }
  void put(const JointDrive& d) { all(d.coordinate, d.law, d.potential, d.value, d.damping); }
  void put(const WorldDrive& d) {
    all(d.joint, d.drive, d.inertia, d.stiff, d.tolerance, d.restitution_damping);
  }
  void put(const CollisionBody& b) { all(b.obstacle, b.collides, b.self, b.group, b.exempt); }
  void put(const ContactHistory& h) { all(h.model, h.body_a, h.body_b, h.values); }
  void put(const PatchPenaltySettings& s) {
    all(s.stiffness, s.area_stiffness, s.young, s.poisson, s.restitution, s.static_friction,
        s.detection_ahead);
  }
  void put(const CollisionPlane& p) { all(p.vertex, p.normal, p.body); }

  std::ostringstream out_;
};

/// Arrays by name. Those that may end early are left to the caller.
inline std::map<std::string, std::string> text_of(const World& w) {
  std::map<std::string, std::string> arrays;
  const auto add = [&](const char* name, const auto& array) { arrays[name] = Text().all(array).text(); };
  add("bodies", w.bodies);
  add("state.position", w.state.position);
  add("state.velocity", w.state.velocity);
  add("state.acceleration", w.state.acceleration);
  add("state.joint_coordinates", w.state.joint_coordinates);
  arrays["state"] = Text().all(w.state.step, w.state.time).text();
  add("rest", w.rest);
  add("mass_entries", w.mass_entries);
  add("gravity_mass", w.gravity_mass);
  add("roles", w.roles);
  add("lever", w.lever);
  add("elements.elements", w.elements.elements);
  add("elements.controls", w.elements.controls);
  add("elements.materials", w.elements.materials);
  add("stiff", w.stiff);
  add("scripted", w.scripted);
  add("held", w.held);
  add("scripts", w.scripts);
  add("loads", w.loads);
  add("torques", w.torques);
  add("joints", w.joints);
  add("joint_rows", w.joint_rows);
  add("joint_coordinates", w.joint_coordinates);
  add("joint_drives", w.joint_drives);
  add("collision.triangles", w.collision.triangles);
  add("collision.corner_shares", w.collision.corner_shares);
  add("collision.edges", w.collision.edges);
  add("collision.edge_role", w.collision.edge_role);
  add("collision.radius", w.collision.radius);
  add("collision.points", w.collision.points);
  add("collision.planes", w.collision.planes);
  add("collision.vertex_body", w.collision.vertex_body);
  add("collision.bodies", w.collision.bodies);
  add("collision.exempt_pairs", w.collision.exempt_pairs);
  add("collision.weights", w.collision.weights);
  add("collision.rest", w.collision.rest);
  add("friction_pairs", w.friction_pairs);
  add("collision.unguarded_pairs", w.collision.unguarded_pairs);
  add("model_pairs", w.model_pairs);
  add("patch_pairs", w.patch_pairs);
  add("state.contact_history", w.state.contact_history);
  arrays["thickness"] = Text().all(w.thickness).text();
  return arrays;
}

/// The first array in which two worlds differ, and what it has there in both; empty when they are the same.
inline std::string difference(const World& a, const World& b) {
  const auto first = text_of(a), second = text_of(b);
  for (const auto& [name, text] : first) {
    const std::string& other = second.at(name);
    if (text == other) continue;
    std::size_t at = 0;
    while (at < text.size() && at < other.size() && text[at] == other[at]) ++at;
    const std::size_t from = at < 200 ? 0 : at - 200;
    return name + ":\n" + text.substr(from, 400) + "\nand\n" + other.substr(from, 400);
  }
  return "";
}

}  // namespace bulwark::test
