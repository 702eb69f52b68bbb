#include <bulwark/base/error.hpp>
#include <bulwark/base/log.hpp>
#include <bulwark/output/writing/checkpoint.hpp>

#include <gtest/gtest.h>
#include <output/temporary_folder.hpp>

namespace bulwark {
namespace {

Checkpoint example(std::int64_t step) {
  Checkpoint checkpoint;
  checkpoint.fingerprint = 42;
  State& state = checkpoint.state;
  state.step = step;
  state.time = 0.1 * static_cast<double>(step);
  state.position = Vectors::Random(3, 7);
  state.velocity = Vectors::Random(3, 7);
  state.acceleration = Vectors::Random(3, 7);
  state.previous_position = Vectors::Random(3, 7);
  state.previous_velocity = Vectors::Random(3, 7);
  state.steered = {{"elbow", DriveLaw::position, 0.8, std::nullopt, 1e3},
                   {"motor", std::nullopt, 0, 5, std::nullopt}};
  checkpoint.file_lengths = {{"bodies.csv", 1234}, {"steps.csv", 99}};
  checkpoint.totals.iterations = 17;
  checkpoint.totals.profile[Phase::ccd] = 0.25;
  return checkpoint;
}

World world_of_example() {
  World world;
  world.rest = Vectors::Zero(3, 7);
  return world;
}

std::string error_of(const std::string& bytes) {
  try {
    decode_checkpoint(bytes, "file");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Checkpoint, ReadsBackBitByBit) {
  Checkpoint written = example(5);
  written.state.contact = {{{4, 4.0 / 3}, {7, 2}}, {{1, 4, 1e-5}}};
  written.state.contact_history = {{ContactModelKind::hydroelastic, 1, 4, {0.5, -1e-9}},
                                   {ContactModelKind::patch_penalty, 0, 2, {}}};
  const Checkpoint read = decode_checkpoint(encode_checkpoint(written), "file");
  EXPECT_EQ(read.fingerprint, written.fingerprint);
  EXPECT_EQ(read.state.step, 5);
  EXPECT_EQ(read.state.time, written.state.time);
  EXPECT_EQ(read.state.position, written.state.position);
  EXPECT_EQ(read.state.velocity, written.state.velocity);
  EXPECT_EQ(read.state.acceleration, written.state.acceleration);
  EXPECT_EQ(read.state.previous_position, written.state.previous_position);
  EXPECT_EQ(read.state.previous_velocity, written.state.previous_velocity);
  EXPECT_EQ(read.state.contact, written.state.contact);
  EXPECT_EQ(read.state.contact_history, written.state.contact_history);
  EXPECT_EQ(read.state.steered, written.state.steered);
  EXPECT_EQ(read.file_lengths, written.file_lengths);
  EXPECT_EQ(read.totals.iterations, 17);
  EXPECT_EQ(read.totals.profile[Phase::ccd], 0.25);
}

TEST(Checkpoint, EveryFlippedBitIsNoticed) {
  const std::string good = encode_checkpoint(example(5));
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ (1 << i % 8));
    EXPECT_NE(error_of(bad), "") << "byte " << i;
  }
}

TEST(Checkpoint, EveryCutIsNoticed) {
  const std::string good = encode_checkpoint(example(5));
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_NE(error_of(good.substr(0, size)), "") << size;
  EXPECT_NE(error_of(good + "x"), "");
}

TEST(Checkpoint, AForeignFileIsNamedAsSuch) {
  const std::string message = error_of("something else entirely");
  EXPECT_NE(message.find("not a checkpoint of Bulwark"), std::string::npos) << message;
  EXPECT_NE(message.find("--resume"), std::string::npos) << message;
}

TEST(Checkpoint, ADamagedOneGivesWayToTheOneBefore) {
  const TemporaryFolder folder;
  set_log_sink({});
  write_checkpoint(folder.path(), example(1));
  write_checkpoint(folder.path(), example(2));
  EXPECT_EQ(read_checkpoint(folder.path(), 42, world_of_example()).state.step, 2);
  write_all(folder / "checkpoint.bwk", "damaged");
  EXPECT_EQ(read_checkpoint(folder.path(), 42, world_of_example()).state.step, 1);
  write_checkpoint(folder.path(), example(3));
  write_all(folder / "checkpoint.bwk", "damaged again");
  EXPECT_EQ(read_checkpoint(folder.path(), 42, world_of_example()).state.step, 1)
      << "the good one must not have been pushed out";
}

TEST(Checkpoint, OneThatDoesNotFitTheSceneGivesWayToTheOneBefore) {
  const TemporaryFolder folder;
  set_log_sink({});
  write_checkpoint(folder.path(), example(1));
  Checkpoint misfit = example(2);
  misfit.state.velocity.resize(3, 3);
  misfit.state.velocity.setZero();
  write_checkpoint(folder.path(), misfit);
  EXPECT_EQ(read_checkpoint(folder.path(), 42, world_of_example()).state.step, 1);
}

TEST(Checkpoint, OneOfAnotherSceneIsRefused) {
  const TemporaryFolder folder;
  write_checkpoint(folder.path(), example(1));
  EXPECT_THROW(read_checkpoint(folder.path(), 43, world_of_example()), InputError);
}

TEST(Checkpoint, FingerprintIgnoresWhatChangesNoMotion) {
  const World world;
  const auto print = [&](const char* scene) { return scene_fingerprint(scene, world); };
  const std::uint64_t base =
      print(R"({"time": {"step": 0.01, "steps": 5}, "solver": {"threads": 1, "tolerance": 1}})");
  EXPECT_EQ(base, print(R"({"time": {"step": 0.01, "steps": 9}, "solver": {"threads": 2, "tolerance": 1},
                            "output": {"every": 3}, "title": "x"})"));
  EXPECT_NE(base, print(R"({"time": {"step": 0.02, "steps": 5}, "solver": {"threads": 1, "tolerance": 1}})"));
}

TEST(Checkpoint, FingerprintSeesTheMeshes) {
  World a, b;
  a.rest = Vectors::Ones(3, 2);
  b.rest = 2 * Vectors::Ones(3, 2);
  EXPECT_NE(scene_fingerprint("{}", a), scene_fingerprint("{}", b));
}

}  // namespace
}  // namespace bulwark
