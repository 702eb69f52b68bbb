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

}  // namespace
}  // namespace bulwark
