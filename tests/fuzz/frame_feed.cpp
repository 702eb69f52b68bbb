// Frames, read whole and by single arrays, and all that the commands make of them: the exact check, the
// viewer's surface, pictures, and files in other formats.
#include <bulwark/base/error.hpp>
#include <bulwark/collision/exact_intersection.hpp>
#include <bulwark/output/drawing/picture.hpp>
#include <bulwark/output/reading/frame_arrays.hpp>
#include <bulwark/output/reading/frame_reader.hpp>
#include <bulwark/output/viewing/viewed_frame.hpp>
#include <bulwark/output/viewing/viewed_joints.hpp>
#include <bulwark/output/writing/frame_writer.hpp>
#include <bulwark/output/writing/surface_files.hpp>

#include <fuzz/feeds.hpp>

namespace bulwark::fuzz {
namespace {

/// A frame that claims more can be right, but takes too long for a try.
constexpr Eigen::Index most_points = 2000;
constexpr std::size_t most_cells = 2000;

void use(const Frame& frame) {
  const std::size_t cells =
      frame.tetrahedra.size() + frame.triangles.size() + frame.segments.size() + frame.vertices.size();
  if (frame.position.cols() > most_points || cells > most_cells) return;
  const CollisionMesh mesh = collision_surface(frame);
  for (const Intersection& found : find_intersections(mesh, frame.position, 10)) {
    describe(mesh, frame.position, found, frame.body_names);
  }
  const ViewedSurface surface = viewed_surface(frame);
  pack_surface(surface, frame.bodies.size());
  // Pictures take a hundred times as long as all the rest.
  constexpr std::int64_t drawn_every = 16;
  if (frame.step % drawn_every == 0) {
    PictureStyle style;
    style.width = 24;
    style.height = 16;
    style.mesh_edges = true;
    draw_frame(frame, surface, fit_camera(moving_points(frame), 1.5), style);
  }
  frame_to_obj(frame);
  frame_to_ply(frame);
  frame_to_stl(frame);
  frame_to_legacy_vtk(frame);
  frame_to_vtu(frame);
}

void use(const FrameArrays& arrays, const ViewedSurface* surface) {
  arrays.time();
  JointsOfRun().list(arrays);
  if (surface == nullptr) return;
  vertex_positions(arrays, *surface);
  for (const ViewedField field : viewed_fields) scale_end(field, vertex_field(arrays, *surface, field));
}

}  // namespace

void feed_frame(std::string_view bytes) {
  std::optional<ViewedSurface> surface;
  try {
    const Frame frame = frame_from_vtu(bytes, "fuzz");
    use(frame);
    surface = viewed_surface(frame);
  } catch (const InputError&) {
  }
  try {
    use(FrameArrays(std::string(bytes), "fuzz"), surface ? &*surface : nullptr);
  } catch (const InputError&) {
  }
}

}  // namespace bulwark::fuzz
