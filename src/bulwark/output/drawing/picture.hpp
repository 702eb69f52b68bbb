// A picture of a frame without a screen or a graphics card: z-buffer, smooth shading, soft shadows.
#pragma once

#include <bulwark/output/drawing/camera.hpp>
#include <bulwark/output/drawing/png.hpp>
#include <bulwark/output/frame.hpp>
#include <bulwark/output/viewing/viewed_frame.hpp>
#include <bulwark/output/viewing/viewed_surface.hpp>

#include <optional>
#include <vector>

namespace bulwark {

struct PictureStyle {
  int width = 1280, height = 720;
  Vector3 up = Vector3::UnitY();          ///< where the sky is
  std::optional<ViewedField> field = {};  ///< colours moving bodies by this; empty: each has its own colour
  double field_end = 1;                   ///< the value that gets the scale's last colour
  bool mesh_edges = false;                ///< draw the edges of the mesh as thin lines
};

/// The points of all moving bodies (of everything when nothing moves): what a camera should fit.
Vectors moving_points(const Frame& frame);

/// Moving bodies in colours, obstacles in grey; an obstacle in front of a moving body is drawn see-through.
/// Wires are drawn as thin tubes. `surface` must be of a frame with the same cells; corners that are smooth
/// there are shaded smoothly. The same picture comes from any number of threads.
Picture draw_frame(const Frame& frame, const ViewedSurface& surface, const Camera& camera,
                   const PictureStyle& style);
Picture draw_frame(const Frame& frame, const Camera& camera, const PictureStyle& style);

}  // namespace bulwark
