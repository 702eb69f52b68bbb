#include <bulwark/base/error.hpp>
#include <bulwark/base/packed_bytes.hpp>
#include <bulwark/output/viewing/frame_block.hpp>

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace bulwark {
namespace {

constexpr float most_steps = 32767;  // of 16 bits with a sign

/// The middle of every body's box: 3 floats each.
std::vector<float> middles(const BlockFrame& frame, const std::vector<int>& vertex_body,
                           std::size_t body_count) {
  constexpr float far = 1e30F;
  std::vector<float> low(3 * body_count, far), high(3 * body_count, -far), middle(3 * body_count, 0);
  for (std::size_t i = 0; i < frame.positions.size(); ++i) {
    const std::size_t slot = 3 * static_cast<std::size_t>(vertex_body[i / 3]) + i % 3;
    low[slot] = std::min(low[slot], frame.positions[i]);
    high[slot] = std::max(high[slot], frame.positions[i]);
  }
  for (std::size_t i = 0; i < middle.size(); ++i) {
    if (low[i] <= high[i]) middle[i] = low[i] / 2 + high[i] / 2;
  }
  return middle;
}

std::uint16_t zigzag(std::int16_t value) {
  return static_cast<std::uint16_t>(value << 1 ^ value >> 15);
}

std::uint8_t field_step(float value, float end, bool is_signed) {
  const float part = end > 0 ? std::clamp(value / end, is_signed ? -1.0F : 0.0F, 1.0F) : 0;
  const float root = std::copysign(std::sqrt(std::abs(part)), part);
  return static_cast<std::uint8_t>(is_signed ? 128 + std::lround(127 * root) : std::lround(255 * root));
}

class BlockPacker {
 public:
  BlockPacker(const std::vector<int>& vertex_body, std::size_t body_count)
      : vertex_body_(vertex_body), step_(body_count, 0), last_(3 * vertex_body.size(), 0) {}

  /// Steps that reach the farthest vertex of each body in any of the frames.
  void choose_steps(const std::vector<BlockFrame>& frames) {
    for (const BlockFrame& frame : frames) {
      middles_.push_back(middles(frame, vertex_body_, step_.size()));
      for (std::size_t i = 0; i < frame.positions.size(); ++i) {
        const int body = vertex_body_[i / 3];
        const float distance = std::abs(frame.positions[i] - middles_.back()[std::size_t{3} * body + i % 3]);
        step_[body] = std::max(step_[body], distance / most_steps);
      }
    }
    append_array(bytes, step_);
  }

  void add_positions(const BlockFrame& frame, std::size_t number) {
    const std::vector<float>& middle = middles_[number];
    append_array(bytes, middle);
    const std::size_t count = vertex_body_.size();
    std::string low(count, '\0'), high(count, '\0');
    for (std::size_t axis = 0; axis < 3; ++axis) {
      int before = 0;
      for (std::size_t v = 0; v < count; ++v) {
        const std::size_t i = 3 * v + axis;
        const int body = vertex_body_[v];
        const float steps =
            step_[body] > 0 ? (frame.positions[i] - middle[std::size_t{3} * body + axis]) / step_[body] : 0;
        const int now = static_cast<int>(std::lround(std::clamp(steps, -most_steps, most_steps)));
        const int expected = number == 0 ? before : last_[i];
        const std::uint16_t difference = zigzag(static_cast<std::int16_t>(now - expected));
        low[v] = static_cast<char>(difference & 255);
        high[v] = static_cast<char>(difference >> 8);
        before = last_[i] = now;
      }
      bytes += low + high;
    }
  }

  void add_floats(const std::vector<float>& floats) {
    append_number(bytes, static_cast<std::uint32_t>(floats.size()));
    append_array(bytes, floats);
  }

  std::string bytes;

 private:
  const std::vector<int>& vertex_body_;
  std::vector<float> step_;                  ///< by body, m
  std::vector<std::vector<float>> middles_;  ///< by frame
  std::vector<int> last_;                    ///< positions of the frame before, in steps
};

}  // namespace

std::string pack_block(const std::vector<BlockFrame>& frames, const std::vector<int>& vertex_body,
                       std::size_t body_count) {
  BlockPacker packer(vertex_body, body_count);
  packer.choose_steps(frames);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    packer.add_positions(frames[i], i);
    packer.add_floats(frames[i].bodies);
    packer.add_floats(frames[i].contacts);
    packer.add_floats(frames[i].joints);
  }
  return deflated(packer.bytes);
}

std::string pack_field(const std::vector<BlockFrame>& frames, std::size_t field, float end, bool is_signed) {
  std::string bytes;
  std::vector<std::uint8_t> last;
  for (const BlockFrame& frame : frames) {
    const bool first = last.empty();
    const std::size_t count = frame.positions.size() / 3;
    const std::vector<float>& values = frame.fields[field];
    last.resize(count, 0);
    std::uint8_t before = 0;
    for (std::size_t v = 0; v < count; ++v) {
      const std::uint8_t now = field_step(v < values.size() ? values[v] : 0, end, is_signed);
      bytes += static_cast<char>(now - (first ? before : last[v]));
      before = last[v] = now;
    }
  }
  return deflated(bytes);
}

std::string deflated(const std::string& bytes) {
  uLongf length = compressBound(bytes.size());
  std::string result(length, '\0');
  if (compress2(reinterpret_cast<Bytef*>(result.data()), &length,
                reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), Z_DEFAULT_COMPRESSION) != Z_OK) {
    throw OutputError("cannot compress the run's frames: out of memory");
  }
  result.resize(length);
  return result;
}

}  // namespace bulwark
