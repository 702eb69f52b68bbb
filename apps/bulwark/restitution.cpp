#include "command_line.hpp"
#include "commands.hpp"
#include "units.hpp"

#include <bulwark/base/error.hpp>
#include <bulwark/sim/bounce.hpp>

#include <fmt/format.h>

#include <cmath>
#include <optional>

namespace bulwark::app {
namespace {

struct RestitutionOptions {
  double speed = 0;    ///< m/s
  double step = 0.01;  ///< s
  double bounce = 0;   ///< wanted: speed after over speed before
  std::string integrator = "bdf2";
  std::optional<double> distance;  ///< m; empty: as small as the bounce allows
  double mass = 1;                 ///< kg
  int points = 4;                  ///< at which the bodies touch
};

/// The bounce may vary by this much with the place within a step where the contact begins.
constexpr double largest_spread = 0.02;

/// Bounces are found to this much; less is none.
constexpr double least_bounce = 1e-3;
/// Any speed, step, mass or distance of a scene is far inside.
constexpr double least_value = 1e-12, largest_value = 1e12;
/// More steps than this across the contact distance take minutes to follow, and resolve nothing that fewer do
/// not.
constexpr double most_ways = 4096;

void require_value(const char* option, double value, const char* unit) {
  if (value >= least_value && value <= largest_value) return;
  throw InputError(option,
                   fmt::format("{} {} is not between {:g} and {:g}", value, unit, least_value, largest_value),
                   "check its unit");
}

void require_options(const RestitutionOptions& options) {
  require_value("--speed", options.speed, "m/s");
  require_value("--step", options.step, "s");
  require_value("--mass", options.mass, "kg");
  if (!(options.bounce < 1)) {
    throw InputError("--bounce", fmt::format("{} is not below 1", options.bounce),
                     "a bounce without damping is as close to 1 as the integrator gets; ask for 0.99");
  }
  if (!(options.bounce >= least_bounce)) {
    throw InputError("--bounce", fmt::format("{} is below {}", options.bounce, least_bounce),
                     "that is not a bounce: a `restitution_damping` of the time step or more gives none");
  }
  if (!options.distance) return;
  require_value("--distance", *options.distance, "m");
  const double way = options.speed * options.step;
  if (*options.distance > most_ways * way) {
    throw InputError(
        "--distance",
        fmt::format("at {} and in steps of {} it takes {:.3g} steps to cross {}",
                    with_unit(options.speed, "m/s"), with_unit(options.step, "s"), *options.distance / way,
                    with_unit(*options.distance, "m")),
        fmt::format("give {} or less, or leave it out to have one chosen", with_unit(most_ways * way, "m")));
  }
}

/// With the best stiffness for its distance, and the damping for the wanted bounce where it can have it.
Impact tuned(Impact impact, double bounce) {
  impact = with_best_stiffness(impact);
  return bounce_of(impact).restitution > bounce ? with_damping_for(impact, bounce) : impact;
}

bool reaches(const Impact& impact, double bounce) {
  const Bounce measured = bounce_of(impact);
  return std::abs(measured.restitution - bounce) < 1e-3 &&
         measured.highest - measured.lowest < largest_spread;
}

/// Distances from four times the path of a step upward, until one will do.
Impact with_distance(Impact impact, double bounce) {
  for (double ways = 4; ways <= most_ways; ways *= 2) {
    impact.distance = ways * impact.speed * impact.step;
    const Impact found = tuned(impact, bounce);
    if (reaches(found, bounce)) return found;
  }
  throw InputError("--bounce", fmt::format("{} cannot be reached with {}", bounce, impact.integrator),
                   "use --integrator bdf2 or newmark, or ask for less");
}

void print_bounce(const char* what, const Bounce& bounce) {
  fmt::print("  {:<20} {:.3f}  ({:.3f} to {:.3f})\n", what, bounce.restitution, bounce.lowest,
             bounce.highest);
}

int restitution(const RestitutionOptions& options) {
  require_options(options);
  Impact impact;
  impact.integrator = options.integrator;
  impact.step = options.step;
  impact.speed = options.speed;
  impact.mass = options.mass;
  if (options.distance) {
    impact.distance = *options.distance;
    impact = tuned(impact, options.bounce);
    const Bounce found = bounce_of(impact);
    if (found.highest - found.lowest > largest_spread) {
      throw InputError(
          "--distance",
          fmt::format(
              "with {} and steps of {} the bounce varies from {:.3f} to {:.3f}, depending on where in a step the contact begins",
              with_unit(impact.distance, "m"), with_unit(impact.step, "s"), found.lowest, found.highest),
          "give a larger distance or a shorter step, or leave the distance out to have one chosen");
    }
    if (impact.damping == 0) {
      throw InputError(
          "--distance",
          fmt::format("with {} and steps of {} the bounce is {:.3f} at most", with_unit(impact.distance, "m"),
                      with_unit(impact.step, "s"), found.restitution),
          "give a larger distance or a shorter step, or leave the distance out to have one chosen");
    }
  } else {
    impact = with_distance(impact, options.bounce);
  }
  Impact undamped = impact;
  undamped.damping = 0;
  const Bounce bounce = bounce_of(impact);

  fmt::print("a bounce of {:.3g} at {}, in steps of {} by {}:\n\n", options.bounce,
             with_unit(impact.speed, "m/s"), with_unit(impact.step, "s"), impact.integrator);
  fmt::print(
      "  \"contact\": {{ \"distance\": {:.4g}, \"stiffness\": {:.4g}, \"restitution_damping\": {:.4g} }}\n\n",
      impact.distance, impact.stiffness / options.points, impact.damping);
  fmt::print(
      "measured on a body of {:.4g} kg that hits a wall at {} points; in brackets the lowest and highest,\n"
      "depending on where in a step the contact begins:\n",
      options.mass, options.points);
  print_bounce("without damping", bounce_of(undamped));
  print_bounce("with it", bounce);
  for (const double part : {0.5, 0.1, 2.0}) {
    Impact other = impact;
    other.speed *= part;
    print_bounce(fmt::format("  at {}", with_unit(other.speed, "m/s")).c_str(), bounce_of(other));
  }
  fmt::print("  closest {} of {}; {:.0f} steps in contact\n", with_unit(bounce.closest, "m"),
             with_unit(impact.distance, "m"), bounce.steps);
  fmt::print("  distance / step = {}, which must exceed the speed\n",
             with_unit(impact.distance / impact.step, "m/s"));
  return 0;
}

}  // namespace

void add_restitution_command(CommandLine& line) {
  auto [command, options] = line.add<RestitutionOptions>(
      "restitution", "Contact distance, stiffness and damping for a wanted bounce", restitution);
  command.add_option("--speed", options.speed, "Speed of the impact, m/s")
      ->check(positive())
      ->type_name("V")
      ->required();
  command.add_option("--bounce", options.bounce, "Speed after over speed before, above 0 and below 1")
      ->check(positive())
      ->type_name("R")
      ->required();
  command.add_option("--step", options.step, "Time step, s (default: 0.01)")
      ->check(positive())
      ->type_name("H");
  command.add_option("--integrator", options.integrator, "implicit-euler, bdf2 or newmark (default: bdf2)")
      ->check(CLI::IsMember({"implicit-euler", "bdf2", "newmark"}).description(""))
      ->type_name("NAME");
  command
      .add_option("--distance", options.distance, "Contact distance, m (default: the smallest that will do)")
      ->check(positive())
      ->type_name("D");
  command.add_option("--mass", options.mass, "Average mass of the scene's stiff bodies, kg (default: 1)")
      ->check(positive())
      ->type_name("M");
  command
      .add_option("--points", options.points, "Contact points of an impact (default: 4, a box on its face)")
      ->check(positive())
      ->type_name("N");
  command.footer("Example:\n  bulwark restitution --speed 4 --step 0.001 --bounce 0.7 --mass 1000");
}

}  // namespace bulwark::app
