#include "scene_report.hpp"

#include "units.hpp"

#include <bulwark/sim/body_nodes.hpp>
#include <bulwark/sim/face_distance.hpp>
#include <bulwark/sim/statics.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace bulwark::app {
namespace {

/// 0.001 as 1e-3, as in the scene file's reference.
std::string fraction(double value) {
  const double exponent = std::log10(value);
  const double rounded = std::round(exponent);
  return std::abs(exponent - rounded) < 1e-9 ? fmt::format("1e{:.0f}", rounded)
                                             : fmt::format("{:.3g}", value);
}

std::string origin(const Scaled& scaled, const char* per) {
  if (!scaled.relative) return "given";
  return fmt::format("{} of the body's size{}", fraction(scaled.value), per);
}

}  // namespace

namespace {

/// "36 tetrahedra, 10 beam elements": those of each word, in the order of the types. Of order 2 and more with it.
std::string element_counts(const World& world, int first, int count) {
  std::map<ElementType, int> counts;
  for (int e = first; e < first + count; ++e) ++counts[world.elements.elements[e].type];
  std::string words;
  for (const auto& [type, number] : counts) {
    const std::optional<LagrangeCell> cell = lagrange_cell(type);
    const int order = cell ? cell->order : 1;
    words += fmt::format(", {} {}{}", number, number == 1 ? shape_of(type).name : shape_of(type).plural,
                         order > 1 ? fmt::format(" of order {}", order) : "");
  }
  return words;
}

}  // namespace

std::string size_line(const Simulation& simulation) {
  const World& world = simulation.world();
  const Settings& settings = simulation.settings();
  return fmt::format("{}{} bodies, {} controls{}, {} surface triangles; {} steps of {}, {}\n",
                     settings.title.empty() ? "" : settings.title + ": ", world.bodies.size(),
                     world.control_count(), element_counts(world, 0, world.elements.size()),
                     world.collision.triangles.size(), settings.time.steps,
                     with_unit(settings.time.step, "s"), settings.time.integrator);
}

namespace {

/// The values of a few bodies, largest group first: most scenes have few different ones.
std::string derived_line(const Simulation& simulation, const char* name, const char* unit,
                         double BodyDerived::* value, const std::string& how) {
  constexpr std::size_t most_groups = 4;
  const World& world = simulation.world();
  const std::vector<BodyDerived>& bodies = simulation.derived().bodies;
  struct Group {
    double value;
    std::size_t first, count;
  };
  std::vector<Group> groups;
  std::map<double, std::size_t> places;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!std::isfinite(bodies[b].*value)) continue;
    // Alike to three digits is alike.
    const double rounded = std::stod(fmt::format("{:.2e}", bodies[b].*value));
    const auto [place, is_new] = places.try_emplace(rounded, groups.size());
    if (is_new) groups.push_back({bodies[b].*value, b, 0});
    ++groups[place->second].count;
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Group& a, const Group& b) { return a.count > b.count; });
  std::string line = fmt::format("  {} = ", name);
  if (groups.empty()) return line + "that of the bodies added later\n";
  if (groups.size() == 1) return line + fmt::format("{} ({})\n", with_unit(groups[0].value, unit), how);
  for (std::size_t g = 0; g < std::min(groups.size(), most_groups); ++g) {
    const std::string& body = world.bodies[groups[g].first].name;
    line += fmt::format("{}{} '{}'{}", g > 0 ? ", " : "", with_unit(groups[g].value, unit), body,
                        groups[g].count > 1 ? fmt::format(" and {} more", groups[g].count - 1) : "");
  }
  if (groups.size() > most_groups) {
    line += fmt::format(" and others from {} to {}", with_unit(places.begin()->first, unit),
                        with_unit(places.rbegin()->first, unit));
  }
  return line + fmt::format(" ({})\n", how);
}

}  // namespace

std::string derived_lines(const Simulation& simulation) {
  const Derived& derived = simulation.derived();
  const Settings& settings = simulation.settings();
  const ContactSettings& contact = settings.contact;
  std::string lines;
  if (contact.enabled) {
    const bool capped = std::any_of(derived.bodies.begin(), derived.bodies.end(),
                                    [](const BodyDerived& body) { return body.distance_capped; });
    lines += derived_line(
        simulation, "distance", "m", &BodyDerived::contact_distance,
        origin(contact.distance, "") + (capped ? ", less where a body would push on itself at rest" : ""));
    if (contact.minimum_distance > 0) {
      lines += fmt::format("  minimum distance = {} (given)\n", with_unit(contact.minimum_distance, "m"));
    }
    lines += contact.stiffness
                 ? fmt::format("  barrier stiffness = {:.3g} J/m^4 (given)\n", *contact.stiffness)
                 : "  barrier stiffness = adaptive, from the masses of the two bodies\n";
    lines += derived_line(simulation, "static speed", "m/s", &BodyDerived::static_speed,
                          origin(contact.static_speed, " per second"));
  }
  const double tolerance = settings.solver.tolerance * (is_static(settings) ? static_tolerance : 1);
  return lines + derived_line(simulation, "tolerance", "m/s", &BodyDerived::tolerance_speed,
                              fmt::format("{} of the body's size per second{}", fraction(tolerance),
                                          is_static(settings) ? ", over 0.01 s" : ""));
}

std::string body_lines(const World& world) {
  constexpr std::size_t most_lines = 30;
  std::string lines;
  std::size_t count = 0;
  for (const Body& body : world.bodies) {
    if (++count > most_lines) {
      return lines + fmt::format("  and {} more bodies\n", world.bodies.size() - most_lines);
    }
    lines += fmt::format("  {}: {}, {} {}", body.name, body_kind_name(body.kind), body.node_count(),
                         body.element_count > 0 ? "nodes" : "vertices");
    lines += element_counts(world, body.first_element, body.element_count);
    // Rounding is not worth a word.
    const double distance = face_distance(world, body);
    if (distance > 1e-9 * body_length(world, body))
      lines += fmt::format(", contact within {} of its elements' faces", with_unit(distance, "m"));
    lines += body.is_obstacle() ? "\n" : fmt::format(", {:.4g} kg\n", mass_of(world, body));
  }
  return lines;
}

}  // namespace bulwark::app
