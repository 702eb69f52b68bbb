#include <bulwark/scene/nearest.hpp>
#include <bulwark/scene/schema.hpp>
#include <bulwark/scene/validate.hpp>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace bulwark {
namespace {

/// Issues as "path: problem | remedy", one per line.
std::string issues_of(const std::string& document, const std::string& schema) {
  Json json = parse_json(document, "document");
  std::string text;
  for (const Issue& issue : check_against_schema(json, parse_json(schema, "schema"))) {
    text += issue.path + ": " + issue.problem + (issue.remedy.empty() ? "" : " | " + issue.remedy) + "\n";
  }
  return text;
}

TEST(Validate, TellsWhatWasExpectedAndWhatWasFound) {
  const std::string schema = R"({"type": "object", "additionalProperties": false, "properties": {
    "length": {"type": "number", "exclusiveMinimum": 0}, "count": {"type": "integer", "minimum": 1, "maximum": 9},
    "mode": {"enum": ["fast", "safe"]}, "on": {"type": "boolean"}, "text": {"type": "string"},
    "point": {"title": "3 numbers", "type": "array", "minItems": 3, "maxItems": 3, "items": {"type": "number"}}}})";
  EXPECT_EQ(
      issues_of(R"({"length": 1, "count": 2.0, "mode": "safe", "on": true, "point": [1, 2, 3]})", schema),
      "");
  EXPECT_EQ(issues_of("[]", schema).substr(0, 45), ": expected an object with length, count, mode");
  EXPECT_EQ(issues_of(R"({"length": 0})", schema), "/length: expected a number > 0, got 0\n");
  EXPECT_EQ(issues_of(R"({"length": "1"})", schema), "/length: expected a number > 0, got \"1\"\n");
  EXPECT_EQ(issues_of(R"({"count": 1.5})", schema), "/count: expected an integer >= 1 and <= 9, got 1.5\n");
  EXPECT_EQ(issues_of(R"({"count": 10})", schema), "/count: expected an integer >= 1 and <= 9, got 10\n");
  EXPECT_EQ(issues_of(R"({"mode": "saef"})", schema),
            "/mode: expected \"fast\" or \"safe\", got \"saef\" | did you mean \"safe\"?\n");
  EXPECT_EQ(issues_of(R"({"on": 1})", schema), "/on: expected true or false, got 1\n");
  EXPECT_EQ(issues_of(R"({"text": null})", schema), "/text: expected a string, got null\n");
  EXPECT_EQ(issues_of(R"({"point": [1, 2]})", schema), "/point: expected 3 numbers, got a list of 2\n");
  EXPECT_EQ(issues_of(R"({"point": [1, {}, 2]})", schema), "/point/1: expected a number, got an object\n");
  EXPECT_EQ(issues_of(R"({"lenght": 1})", schema),
            "/lenght: unknown key \"lenght\" | did you mean \"length\"?\n");
  EXPECT_EQ(issues_of(R"({"qqqq": 1})", schema),
            "/qqqq: unknown key \"qqqq\" | known keys: length, count, mode, on, text, point\n");
  EXPECT_EQ(issues_of(R"({"length": 1e31})", schema).substr(0, 40),
            "/length: the number 1e+31 is too large |");
}

TEST(Validate, ReportsAllErrorsUpToALimit) {
  const std::string schema = R"({"type": "array", "items": {"type": "number"}})";
  EXPECT_EQ(issues_of(R"([1, "a", 2, "b"])", schema),
            "/1: expected a number, got \"a\"\n/3: expected a number, got \"b\"\n");
  Json many = Json::array();
  for (int i = 0; i < 1000; ++i) many.push_back("x");
  EXPECT_EQ(check_against_schema(many, parse_json(schema, "schema")).size(), max_issues + 1);
}

TEST(Validate, PicksTheAlternativeByTypeConstantOrItems) {
  const std::string schema = R"({"oneOf": [{"type": "number", "minimum": 0}, {"enum": ["auto"]},
    {"type": "object", "additionalProperties": false, "properties": {"kind": {"const": "a"}, "x": {"type": "number"}}},
    {"type": "object", "additionalProperties": false, "properties": {"kind": {"const": "b"}, "y": {"type": "number"}}},
    {"title": "numbers", "type": "array", "items": {"type": "number"}},
    {"title": "strings", "type": "array", "items": {"type": "string"}}]})";
  EXPECT_EQ(issues_of("1", schema), "");
  EXPECT_EQ(issues_of("-1", schema), ": expected a number >= 0, got -1\n");
  EXPECT_EQ(issues_of("\"auot\"", schema), ": expected \"auto\", got \"auot\" | did you mean \"auto\"?\n");
  EXPECT_EQ(issues_of(R"({"kind": "a", "y": 1})", schema), "/y: unknown key \"y\" | known keys: kind, x\n");
  EXPECT_EQ(issues_of(R"({"kind": "c"})", schema), "/kind: expected \"a\" or \"b\", got \"c\"\n");
  EXPECT_EQ(issues_of("{}", schema), ": missing key \"kind\" | add one of: \"a\", \"b\"\n");
  EXPECT_EQ(issues_of(R"(["x", 1])", schema), "/1: expected a string, got 1\n");
  EXPECT_EQ(issues_of("true", schema).substr(0, 40), ": expected a number >= 0, \"auto\", an obj");
}

TEST(Validate, ChecksSetsOfKeys) {
  const std::string schema = R"({"type": "object", "additionalProperties": false,
    "oneOf": [{"required": ["axis", "degrees"]}, {"required": ["matrix"]}], "dependentRequired": {"extra": ["matrix"]},
    "properties": {"axis": {"type": "number"}, "degrees": {"type": "number", "description": "Angle."},
      "matrix": {"type": "number"}, "extra": {"type": "number"}}})";
  EXPECT_EQ(issues_of(R"({"axis": 1, "degrees": 2})", schema), "");
  EXPECT_EQ(issues_of("{}", schema), ": missing key | add one of: \"axis\", \"matrix\"\n");
  EXPECT_EQ(issues_of(R"({"axis": 1})", schema),
            ": missing key \"degrees\" | add \"degrees\": a number. Angle.\n");
  EXPECT_EQ(issues_of(R"({"axis": 1, "degrees": 2, "matrix": 3})", schema),
            ": \"axis\" and \"matrix\" are both given | keep one of them\n");
  EXPECT_EQ(issues_of(R"({"axis": 1, "degrees": 2, "extra": 3})", schema),
            "/extra: \"extra\" needs \"matrix\" beside it\n");
  EXPECT_EQ(issues_of(R"({"matrxi": 1})", schema),
            "/matrxi: unknown key \"matrxi\" | did you mean \"matrix\"?\n")
      << "a misspelt key is not also reported as missing";
}

TEST(Validate, FillsDefaultsDownToNestedObjects) {
  Json document = Json::object();
  const Json schema = parse_json(R"({"type": "object", "properties": {
    "a": {"$ref": "#/$defs/inner", "default": {}}, "b": {"type": "number"}},
    "$defs": {"inner": {"type": "object", "properties": {"c": {"type": "number", "default": 4}}}}})",
                                 "schema");
  EXPECT_TRUE(check_against_schema(document, schema).empty());
  EXPECT_EQ(document.dump(), R"({"a":{"c":4}})");
}

TEST(Schema, EveryKeyHasAMeaning) {
  const Json& root = scene_schema_document();
  const auto check_section = [&](const Json& section, const std::string& name) {
    if (!section.contains("properties")) return;
    for (const auto& [key, property] : section["properties"].items()) {
      EXPECT_TRUE(annotation(property, root, "description").is_string()) << name << "." << key;
    }
  };
  check_section(root, "scene");
  for (const auto& [name, section] : root["$defs"].items()) check_section(section, name);
}

TEST(Nearest, SuggestsOnlyWhatIsClose) {
  const std::vector<std::string> known = {"position", "rotation", "material", "angular_velocity_degrees"};
  EXPECT_EQ(nearest_word("Positon", known), "position");
  EXPECT_EQ(nearest_word("materail", known), "material");
  EXPECT_EQ(nearest_word("angular_velocity", known), "angular_velocity_degrees");
  EXPECT_EQ(nearest_word("xyz", known), "");
  EXPECT_EQ(nearest_word(std::string(100000, 'x'), known), "");
}

}  // namespace
}  // namespace bulwark
