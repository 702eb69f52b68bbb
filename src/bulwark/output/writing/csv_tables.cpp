#include <bulwark/output/writing/csv_tables.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <iterator>
#include <numbers>
#include <utility>

namespace bulwark {
namespace {

/// Adds to the end of `rows` what the format says.
template <class... Values>
void add(std::string& rows, fmt::format_string<Values...> format, Values&&... values) {
  fmt::format_to(std::back_inserter(rows), format, std::forward<Values>(values)...);
}

void add_vector(std::string& rows, const Vector3& v) {
  add(rows, ",{},{},{}", v.x(), v.y(), v.z());
}

/// The two fields that rows begin with.
std::string step_and_time(const RowStep& at) {
  return fmt::format("{},{},", at.step, at.time);
}

void add_wrench(std::string& rows, const Wrench& w) {
  add_vector(rows, w.point);
  add_vector(rows, w.force);
  add_vector(rows, w.torque);
}

/// A rotation has two quaternions; the one with qw >= 0 is written.
Eigen::Quaterniond positive_quaternion(const Matrix3& rotation) {
  Eigen::Quaterniond q(rotation);
  if (q.w() < 0) q.coeffs() = -q.coeffs();
  return q;
}

}  // namespace

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

TableNames table_names(const World& world) {
  TableNames names;
  for (const Body& body : world.bodies) names.bodies.push_back(csv_field(body.name));
  for (const Joint& joint : world.joints) {
    names.joints.push_back({csv_field(joint.name), joint.coordinates, joint.angular});
  }
  return names;
}

std::string steps_header() {
  std::string header =
      "step,time,newton_iterations,linear_solves,linear_iterations,contacts,min_distance,kinetic,elastic,gravity,"
      "contact,total,seconds";
  for (const std::string_view phase : phase_names) header += fmt::format(",seconds_{}", phase);
  return header + ",adamw_iterations,residual\n";
}

std::string steps_row(const StepReport& report) {
  const Energies& e = report.energies;
  std::string row =
      fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{:.6f}", report.step, report.time,
                  report.newton_iterations, report.linear_solves, report.linear_iterations, report.contacts,
                  report.min_distance, e.kinetic, e.elastic, e.gravity, e.contact, e.total(), report.seconds);
  for (const double seconds : report.profile.seconds) row += fmt::format(",{:.6f}", seconds);
  return row + fmt::format(",{},{}\n", report.adamw_iterations, report.residual);
}

std::string bodies_header() {
  return "step,time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n";
}

std::string bodies_rows(const RowStep& at, const std::vector<RigidMotion>& motions) {
  std::string rows;
  const std::string head = step_and_time(at);
  for (std::size_t body = 0; body < motions.size(); ++body) {
    const RigidMotion& m = motions[body];
    const Eigen::Quaterniond q = positive_quaternion(m.rotation);
    rows += head;
    rows += at.names.bodies[body];
    add_vector(rows, m.center);
    add(rows, ",{},{},{},{}", q.w(), q.x(), q.y(), q.z());
    add_vector(rows, m.velocity);
    add_vector(rows, m.angular_velocity);
    rows += '\n';
  }
  return rows;
}

std::string wrenches_header() {
  return "step,time,body,source,x,y,z,fx,fy,fz,tx,ty,tz\n";
}

std::string wrenches_rows(const RowStep& at, const std::vector<RigidMotion>& motions,
                          const std::vector<ContactForce>& contacts, const std::vector<Reaction>& reactions) {
  std::vector<Wrench> by_contact(motions.size());
  for (std::size_t body = 0; body < motions.size(); ++body) by_contact[body].point = motions[body].center;
  for (const ContactForce& contact : contacts) {
    const Vector3 on_a = contact.normal_force + contact.friction_force;
    by_contact[contact.body_a].add(contact.position, on_a);
    by_contact[contact.body_b].add(contact.position, Vector3(-on_a));
  }
  std::string rows;
  const std::string head = step_and_time(at);
  const auto add_row = [&](std::size_t body, const std::string& source, const Wrench& wrench) {
    rows += head;
    rows += at.names.bodies[body];
    rows += ',';
    rows += source;
    add_wrench(rows, wrench);
    rows += '\n';
  };
  for (std::size_t body = 0; body < motions.size(); ++body) add_row(body, "contact", by_contact[body]);
  for (std::size_t i = 0; i < reactions.size(); ++i) {
    const Reaction& r = reactions[i];
    const bool one_of_several = r.part > 0 || (i + 1 < reactions.size() && reactions[i + 1].body == r.body);
    add_row(r.body, one_of_several ? fmt::format("held[{}]", r.part) : "held", r.wrench);
  }
  return rows;
}

std::string contact_pairs_header() {
  return "step,time,body_a,body_b,contacts,x,y,z,fx,fy,fz,tx,ty,tz\n";
}

std::string contact_pairs_rows(const RowStep& at, const std::vector<ContactForce>& contacts) {
  std::string rows;
  const std::string head = step_and_time(at);
  for (const ContactPairForce& pair : contact_pair_forces(contacts)) {
    rows += head;
    rows += at.names.bodies[pair.body_a];
    rows += ',';
    rows += at.names.bodies[pair.body_b];
    add(rows, ",{}", pair.contacts);
    add_wrench(rows, pair.wrench);
    rows += '\n';
  }
  return rows;
}

std::string joints_header() {
  return "step,time,joint,angle_degrees,angle_2_degrees,angle_3_degrees,position,error,fx,fy,fz,tx,ty,tz\n";
}

std::string joints_rows(const RowStep& at, const VectorX& coordinates,
                        const std::vector<JointState>& joints) {
  constexpr double degrees = 180 / std::numbers::pi;
  constexpr std::size_t most_angles = 3;
  std::string rows;
  const std::string head = step_and_time(at);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const TableNames::Joint& joint = at.names.joints[j];
    rows += head;
    rows += joint.name;
    const std::vector<int>& own = joint.coordinates;
    for (std::size_t k = 0; k < most_angles; ++k) {
      rows += ',';
      if (joint.angular && k < own.size()) add(rows, "{}", coordinates[own[k]] * degrees);
    }
    rows += ',';
    if (!joint.angular && !own.empty()) add(rows, "{}", coordinates[own[0]]);
    add(rows, ",{}", joints[j].error);
    add_vector(rows, joints[j].force);
    add_vector(rows, joints[j].torque);
    rows += '\n';
  }
  return rows;
}

std::string contacts_header() {
  return "step,time,body_a,body_b,x,y,z,normal_force_x,normal_force_y,normal_force_z,"
         "friction_force_x,friction_force_y,friction_force_z,distance\n";
}

std::string contacts_rows(const RowStep& at, const std::vector<ContactForce>& contacts) {
  std::string rows;
  const std::string head = step_and_time(at);
  for (const ContactForce& c : contacts) {
    rows += head;
    rows += at.names.bodies[c.body_a];
    rows += ',';
    rows += at.names.bodies[c.body_b];
    add_vector(rows, c.position);
    add_vector(rows, c.normal_force);
    add_vector(rows, c.friction_force);
    add(rows, ",{}\n", c.distance);
  }
  return rows;
}

std::string solves_header() {
  return "step,time,outcome,substeps,newton_iterations,friction_updates,newton_speed,worst_point,limiting_pair,"
         "smallest_step,barrier_stiffness,rigidity_error,energy_retries,passing_retries,worst_body,limited_by,"
         "limiting_body_a,limiting_body_b,adamw_iterations\n";
}

std::string solves_row(const StepReport& r) {
  const std::vector<BodyPart>& parts = r.limited_by.parts;
  const auto body = [&](std::size_t k) { return k < parts.size() ? csv_field(parts[k].body) : ""; };
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", r.step, r.time,
                     outcome_name(r.outcome), r.substeps, r.newton_iterations, r.friction_updates,
                     r.newton_speed, csv_field(describe(r.worst_point)), csv_field(describe(r.limited_by)),
                     r.smallest_step, r.barrier_stiffness, r.rigidity_error, r.energy_retries,
                     r.passing_retries, csv_field(r.worst_point.body), reason_name(r.limited_by.reason),
                     body(0), body(1), r.adamw_iterations);
}

}  // namespace bulwark
