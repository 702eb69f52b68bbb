// Checkpoints: the whole state of a run in one binary file, from which `--resume` continues bit by bit.
//
//   "BULWARKC"  version (u32)  fingerprint (u64)  state  lengths of the CSV files  totals  checksum (u64)
//
// Little-endian; arrays are their number of columns (u64) and their doubles. The checksum covers all before
// it. The last but one checkpoint is kept beside the last, and steps in when that is damaged.
#pragma once

#include <bulwark/output/writing/run_totals.hpp>
#include <bulwark/sim/world.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace bulwark {

struct Checkpoint {
  std::uint64_t fingerprint = 0;  ///< of the scene, see scene_fingerprint
  State state;
  std::map<std::string, std::uint64_t> file_lengths;  ///< bytes of each CSV file when this state was reached
  RunTotals totals;
};

/// A number that differs for scenes that move differently: made from the resolved scene, without what changes
/// no motion (output, threads, the number of steps, the title), and from the meshes themselves.
std::uint64_t scene_fingerprint(const std::string& resolved_scene, const World& world);

std::string encode_checkpoint(const Checkpoint& checkpoint);

/// Throws InputError, naming `place`, when the bytes are no checkpoint, or a damaged one.
Checkpoint decode_checkpoint(const std::string& bytes, const std::string& place);

/// Replaces the checkpoint in a run folder; the one before it becomes checkpoint.prev.bwk.
void write_checkpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint);

bool has_checkpoint(const std::filesystem::path& folder);

/// The newest good checkpoint of a run folder: whole, of this scene, and with a state that fits its world.
/// Throws InputError, with a remedy, when there is none.
Checkpoint read_checkpoint(const std::filesystem::path& folder, std::uint64_t fingerprint,
                           const World& world);

}  // namespace bulwark
