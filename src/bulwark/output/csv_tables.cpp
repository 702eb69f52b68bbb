#include <bulwark/output/csv_tables.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <numbers>

namespace bulwark {
namespace {

std::string vector_fields(const Vector3& v) {
  return fmt::format("{},{},{}", v.x(), v.y(), v.z());
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

std::string bodies_rows(const World& world, const std::vector<RigidMotion>& motions) {
  std::string rows;
  for (std::size_t body = 0; body < world.bodies.size(); ++body) {
    const RigidMotion& m = motions[body];
    const Eigen::Quaterniond q = positive_quaternion(m.rotation);
    rows += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", world.state.step, world.state.time,
                        csv_field(world.bodies[body].name), vector_fields(m.center), q.w(), q.x(), q.y(),
                        q.z(), vector_fields(m.velocity), vector_fields(m.angular_velocity));
  }
  return rows;
}

std::string wrenches_header() {
  return "step,time,body,fx,fy,fz,tx,ty,tz\n";
}

std::string wrenches_rows(const World& world, const std::vector<RigidMotion>& motions,
                          const std::vector<ContactForce>& contacts) {
  std::vector<Vector3> force(world.bodies.size(), Vector3::Zero());
  std::vector<Vector3> torque(world.bodies.size(), Vector3::Zero());
  for (const ContactForce& contact : contacts) {
    const Vector3 on_a = contact.normal_force + contact.friction_force;
    for (const auto& [body, sign] : {std::pair{contact.body_a, 1.0}, std::pair{contact.body_b, -1.0}}) {
      const Vector3 arm = contact.position - motions[body].center;
      force[body] += sign * on_a;
      torque[body] += sign * arm.cross(on_a);
    }
  }
  std::string rows;
  for (std::size_t body = 0; body < world.bodies.size(); ++body) {
    rows += fmt::format("{},{},{},{},{}\n", world.state.step, world.state.time,
                        csv_field(world.bodies[body].name), vector_fields(force[body]),
                        vector_fields(torque[body]));
  }
  return rows;
}

std::string joints_header() {
  return "step,time,joint,coordinate,coordinate_2,coordinate_3,error,fx,fy,fz,tx,ty,tz\n";
}

std::string joints_rows(const World& world, const std::vector<JointState>& joints) {
  constexpr double degrees = 180 / std::numbers::pi;
  constexpr std::size_t most_coordinates = 3;
  std::string rows;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const Joint& joint = world.joints[j];
    rows += fmt::format("{},{},{}", world.state.step, world.state.time, csv_field(joint.name));
    for (std::size_t k = 0; k < most_coordinates; ++k) {
      rows += ',';
      if (k >= joint.coordinates.size()) continue;
      rows += fmt::format(
          "{}", world.state.joint_coordinates[joint.coordinates[k]] * (joint.angular ? degrees : 1));
    }
    rows += fmt::format(",{},{},{}\n", joints[j].error, vector_fields(joints[j].force),
                        vector_fields(joints[j].torque));
  }
  return rows;
}

std::string contacts_header() {
  return "step,time,body_a,body_b,x,y,z,normal_force_x,normal_force_y,normal_force_z,"
         "friction_force_x,friction_force_y,friction_force_z,distance\n";
}

std::string contacts_rows(const World& world, const std::vector<ContactForce>& contacts) {
  std::string rows;
  for (const ContactForce& c : contacts) {
    rows += fmt::format("{},{},{},{},{},{},{},{}\n", world.state.step, world.state.time,
                        csv_field(world.bodies[c.body_a].name), csv_field(world.bodies[c.body_b].name),
                        vector_fields(c.position), vector_fields(c.normal_force),
                        vector_fields(c.friction_force), c.distance);
  }
  return rows;
}

std::string solves_header() {
  return "step,time,outcome,substeps,newton_iterations,friction_updates,newton_speed,worst_point,limiting_"
         "pair,"
         "smallest_step,barrier_stiffness,rigidity_error,energy_retries,passing_retries\n";
}

std::string solves_row(const StepReport& r) {
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", r.step, r.time, outcome_name(r.outcome),
                     r.substeps, r.newton_iterations, r.friction_updates, r.newton_speed,
                     csv_field(r.worst_point), csv_field(r.limiting_pair), r.smallest_step,
                     r.barrier_stiffness, r.rigidity_error, r.energy_retries, r.passing_retries);
}

}  // namespace bulwark
