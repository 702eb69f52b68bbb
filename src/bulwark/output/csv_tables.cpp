#include <bulwark/output/csv_tables.hpp>

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
      "step,time,newton_iterations,linear_solves,contacts,min_distance,kinetic,elastic,gravity,contact,total,"
      "seconds";
  for (const std::string_view phase : phase_names) header += fmt::format(",seconds_{}", phase);
  return header + "\n";
}

std::string steps_row(const StepReport& report) {
  const Energies& e = report.energies;
  std::string row =
      fmt::format("{},{},{},{},{},{},{},{},{},{},{},{:.6f}", report.step, report.time,
                  report.newton_iterations, report.linear_solves, report.contacts, report.min_distance,
                  e.kinetic, e.elastic, e.gravity, e.contact, e.total(), report.seconds);
  for (const double seconds : report.profile.seconds) row += fmt::format(",{:.6f}", seconds);
  return row + "\n";
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
  return "step,time,body,fx,fy,fz,tx,ty,tz\n";
}

std::string wrenches_rows(const RowStep& at, const std::vector<RigidMotion>& motions,
                          const std::vector<ContactForce>& contacts) {
  std::vector<Vector3> force(motions.size(), Vector3::Zero());
  std::vector<Vector3> torque(motions.size(), Vector3::Zero());
  for (const ContactForce& contact : contacts) {
    const Vector3 on_a = contact.normal_force + contact.friction_force;
    for (const auto& [body, sign] : {std::pair{contact.body_a, 1.0}, std::pair{contact.body_b, -1.0}}) {
      const Vector3 arm = contact.position - motions[body].center;
      force[body] += sign * on_a;
      torque[body] += sign * arm.cross(on_a);
    }
  }
  std::string rows;
  const std::string head = step_and_time(at);
  for (std::size_t body = 0; body < motions.size(); ++body) {
    rows += head;
    rows += at.names.bodies[body];
    add_vector(rows, force[body]);
    add_vector(rows, torque[body]);
    rows += '\n';
  }
  return rows;
}

std::string joints_header() {
  return "step,time,joint,coordinate,coordinate_2,coordinate_3,error,fx,fy,fz,tx,ty,tz\n";
}

std::string joints_rows(const RowStep& at, const VectorX& coordinates,
                        const std::vector<JointState>& joints) {
  constexpr double degrees = 180 / std::numbers::pi;
  constexpr std::size_t most_coordinates = 3;
  std::string rows;
  const std::string head = step_and_time(at);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const TableNames::Joint& joint = at.names.joints[j];
    rows += head;
    rows += joint.name;
    for (std::size_t k = 0; k < most_coordinates; ++k) {
      rows += ',';
      if (k >= joint.coordinates.size()) continue;
      add(rows, "{}", coordinates[joint.coordinates[k]] * (joint.angular ? degrees : 1));
    }
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
  return "step,time,outcome,substeps,newton_iterations,friction_updates,newton_speed,worst_point,limiting_"
         "pair,"
         "smallest_step,barrier_stiffness,rigidity_error\n";
}

std::string solves_row(const StepReport& r) {
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", r.step, r.time, outcome_name(r.outcome),
                     r.substeps, r.newton_iterations, r.friction_updates, r.newton_speed,
                     csv_field(r.worst_point), csv_field(r.limiting_pair), r.smallest_step,
                     r.barrier_stiffness, r.rigidity_error);
}

}  // namespace bulwark
