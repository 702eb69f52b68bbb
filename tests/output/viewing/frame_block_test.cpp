#include <bulwark/base/base64.hpp>
#include <bulwark/output/viewing/frame_block.hpp>

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace bulwark {
namespace {

/// Reads a block back, written from the description in frame_block.hpp.
class BlockReader {
 public:
  BlockReader(const std::string& packed, std::size_t size) : bytes_(size, '\0') {
    uLongf length = size;
    EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(bytes_.data()), &length,
                         reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
              Z_OK);
    EXPECT_EQ(length, size);
  }
  std::vector<float> floats(std::size_t count) {
    std::vector<float> result(count);
    std::memcpy(result.data(), bytes_.data() + at_, 4 * count);
    at_ += 4 * count;
    return result;
  }
  std::uint32_t number() {
    std::uint32_t result = 0;
    std::memcpy(&result, bytes_.data() + at_, 4);
    at_ += 4;
    return result;
  }
  std::uint8_t byte(std::size_t offset) const { return static_cast<std::uint8_t>(bytes_[at_ + offset]); }
  void skip(std::size_t count) { at_ += count; }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

TEST(FrameBlock, ReadsBackWithinHalfAStep) {
  constexpr std::size_t vertices = 40, bodies = 3, frames = 5;  // the third body has no vertices
  std::vector<int> vertex_body(vertices);
  for (std::size_t v = 0; v < vertices; ++v) vertex_body[v] = v < 25 ? 0 : 1;
  std::vector<BlockFrame> block(frames);
  for (std::size_t f = 0; f < frames; ++f) {
    for (std::size_t v = 0; v < vertices; ++v) {
      const double phase = 0.3 * static_cast<double>(v) + 2.0 * static_cast<double>(f);
      const double far = v < 25 ? 100.0 * static_cast<double>(f) : 0;  // travels, but keeps its precision
      for (int k = 0; k < 3; ++k) block[f].positions.push_back(static_cast<float>(far + std::sin(phase + k)));
    }
    block[f].bodies = {1, 2};
    block[f].contacts = {static_cast<float>(f)};
    block[f].joints = {3};
  }
  const std::string packed = pack_block(block, vertex_body, bodies);

  const std::size_t per_frame = 12 * bodies + 6 * vertices + (4 + 8) + (4 + 4) + (4 + 4);
  BlockReader reader(packed, 4 * bodies + frames * per_frame);
  const std::vector<float> step = reader.floats(bodies);
  EXPECT_LT(step[0], 4e-5);
  std::vector<int> now(3 * vertices, 0);
  for (std::size_t f = 0; f < frames; ++f) {
    const std::vector<float> middle = reader.floats(3 * bodies);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      int before = 0;
      for (std::size_t v = 0; v < vertices; ++v) {
        const int zigzag = reader.byte(v) | reader.byte(vertices + v) << 8;
        const int difference = zigzag >> 1 ^ -(zigzag & 1);
        int& value = now[3 * v + axis];
        value = static_cast<std::int16_t>((f == 0 ? before : value) + difference);
        before = value;
        const int body = vertex_body[v];
        const float place = middle[3 * body + axis] + static_cast<float>(value) * step[body];
        EXPECT_NEAR(place, block[f].positions[3 * v + axis], 0.51 * step[body] + 3e-5);
      }
      reader.skip(2 * vertices);
    }
    EXPECT_EQ(reader.number(), 2u);
    EXPECT_EQ(reader.floats(2), block[f].bodies);
    EXPECT_EQ(reader.number(), 1u);
    EXPECT_EQ(reader.floats(1), block[f].contacts);
    EXPECT_EQ(reader.number(), 1u);
    EXPECT_EQ(reader.floats(1), block[f].joints);
  }
  EXPECT_TRUE(reader.at_end());
}

TEST(FrameBlock, FieldsReadBackWithinAStepOfTheirRoot) {
  constexpr std::size_t vertices = 40, frames = 5;
  const auto value = [](std::size_t v, std::size_t f) {
    return static_cast<float>(4 * std::sin(0.4 * static_cast<double>(v) + 1.1 * static_cast<double>(f)));
  };
  std::vector<BlockFrame> block(frames);
  for (std::size_t f = 0; f < frames; ++f) {
    block[f].positions.assign(3 * vertices, 0);
    block[f].fields.resize(3);  // the first one is missing: it is zero
    for (std::size_t v = 0; v < vertices; ++v) {
      block[f].fields[1].push_back(std::abs(value(v, f)));
      block[f].fields[2].push_back(value(v, f));
    }
  }
  for (std::size_t which = 0; which < 3; ++which) {
    const bool is_signed = which == 2;
    BlockReader reader(pack_field(block, which, 4, is_signed), frames * vertices);
    std::vector<std::uint8_t> step(vertices, 0);
    for (std::size_t f = 0; f < frames; ++f) {
      std::uint8_t before = 0;
      for (std::size_t v = 0; v < vertices; ++v) {
        step[v] = static_cast<std::uint8_t>((f == 0 ? before : step[v]) + reader.byte(v));
        before = step[v];
        const double root = is_signed ? (step[v] - 128) / 127.0 : step[v] / 255.0;
        const double wanted = which == 0 ? 0 : is_signed ? value(v, f) : std::abs(value(v, f));
        EXPECT_NEAR(4 * std::copysign(root * root, root), wanted, 0.04);
      }
      reader.skip(vertices);
    }
    EXPECT_TRUE(reader.at_end());
  }
  // Beyond its ends, not a number, or without a scale: the ends, or zero.
  block.resize(1);
  constexpr float infinite = std::numeric_limits<float>::infinity();
  block[0].fields[2] = {100, -100, infinite, -infinite};
  BlockReader beyond(pack_field(block, 2, 4, true), vertices);
  EXPECT_EQ(beyond.byte(0), 255);
  EXPECT_EQ(static_cast<std::uint8_t>(beyond.byte(0) + beyond.byte(1)), 1);
  BlockReader flat(pack_field(block, 2, 0, true), vertices);
  EXPECT_EQ(flat.byte(0), 128);
}

TEST(Base64, AgreesWithItsStandard) {
  // Test vectors of RFC 4648.
  EXPECT_EQ(to_base64(""), "");
  EXPECT_EQ(to_base64("f"), "Zg==");
  EXPECT_EQ(to_base64("fo"), "Zm8=");
  EXPECT_EQ(to_base64("foo"), "Zm9v");
  EXPECT_EQ(to_base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(to_base64("\xff\xfe\xfd"), "//79");
}

}  // namespace
}  // namespace bulwark
