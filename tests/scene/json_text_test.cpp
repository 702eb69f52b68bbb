#include <bulwark/base/error.hpp>
#include <bulwark/scene/json_text.hpp>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace bulwark {
namespace {

std::string parse_error(const std::string& text) {
  try {
    parse_json(text, "a.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string override_error(const std::string& assignment) {
  Json document = {{"time", {{"step", 0.01}}}, {"list", {1, 2}}};
  try {
    apply_override(document, assignment);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool begins(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

TEST(JsonText, AllowsCommentsAndKeepsTheOrderOfKeys) {
  const Json json = parse_json("{ // first\n \"b\": 1, /* then */ \"a\": [true, null, \"x\"] }", "a.json");
  EXPECT_EQ(json.dump(), R"({"b":1,"a":[true,null,"x"]})");
}

TEST(JsonText, ASyntaxErrorNamesFileLineAndColumn) {
  const std::string message = parse_error("{\n  \"a\": 1,\n  \"b\": }\n");
  EXPECT_TRUE(begins(message, "a.json:3:8: not valid JSON: unexpected '}'")) << message;
  EXPECT_TRUE(begins(parse_error("{\"a\": 1"), "a.json:1:7: not valid JSON: unexpected end of input"));
  EXPECT_TRUE(begins(parse_error(""), "a.json:1:1: "));
  EXPECT_NE(parse_error("{\"a\": 1,}").find("comma"), std::string::npos);
  EXPECT_NE(parse_error("{} {}"), "");
}

TEST(JsonText, RejectsNumbersThatAreNone) {
  EXPECT_NE(parse_error("[NaN]"), "");
  EXPECT_NE(parse_error("[Infinity]"), "");
  EXPECT_NE(parse_error("[1,\n1e999]").find("a.json:2:"), std::string::npos);
  EXPECT_NE(parse_error("[1e999]").find("too large"), std::string::npos);
}

TEST(JsonText, RejectsAKeyGivenTwice) {
  const std::string message = parse_error("{\n\"a\": 1,\n\"a\": 2}");
  EXPECT_TRUE(begins(message, "a.json:3:3: the key \"a\" is given twice")) << message;
  EXPECT_EQ(parse_error("{\"a\": {\"a\": 1}, \"b\": {\"a\": 1}}"), "");
}

TEST(JsonText, DeepNestingIsAnErrorAndNotACrash) {
  EXPECT_NE(parse_error(std::string(1000000, '[')).find("nested deeper than 100"), std::string::npos);
  EXPECT_EQ(parse_error(std::string(100, '[') + std::string(100, ']')), "");
}

TEST(JsonText, BrokenUtf8IsAnError) {
  EXPECT_NE(parse_error("[\"\xff\xfe\"]"), "");
}

TEST(JsonText, FindsTheLineOfAValue) {
  const std::string text = "{\n\"a\": 1,\n\"b\": [\n1,\n{\"c/d\": 2,\n\"e\": {\n\"f\": 3}},\n4\n]}";
  EXPECT_EQ(line_of(text, ""), 1);
  EXPECT_EQ(line_of(text, "/a"), 2);
  EXPECT_EQ(line_of(text, "/b"), 3);
  EXPECT_EQ(line_of(text, "/b/0"), 4);
  EXPECT_EQ(line_of(text, "/b/1"), 5);
  EXPECT_EQ(line_of(text, "/b/1/c~1d"), 5);
  EXPECT_EQ(line_of(text, "/b/1/e/f"), 7);
  EXPECT_EQ(line_of(text, "/b/2"), 8);
  EXPECT_EQ(line_of(text, "/b/1/missing"), 5) << "the line of the object that lacks it";
  EXPECT_EQ(line_of(text, "/missing/x"), 1);
}

TEST(Override, ReplacesAddsAndRemovesValues) {
  Json document = {{"time", {{"step", 0.01}}}, {"list", {1, 2}}};
  EXPECT_EQ(apply_override(document, "/time/step=0.005"), "/time/step");
  EXPECT_EQ(document["time"]["step"], 0.005);
  apply_override(document, "/list/1={\"a\": [1]}");
  EXPECT_EQ(document["list"][1]["a"][0], 1);
  apply_override(document, "/contact/model=none");
  EXPECT_EQ(document["contact"]["model"], "none") << "text that is no JSON is a string";
  apply_override(document, "/title=a=b");
  EXPECT_EQ(document["title"], "a=b");
  apply_override(document, "/time/step=null");
  EXPECT_FALSE(document["time"].contains("step"));
  apply_override(document, "/odd~1key~0=1");
  EXPECT_EQ(document["odd/key~"], 1);
}

TEST(Override, SaysWhatIsWrongWithAPath) {
  EXPECT_NE(override_error("time/step=1").find("POINTER=VALUE"), std::string::npos);
  EXPECT_NE(override_error("/time/step").find("POINTER=VALUE"), std::string::npos);
  EXPECT_NE(override_error("=1").find("POINTER=VALUE"), std::string::npos);
  EXPECT_NE(override_error("/list/2=1").find("/list is a list of 2 and has no item \"2\""),
            std::string::npos);
  EXPECT_NE(override_error("/list/x=1").find("items count from 0 to 1"), std::string::npos);
  EXPECT_NE(override_error("/time/step/x=1").find("/time/step is 0.01 and has no key \"x\""),
            std::string::npos);
}

}  // namespace
}  // namespace bulwark
