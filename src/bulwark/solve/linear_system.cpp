#include <bulwark/base/byte_reader.hpp>
#include <bulwark/base/input_file.hpp>
#include <bulwark/base/packed_bytes.hpp>
#include <bulwark/solve/linear_system.hpp>

namespace bulwark {
namespace {

constexpr std::string_view magic = "BULWARK SYSTEM 1";

/// Numbers of a mode.
constexpr int mode_size = 5;

}  // namespace

std::string bytes_of_system(const LinearSystem& system) {
  const BlockMatrix& A = system.matrix;
  std::string bytes(magic);
  append_number(bytes, static_cast<std::uint64_t>(A.rows));
  append_number(bytes, static_cast<std::uint64_t>(A.column.size()));
  append_number(bytes, static_cast<std::uint64_t>(system.modes.size()));
  for (int i = 0; i < A.rows; ++i)
    append_number(bytes, static_cast<std::int32_t>(A.row_start[i + 1] - A.row_start[i]));
  append_array(bytes, A.column);
  for (const Matrix3& block : A.value)
    bytes.append(reinterpret_cast<const char*>(block.data()), 9 * sizeof(double));
  bytes.append(reinterpret_cast<const char*>(system.rhs.data()), system.rhs.size() * sizeof(double));
  for (const RigidMode& mode : system.modes) {
    for (const double number : {mode.translation, mode.arm[0], mode.arm[1], mode.arm[2], mode.rotation})
      append_number(bytes, number);
  }
  return bytes;
}

StoredSystem read_system(const std::filesystem::path& file) {
  return naming_file(file.string(), [&] { return system_of_bytes(read_file(file), file.string()); });
}

StoredSystem system_of_bytes(std::string_view content, const std::string& name) {
  const FileCheck check(name, "this is no system that `bulwark run --record-systems` wrote",
                        "record it again");
  ByteReader reader(content, check);
  if (reader.take(magic.size()) != magic) check.fail("it begins otherwise");
  const auto rows = static_cast<std::int64_t>(reader.number<std::uint64_t>());
  const auto blocks = static_cast<std::int64_t>(reader.number<std::uint64_t>());
  const auto modes = static_cast<std::int64_t>(reader.number<std::uint64_t>());
  constexpr std::int64_t most = std::int64_t{1} << 30;
  if (rows < 0 || rows > most || blocks < rows || blocks > most || (modes != 0 && modes != rows))
    check.fail("its sizes are impossible");
  if (content.size() !=
      magic.size() + 24 +
          static_cast<std::size_t>(4 * rows + 76 * blocks + 24 * rows + 8 * mode_size * modes))
    check.fail("its length is not what its sizes ask for");
  StoredSystem system;
  BlockMatrix& A = system.matrix;
  A.rows = static_cast<int>(rows);
  A.row_start.push_back(0);
  for (int i = 0; i < A.rows; ++i) {
    const auto count = reader.number<std::int32_t>();
    if (count < 1 || count > blocks - A.row_start.back()) check.fail("a row has an impossible length");
    A.row_start.push_back(A.row_start.back() + count);
  }
  if (A.row_start.back() != blocks) check.fail("its rows do not add up");
  A.column.resize(blocks);
  for (int i = 0; i < A.rows; ++i) {
    for (int k = A.row_start[i]; k < A.row_start[i + 1]; ++k) {
      A.column[k] = reader.number<std::int32_t>();
      const bool rises = k == A.row_start[i] ? A.column[k] == i : A.column[k] > A.column[k - 1];
      if (!rises || A.column[k] >= A.rows) check.fail("a row's columns do not rise from its diagonal");
    }
  }
  A.value.resize(blocks);
  for (Matrix3& block : A.value) {
    for (int i = 0; i < 9; ++i) block.data()[i] = reader.finite("a block");
  }
  A.pattern_version = 1;
  system.rhs.resize(3 * rows);
  for (double& number : system.rhs) number = reader.finite("the right-hand side");
  system.modes.resize(modes);
  for (RigidMode& mode : system.modes) {
    mode.translation = reader.finite("a mode");
    for (int axis = 0; axis < 3; ++axis) mode.arm[axis] = reader.finite("a mode");
    mode.rotation = reader.finite("a mode");
  }
  return system;
}

}  // namespace bulwark
