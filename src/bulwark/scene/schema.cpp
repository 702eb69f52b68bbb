#include <bulwark/scene/schema.hpp>

#include <nlohmann/json.hpp>

namespace bulwark {
namespace {

std::string number_text(const Json& number) {
  return number.dump();
}

std::string range_text(const Json& schema) {
  const bool from = schema.contains("minimum"), above = schema.contains("exclusiveMinimum");
  const bool to = schema.contains("maximum"), below = schema.contains("exclusiveMaximum");
  std::string text;
  if (from) text += " >= " + number_text(schema["minimum"]);
  if (above) text += " > " + number_text(schema["exclusiveMinimum"]);
  if ((from || above) && (to || below)) text += " and";
  if (to) text += " <= " + number_text(schema["maximum"]);
  if (below) text += " < " + number_text(schema["exclusiveMaximum"]);
  return text;
}

/// "a", "a or b", "a, b or c".
std::string alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::string object_text(const Json& schema) {
  if (schema.contains("title")) {
    // "Rotation" -> "a rotation object"; titles that are no plain name stand for themselves.
    std::string title = schema["title"];
    if (title[0] < 'A' || title[0] > 'Z') return title;
    title[0] = static_cast<char>(title[0] - 'A' + 'a');
    const bool vowel = std::string("aeiou").find(title[0]) != std::string::npos;
    return (vowel ? "an " : "a ") + title + " object";
  }
  std::vector<std::string> keys;
  if (schema.contains("properties")) {
    for (const auto& [key, value] : schema["properties"].items()) keys.push_back(key);
  }
  if (keys.empty()) return "an object";
  std::string text = "an object with ";
  for (std::size_t i = 0; i < keys.size(); ++i) text += (i == 0 ? "" : ", ") + keys[i];
  return text;
}

}  // namespace

const Json& scene_schema_document() {
  static const Json document = parse_json(scene_schema(), "schema.json");
  return document;
}

const Json& resolved(const Json& schema, const Json& root) {
  const Json* at = &schema;
  while (at->contains("$ref")) {
    const std::string target = (*at)["$ref"];
    at = &root.at(Json::json_pointer(target.substr(1)));
  }
  return *at;
}

const Json& annotation(const Json& schema, const Json& root, const char* keyword) {
  static const Json none;
  const Json* at = &schema;
  while (true) {
    if (at->contains(keyword)) return (*at)[keyword];
    if (!at->contains("$ref")) return none;
    const std::string target = (*at)["$ref"];
    at = &root.at(Json::json_pointer(target.substr(1)));
  }
}

std::string expectation(const Json& given, const Json& root) {
  const Json& schema = resolved(given, root);
  if (schema.contains("const")) return schema["const"].dump();
  if (schema.contains("enum")) {
    std::vector<std::string> words;
    for (const Json& value : schema["enum"]) words.push_back(value.dump());
    return alternatives(words);
  }
  const std::string type = schema.value("type", "");
  if (type == "object") return object_text(schema);
  if (schema.contains("title")) return schema["title"];
  if (schema.contains("oneOf")) {
    std::vector<std::string> words;
    for (const Json& branch : schema["oneOf"]) words.push_back(expectation(branch, root));
    return alternatives(words);
  }
  if (type == "number") return "a number" + range_text(schema);
  if (type == "integer") return "an integer" + range_text(schema);
  if (type == "boolean") return "true or false";
  if (type == "string") return "a string";
  if (type == "array") {
    return schema.contains("items") ? "a list, each item " + expectation(schema["items"], root) : "a list";
  }
  return "a value";
}

}  // namespace bulwark
