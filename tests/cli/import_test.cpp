#include <cli/program.hpp>

namespace bulwark {
namespace {

TEST(ImportCommand, DoesNotOverwriteTheFileItReads) {
  const TemporaryFolder folder;
  const std::string robot = R"(<robot name="r"><link name="base"/></robot>)";
  write_all(folder / "robot.urdf", robot);
  std::filesystem::create_directory(folder / "sub");
  std::filesystem::create_symlink("../robot.urdf", folder / "sub/link.json");
  std::filesystem::create_directory_symlink(".", folder / "here");
  std::filesystem::create_hard_link(folder / "robot.urdf", folder / "hard.json");
  for (const std::string& scene :
       {std::string("robot.urdf"), std::string("./sub/../robot.urdf"), std::string("sub/link.json"),
        std::string("here/robot.urdf"), std::string("hard.json"), (folder / "robot.urdf").string()}) {
    const auto [code, text] = bulwark_program(folder.path(), {"import", "robot.urdf", "-o", scene});
    EXPECT_EQ(code, 2) << scene << "\n" << text;
    EXPECT_TRUE(contains(text, "would be overwritten")) << text;
    EXPECT_EQ(read_all(folder / "robot.urdf"), robot) << scene;
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "sub/link.json"));
  }
  const auto [code, text] = bulwark_program(folder.path(), {"import", "robot.urdf", "-o", "other.json"});
  EXPECT_FALSE(contains(text, "would be overwritten")) << text;
}

}  // namespace
}  // namespace bulwark
