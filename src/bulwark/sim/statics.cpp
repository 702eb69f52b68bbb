#include <bulwark/base/error.hpp>
#include <bulwark/base/log.hpp>
#include <bulwark/sim/joint_steering.hpp>
#include <bulwark/sim/statics.hpp>

#include <fmt/format.h>

namespace bulwark {

double load_factor(const Settings& settings, double time) {
  if (!is_static(settings)) return 1;
  const double over = settings.time.ramp.value_or(settings.time.steps * settings.time.step);
  // By rounding, the last step may end just before the ramp does.
  constexpr double nearly = 1 - 1e-12;
  return time < nearly * over ? time / over : 1;
}

void begin_statics(World& world) {
  require_no_speeds(world);
  for (const Body& body : world.bodies) {
    auto velocity = world.state.velocity.middleCols(body.first_control, body.control_count);
    if (velocity.isZero(0)) continue;
    log_warning("'{}' has a velocity at the start, which statics ignores", body.name);
    velocity.setZero();
  }
}

void require_no_speeds(const World& world) {
  for (std::size_t d = 0; d < world.joint_drives.size(); ++d) {
    bool chosen = false;
    if (acting_drive(world, static_cast<int>(d), chosen).law != JointDrive::Law::speed) continue;
    throw InputError(fmt::format("joint '{}'", world.joints[world.joint_drives[d].joint].name),
                     "a motor with a speed has no equilibrium", "give its `angle` or `position` over time");
  }
}

}  // namespace bulwark
