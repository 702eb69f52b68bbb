// Files that are small and would become huge when their data are unpacked.
#include <bulwark/base/error.hpp>
#include <bulwark/geometry/mesh_file.hpp>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <zlib.h>

#include <string>

namespace bulwark {
namespace {

constexpr std::size_t block_size = std::size_t{32} << 20;

std::string header_number(std::uint64_t value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// An array of that many blocks of 32 MB, all zeros.
std::string array_of_zeros(std::size_t blocks) {
  static const std::string packed = [] {
    const std::string zeros(block_size, '\0');
    uLongf size = compressBound(zeros.size());
    std::string result(size, '\0');
    compress(reinterpret_cast<Bytef*>(result.data()), &size, reinterpret_cast<const Bytef*>(zeros.data()),
             zeros.size());
    result.resize(size);
    return result;
  }();
  std::string array = header_number(blocks) + header_number(block_size) + header_number(0);
  for (std::size_t i = 0; i < blocks; ++i) array += header_number(packed.size());
  for (std::size_t i = 0; i < blocks; ++i) array += packed;
  return array;
}

/// Every array of the piece is the same data.
std::string file_of(const std::string& data, std::size_t points, std::size_t cells, const std::string& type) {
  const auto array = [&](const std::string& name) {
    return "<DataArray type=\"" + type + "\" Name=\"" + name + "\" format=\"appended\" offset=\"0\"/>";
  };
  return "<VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\" header_type=\"UInt64\" "
         "compressor=\"vtkZLibDataCompressor\"><UnstructuredGrid><Piece NumberOfPoints=\"" +
         std::to_string(points) + "\" NumberOfCells=\"" + std::to_string(cells) + "\"><Points>" +
         array("Points") + "</Points><Cells>" + array("connectivity") + array("offsets") + array("types") +
         "</Cells></Piece></UnstructuredGrid><AppendedData encoding=\"raw\">_" + data +
         "</AppendedData></VTKFile>";
}

std::size_t most_memory() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

std::string error_of(const std::string& bytes) {
  try {
    read_mesh_from_memory(bytes, "vtu", "bomb.vtu");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(VtkGrowth, DataBeyondWhatTheHeaderAnnouncesAreRefusedBeforeTheyAreUnpacked) {
  constexpr std::size_t blocks = 200;  // 6.7 GB of zeros in 6.5 MB
  const std::string data = array_of_zeros(blocks);
  const std::size_t before = most_memory();
  for (const char* type : {"Float64", "Float32", "UInt8", "Int64"}) {
    const std::size_t item = type[std::string(type).size() - 1] == '4' ? 8
                             : type == std::string("UInt8")            ? 1
                                                                       : 4;
    const std::size_t all = blocks * block_size / item;
    for (const std::size_t points : {std::size_t{4}, std::min<std::size_t>(all / 3, 2147483646)}) {
      const std::string error = error_of(file_of(data, points, points, type));
      EXPECT_NE(error.find("bomb.vtu"), std::string::npos) << type << ", " << points << ": " << error;
    }
  }
  EXPECT_LT(most_memory() - before, std::size_t{200} << 20);
}

TEST(VtkGrowth, BlockSizesWhoseSumOverflowsAreRefused) {
  for (const std::uint64_t size : {~std::uint64_t{0}, std::uint64_t{1} << 63, std::uint64_t{1} << 41}) {
    const std::string data = header_number(2) + header_number(size) + header_number(size) + header_number(1) +
                             header_number(1) + "xx";
    EXPECT_NE(error_of(file_of(data, 4, 1, "Float64")).find("bomb.vtu"), std::string::npos) << size;
  }
}

TEST(VtkGrowth, AnHonestFileThatShrinksWellIsRead) {
  constexpr std::size_t points = block_size / 24 / 4;  // all at one place: 8 MB in 8 kB
  const std::string zeros(points * 24, '\0');
  uLongf size = compressBound(zeros.size());
  std::string packed(size, '\0');
  compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(zeros.data()),
           zeros.size());
  packed.resize(size);
  const std::string data =
      header_number(1) + header_number(zeros.size()) + header_number(0) + header_number(size) + packed;
  std::string file = file_of(data, points, 0, "Float64");
  const std::size_t cells = file.find("<Cells>"), end = file.find("</Cells>");
  file.erase(cells, end - cells + 8);
  EXPECT_EQ(error_of(file), "");
}

}  // namespace
}  // namespace bulwark
