// Some successive frames, made small: for the page that carries a run within itself.
//
// A body's vertices are kept as 16-bit steps from the middle of the body, so that a body of 1 m has steps of
// 15 um wherever it is; fields are kept as 8-bit steps of their square root. Each number is stored as its
// difference to the frame before, then everything is deflated, each field by itself: the page unpacks what it shows.
#pragma once

#include <bulwark/output/viewing/viewed_surface.hpp>

#include <string>
#include <vector>

namespace bulwark {

struct BlockFrame {
  std::vector<float> positions;            ///< x, y, z of every vertex
  std::vector<std::vector<float>> fields;  ///< each with one value for every vertex, or empty
  std::vector<float> bodies;               ///< as body_states() makes them
  std::vector<float> contacts;             ///< as contact_list() makes them
  std::vector<float> joints;               ///< as JointsOfRun lists them
};

/// Bytes for the browser, deflated by zlib. B bodies, N vertices, little-endian:
///   B floats, the length of each body's step;
///   for every frame: 3 B floats, the middles of the bodies; for x, y and z the N low bytes and the N high
///   bytes of the differences (zigzag: 0, -1, 1, -2, ...); the count of the floats of `bodies` and the floats; the same
///   for `contacts` and `joints`.
/// Differences of the first frame are to the vertex before.
std::string pack_block(const std::vector<BlockFrame>& frames, const std::vector<int>& vertex_body,
                       std::size_t body_count);

/// The field of that number: for every frame N bytes of differences, deflated. Steps reach from 0 to 255, the value
/// `end`; of a signed field from 1, the value -end, over 128, which is zero, to 255.
std::string pack_field(const std::vector<BlockFrame>& frames, std::size_t field, float end, bool is_signed);

/// zlib's deflate.
std::string deflated(const std::string& bytes);

}  // namespace bulwark
