#include <bulwark/base/error.hpp>
#include <bulwark/output/writing/atomic_file.hpp>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <output/temporary_folder.hpp>

#include <csignal>

namespace bulwark {
namespace {

/// Runs `action` and returns the message and exit code of the error it ends with.
template <class Action>
std::pair<std::string, int> error_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return {error.what(), error.exit_code()};
  }
  return {"", 0};
}

/// Limits the size of files that this process may write, as a full disk would.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limited{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limited);
  }
  ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

TEST(AtomicFile, ReplacesTheFileAndLeavesNothingElse) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a", "old");
  write_file_atomically(folder / "a", "new");
  EXPECT_EQ(read_all(folder / "a"), "new");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(AtomicFile, AFailedWriteKeepsTheOldFileAndSaysWhy) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a", "old");
  std::pair<std::string, int> error;
  {
    const FileSizeLimit limit(1000);
    error = error_of([&] { write_file_atomically(folder / "a", std::string(5000, 'x')); });
  }
  EXPECT_EQ(error.second, 5);
  EXPECT_NE(error.first.find((folder / "a").string()), std::string::npos) << error.first;
  EXPECT_NE(error.first.find("size limit"), std::string::npos) << error.first;
  EXPECT_EQ(read_all(folder / "a"), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(AtomicFile, AMissingFolderIsAnOutputError) {
  const TemporaryFolder folder;
  const auto [message, code] = error_of([&] { write_file_atomically(folder / "none/a", "x"); });
  EXPECT_EQ(code, 5);
  EXPECT_NE(message.find("No such file"), std::string::npos) << message;
}

TEST(AtomicFile, ALeftoverOfAKilledProcessIsReplaced) {
  const TemporaryFolder folder;
  write_all(folder / std::string("a").append(partial_suffix), std::string(100, 'z'));
  write_file_atomically(folder / "a", "x");
  EXPECT_EQ(read_all(folder / "a"), "x");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(AppendedFile, IsCutBackAndContinues) {
  const TemporaryFolder folder;
  {
    AppendedFile file(folder / "a.csv", 0);
    file.append("one\n");
    file.append("two\n");
    EXPECT_EQ(file.length(), 8u);
  }
  AppendedFile file(folder / "a.csv", 4);
  file.append("three\n");
  EXPECT_EQ(read_all(folder / "a.csv"), "one\nthree\n");
}

TEST(AppendedFile, AFullDiskIsAnOutputErrorThatSaysSo) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "needs /dev/full";
  const TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/full", folder / "a.csv");
  const auto [message, code] = error_of([&] {
    AppendedFile file(folder / "a.csv", 0);
    file.append("one\n");
  });
  EXPECT_EQ(code, 5);
  EXPECT_NE(message.find("a.csv"), std::string::npos) << message;
}

}  // namespace
}  // namespace bulwark
