#include <bulwark/base/error.hpp>
#include <bulwark/collision/ccd_query_factory.hpp>
#include <bulwark/collision/ccd_recorder.hpp>

#include <gtest/gtest.h>

#include <fstream>

namespace bulwark {
namespace {

std::filesystem::path written(const std::string& name, const std::string& text) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / name;
  std::ofstream(file) << text;
  return file;
}

void expect_refused(const std::string& text, const std::string& place, const std::string& problem) {
  try {
    read_queries(written("bad_queries.csv", text));
    FAIL() << "accepted: " << text;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(place), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(problem), std::string::npos) << error.what();
  }
}

std::string rows(int count, const std::string& row = "1,2,-3,4,0,1,1\n") {
  std::string text;
  for (int i = 0; i < count; ++i) text += row;
  return text;
}

TEST(CcdQueries, WhatIsWrittenIsReadBackBitForBit) {
  std::vector<MovingPair> queries;
  for (int family = 0; family < query_family_count; ++family) {
    for (int i = 0; i < 5; ++i) {
      queries.push_back(make_query(static_cast<QueryFamily>(family), CcdKind::edge_edge, 3, i));
      queries.back().collides = i % 2 == 0;
    }
  }
  const std::vector<MovingPair> read = read_queries(written("queries.csv", queries_as_text(queries)));
  ASSERT_EQ(read.size(), queries.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].start, queries[i].start);
    EXPECT_EQ(read[i].end, queries[i].end);
    EXPECT_EQ(read[i].collides, queries[i].collides);
  }
}

TEST(CcdQueries, EightRowsMakeAQuery) {
  const auto queries = read_queries(written("two.csv", rows(16)));
  ASSERT_EQ(queries.size(), 2u);
  EXPECT_EQ(queries[1].end[3], Vector3(0.5, -0.75, 0));
  EXPECT_TRUE(queries[0].collides);
  EXPECT_TRUE(read_queries(written("none.csv", "")).empty());
}

TEST(CcdQueries, LeadingZerosChangeNothing) {
  const auto queries = read_queries(written("zeros.csv", rows(8, "009,01,-0012,004,000,010,1\n")));
  ASSERT_EQ(queries.size(), 1u);
  EXPECT_EQ(queries[0].start[0], Vector3(9, -3, 0));
}

TEST(CcdQueries, WrongFilesAreAnsweredWithTheLine) {
  EXPECT_THROW(read_queries("/nowhere/queries.csv"), InputError);
  expect_refused(rows(7), "bad_queries.csv", "7 rows");
  expect_refused(rows(3) + "1,2,3\n", "line 4", "3 columns");
  expect_refused(rows(2) + "1,2,x,4,0,1,1\n", "line 3", "not a whole number");
  expect_refused(rows(2) + "1,0,3,4,0,1,1\n", "line 3", "denominator");
  expect_refused(rows(1) + "1,2,3,4,0,1,2\n", "line 2", "last column");
  expect_refused(rows(1) + "1,2,3,4,0,1,0\n", "line 2", "truth");
  expect_refused("1,3,0,1,0,1,1\n", "line 1", "not the value of a double");
  expect_refused("1" + std::string(400, '0') + ",1,0,1,0,1,1\n", "line 1", "not the value of a double");
}

TEST(CcdQueries, TheFactoryGivesTheSameQueriesAgain) {
  const MovingPair a = make_query(QueryFamily::grazing, CcdKind::point_triangle, 5, 17);
  EXPECT_EQ(a.start, make_query(QueryFamily::grazing, CcdKind::point_triangle, 5, 17).start);
  EXPECT_NE(a.start, make_query(QueryFamily::grazing, CcdKind::point_triangle, 5, 18).start);
  EXPECT_NE(a.start, make_query(QueryFamily::grazing, CcdKind::point_triangle, 6, 17).start);
}

TEST(CcdRecorder, TheSampleDoesNotDependOnTheOrder) {
  CcdRecorder forward(20), backward(20);
  for (int i = 0; i < 200; ++i) {
    forward.add(CcdKind::edge_edge, make_query(QueryFamily::random, CcdKind::edge_edge, 1, i).query());
    backward.add(CcdKind::edge_edge, make_query(QueryFamily::random, CcdKind::edge_edge, 1, 199 - i).query());
  }
  EXPECT_EQ(forward.queries(CcdKind::edge_edge).size(), 20u);
  EXPECT_EQ(queries_as_text(forward.queries(CcdKind::edge_edge)),
            queries_as_text(backward.queries(CcdKind::edge_edge)));
  EXPECT_TRUE(forward.queries(CcdKind::point_triangle).empty());
}

}  // namespace
}  // namespace bulwark
