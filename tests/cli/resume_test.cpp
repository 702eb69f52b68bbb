#include <bulwark/base/hash.hpp>
#include <bulwark/output/frame_list.hpp>
#include <bulwark/output/reading/frame_reader.hpp>
#include <bulwark/output/writing/checkpoint.hpp>

#include <cli/program.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <random>
#include <set>
#include <thread>

namespace bulwark {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void expect_same_results(const std::filesystem::path& run, const std::filesystem::path& reference) {
  EXPECT_EQ(read_all(run / "bodies.csv"), read_all(reference / "bodies.csv"));
  for (const char* table : {"contacts.csv", "wrenches.csv", "contact_pairs.csv"})
    EXPECT_EQ(read_all(run / table), read_all(reference / table)) << table;
  for (const char* series : {"run.pvd", "integration_points.pvd"})
    EXPECT_EQ(read_all(run / series), read_all(reference / series)) << series;
  const auto frames = list_frames(reference / "frames");
  EXPECT_EQ(list_frames(run / "frames").size(), frames.size());
  for (const FrameEntry& frame : frames) {
    EXPECT_EQ(read_all(run / "frames" / frame.path.filename()), read_all(frame.path))
        << "step " << frame.step;
    const std::string points = points_file_name(frame.step);
    EXPECT_EQ(read_all(run / "frames" / points), read_all(reference / "frames" / points)) << points;
  }
}

/// All that the checkpoint of a killed run counts as finished is there: a frame for every step up to its own,
/// and that many rows.
void expect_checkpoint_kept(const std::filesystem::path& run) {
  std::filesystem::path file = run / "checkpoint.bwk";
  if (!std::filesystem::exists(file)) file = run / "checkpoint.prev.bwk";
  if (!std::filesystem::exists(file)) return;  // killed before the first one
  const Checkpoint checkpoint = decode_checkpoint(read_all(file), file.string());
  for (std::int64_t step = 0; step <= checkpoint.state.step; ++step) {
    EXPECT_TRUE(std::filesystem::exists(run / "frames" / frame_file_name(step))) << step;
  }
  for (const auto& [table, length] : checkpoint.file_lengths) {
    const std::string rows = read_all(run / table);
    ASSERT_GE(rows.size(), length) << table;
    EXPECT_EQ(rows[length - 1], '\n') << table;
    if (table != "steps.csv" && table != "solves.csv") continue;
    EXPECT_EQ(std::count(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(length), '\n'),
              1 + checkpoint.state.step)
        << table;
  }
}

/// Waits until the run has recorded some steps.
bool wait_for_frames(const std::filesystem::path& run, std::size_t count, RunningProgram& program) {
  while (!program.has_ended()) {
    if (list_frames(run / "frames").size() >= count) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

class Resume : public testing::Test {
 protected:
  Resume() { write_all(folder / "scene.json", falling_box_scene()); }
  std::vector<std::string> arguments(const std::string& name, bool resume) const {
    std::vector<std::string> result = {"run",   "scene.json",
                                       "-o",    name,
                                       "--set", "/bodies/1/shape/resolution=0.2",
                                       "--set", R"(/output/fields=["velocity", "integration_points"])"};
    if (resume) result.push_back("--resume");
    return result;
  }
  /// Kills a run at random moments, resuming it each time, and compares it with one that was left alone.
  void kill_and_resume(int times, double checkpoints_in_a_run);
  const TemporaryFolder folder;
};

TEST_F(Resume, AfterInterruptsGivesTheSameBits) {
  ASSERT_EQ(bulwark_program(folder.path(), arguments("reference", false)).exit_code, 0);
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string name = "interrupted-" + std::to_string(signal);
    RunningProgram program(folder.path(), arguments(name, false));
    ASSERT_TRUE(wait_for_frames(folder / name, 5, program));
    program.send(signal);
    const auto [code, text] = program.wait();
    EXPECT_EQ(code, 130) << text;
    EXPECT_TRUE(contains(text, "--resume")) << text;
    EXPECT_TRUE(std::filesystem::exists(folder / name / "checkpoint.bwk"));
    const auto [resumed, resumed_text] = bulwark_program(folder.path(), arguments(name, true));
    EXPECT_EQ(resumed, 0) << resumed_text;
    EXPECT_TRUE(contains(resumed_text, "resuming")) << resumed_text;
    expect_same_results(folder / name, folder / "reference");
  }
}

void Resume::kill_and_resume(int times, double checkpoints_in_a_run) {
  const Clock::time_point start = Clock::now();
  ASSERT_EQ(bulwark_program(folder.path(), arguments("reference", false)).exit_code, 0);
  const double whole = seconds_since(start);

  std::mt19937 random(20);
  std::uniform_real_distribution<double> moment(0, 0.5 * whole);
  std::set<std::filesystem::path> finished;
  int kills = 0;
  std::vector<std::string> with_checkpoints = arguments("killed", true);
  with_checkpoints.insert(
      with_checkpoints.end(),
      {"--set", "/output/checkpoint_every_seconds=" + std::to_string(whole / checkpoints_in_a_run)});
  for (; kills < times; ++kills) {
    RunningProgram program(folder.path(), with_checkpoints);
    std::this_thread::sleep_for(std::chrono::duration<double>(moment(random)));
    program.send(SIGKILL);
    const auto [code, text] = program.wait();
    ASSERT_TRUE(code == 0 || code == 128 + SIGKILL) << code << "\n" << text;
    expect_checkpoint_kept(folder / "killed");
    for (const std::filesystem::path& frame : finished) EXPECT_TRUE(std::filesystem::exists(frame)) << frame;
    for (const FrameEntry& frame : list_frames(folder / "killed/frames")) {
      EXPECT_NO_THROW(read_frame(frame.path)) << "a frame that exists is whole";
      finished.insert(frame.path);
    }
    if (code == 0) {
      std::filesystem::remove_all(folder /
                                  "killed");  // it got through: start over with the kills that are left
      finished.clear();
    }
  }
  const auto [code, text] = bulwark_program(folder.path(), with_checkpoints);
  EXPECT_EQ(code, 0) << text;
  expect_same_results(folder / "killed", folder / "reference");
}

TEST_F(Resume, AfterTwentyKillsNoFinishedFrameIsLostAndTheBitsAreTheSame) {
  kill_and_resume(20, 20);
}

TEST_F(Resume, AfterKillsOfARunThatWritesACheckpointForEveryStepTheBitsAreTheSame) {
  kill_and_resume(10, 1e6);
}

TEST_F(Resume, ExtendsAFinishedRun) {
  ASSERT_EQ(bulwark_program(folder.path(), {"run", "scene.json", "-o", "long", "--steps", "20"}).exit_code,
            0);
  ASSERT_EQ(bulwark_program(folder.path(), {"run", "scene.json", "-o", "short", "--steps", "8"}).exit_code,
            0);
  const auto [code, text] =
      bulwark_program(folder.path(), {"run", "scene.json", "-o", "short", "--steps", "20", "--resume"});
  EXPECT_EQ(code, 0) << text;
  expect_same_results(folder / "short", folder / "long");
}

TEST_F(Resume, WithoutACheckpointStartsFromTheBeginning) {
  const auto [code, text] =
      bulwark_program(folder.path(), {"run", "scene.json", "-o", "new", "--steps", "2", "--resume"});
  EXPECT_EQ(code, 0) << text;
  EXPECT_TRUE(contains(text, "no checkpoint yet")) << text;
}

TEST_F(Resume, RefusesTheCheckpointOfAnotherScene) {
  ASSERT_EQ(bulwark_program(folder.path(), {"run", "scene.json", "-o", "a", "--steps", "2"}).exit_code, 0);
  const auto [code, text] = bulwark_program(folder.path(), {"run", "scene.json", "-o", "a", "--steps", "4",
                                                            "--resume", "--set", "/contact/friction=0.1"});
  EXPECT_EQ(code, 2);
  EXPECT_TRUE(contains(text, "another scene")) << text;
}

TEST_F(Resume, FallsBackWhenTheCheckpointIsDamaged) {
  ASSERT_EQ(bulwark_program(folder.path(), {"run", "scene.json", "-o", "long", "--steps", "20"}).exit_code,
            0);
  ASSERT_EQ(bulwark_program(folder.path(), {"run", "scene.json", "-o", "a", "--steps", "8"}).exit_code, 0);
  write_all(folder / "a/checkpoint.bwk", "BULWARKC damaged");
  const auto [code, text] =
      bulwark_program(folder.path(), {"run", "scene.json", "-o", "a", "--steps", "20", "--resume"});
  EXPECT_EQ(code, 0) << text;
  EXPECT_TRUE(contains(text, "checkpoint before it")) << text;
  expect_same_results(folder / "a", folder / "long");
}

TEST_F(Resume, DamagedCheckpointsAloneAreBadInput) {
  ASSERT_EQ(bulwark_program(folder.path(), {"run", "scene.json", "-o", "a", "--steps", "3"}).exit_code, 0);
  write_all(folder / "a/checkpoint.bwk", "BULWARKC damaged");
  write_all(folder / "a/checkpoint.prev.bwk", "");
  const auto [code, text] = bulwark_program(folder.path(), {"run", "scene.json", "-o", "a", "--resume"});
  EXPECT_EQ(code, 2) << text;
  EXPECT_TRUE(contains(text, "--resume")) << text;
}

TEST_F(Resume, CheckpointsWithARightSumAndWrongContentAreBadInput) {
  ASSERT_EQ(bulwark_program(folder.path(), {"run", "scene.json", "-o", "a", "--steps", "3"}).exit_code, 0);
  const std::string good = read_all(folder / "a/checkpoint.bwk");
  std::filesystem::remove(folder / "a/checkpoint.prev.bwk");
  // Behind magic, version, fingerprint, step and time: the number of controls, then their positions.
  constexpr std::size_t count = 36, position = 44, sum_size = 8;
  const auto expect_refused = [&](std::size_t place, const auto& value) {
    std::string bad = good.substr(0, good.size() - sum_size);
    std::memcpy(bad.data() + place, &value, sizeof value);
    Hash hash;
    hash.add(bad.data(), bad.size());
    const std::uint64_t sum = hash.value();
    write_all(folder / "a/checkpoint.bwk", bad.append(reinterpret_cast<const char*>(&sum), sizeof sum));
    const auto [code, text] =
        bulwark_program(folder.path(), {"run", "scene.json", "-o", "a", "--steps", "5", "--resume"});
    EXPECT_EQ(code, 2) << place << ": " << text;
    EXPECT_TRUE(contains(text, "checkpoint.bwk")) << text;
  };
  expect_refused(count, std::uint64_t{0});
  expect_refused(count, std::uint64_t{1} << 60);
  expect_refused(position, std::nan(""));
  expect_refused(position, 1e200);
  std::uint64_t controls = 0;
  std::memcpy(&controls, good.data() + count, sizeof controls);
  // A node of the box, the last control, below the floor.
  expect_refused(position + 24 * (controls - 1) + 8, -2.0);
}

}  // namespace
}  // namespace bulwark
