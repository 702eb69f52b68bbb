// A run folder as a viewer asks for it: what there is, the surface once, then frames, bodies, contacts and
// joints by step. The run may still be going, and frames of it may be damaged: asking for those fails, asking
// for the others does not. No link is followed out of the folder. All of it may be called from several
// threads at once.
#pragma once

#include <bulwark/output/frame_list.hpp>
#include <bulwark/output/reading/run_summary.hpp>
#include <bulwark/output/reading/table_by_step.hpp>
#include <bulwark/output/viewing/viewed_frame.hpp>
#include <bulwark/output/viewing/viewed_joints.hpp>
#include <bulwark/output/viewing/viewed_tables.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace bulwark {

/// The bodies of a run, in the order in which they were seen first: they may come and go.
struct BodiesOfRun {
  std::vector<std::string> names;
  std::vector<CollisionBody> bodies;
  BodyIndex index;
};

/// A surface whose bodies are numbered as those of the run.
struct SurfaceOfBodies {
  ViewedSurface surface;
  std::vector<CollisionBody> bodies;  ///< of the run, all that its numbers can mean
};

/// A field as the page reads it: name, title, group, unit, and whether it is signed.
nlohmann::ordered_json field_json(ViewedField field);

class ViewedRun {
 public:
  /// Throws InputError when the folder holds no frames.
  explicit ViewedRun(std::filesystem::path folder);

  /// The finished frames so far.
  std::vector<FrameEntry> frames();

  /// What the run is, as JSON: title and state; steps and times of the frames from the one numbered `from`
  /// on; and when that is 0, bodies, joints, fields, bounds, the way up and the scene's camera.
  std::string description(std::size_t from);
  /// The same for some frames only.
  std::string description(const std::vector<FrameEntry>& frames, std::size_t from);

  /// Throws InputError when no frame with that topology was seen.
  std::shared_ptr<const SurfaceOfBodies> surface(std::uint64_t topology);
  std::shared_ptr<const SurfaceOfBodies> surface_of(const FrameArrays& frame,
                                                    const std::filesystem::path& path);

  FrameArrays arrays_of(const FrameEntry& entry) const;

  /// Packed as pack_frame does. Throws InputError when there is no frame of that step.
  std::string packed_frame(std::int64_t step, std::optional<ViewedField> field);

  std::vector<float> bodies_at(std::int64_t step);
  std::vector<float> contacts_at(std::int64_t step);
  /// As JointsOfRun lists them. Throws InputError when there is no frame of that step.
  std::vector<float> joints_at(std::int64_t step);
  /// steps.csv from that byte on.
  std::string steps_from(std::uint64_t begin) { return steps_.lines_from(begin); }

  /// Where the field's colour scale should end for the whole run, by a sample of its frames.
  float scale_end_of(ViewedField field);
  float scale_end_of(ViewedField field, const std::vector<FrameEntry>& frames);

 private:
  std::filesystem::path frame_path(std::int64_t step) const;
  /// A frame that could be read.
  struct ReadFrame {
    std::unique_ptr<FrameArrays> arrays;
    std::shared_ptr<const SurfaceOfBodies> surface;
    std::string bounds;  ///< around its moving bodies, as JSON
  };
  template <class Entry>
  ReadFrame first_readable(Entry entry, Entry end);
  std::optional<double> time_of(const FrameEntry& frame);
  BodyIndex body_index();
  void read_times();
  std::string describe_whole(const std::vector<FrameEntry>& frames, const RunSummary& summary);

  std::filesystem::path folder_;
  TableByStep steps_, bodies_, wrenches_, contacts_;

  std::mutex surfaces_mutex_;
  std::map<std::uint64_t, std::shared_ptr<const SurfaceOfBodies>> surfaces_;
  BodiesOfRun all_bodies_;  ///< seen so far, of the run that is described now
  JointsOfRun all_joints_;  ///< the same
  std::string described_;   ///< that run's identity
  std::map<std::uint64_t, std::filesystem::path> frame_with_;  ///< a frame of each topology seen

  std::mutex whole_mutex_;
  std::string whole_key_, whole_;  ///< the last result of describe_whole, and what it was for

  std::mutex times_mutex_;
  std::map<std::int64_t, double> times_;
  std::uint64_t times_read_ = 0;  ///< bytes of steps.csv that times_ knows
};

}  // namespace bulwark
