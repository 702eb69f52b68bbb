// Signals end a run where it is, inside of a step, with the checkpoint of the last good one.
#include <bulwark/output/frame_list.hpp>

#include <cli/program.hpp>

#include <chrono>
#include <thread>

namespace bulwark {
namespace {

/// A fine soft box that is thrown onto the floor: a step takes many iterations, and a second or more.
std::string slow_scene() {
  return R"({
  "bulwark": 1,
  "time": { "step": 0.02, "steps": 4 },
  "materials": { "rubber": { "model": "neo-hookean", "density": 1000, "young": 1e5, "poisson": 0.4 } },
  "bodies": [
    { "name": "floor", "kind": "obstacle", "shape": { "plane": {} } },
    { "name": "box", "kind": "deformable", "shape": { "box": [1, 1, 1], "resolution": 0.07 }, "material": "rubber",
      "position": [0, 0.505, 0], "velocity": [0, -6, 0], "angular_velocity_degrees": [0, 115, 0] }
  ],
  "contact": { "friction": 0.3 },
  "solver": { "tolerance": 1e-7 }
})";
}

void sleep(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

std::size_t frames_of(const std::filesystem::path& run) {
  return std::filesystem::exists(run / "frames") ? list_frames(run / "frames").size() : 0;
}

TEST(Interrupt, InsideOfAStepLeavesTheLastGoodOneAndTheSameBits) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", slow_scene());
  ASSERT_EQ(bulwark_program(folder.path(), {"run", "scene.json", "-o", "whole"}).exit_code, 0);

  // Each signal in the step that the one before left.
  std::size_t frames = 1;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    RunningProgram program(folder.path(), {"run", "scene.json", "-o", "run", "--resume"});
    while (frames_of(folder / "run") < frames) {
      ASSERT_FALSE(program.has_ended()) << program.wait().output;
      sleep(0.002);
    }
    sleep(0.15);
    frames = frames_of(folder / "run");
    program.send(signal);
    const auto [code, text] = program.wait();
    EXPECT_EQ(code, 130) << text;
    EXPECT_TRUE(contains(text, "--resume")) << text;
    EXPECT_EQ(frames_of(folder / "run"), frames) << "the step that was running came to its end";
    EXPECT_TRUE(std::filesystem::exists(folder / "run/checkpoint.bwk"));
    ++frames;
  }
  const auto [code, text] = bulwark_program(folder.path(), {"run", "scene.json", "-o", "run", "--resume"});
  EXPECT_EQ(code, 0) << text;
  EXPECT_EQ(read_all(folder / "run/bodies.csv"), read_all(folder / "whole/bodies.csv"));
  for (const FrameEntry& frame : list_frames(folder / "whole/frames"))
    EXPECT_EQ(read_all(folder / "run/frames" / frame.path.filename()), read_all(frame.path));
}

/// Runs the program with both streams in a pipe, and closes that when the first step is reported.
int exit_code_with_a_reader_that_leaves(const std::filesystem::path& folder,
                                        const std::vector<std::string>& arguments) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  const pid_t process = fork();
  if (process == 0) {
    signal(SIGPIPE, SIG_DFL);
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    if (chdir(folder.c_str()) != 0) _exit(99);
    std::vector<char*> pointers = {const_cast<char*>(BULWARK_PROGRAM)};
    for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
    pointers.push_back(nullptr);
    execv(BULWARK_PROGRAM, pointers.data());
    _exit(98);
  }
  close(ends[1]);
  std::string text;
  char part[256];
  while (text.find("step 1/") == std::string::npos) {
    const ssize_t count = read(ends[0], part, sizeof part);
    if (count <= 0) break;
    text.append(part, static_cast<std::size_t>(count));
  }
  close(ends[0]);
  int status = 0;
  waitpid(process, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

TEST(Interrupt, ByAReaderThatLeavesEndsInOrder) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", falling_box_scene());
  EXPECT_EQ(exit_code_with_a_reader_that_leaves(folder.path(),
                                                {"run", "scene.json", "-o", "run", "--steps", "1000000"}),
            130);
  const std::string summary = read_all(folder / "run/summary.json");
  EXPECT_TRUE(contains(summary, "\"interrupted\"")) << summary;
  const std::size_t frames = frames_of(folder / "run");
  const auto [code, text] = bulwark_program(
      folder.path(), {"run", "scene.json", "-o", "run", "--resume", "--steps", std::to_string(frames + 2)});
  EXPECT_EQ(code, 0) << text;
  EXPECT_TRUE(contains(text, "after step " + std::to_string(frames - 1))) << text;
}

}  // namespace
}  // namespace bulwark
