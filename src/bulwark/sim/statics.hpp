// What steps of the integrator "static" have in place of time. A static step ends in equilibrium: its time is
// that of loads and scripts alone, and whatever needs a time of motion has `static_time`. So a speed stands for
// a length: a contact sticks while it slips less than its static speed times static_time.
#pragma once

#include <bulwark/sim/settings.hpp>
#include <bulwark/sim/world.hpp>

namespace bulwark {

/// The default step of motion (s): contacts and joints are as stiff as they are there.
inline constexpr double static_time = 0.01;
/// Static solves are this much finer than those of motion, whose errors do not stay: with the default
/// `solver.tolerance` the last Newton step is below 1e-6 of a body's size.
inline constexpr double static_tolerance = 1e-2;

inline bool is_static(const Settings& settings) {
  return settings.time.integrator == "static";
}

/// The part of constant loads (gravity, forces, tractions, torques) that acts at a time: they grow linearly
/// from zero over `time.ramp`. 1 in motion.
double load_factor(const Settings& settings, double time);

/// Takes the velocities that bodies start with, and says so. Refuses what require_no_speeds does.
void begin_statics(World& world);
/// Throws InputError where a motor has a speed.
void require_no_speeds(const World& world);

}  // namespace bulwark
