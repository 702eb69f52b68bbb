#include <bulwark/base/processor.hpp>

#include <gtest/gtest.h>

#include <string>

namespace bulwark {
namespace {

TEST(Processor, ThatLacksInstructionsIsToldWhichAndWhatToDo) {
  EXPECT_EQ(missing_instructions(true, true), nullptr);
  const std::string both = missing_instructions(false, false);
  EXPECT_EQ(both.find("this processor lacks AVX2 and FMA instructions"), 0u);
  EXPECT_NE(both.find("-cpu host"), std::string::npos);
  EXPECT_EQ(both.find('\n'), std::string::npos);
  EXPECT_NE(std::string(missing_instructions(false, true)).find("lacks AVX2 instructions"),
            std::string::npos);
  EXPECT_NE(std::string(missing_instructions(true, false)).find("lacks FMA instructions"), std::string::npos);
}

TEST(Processor, ThatRunsTheseTestsLacksNothing) {
  EXPECT_EQ(missing_instructions_here(), nullptr);
}

}  // namespace
}  // namespace bulwark
