#include "scene_report.hpp"

#include "units.hpp"

#include <fmt/format.h>

#include <cmath>

namespace bulwark::app {
namespace {

/// 0.001 as 1e-3, as in the scene file's reference.
std::string fraction(double value) {
  const double exponent = std::log10(value);
  const double rounded = std::round(exponent);
  return std::abs(exponent - rounded) < 1e-9 ? fmt::format("1e{:.0f}", rounded)
                                             : fmt::format("{:.3g}", value);
}

std::string origin(const Scaled& scaled, double length, const char* per) {
  if (!scaled.relative) return "given";
  return fmt::format("{} of the scene's length {}{}", fraction(scaled.value), with_unit(length, "m"), per);
}

}  // namespace

std::string size_line(const Simulation& simulation) {
  const World& world = simulation.world();
  const Settings& settings = simulation.settings();
  return fmt::format("{}{} bodies, {} nodes, {} tetrahedra, {} surface triangles; {} steps of {}, {}\n",
                     settings.title.empty() ? "" : settings.title + ": ", world.bodies.size(),
                     world.control_count(), world.tetrahedra.size(), world.collision.triangles.size(),
                     settings.time.steps, with_unit(settings.time.step, "s"), settings.time.integrator);
}

std::string derived_lines(const Simulation& simulation) {
  const Derived& derived = simulation.derived();
  const Settings& settings = simulation.settings();
  const ContactSettings& contact = settings.contact;
  std::string lines;
  if (contact.enabled) {
    lines += fmt::format("  distance = {} ({}{})\n", with_unit(derived.contact_distance, "m"),
                         origin(contact.distance, derived.length, ""),
                         derived.distance_capped ? ", capped: a body would push on itself at rest" : "");
    if (contact.minimum_distance > 0) {
      lines += fmt::format("  minimum distance = {} (given)\n", with_unit(contact.minimum_distance, "m"));
    }
    lines += contact.stiffness
                 ? fmt::format("  barrier stiffness = {:.3g} J/m^4 (given)\n", *contact.stiffness)
                 : fmt::format("  barrier stiffness = adaptive, {:.3g} to {:.3g} J/m^4\n",
                               derived.minimum_stiffness, derived.maximum_stiffness);
    lines += fmt::format("  static speed = {} ({})\n", with_unit(derived.static_speed, "m/s"),
                         origin(contact.static_speed, derived.length, " per second"));
  }
  return lines + fmt::format("  tolerance = {} ({} of the scene's length per second)\n",
                             with_unit(derived.tolerance_speed, "m/s"), fraction(settings.solver.tolerance));
}

std::string body_lines(const World& world) {
  constexpr std::size_t most_lines = 30;
  std::string lines;
  std::size_t count = 0;
  for (const Body& body : world.bodies) {
    if (++count > most_lines) {
      return lines + fmt::format("  and {} more bodies\n", world.bodies.size() - most_lines);
    }
    if (body.kind == BodyKind::obstacle) {
      lines += fmt::format("  {}: obstacle, {} vertices\n", body.name, body.control_count);
      continue;
    }
    const double mass = world.lumped_mass.segment(body.first_control, body.control_count).sum();
    if (body.kind != BodyKind::deformable) {
      lines += fmt::format("  {}: {}, {} vertices, {:.4g} kg\n", body.name, body_kind_name(body.kind),
                           body.vertex_count, mass);
      continue;
    }
    lines += fmt::format("  {}: deformable, {} nodes, {} tetrahedra, {:.4g} kg\n", body.name,
                         body.control_count, body.tetrahedron_count, mass);
  }
  return lines;
}

}  // namespace bulwark::app
