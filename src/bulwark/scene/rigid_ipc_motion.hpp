// The script of a kinematic body of a rigid-ipc file, as the `motion` of an obstacle.
#pragma once

#include <bulwark/scene/rigid_ipc_body.hpp>

namespace bulwark {

/// The motion of a body whose center of mass starts at `center`; null where it stands still. Poses last one
/// time step each, then the velocities take over, until `kinematic_max_time`. A motion of constant velocities
/// without end becomes {linear, angular_degrees, pivot}, any other a list of keyframes up to `duration`.
Json rigid_ipc_motion(const RigidIpcBody& body, const Vector3& center, double step, double duration);

}  // namespace bulwark
