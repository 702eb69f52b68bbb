#include <bulwark/collision/ccd_query_factory.hpp>

#include <cli/program.hpp>

#include <nlohmann/json.hpp>

namespace bulwark {
namespace {

std::string factory_queries(CcdKind kind) {
  std::vector<MovingPair> queries;
  for (int i = 0; i < 200; ++i) {
    queries.push_back(make_query(static_cast<QueryFamily>(i % query_family_count), kind, 2, i));
    queries.back().collides = exactly_collides(kind, queries.back());
  }
  return queries_as_text(queries);
}

TEST(CcdCommand, QueriesAreScored) {
  const TemporaryFolder folder;
  write_all(folder / "vertex-face.csv", factory_queries(CcdKind::point_triangle));
  write_all(folder / "edges.csv", factory_queries(CcdKind::edge_edge));
  for (const std::string method : {"tight-inclusion", "additive"}) {
    const auto [code, text] = bulwark_program(
        folder.path(), {"ccd", "vertex-face.csv", "--method", method, "--json", "score.json"});
    EXPECT_EQ(code, 0) << text;
    EXPECT_NE(text.find("vertex-face"), std::string::npos) << text;
    const auto score = nlohmann::json::parse(read_all(folder / "score.json"));
    EXPECT_EQ(score["method"], method);
    EXPECT_EQ(score["queries"], 200);
    EXPECT_EQ(score["false_negatives"], 0);
    EXPECT_GT(score["collisions"], 10);
    EXPECT_GT(score["mean_us"], 0);
  }
  EXPECT_EQ(bulwark_program(folder.path(), {"ccd", "edges.csv", "--kind", "edge-edge"}).exit_code, 0);
}

TEST(CcdCommand, WrongFilesAreBadInput) {
  const TemporaryFolder folder;
  write_all(folder / "edge-edge.csv", "1,2,3\n");
  write_all(folder / "queries.csv", factory_queries(CcdKind::edge_edge));
  const auto [code, text] = bulwark_program(folder.path(), {"ccd", "edge-edge.csv"});
  EXPECT_EQ(code, 2);
  EXPECT_NE(text.find("line 1"), std::string::npos) << text;
  EXPECT_EQ(bulwark_program(folder.path(), {"ccd", "none-edge-edge.csv"}).exit_code, 2);
  const ProgramResult unknown_kind = bulwark_program(folder.path(), {"ccd", "queries.csv"});
  EXPECT_EQ(unknown_kind.exit_code, 2);
  EXPECT_NE(unknown_kind.output.find("--kind"), std::string::npos) << unknown_kind.output;
  EXPECT_EQ(bulwark_program(folder.path(), {"ccd", "queries.csv", "--method", "magic"}).exit_code, 2);
}

TEST(CcdCommand, RecordedQueriesOfARunHaveNoFalseNegative) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", falling_box_scene());
  const auto [code, text] = bulwark_program(
      folder.path(), {"run", "scene.json", "-o", "out", "--steps", "3", "--record-queries", "recorded.csv"});
  EXPECT_EQ(code, 0) << text;
  const ProgramResult scored = bulwark_program(
      folder.path(), {"ccd", "recorded.vertex-face.csv", "recorded.edge-edge.csv", "--json", "score.json"});
  EXPECT_EQ(scored.exit_code, 0) << scored.output;
  EXPECT_EQ(nlohmann::json::parse(read_all(folder / "score.json"))["false_negatives"], 0);
}

}  // namespace
}  // namespace bulwark
