#include <bulwark/base/error.hpp>
#include <bulwark/base/parallel.hpp>
#include <bulwark/output/run_summary.hpp>
#include <bulwark/output/viewed_run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>

namespace bulwark {
namespace {

using Json = nlohmann::ordered_json;

/// Surfaces kept at once: more than one only when bodies were remeshed.
constexpr std::size_t most_surfaces = 4;

/// Frames that a colour scale is judged by.
constexpr std::size_t sampled_frames = 9;

Json read_summary(const std::filesystem::path& folder) {
  std::ifstream file(folder / "summary.json");
  Json summary = Json::parse(file, nullptr, false);
  return summary.is_object() ? summary : Json::object();
}

/// Changes when another run begins in the folder.
std::string identity_of(const FrameEntry& first) {
  std::error_code error;
  const auto written = std::filesystem::last_write_time(first.path, error);
  return fmt::format("{}-{}", first.step, written.time_since_epoch().count());
}

std::string kind_of(const std::string& name, bool obstacle, const Json& scene_bodies) {
  if (obstacle) return "obstacle";
  const std::string base = name.substr(0, name.find('['));  // copies are named name[i,j,k]
  for (const Json& body : scene_bodies) {
    if (body.is_object() && body.value("name", "") == base) return body.value("kind", "");
  }
  return "";
}

Json bodies_json(const BodiesOfRun& all, const Json& scene_bodies) {
  Json bodies = Json::array();
  for (std::size_t i = 0; i < all.bodies.size(); ++i) {
    const bool obstacle = all.bodies[i].obstacle;
    bodies.push_back({{"name", all.names[i]},
                      {"kind", kind_of(all.names[i], obstacle, scene_bodies)},
                      {"obstacle", obstacle}});
  }
  return bodies;
}

Json joints_json(const JointsOfRun& all) {
  Json joints = Json::array();
  for (const ViewedJoint& joint : all.all()) {
    joints.push_back({{"name", joint.name}, {"kind", joint.kind}, {"bodies", {joint.body_a, joint.body_b}}});
  }
  return joints;
}

Json vector_json(const Vector3& v) {
  return {v.x(), v.y(), v.z()};
}

/// Which way is up, and where the scene file looks from.
void add_view(Json& run, const RunSummary& summary) {
  run["up"] = vector_json(up_direction(summary));
  if (!summary.camera) return;
  run["camera"] = {{"position", vector_json(summary.camera->position)},
                   {"target", vector_json(summary.camera->target)},
                   {"field_of_view_degrees", summary.camera->field_of_view_degrees}};
}

/// Adds the bodies that are new to the run, and numbers those of the surface as the run does.
SurfaceOfBodies numbered(ViewedSurface surface, const Frame& frame, BodiesOfRun& all) {
  std::vector<int> number;
  for (std::size_t i = 0; i < frame.body_names.size(); ++i) {
    const auto [known, is_new] = all.index.emplace(frame.body_names[i], static_cast<int>(all.names.size()));
    if (is_new) {
      all.names.push_back(frame.body_names[i]);
      all.bodies.push_back(frame.bodies[i]);
    }
    number.push_back(known->second);
  }
  for (int& body : surface.vertex_body) body = number[body];
  for (FramePlane& plane : surface.planes) plane.body = number[plane.body];
  return {std::move(surface), all.bodies};
}

/// The box around the moving bodies, or around all when nothing moves: low and high corner.
Json bounds_json(const FrameArrays& frame, const SurfaceOfBodies& surface) {
  const std::vector<float> positions = vertex_positions(frame, surface.surface);
  const bool any_moving = std::any_of(surface.bodies.begin(), surface.bodies.end(),
                                      [](const CollisionBody& body) { return !body.obstacle; });
  Vector3 low = Vector3::Constant(1e30), high = -low;
  for (std::size_t v = 0; v < surface.surface.vertex_count(); ++v) {
    if (any_moving && surface.bodies[surface.surface.vertex_body[v]].obstacle) continue;
    const Vector3 place(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]);
    low = low.cwiseMin(place);
    high = high.cwiseMax(place);
  }
  if (!(low.array() <= high.array()).all()) low = high = Vector3::Zero();
  return {low.x(), low.y(), low.z(), high.x(), high.y(), high.z()};
}

Json fields_json(const FrameArrays& frame) {
  Json fields = Json::array();
  for (const ViewedField field : viewed_fields) {
    if (has_field(frame, field)) fields.push_back(field_name(field));
  }
  return fields;
}

}  // namespace

ViewedRun::ViewedRun(std::filesystem::path folder)
    : folder_(std::move(folder)),
      steps_(folder_ / "steps.csv"),
      bodies_(folder_ / "bodies.csv"),
      wrenches_(folder_ / "wrenches.csv"),
      contacts_(folder_ / "contacts.csv") {
  if (!std::filesystem::is_directory(folder_)) {
    throw InputError(folder_.string(), "there is no such run folder",
                     "give the folder that `bulwark run -o` wrote");
  }
  if (frames().empty()) {
    throw InputError(folder_.string(), "this folder holds no frames (frames/frame_*.vtu)",
                     "give the folder that `bulwark run -o` wrote");
  }
}

std::vector<FrameEntry> ViewedRun::frames() {
  return list_frames(folder_ / "frames");
}

std::filesystem::path ViewedRun::frame_path(std::int64_t step) const {
  return folder_ / "frames" / frame_file_name(step);
}

double ViewedRun::time_of(const FrameEntry& frame) {
  const std::lock_guard lock(times_mutex_);
  const auto known = times_.find(frame.step);
  if (known != times_.end()) return known->second;
  return times_[frame.step] = read_frame_time(frame.path);
}

/// steps.csv knows the times of all steps: thousands of files need not be opened.
void ViewedRun::read_times() {
  const std::lock_guard lock(times_mutex_);
  const std::string lines = steps_.lines_from(times_read_);
  times_read_ += lines.size();
  for (std::string_view rest = lines; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
    const char* const line = rest.data();
    std::int64_t step = 0;
    double time = 0;
    const auto first = std::from_chars(line, line + end, step);
    if (first.ec == std::errc() && *first.ptr == ',' &&
        std::from_chars(first.ptr + 1, line + end, time).ec == std::errc()) {
      times_.emplace(step, time);
    }
    rest.remove_prefix(end);
  }
}

std::string ViewedRun::description(std::size_t from) {
  return description(frames(), from);
}

std::string ViewedRun::description(const std::vector<FrameEntry>& frames, std::size_t from) {
  if (frames.empty()) throw InputError(folder_.string(), "the frames of this run are gone");
  read_times();
  const Json summary = read_summary(folder_);
  const Json scene = summary.value("scene", Json::object());
  const Json resolved = scene.value("resolved", Json());
  const Json scene_bodies =
      resolved.is_object() && resolved.contains("bodies") ? resolved["bodies"] : Json::array();
  Json run = {{"title", scene.value("title", "")},
              {"folder", std::filesystem::weakly_canonical(folder_).filename().string()},
              {"version", summary.value("version", "")},
              {"state", summary.value("state", "unknown")},
              {"message", summary.value("message", "")},
              {"identity", identity_of(frames.front())},
              {"from", from}};
  Json steps = Json::array(), times = Json::array();
  for (std::size_t i = from; i < frames.size(); ++i) {
    steps.push_back(frames[i].step);
    times.push_back(time_of(frames[i]));
  }
  run["steps"] = std::move(steps);
  run["times"] = std::move(times);
  if (from == 0) {
    const std::lock_guard lock(whole_mutex_);
    const std::string key = identity_of(frames.front()) + identity_of(frames.back());
    if (key != whole_key_) {
      whole_ = describe_whole(frames.front(), frames.back(), scene_bodies.dump());
      whole_key_ = key;
    }
    run.update(Json::parse(whole_));
    add_view(run, read_run_summary(folder_));
  }
  return run.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Bodies, joints, fields and bounds, as JSON.
std::string ViewedRun::describe_whole(const FrameEntry& first_entry, const FrameEntry& last_entry,
                                      const std::string& scene_bodies) {
  {
    const std::lock_guard lock(surfaces_mutex_);
    const std::string identity = identity_of(first_entry);
    if (!described_.empty() && identity != described_) {
      all_bodies_ = {};
      all_joints_ = {};
      surfaces_.clear();
    }
    described_ = identity;
  }
  const FrameArrays first(first_entry.path), last(last_entry.path);
  const auto surface = surface_of(first, first_entry.path), last_surface = surface_of(last, last_entry.path);
  Json bodies, joints;
  {
    const std::lock_guard lock(surfaces_mutex_);
    bodies = bodies_json(all_bodies_, Json::parse(scene_bodies));
    all_joints_.list(first);
    all_joints_.list(last);
    joints = joints_json(all_joints_);
  }
  const Json whole = {
      {"bodies", bodies},
      {"joints", joints},
      {"triangles", surface->surface.triangles.size()},
      {"fields", fields_json(last)},
      {"bounds", {{"first", bounds_json(first, *surface)}, {"last", bounds_json(last, *last_surface)}}}};
  return whole.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::shared_ptr<const SurfaceOfBodies> ViewedRun::surface_of(const FrameArrays& frame,
                                                             const std::filesystem::path& path) {
  const std::lock_guard lock(surfaces_mutex_);
  frame_with_.emplace(frame.topology(), path);
  const auto known = surfaces_.find(frame.topology());
  if (known != surfaces_.end()) return known->second;
  if (surfaces_.size() >= most_surfaces) surfaces_.erase(surfaces_.begin());
  const Frame whole = read_frame(path);
  return surfaces_[frame.topology()] =
             std::make_shared<SurfaceOfBodies>(numbered(viewed_surface(whole), whole, all_bodies_));
}

std::shared_ptr<const SurfaceOfBodies> ViewedRun::surface(std::uint64_t topology) {
  std::filesystem::path path;
  {
    const std::lock_guard lock(surfaces_mutex_);
    const auto known = frame_with_.find(topology);
    if (known == frame_with_.end()) throw InputError("no frame of this run was seen with that surface");
    path = known->second;
  }
  return surface_of(FrameArrays(path), path);
}

/// The run's bodies; those of its first frame at least.
BodyIndex ViewedRun::body_index() {
  {
    const std::lock_guard lock(surfaces_mutex_);
    if (!all_bodies_.index.empty()) return all_bodies_.index;
  }
  const std::vector<FrameEntry> all = frames();
  if (all.empty()) throw InputError(folder_.string(), "the frames of this run are gone");
  surface_of(FrameArrays(all.front().path), all.front().path);
  const std::lock_guard lock(surfaces_mutex_);
  return all_bodies_.index;
}

std::string ViewedRun::packed_frame(std::int64_t step, std::optional<ViewedField> field) {
  const std::filesystem::path path = frame_path(step);
  const FrameArrays frame(path);
  const auto surface = surface_of(frame, path);
  return pack_frame(frame.topology(), frame.time(), vertex_positions(frame, surface->surface),
                    field ? vertex_field(frame, surface->surface, *field) : std::vector<float>());
}

std::vector<float> ViewedRun::bodies_at(std::int64_t step) {
  return body_states(bodies_.rows(step), wrenches_.rows(step), body_index());
}

std::vector<float> ViewedRun::contacts_at(std::int64_t step) {
  return contact_list(contacts_.rows(step), body_index());
}

std::vector<float> ViewedRun::joints_at(std::int64_t step) {
  const FrameArrays frame(frame_path(step));
  const std::lock_guard lock(surfaces_mutex_);
  return all_joints_.list(frame);
}

float ViewedRun::scale_end_of(ViewedField field) {
  return scale_end_of(field, frames());
}

float ViewedRun::scale_end_of(ViewedField field, const std::vector<FrameEntry>& frames) {
  const std::size_t count = std::min(frames.size(), sampled_frames);
  std::vector<float> ends(count, 0);
  parallel_chunks(count, 1, [&](std::size_t i, std::size_t, std::size_t) {
    // Evenly spread, the last one among them.
    const FrameEntry& entry = frames[(i + 1) * frames.size() / count - 1];
    const FrameArrays frame(entry.path);
    ends[i] = scale_end(field, vertex_field(frame, surface_of(frame, entry.path)->surface, field));
  });
  return ends.empty() ? 0 : *std::max_element(ends.begin(), ends.end());
}

}  // namespace bulwark
