// summary.json, as the commands that look at finished runs read it.
#include <bulwark/output/drawing/camera.hpp>
#include <bulwark/output/reading/run_summary.hpp>

#include <fuzz/feeds.hpp>

#include <cstdlib>

namespace bulwark::fuzz {

void feed_summary(std::string_view bytes) {
  const RunSummary summary = run_summary_from_text(bytes);
  const Vector3 up = up_direction(summary);
  if (!(std::abs(up.norm() - 1) < 1e-6)) std::abort();
  if (!summary.camera) return;
  const CameraSettings& seen = *summary.camera;
  const Camera camera = look_at(seen.position, seen.target, seen.field_of_view_degrees, up);
  if (!camera.see(Vector3::Zero()).allFinite()) std::abort();
}

}  // namespace bulwark::fuzz
