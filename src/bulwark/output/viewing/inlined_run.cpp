#include <bulwark/base/base64.hpp>
#include <bulwark/base/error.hpp>
#include <bulwark/base/log.hpp>
#include <bulwark/output/viewing/frame_block.hpp>
#include <bulwark/output/viewing/inlined_run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

namespace bulwark {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t frames_per_block = 16;

std::string text_of(const std::string& bytes) {
  return to_base64(deflated(bytes));
}

/// A frame that can't be read: the page does without it.
struct DamagedFrame {
  std::int64_t step;
  std::string message;
};

class RunInliner {
 public:
  explicit RunInliner(ViewedRun& run) : run_(run), all_(run.frames()) {}

  void leave_out(std::int64_t step) {
    std::erase_if(all_, [&](const FrameEntry& entry) { return entry.step == step; });
  }

  /// The fields that the last frame has.
  void choose_fields() {
    fields_.clear();
    field_ends_.clear();
    reading(all_.back(), [&] {
      const FrameArrays last = run_.arrays_of(all_.back());
      for (const ViewedField field : viewed_fields) {
        if (has_field(last, field)) fields_.push_back(field);
      }
    });
    for (const ViewedField field : fields_) field_ends_.push_back(run_.scale_end_of(field, all_));
  }

  std::size_t frame_count() const { return all_.size(); }

  std::vector<FrameEntry> every(std::size_t stride) const {
    std::vector<FrameEntry> chosen;
    for (std::size_t i = 0; i < all_.size(); i += stride) chosen.push_back(all_[i]);
    if (chosen.back().step != all_.back().step) chosen.push_back(all_.back());
    return chosen;
  }

  /// The size that blocks of all these frames would have, by the size of the one in the middle.
  double estimated_size(const std::vector<FrameEntry>& frames) {
    const std::size_t count = std::min(frames.size(), frames_per_block);
    const std::size_t begin = (frames.size() - count) / 2;
    std::size_t size = 0, packed = 0;
    while (packed < count) {
      const Block block = next_block(frames, begin + packed, begin + count);
      size += block.json["data"].get_ref<const std::string&>().size();
      for (const Json& field : block.json["fields"]) size += field.get_ref<const std::string&>().size();
      packed += block.frames;
    }
    return static_cast<double>(size) * static_cast<double>(frames.size()) / static_cast<double>(count);
  }

  std::string json(const std::vector<FrameEntry>& frames) {
    topologies_.clear();
    Json blocks = Json::array(), surfaces = Json::object();
    for (std::size_t begin = 0; begin < frames.size();) {
      Block block = next_block(frames, begin, std::min(frames.size(), begin + frames_per_block));
      begin += block.frames;
      blocks.push_back(std::move(block.json));
    }
    for (const std::uint64_t topology : topologies_) {
      const auto surface = run_.surface(topology);
      surfaces[fmt::format("{:016x}", topology)] =
          text_of(pack_surface(surface->surface, surface->bodies.size()));
    }
    Json json = {{"run", Json::parse(run_.description(frames, 0))},
                 {"field_ends", field_ends_},
                 {"surfaces", std::move(surfaces)},
                 {"steps", text_of(run_.steps_from(0))},
                 {"blocks", std::move(blocks)}};
    Json fields = Json::array();
    for (const ViewedField field : fields_) fields.push_back(field_json(field));
    json["run"]["fields"] = std::move(fields);
    json["run"]["frames_of_run"] = all_.size();
    // No colleague needs a page that waits for a run on another machine.
    if (json["run"]["state"] == "running") json["run"]["state"] = "was running";
    const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    std::string escaped;
    escaped.reserve(text.size());
    for (const char c : text) c == '<' ? escaped += "\\u003c" : escaped += c;
    return escaped;
  }

 private:
  struct Block {
    Json json;
    std::size_t frames = 0;
  };

  template <class Read>
  static void reading(const FrameEntry& entry, Read&& read) {
    try {
      read();
    } catch (const InputError& error) {
      throw DamagedFrame{entry.step, error.what()};
    }
  }

  /// Packs frames [begin, end), or as many of them as have the same surface.
  Block next_block(const std::vector<FrameEntry>& frames, std::size_t begin, std::size_t end) {
    std::vector<BlockFrame> block;
    std::uint64_t topology = 0;
    std::shared_ptr<const SurfaceOfBodies> surface;
    bool same = true;
    for (std::size_t i = begin; i < end && same; ++i) {
      reading(frames[i], [&] {
        const FrameArrays frame = run_.arrays_of(frames[i]);
        same = !surface || frame.topology() == topology;
        if (!same) return;
        topology = frame.topology();
        surface = run_.surface_of(frame, frames[i].path);
        BlockFrame packed;
        packed.positions = vertex_positions(frame, surface->surface);
        for (const ViewedField field : fields_)
          packed.fields.push_back(vertex_field(frame, surface->surface, field));
        packed.bodies = run_.bodies_at(frames[i].step);
        packed.contacts = run_.contacts_at(frames[i].step);
        packed.joints = run_.joints_at(frames[i].step);
        block.push_back(std::move(packed));
      });
    }
    topologies_.insert(topology);
    Json fields = Json::array();
    for (std::size_t f = 0; f < fields_.size(); ++f)
      fields.push_back(to_base64(pack_field(block, f, field_ends_[f], described(fields_[f]).is_signed())));
    const std::string bytes = pack_block(block, surface->surface.vertex_body, surface->bodies.size());
    return {{{"first", begin},
             {"count", block.size()},
             {"topology", fmt::format("{:016x}", topology)},
             {"data", to_base64(bytes)},
             {"fields", std::move(fields)}},
            block.size()};
  }

  ViewedRun& run_;
  std::vector<FrameEntry> all_;
  std::vector<ViewedField> fields_;
  std::vector<float> field_ends_;
  std::set<std::uint64_t> topologies_;  ///< of the packed frames
};

InlinedRun inlined_within(RunInliner& inliner, std::size_t limit) {
  inliner.choose_fields();
  const std::size_t count = inliner.frame_count();
  const auto room = static_cast<double>(limit);
  std::size_t stride = 1;
  while (stride < count) {
    const double size = inliner.estimated_size(inliner.every(stride));
    if (size <= room) break;
    stride = std::max(stride + 1, static_cast<std::size_t>(static_cast<double>(stride) * size / room));
  }
  while (true) {
    const std::vector<FrameEntry> frames = inliner.every(stride);
    std::string json = inliner.json(frames);
    if (json.size() <= limit || stride >= count) return {std::move(json), frames.size(), count, stride};
    stride += std::max<std::size_t>(1, stride / 5);
  }
}

}  // namespace

InlinedRun inline_run(ViewedRun& run, std::size_t limit) {
  RunInliner inliner(run);
  while (true) {
    try {
      return inlined_within(inliner, limit);
    } catch (const DamagedFrame& damaged) {
      inliner.leave_out(damaged.step);
      if (inliner.frame_count() == 0) throw InputError(damaged.message);
      log_warning("{}\n  This frame is left out of the page.", damaged.message);
    }
  }
}

}  // namespace bulwark
