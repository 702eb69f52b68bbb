// Checkpoints, with a checksum that is always right: damage has to be found by sizes, ranges and finite
// numbers. What was read must survive being written again, and is compared with a world.
#include <bulwark/base/error.hpp>
#include <bulwark/base/hash.hpp>
#include <bulwark/output/writing/checkpoint.hpp>
#include <bulwark/sim/state_check.hpp>

#include <fuzz/feeds.hpp>

#include <cstdlib>
#include <string>

namespace bulwark::fuzz {

void feed_checkpoint(std::string_view bytes) {
  std::string file(bytes);
  Hash hash;
  hash.add(bytes.data(), bytes.size());
  const std::uint64_t sum = hash.value();
  file.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  try {
    const Checkpoint checkpoint = decode_checkpoint(file, "fuzz");
    if (decode_checkpoint(encode_checkpoint(checkpoint), "fuzz").state.position != checkpoint.state.position)
      std::abort();
    World world;
    world.rest = Vectors::Zero(3, checkpoint.state.position.cols());
    require_state_fits(checkpoint.state, world, "fuzz");
  } catch (const InputError&) {
  }
}

}  // namespace bulwark::fuzz
