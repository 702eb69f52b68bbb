#include <bulwark/output/frame_list.hpp>

#include <cli/program.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace bulwark {
namespace {

std::string first_line(const std::filesystem::path& path) {
  const std::string text = read_all(path);
  return text.substr(0, text.find('\n'));
}

std::string two_boxes_scene(double gap) {
  return R"({ "bulwark": 1, "time": { "step": 0.01, "steps": 2 },
  "materials": { "rubber": { "model": "neo-hookean", "density": 1000, "young": 1e5, "poisson": 0.4 } },
  "bodies": [
    { "name": "lower one", "kind": "deformable", "shape": { "box": [1, 1, 1], "resolution": 1 }, "material": "rubber" },
    { "name": "upper one", "kind": "deformable", "shape": { "box": [1, 1, 1], "resolution": 1 }, "material": "rubber",
      "position": [0.2, )" +
         std::to_string(1 + gap) + R"(, 0.3] } ] })";
}

TEST(Run, FillsTheRunFolder) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", falling_box_scene());
  const auto [code, text] =
      bulwark_program(folder.path(), {"run", "scene.json", "--steps", "12", "--set", "/output/every=5"});
  ASSERT_EQ(code, 0) << text;
  EXPECT_TRUE(contains(text, "distance = ")) << text;
  EXPECT_TRUE(contains(text, "of the body's size")) << text;
  const std::filesystem::path run = folder / "out/scene";
  EXPECT_TRUE(
      first_line(run / "steps.csv")
          .starts_with("step,time,newton_iterations,linear_solves,linear_iterations,contacts,min_distance,"
                       "kinetic,elastic,gravity,contact,total,seconds,"));
  EXPECT_EQ(first_line(run / "bodies.csv"), "step,time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz");
  const std::string steps = read_all(run / "steps.csv"), bodies = read_all(run / "bodies.csv");
  EXPECT_EQ(std::count(steps.begin(), steps.end(), '\n'), 1 + 12);
  EXPECT_EQ(std::count(bodies.begin(), bodies.end(), '\n'), 1 + 13 * 2);
  std::vector<std::int64_t> frames;
  for (const FrameEntry& frame : list_frames(run / "frames")) frames.push_back(frame.step);
  EXPECT_EQ(frames, (std::vector<std::int64_t>{0, 5, 10, 12}));
  EXPECT_TRUE(contains(read_all(run / "run.pvd"), "frames/frame_000012.vtu"));
  const nlohmann::json summary = nlohmann::json::parse(read_all(run / "summary.json"));
  EXPECT_EQ(summary["state"], "done");
  EXPECT_EQ(summary["totals"]["steps"], 12);
  EXPECT_EQ(summary["scene"]["title"], "Falling box");
  EXPECT_TRUE(std::filesystem::exists(run / "checkpoint.bwk"));
}

TEST(Run, IntegrationPointsHaveFilesOfTheirOwn) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", falling_box_scene());
  const auto [code, text] = bulwark_program(folder.path(), {"run", "scene.json", "--steps", "2", "--set",
                                                            R"(/output/fields=["integration_points"])"});
  ASSERT_EQ(code, 0) << text;
  const std::filesystem::path run = folder / "out/scene";
  EXPECT_EQ(list_frames(run / "frames").size(), 3u);
  for (const char* name : {"points_000000.vtu", "points_000001.vtu", "points_000002.vtu"}) {
    EXPECT_TRUE(contains(read_all(run / "integration_points.pvd"), std::string("frames/") + name));
    const std::string points = read_all(run / "frames" / name);
    for (const char* array : {"element", "volume", "von_mises", "stress_tensor", "second_stress", "strain",
                              "principal_stress", "energy_density"})
      EXPECT_TRUE(contains(points, std::string("Name=\"") + array + '"')) << name << ' ' << array;
  }
  EXPECT_EQ(bulwark_program(folder.path(), {"check", "out/scene"}).exit_code, 0);
  ASSERT_EQ(bulwark_program(folder.path(), {"run", "scene.json", "--steps", "2", "--force"}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(run / "integration_points.pvd"));
  EXPECT_FALSE(std::filesystem::exists(run / "frames/points_000001.vtu"));
}

TEST(Run, ProgressElsewhereThanOnATerminalIsPlainLines) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", falling_box_scene());
  const auto [code, text] = bulwark_program(folder.path(), {"run", "scene.json", "--steps", "5"});
  ASSERT_EQ(code, 0) << text;
  EXPECT_TRUE(contains(text, "step 1/5")) << text;
  EXPECT_TRUE(contains(text, "step 5/5")) << text;
  EXPECT_FALSE(contains(text, "\r")) << text;
}

TEST(Run, LeavesAForeignFolderAlone) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", falling_box_scene());
  std::filesystem::create_directory(folder / "thesis");
  write_all(folder / "thesis/chapter.txt", "precious");
  for (const bool resume : {false, true}) {
    std::vector<std::string> arguments = {"run", "scene.json", "-o", "thesis"};
    if (resume) arguments.push_back("--resume");
    const auto [code, text] = bulwark_program(folder.path(), arguments);
    EXPECT_EQ(code, 2) << text;
    EXPECT_TRUE(contains(text, "thesis")) << text;
  }
  EXPECT_EQ(read_all(folder / "thesis/chapter.txt"), "precious");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / "thesis"), {}), 1);
}

TEST(Run, ResultsAreReplacedOnlyWhenForcedTo) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", falling_box_scene());
  // With frames far apart too: a run that has nothing but rows.
  for (const std::string name : {"a", "b"}) {
    ASSERT_EQ(bulwark_program(folder.path(), {"run", "scene.json", "-o", name, "--steps", "6"}).exit_code, 0);
    if (name == "b") std::filesystem::remove(folder / "b/frames/frame_000006.vtu");
    const std::string before = read_all(folder / name / "bodies.csv");
    const auto [code, text] =
        bulwark_program(folder.path(), {"run", "scene.json", "-o", name, "--steps", "3"});
    EXPECT_EQ(code, 2) << text;
    for (const char* part : {name.c_str(), "-o", "--force", "--resume"}) {
      EXPECT_TRUE(contains(text, part)) << part << " in: " << text;
    }
    EXPECT_EQ(read_all(folder / name / "bodies.csv"), before);
    const auto [forced, forced_text] =
        bulwark_program(folder.path(), {"run", "scene.json", "-o", name, "--steps", "3", "--force"});
    EXPECT_EQ(forced, 0) << forced_text;
    EXPECT_TRUE(contains(forced_text, "replacing")) << forced_text;
    EXPECT_EQ(list_frames(folder / name / "frames").size(), 4u);
  }
}

TEST(Run, AStartThatIntersectsLeavesOldResultsAlone) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", two_boxes_scene(0.1));
  ASSERT_EQ(bulwark_program(folder.path(), {"run", "scene.json", "-o", "a"}).exit_code, 0);
  write_all(folder / "scene.json", two_boxes_scene(-0.1));
  EXPECT_EQ(bulwark_program(folder.path(), {"run", "scene.json", "-o", "a"}).exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "a/intersections.obj"));
  EXPECT_EQ(list_frames(folder / "a/frames").size(), 3u);
}

TEST(Run, ResultsWithoutACheckpointAreNotResumedByStartingAnew) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", falling_box_scene());
  ASSERT_EQ(bulwark_program(folder.path(), {"run", "scene.json", "-o", "a", "--steps", "3"}).exit_code, 0);
  for (const char* name : {"a/checkpoint.bwk", "a/checkpoint.prev.bwk"})
    std::filesystem::remove(folder / name);
  const auto [code, text] =
      bulwark_program(folder.path(), {"run", "scene.json", "-o", "a", "--steps", "5", "--resume"});
  EXPECT_EQ(code, 2) << text;
  EXPECT_TRUE(contains(text, "no checkpoint")) << text;
  EXPECT_EQ(list_frames(folder / "a/frames").size(), 4u);
  EXPECT_EQ(bulwark_program(folder.path(), {"run", "scene.json", "-o", "a", "--resume", "--force"}).exit_code,
            2)
      << "these two contradict each other";
}

TEST(Run, AStartThatIntersectsIsExplainedAndDrawn) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", two_boxes_scene(-0.1));
  const auto [code, text] = bulwark_program(folder.path(), {"run", "scene.json", "-o", "a"});
  EXPECT_EQ(code, 4) << text;
  EXPECT_TRUE(contains(text, "lower one") && contains(text, "upper one")) << text;
  EXPECT_TRUE(contains(text, "a/intersections.obj")) << text;
  EXPECT_TRUE(contains(read_all(folder / "a/intersections.obj"), "\nf "));

  write_all(folder / "scene.json", two_boxes_scene(0.1));
  EXPECT_EQ(bulwark_program(folder.path(), {"run", "scene.json", "-o", "a"}).exit_code, 0)
      << "the folder with the offenders can be used again";
  EXPECT_FALSE(std::filesystem::exists(folder / "a/intersections.obj"));
}

TEST(Validate, ReportsAGoodSceneAndItsDerivedValues) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", two_boxes_scene(0.1));
  const auto [code, text] = bulwark_program(folder.path(), {"validate", "scene.json"});
  EXPECT_EQ(code, 0) << text;
  EXPECT_TRUE(contains(text, "1000 kg")) << text;
  EXPECT_TRUE(contains(text, "distance = ")) << text;
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST(Validate, FixRewritesKeysOfTheLastVersionAndNothingElse) {
  const TemporaryFolder folder;
  const std::string text = R"({ "bulwark": 1, "time": { "steps": 1 }, // one step
  "materials": { "steel": { "model": "affine", "density": 7800 } },
  "bodies": [ { "name": "a", "kind": "affine", "shape": { "box": [1, 1, 1] }, "material": "steel" } ],
  "joints": [
    { "name": "hinge", "kind": "hinge", "bodies": ["a", "world"], "point": [0, 0, 0], "axis": [0, 0, 1] },
    { "kind": "motor", "joint": "hinge",   "torque": 1, "largest": 7 }  /* weak */
  ] })";
  write_all(folder / "scene.json", text);
  std::filesystem::permissions(folder / "scene.json", std::filesystem::perms(0640));
  std::filesystem::create_symlink("scene.json", folder / "link.json");
  const auto [old_code, old_text] = bulwark_program(folder.path(), {"validate", "scene.json"});
  EXPECT_EQ(old_code, 0) << old_text;
  EXPECT_TRUE(contains(old_text, "validate --fix scene.json")) << old_text;
  EXPECT_EQ(read_all(folder / "scene.json"), text);

  const auto [code, said] = bulwark_program(folder.path(), {"validate", "--fix", "link.json"});
  EXPECT_EQ(code, 0) << said;
  EXPECT_TRUE(contains(said, "/joints/1/largest: \"largest\" is \"max_force\" now")) << said;
  EXPECT_TRUE(contains(said, "valid, and the start state")) << said;
  std::string expected = text;
  EXPECT_EQ(read_all(folder / "scene.json"), expected.replace(expected.find("largest"), 7, "max_force"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.json"));
  EXPECT_EQ(std::filesystem::status(folder / "scene.json").permissions(), std::filesystem::perms(0640));

  const auto [again_code, again] = bulwark_program(folder.path(), {"validate", "--fix", "scene.json"});
  EXPECT_EQ(again_code, 0) << again;
  EXPECT_TRUE(contains(again, "nothing to rewrite")) << again;
  EXPECT_FALSE(contains(again, "warning")) << again;
}

TEST(Validate, FindsAStartThatIntersects) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", two_boxes_scene(-0.1));
  const auto [code, text] = bulwark_program(folder.path(), {"validate", "scene.json", "-o", "offenders.obj"});
  EXPECT_EQ(code, 4) << text;
  EXPECT_TRUE(std::filesystem::exists(folder / "offenders.obj"));
}

TEST(Run, AStepThatCannotBeSolvedEndsWithItsLastGoodState) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", falling_box_scene());
  const auto [code, text] = bulwark_program(
      folder.path(), {"run", "scene.json", "-o", "a", "--set", "/solver/tolerance=1e-12", "--set",
                      "/solver/max_iterations=1", "--set", "/solver/max_halvings=1"});
  EXPECT_EQ(code, 3) << text;
  EXPECT_TRUE(contains(text, "last good state")) << text;
  EXPECT_TRUE(std::filesystem::exists(folder / "a/checkpoint.bwk"));
  EXPECT_EQ(nlohmann::json::parse(read_all(folder / "a/summary.json"))["state"], "failed");
}

TEST(Run, AFullDiskIsExitCodeFiveAndLosesNothing) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", falling_box_scene());
  ASSERT_EQ(bulwark_program(folder.path(), {"run", "scene.json", "-o", "whole"}).exit_code, 0);
  constexpr rlim_t disk = 6000;  // bytes per file: the CSV files grow past it after some steps
  const auto [code, text] = bulwark_program(folder.path(), {"run", "scene.json", "-o", "full"}, disk);
  EXPECT_EQ(code, 5) << text;
  EXPECT_TRUE(contains(text, "cannot write")) << text;
  const auto [resumed, resumed_text] =
      bulwark_program(folder.path(), {"run", "scene.json", "-o", "full", "--resume"});
  EXPECT_EQ(resumed, 0) << resumed_text;
  EXPECT_EQ(read_all(folder / "full/bodies.csv"), read_all(folder / "whole/bodies.csv"));
}

TEST(Run, AFolderThatGoesAwayIsExitCodeFiveWithTheWayToContinue) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", falling_box_scene());
  for (const std::string gone : {"a", "a/frames"}) {
    RunningProgram program(folder.path(), {"run", "scene.json", "-o", "a", "--steps", "1000000", "--resume"});
    while (list_frames(folder / "a/frames").size() < 3) ASSERT_FALSE(program.has_ended());
    std::filesystem::rename(folder / gone, folder / "moved");
    const auto [code, text] = program.wait();
    EXPECT_EQ(code, 5) << text;
    EXPECT_TRUE(contains(text, "cannot write a/")) << text;
    EXPECT_TRUE(contains(text, "once that is fixed, continue with: bulwark run scene.json -o a --resume"))
        << text;
    std::filesystem::remove_all(folder / "moved");
    std::filesystem::remove_all(folder / "a");
  }
}

TEST(Run, TheTableOfStepsTellsSolvingFromOutput) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", falling_box_scene());
  ASSERT_EQ(bulwark_program(folder.path(), {"run", "scene.json", "-o", "a", "--steps", "4"}).exit_code, 0);
  EXPECT_TRUE(
      contains(first_line(folder / "a/steps.csv"), ",seconds_output,seconds_output_wait,seconds_writing"));
  const nlohmann::json seconds = nlohmann::json::parse(read_all(folder / "a/summary.json"))["seconds"];
  double sum = 0;
  for (const auto& [phase, value] : seconds.items()) {
    if (phase != "total" && phase != "writing") sum += value.get<double>();
  }
  EXPECT_NEAR(sum, seconds["total"].get<double>(), 1e-9) << "writing goes on beside the steps";
  EXPECT_GT(seconds["writing"].get<double>(), 0);
}

TEST(Run, TwoRunsNeverShareAFolder) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", falling_box_scene());
  RunningProgram first(folder.path(), {"run", "scene.json", "-o", "a", "--steps", "1000000"});
  while (!std::filesystem::exists(folder / "a/checkpoint.bwk")) ASSERT_FALSE(first.has_ended());
  std::filesystem::create_directory(folder / "elsewhere");
  const auto [code, text] =
      bulwark_program(folder / "elsewhere", {"run", "../scene.json", "-o", "../a", "--resume"});
  EXPECT_EQ(code, 2) << text;
  EXPECT_TRUE(contains(text, "another run")) << text;
  first.send(SIGINT);
  EXPECT_EQ(first.wait().exit_code, 130);
}

TEST(Run, ThreadsDoNotChangeTheBits) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", falling_box_scene());
  for (const char* threads : {"1", "2"}) {
    const auto [code, text] =
        bulwark_program(folder.path(), {"run", "scene.json", "-o", threads, "--threads", threads, "--set",
                                        "/bodies/1/shape/resolution=0.15"});
    ASSERT_EQ(code, 0) << text;
  }
  EXPECT_EQ(read_all(folder / "1/bodies.csv"), read_all(folder / "2/bodies.csv"));
}

}  // namespace
}  // namespace bulwark
