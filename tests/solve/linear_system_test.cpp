// Files of recorded systems: what was written is read again, and what is damaged is refused.
#include <bulwark/base/error.hpp>
#include <bulwark/solve/linear_system.hpp>

#include <gtest/gtest.h>

#include <unistd.h>

#include <fstream>

namespace bulwark {
namespace {

class SystemFile : public testing::Test {
 protected:
  SystemFile()
      : path_(std::filesystem::temp_directory_path() / ("system_" + std::to_string(getpid()) + ".bws")) {
    system_.matrix.rows = 3;
    system_.matrix.row_start = {0, 2, 4, 5};
    system_.matrix.column = {0, 2, 1, 2, 2};
    for (int k = 0; k < 5; ++k) system_.matrix.value.push_back((k + 1) * Matrix3::Identity());
    system_.rhs = VectorX::LinSpaced(9, 0, 8);
    system_.modes = {{1, {1, 2, 3}, 0}, {0, {0, 1, 0}, 0}, {0, {0, 0, 0}, 1}};
  }
  ~SystemFile() override { std::filesystem::remove(path_); }

  static StoredSystem read(const std::string& bytes) { return system_of_bytes(bytes, "system.bws"); }

  std::filesystem::path path_;
  StoredSystem system_;
};

TEST_F(SystemFile, IsReadAsItWasWritten) {
  std::ofstream(path_, std::ios::binary) << bytes_of_system(system_.view());
  const StoredSystem read_back = read_system(path_);
  EXPECT_EQ(read_back.matrix.row_start, system_.matrix.row_start);
  EXPECT_EQ(read_back.matrix.column, system_.matrix.column);
  EXPECT_EQ(read_back.matrix.value, system_.matrix.value);
  EXPECT_EQ(read_back.rhs, system_.rhs);
  ASSERT_EQ(read_back.modes.size(), 3u);
  EXPECT_EQ(read_back.modes[0].arm, Vector3(1, 2, 3));
  EXPECT_EQ(read_back.modes[2].rotation, 1);
}

TEST_F(SystemFile, IsRefusedWhereItIsCutOff) {
  const std::string whole = bytes_of_system(system_.view());
  for (std::size_t length = 0; length < whole.size(); length += 7)
    EXPECT_THROW(read(whole.substr(0, length)), InputError) << length;
  EXPECT_THROW(read(whole + "x"), InputError);
}

TEST_F(SystemFile, IsRefusedOrStaysWithinItsBoundsWhateverByteIsChanged) {
  const std::string whole = bytes_of_system(system_.view());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char value : {'\x00', '\x7f', '\xff'}) {
      std::string damaged = whole;
      damaged[at] = value;
      try {
        const StoredSystem back = read(damaged);
        EXPECT_EQ(back.matrix.row_start.back(), static_cast<int>(back.matrix.column.size()));
        for (const int column : back.matrix.column) EXPECT_LT(column, back.matrix.rows);
        EXPECT_TRUE(back.rhs.allFinite());
      } catch (const InputError&) {
      }
    }
  }
}

}  // namespace
}  // namespace bulwark
