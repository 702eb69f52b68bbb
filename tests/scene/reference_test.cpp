#include <bulwark/scene/reference.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace bulwark {
namespace {

TEST(Reference, ThePageInDocsIsTheOneThatTheSchemaMakes) {
  std::ifstream file(BULWARK_SOURCE_DIR "/docs/scene-reference.md");
  const std::string page{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_TRUE(page == scene_reference_markdown())
      << "docs/scene-reference.md is out of date; run: bulwark schema --markdown > docs/scene-reference.md";
}

TEST(Reference, DescribesKeysOfEverySection) {
  const std::string page = scene_reference_markdown();
  for (const char* row :
       {"| `step` | a number > 0 (s) | `0.01` | Length of a time step. |",
        "| `rotation` | [rotation](#rotation) |  | ", "## Deformable body", "| `gear.teeth` | ",
        "| `distance` | a number > 0 or {\"relative\": number > 0} (m) | `{\"relative\":0.001}` |"}) {
    EXPECT_NE(page.find(row), std::string::npos) << row;
  }
}

}  // namespace
}  // namespace bulwark
