// Rows of a run's CSV files as numbers for the viewer: the state of every body, and the contacts of a frame.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bulwark {

using BodyIndex = std::map<std::string, int, std::less<>>;

inline constexpr int body_state_size = 19;

/// For each body 19 floats: center, quaternion (w, x, y, z), velocity, angular velocity, contact force,
/// contact torque, as bodies.csv and the rows `contact` of wrenches.csv tell them. What they do not tell is
/// not a number.
std::vector<float> body_states(std::string_view bodies_rows, std::string_view wrenches_rows,
                               const BodyIndex& index);

/// For each contact 12 floats: the two bodies, the place, the normal force and the friction force on the
/// first body, the distance. Rows that name unknown bodies are left out.
std::vector<float> contact_list(std::string_view contacts_rows, const BodyIndex& index);

}  // namespace bulwark
