#include <bulwark/base/byte_reader.hpp>
#include <bulwark/base/error.hpp>
#include <bulwark/base/input_file.hpp>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <output/temporary_folder.hpp>

#include <cmath>
#include <limits>

namespace bulwark {
namespace {

template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(InputFile, ReadsPartsAndTheWhole) {
  const TemporaryFolder folder;
  write_all(folder / "a", "0123456789");
  EXPECT_EQ(read_file(folder / "a"), "0123456789");
  const InputFile file(folder / "a");
  EXPECT_EQ(file.size(), 10u);
  EXPECT_EQ(file.read(2, 5), "234");
  EXPECT_EQ(file.read(8, 99), "89");
  EXPECT_EQ(file.read(20, 30), "");
}

TEST(InputFile, FoldersPipesAndMissingFilesAreNamedAndNotWaitedFor) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_NE(error_of([&] { read_file(folder / "pipe"); }).find("pipe: this is not a regular file"),
            std::string::npos);
  EXPECT_NE(error_of([&] { read_file(folder.path()); }).find("this is a folder"), std::string::npos);
  EXPECT_NE(error_of([&] { read_file(folder / "none"); }).find("there is no such file"), std::string::npos);
}

TEST(InputFile, AFileLargerThanTheMemoryIsRefusedBeforeItIsRead) {
  const TemporaryFolder folder;
  write_all(folder / "sparse", "");
  std::error_code error;
  std::filesystem::resize_file(folder / "sparse", std::uint64_t{1} << 42, error);
  if (error) GTEST_SKIP() << "no sparse files here";
  EXPECT_NE(error_of([&] { read_file(folder / "sparse"); }).find("more than this machine's memory"),
            std::string::npos);
}

TEST(InputFile, LinksLeadOutOfNoFolderThatIsGiven) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "run/inside");
  std::filesystem::create_directories(folder / "run-beside");
  write_all(folder / "secret", "secret");
  write_all(folder / "run/inside/good", "good");
  write_all(folder / "run-beside/other", "other");
  std::filesystem::create_symlink("inside/good", folder / "run/link");
  std::filesystem::create_symlink("../secret", folder / "run/out");
  std::filesystem::create_symlink("../run-beside/other", folder / "run/beside");
  std::filesystem::create_symlink("out", folder / "run/twice");
  std::filesystem::create_directory_symlink("..", folder / "run/up");
  std::filesystem::create_directory_symlink("run", folder / "alias");
  const auto run = folder / "run";
  EXPECT_EQ(read_file(run / "inside/good", run), "good");
  EXPECT_EQ(read_file(run / "link", run), "good");
  EXPECT_EQ(read_file(folder / "alias/link", folder / "alias"), "good") << "the folder may be a link itself";
  for (const char* name : {"out", "beside", "twice", "up/secret", "inside/../../secret"}) {
    EXPECT_NE(error_of([&] { read_file(run / name, run); }).find("a link points outside"), std::string::npos)
        << name;
  }
  EXPECT_EQ(read_file(run / "out"), "secret") << "where no folder is given, links are followed";
}

TEST(InputFile, RunningOutOfMemoryNamesTheFile) {
  const auto fail = [] { naming_file("huge.vtu", []() -> int { throw std::bad_alloc(); }); };
  EXPECT_NE(error_of(fail).find("huge.vtu: there is not enough memory for this file"), std::string::npos);
  EXPECT_EQ(naming_file("a", [] { return 3; }), 3);
}

TEST(ByteReader, NeverReadsPastTheEndNorBelievesACount) {
  const FileCheck check("file", "this checkpoint is damaged");
  const auto with_count = [&](std::uint64_t count) {
    std::string bytes(reinterpret_cast<const char*>(&count), sizeof count);
    return bytes + std::string(16, '\0');
  };
  for (const std::uint64_t count : {std::uint64_t{3}, std::uint64_t{1} << 61, ~std::uint64_t{0}}) {
    const std::string bytes = with_count(count);
    ByteReader in(bytes, check);
    EXPECT_NE(error_of([&] { in.count(8, "positions"); }), "") << count;
  }
  const std::string bytes = with_count(2);
  ByteReader in(bytes, check);
  EXPECT_EQ(in.numbers(in.count(8, "positions"), "positions"), (std::vector<double>{0, 0}));
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(error_of([&] { in.number<char>(); }), "file: this checkpoint is damaged: it is truncated");
}

TEST(FileCheck, TellsWhatIsNotFiniteNotWholeOrOutOfRange) {
  const FileCheck check("a.vtu", "damaged");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(check.index(2, 3, "the body"), 2);
  EXPECT_EQ(check.whole(-1, -1, 5, "the group"), -1);
  for (const double number : {-1.0, 3.0, 0.5, infinity, -infinity, std::nan(""), 1e300}) {
    EXPECT_NE(error_of([&] { check.index(number, 3, "the body"); }).find("a.vtu: damaged: the body is"),
              std::string::npos)
        << number;
  }
  EXPECT_NE(error_of([&] { check.index(0, 0, "the body"); }), "");
  EXPECT_NE(error_of([&] { check.finite(std::vector{1.0, std::nan("")}, "time"); }), "");
  EXPECT_NE(error_of([&] { check.size(2, 3, "normals"); }).find("2 numbers instead of 3"), std::string::npos);
}

}  // namespace
}  // namespace bulwark
