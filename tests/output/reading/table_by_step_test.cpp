#include <bulwark/output/reading/table_by_step.hpp>
#include <bulwark/output/writing/csv_tables.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <output/temporary_folder.hpp>

namespace bulwark {
namespace {

TEST(TableByStep, FindsTheRowsOfAStep) {
  const TemporaryFolder folder;
  write_all(folder / "a.csv", "step,x\n0,a\n0,b\n5,c\n7,\"d\nd\"\n7,e\n");
  TableByStep table(folder / "a.csv");
  EXPECT_EQ(table.rows(0), "0,a\n0,b\n");
  EXPECT_EQ(table.rows(5), "5,c\n");
  EXPECT_EQ(table.rows(7), "7,\"d\nd\"\n7,e\n");
  EXPECT_EQ(table.rows(6), "");
  EXPECT_EQ(table.rows(8), "");
}

TEST(TableByStep, ReadsAlongWhileTheFileGrows) {
  const TemporaryFolder folder;
  TableByStep table(folder / "a.csv");
  EXPECT_EQ(table.rows(1), "");
  EXPECT_EQ(table.lines_from(0), "");
  write_all(folder / "a.csv", "step,x\n1,a\n2,b");
  EXPECT_EQ(table.rows(1), "1,a\n");
  EXPECT_EQ(table.rows(2), "") << "the line has no end yet";
  EXPECT_EQ(table.lines_from(7), "1,a\n");
  std::ofstream(folder / "a.csv", std::ios::app) << "b\n3,c\n";
  EXPECT_EQ(table.rows(2), "2,bb\n");
  EXPECT_EQ(table.rows(3), "3,c\n");
  EXPECT_EQ(table.lines_from(11), "2,bb\n3,c\n");
}

TEST(TableByStep, NoticesThatTheFileWasCutBack) {
  const TemporaryFolder folder;
  write_all(folder / "a.csv", "step,x\n1,a\n2,b\n3,c\n");
  TableByStep table(folder / "a.csv");
  EXPECT_EQ(table.rows(3), "3,c\n");
  write_all(folder / "a.csv", "step,x\n1,a\n2,b\n");
  EXPECT_EQ(table.rows(3), "");
  EXPECT_EQ(table.rows(2), "2,b\n");
}

TEST(TableByStep, ManyStepsOverManyBlocks) {
  const TemporaryFolder folder;
  std::string text = "step,x\n";
  const std::string filling(200, 'x');
  const auto row = [&](int step) { return fmt::format("{},{}\n", step, filling); };
  for (int step = 0; step < 20000; ++step) text += row(step);
  write_all(folder / "a.csv", text);
  TableByStep table(folder / "a.csv");
  for (const int step : {0, 5241, 19999}) EXPECT_EQ(table.rows(step), row(step));
}

TEST(CsvFields, AreWhatCsvFieldWrote) {
  const std::vector<std::string> names = {"plain", "a,b", "say \"x\"", "two\nlines", ""};
  std::vector<std::string> written;
  for (const std::string& name : names) written.push_back(csv_field(name));
  const std::string line = fmt::format("{}\r\n", fmt::join(written, ","));
  EXPECT_EQ(csv_fields(line), names);
}

TEST(TableByStep, ALineWithoutEndIsLeftOutAndNotSearchedAgainAndAgain) {
  const TemporaryFolder folder;
  write_all(folder / "a.csv", "step,x\n1,2\n2,\"" + std::string(std::size_t{64} << 20, 'x'));
  TableByStep table(folder / "a.csv");
  EXPECT_EQ(table.rows(1), "1,2\n");
  EXPECT_EQ(table.rows(2), "");
}

}  // namespace
}  // namespace bulwark
