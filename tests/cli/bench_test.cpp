// Benchmarks run to their end in their smallest form and say what is promised of our side; times are not
// judged.
#include <cli/program.hpp>

#include <nlohmann/json.hpp>

namespace bulwark {
namespace {

TEST(BenchStiff, FindsNoIntersectionOnOurSideAndWritesItsRows) {
  const TemporaryFolder folder;
  const ProgramResult result =
      bulwark_program(folder.path(), {"bench", "stiff", "--quick", "--json", "stiff.json"});
  ASSERT_EQ(result.exit_code, 0) << result.output;
  const auto json = nlohmann::json::parse(read_all(folder.path() / "stiff.json"));
  EXPECT_EQ(json["bench"], "stiff");
  int judged = 0;
  for (const auto& row : json["rows"]) {
    const std::string metric = row["metric"];
    EXPECT_FALSE(contains(row["note"], "ended after")) << row.dump();
    if (!contains(metric, "pairs intersecting")) continue;
    ++judged;
    EXPECT_EQ(row["ours"], 0) << row.dump();
  }
  EXPECT_GE(judged, 2);  // affine and rigid, with or without Bullet beside them
  EXPECT_TRUE(contains(result.output, "hulls") || contains(result.output, "Without Bullet")) << result.output;
}

TEST(BenchMultibody, FindsNoIntersectionOnOurSide) {
  const TemporaryFolder folder;
  const ProgramResult result =
      bulwark_program(folder.path(), {"bench", "multibody", "--quick", "--json", "multibody.json"});
  ASSERT_EQ(result.exit_code, 0) << result.output;
  const auto json = nlohmann::json::parse(read_all(folder.path() / "multibody.json"));
  for (const auto& row : json["rows"]) {
    EXPECT_FALSE(contains(row["note"], "ended after")) << row.dump();
    if (row["metric"] == "pairs intersecting") {
      EXPECT_EQ(row["ours"], 0) << row.dump();
    }
  }
}

TEST(BenchMinimisers, BothEndAtTheSameResidual) {
  const TemporaryFolder folder;
  const ProgramResult result =
      bulwark_program(folder.path(), {"bench", "minimisers", "--quick", "--json", "minimisers.json"});
  ASSERT_EQ(result.exit_code, 0) << result.output;
  int judged = 0;
  const auto json = nlohmann::json::parse(read_all(folder.path() / "minimisers.json"));
  for (const auto& row : json["rows"]) {
    EXPECT_FALSE(contains(row["note"], "gave up")) << row.dump();
    if (contains(row["metric"], "residual")) {
      EXPECT_LE(row["ours"], 1.0001e-4) << row.dump();
      EXPECT_LE(row["peer"], 1.0001e-4) << row.dump();
      ++judged;
    }
    if (contains(row["metric"], "difference")) {
      EXPECT_LT(row["ours"], 1e-6) << row.dump();
      ++judged;
    }
  }
  EXPECT_EQ(judged, 2);
}

TEST(BenchSpheres, FindsNoIntersectionOnOurSide) {
  const TemporaryFolder folder;
  const ProgramResult result =
      bulwark_program(folder.path(), {"bench", "spheres", "--quick", "--json", "spheres.json"});
  ASSERT_EQ(result.exit_code, 0) << result.output;
  const auto json = nlohmann::json::parse(read_all(folder.path() / "spheres.json"));
  EXPECT_EQ(json["bench"], "spheres");
  int judged = 0;
  for (const auto& row : json["rows"]) {
    EXPECT_FALSE(contains(row["note"], "ended after")) << row.dump();
    if (row["metric"] != "pairs intersecting") continue;
    ++judged;
    EXPECT_EQ(row["ours"], 0) << row.dump();
  }
  EXPECT_GE(judged, 1);
  EXPECT_TRUE(contains(result.output, "MuJoCo")) << result.output;  // as a peer, or that it is not there
}

TEST(BenchFlexible, ElementsOfHigherOrderAreNearerToBeamTheory) {
  const TemporaryFolder folder;
  const ProgramResult result =
      bulwark_program(folder.path(), {"bench", "flexible", "--quick", "--json", "flexible.json"});
  ASSERT_EQ(result.exit_code, 0) << result.output;
  const auto json = nlohmann::json::parse(read_all(folder.path() / "flexible.json"));
  EXPECT_EQ(json["bench"], "flexible");
  int beams = 0, judged = 0, ends = 0;
  for (const auto& row : json["rows"]) {
    EXPECT_TRUE(row["ours"].is_number()) << row.dump();
    if (row["case"].get<std::string>().starts_with("RES0")) {
      ++beams;
      EXPECT_TRUE(contains(row["note"], "without other programs")) << row.dump();
    }
    if (row["metric"] == "end, over the closed form") {
      ++ends;
      EXPECT_NEAR(row["ours"], 1, 0.1) << row.dump();
    }
    if (row["case"] != "steel cantilever" || row["metric"] != "error, %") continue;
    ++judged;
    if (contains(row["note"], " 1, ")) {
      EXPECT_GT(row["ours"], 10) << row.dump();  // one linear element across locks
    } else {
      EXPECT_LT(row["ours"], 2) << row.dump();
    }
  }
  EXPECT_EQ(beams, 4);  // two materials, and the first by Newmark's rule and at rest too
  EXPECT_EQ(judged, 5);
  EXPECT_EQ(ends, 1);  // the coarsest shell
}

}  // namespace
}  // namespace bulwark
