// A picture of a frame without a screen or a graphics card: z-buffer, flat shading, shadows from one light.
#pragma once

#include <bulwark/output/camera.hpp>
#include <bulwark/output/frame.hpp>
#include <bulwark/output/png.hpp>

namespace bulwark {

/// A camera that fits the moving bodies of a frame (all of it when nothing moves).
Camera camera_for(const Frame& frame, double aspect);

/// Moving bodies in colours, obstacles in grey; an obstacle in front of a moving body is drawn see-through.
Picture draw_frame(const Frame& frame, const Camera& camera, int width, int height);

}  // namespace bulwark
